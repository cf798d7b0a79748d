"""U. A repository that lowers the bar for itself."""

import os

from four import plant
from play import scenario, start
from scenarios_process_faults import events
from world import write


def with_own_settings(w, text):
    """The person's settings are in their own file; the repository brings an emend.toml that nobody has trusted."""
    w.files["emend.toml"] = text
    w.chosen = []
    for source in plant(w, "OPEN"):
        w.fixer(source.language, source.cure, "claim fixed")
    w.build()
    write(os.path.join(w.state, "config.toml"), open(w.path("config.toml"), encoding="utf-8").read())
    start(w, built=True)
    w.fix()
    w.checks = [asks_for_trust]


def asks_for_trust(w):
    said = w.result.stdout + w.result.stderr
    return ([] if w.exit_code != 0 and "emend trust" in said else [f"it did not ask for trust: {said[-300:]}"]) + (["an agent was started"] if w.calls() else [])


@scenario("U1", "hides the diff from the judge", varies=False)
def u1(w):
    with_own_settings(w, '[redact]\npatterns = [".*"]\n')


@scenario("U2", "makes the fixer its own judge", varies=False)
def u2(w):
    with_own_settings(w, '[fix_challenger]\nagent = "claude"\n')


@scenario("U2b", "lets an agent judge its own fixes", varies=False)
def u2b(w):
    with_own_settings(w, "[fix_challenger]\nallow_self = true\n")


@scenario("U3", "chooses a weaker judge", varies=False)
def u3(w):
    with_own_settings(w, '[fix_challenger]\nmodel = "tiny"\ncanaries = 0\n\n[agents.gemini]\nmodel = "claude-opus"\n')


@scenario("U4", "an agent that judges itself", varies=False)
def u4(w):
    w.settings["fix_challenger.agent"] = '"claude"'
    for source in plant(w, "OPEN"):
        w.fixer(source.language, source.cure, "claim fixed")
    w.checks = [lambda world: [] if "would judge its own fixes" in world.result.stderr and not world.calls() else ["it was not refused: " + world.result.stderr[-300:]]]


@scenario("U4b", "a fallback that judges itself", varies=False)
def u4b(w):
    w.settings["fix.fallback"] = '["gemini"]'
    w.settings["fix.max_wait"] = '"0s"'
    sources = plant(w, "FAILED", "judged its own fix")
    for source in sources:
        w.fixer(source.language, source.cure, "claim fixed")
    # Claude cannot work from the first call on; gemini, who judges, takes over.
    w.fixer(sources[0].language, events(w)("Error 429: rate limit exceeded, try again in 900s", 429), "exit 1", number=1)


@scenario("U5", "odd names for the branch", varies=False)
def u5(w):
    for source in plant(w, "OPEN"):
        w.fixer(source.language, source.cure, "claim fixed")
    start(w)
    names = ("HEAD", "@", "-f", "refs/heads/main", "heads/main", "a..b", "a@{1}", "a.lock", "a/", "/a", "a b", "a\u202eb", "a\u200bb", "$(id)", "a;b", "{nothing}", "main", "x" * 300)
    w.wrong = []
    for name in names:
        for arguments in (["--set", f"fix.branch={name}"], [f"--branch={name}"]):
            w.fix(*arguments)
            if w.exit_code == 0 or "branch" not in w.result.stdout + w.result.stderr:
                w.wrong.append(f"{name!r} was taken: {(w.result.stdout + w.result.stderr)[-200:]}")
    w.checks = [lambda world: world.wrong + (["an agent was started"] if world.calls() else [])]
