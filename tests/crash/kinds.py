"""The kinds of work that are interrupted. Each says what the world holds, which command is given, and what it may change."""

import dataclasses
import json
import os
import re

import play
from world import words, write

KINDS = {}


@dataclasses.dataclass
class Kind:
    name: str
    declare: object            # function(World) -> arguments of the command, or None: `fix` with every issue
    session: bool = True       # a session can be resumed; any other command is given again
    known: bool = True         # the issues are there before the command
    exit_codes: tuple = (0,)
    files: tuple = ()          # below the world: what the command is meant to write
    refs: tuple = ()
    again_codes: tuple = ()    # what the command may say when it is given again although it was done

    def prepare(self, arena):
        w = arena.w
        command = self.declare(w)
        if self.known:
            play.start(w)
        else:
            w.build()
            write(w.path("findings.json"), json.dumps({"findings": list(w.findings.values())}))
            w.codes = {name: f"BE-{number:03}" for number, name in enumerate(w.findings, 1)}
            w.write_scripts()
        after = getattr(w, "after_start", None)
        if after:
            after(w)
        return command(w) if callable(command) else command or ["fix", "--json", *w.codes.values()]

    def writes(self, path):
        return any(path == file or file.startswith(path + "/") for file in self.files)

    @staticmethod
    def stable(text):
        return re.sub(r'"(created|updated|generated|date|at)[a-z_]*": *("[^"]*"|[0-9]+)', "", text)


def kind(name, **options):
    def register(function):
        KINDS[name] = Kind(name, function, **options)
        return function

    return register


@kind("two issues, one by one")
def plain(w):
    w.honest("clamp")
    w.honest("mean")


@kind("the very first command", known=False)
def first(w):
    """No state directory, no schema: everything is made on the way."""
    w.honest("clamp")
    w.honest("repeat")
    return ["fix", "--json", "--findings", w.path("findings.json")]


@kind("verified in a batch")
def batch(w):
    w.settings["verify.mode"] = '"batch"'
    for name in ("clamp", "mean", "repeat"):
        w.honest(name)


@kind("a check that fails on the base, in a batch", exit_codes=(1, 5, 6))
def half_confirmed(w):
    """Two right fixes, of which only one has a check that passes: only that one may be on the branch, whenever it is killed."""
    w.settings["verify.mode"] = '"batch"'
    path = w.project.sites["clamp"].path
    w.commands[:] = [{"name": "broken", "run": "false"}, {"name": "alive", "run": f"test -s {path}", "paths": [path]}]
    w.honest("clamp")
    w.attack("repeat")


@kind("three at a time")
def parallel(w):
    w.settings["fix.parallel"] = "3"
    for name in ("clamp", "mean", "repeat"):
        w.honest(name)


@kind("agents that take their time and do not go when they are asked to")
def slow(w):
    w.scripts["stays"] = ["ignore TERM", "ignore HUP", "sleep inf"]
    for name in ("clamp", "mean"):
        w.honest(name)
        w.fixer(name, "ignore TERM", "ignore HUP", "daemon stays", "sleep 150", w.cure(name), "claim fixed")


@kind("several issues a call")
def batched(w):
    w.settings["fix.strategy"] = '"batched"'
    together(w)


@kind("one call for all")
def one_call(w):
    w.settings["fix.strategy"] = '"one-call"'
    together(w)


def together(w):
    names = ("mean", "repeat")
    w.scripts["fixer"] = cures_asked_for(w, names)
    for name in names:
        w.issue(name)
        w.resolved(name)


def cures_asked_for(w, names):
    """One script for whoever is asked about some of them: after a crash it may be one where it was two."""
    return [words("when", "prompt", w.project.sites[name].says) + " " + step for name in names for step in w.cure(name)] + ["claim fixed"]


@kind("fixed again after a low score")
def refixed(w):
    """The first attempt is wrong and the judge says so. Which one it sees is told by the change: a crash would upset a count."""
    w.settings["fix_challenger.max_iterations"] = "3"
    w.settings["fix.keep_conversation"] = "true"
    again(w, "clamp")
    w.honest("mean")


def again(w, name):
    site = w.issue(name)
    old, bad = site.wrong[0]
    good = site.cure[0][1]
    w.fixer(name, words("when", "tree", site.path, bad) + " " + words("replace", site.path, bad, good),
            words("unless", "tree", site.path, good) + " " + words("replace", site.path, old, bad), "claim fixed")
    w.judge(words("when", "prompt", "+" + line_with(w, site, bad)) + " last verdict 40", "verdict 97", name=name)
    w.resolved(name)


def line_with(w, site, text):
    """The whole line as the diff shows it: a part of it could stand in the issue's own words."""
    after = w.files[site.path].replace(site.wrong[0][0], text)
    return next(line for line in after.split("\n") if text in line)


@kind("red at first, fixed again")
def red_first(w):
    w.settings["verify.max_fix_cycles"] = "3"
    site = w.issue("clamp")
    (old, broken), (_, good) = w.project.tricks["break"][0], site.cure[0]
    w.fixer("clamp", words("when", "tree", site.path, broken) + " " + words("replace", site.path, broken, old),
            words("when", "prompt", "not ok") + " " + words("replace", site.path, site.cure[0][0], good),
            words("unless", "prompt", "not ok") + " " + words("replace", site.path, old, broken), "claim fixed")
    w.resolved("clamp")
    w.honest("mean")


@kind("on top of one another")
def stacked(w):
    """Two fixes of the same lines: the second is made again on the branch of the first."""
    w.settings["verify.max_fix_cycles"] = "3"
    site = w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), "claim fixed")
    w.resolved("clamp")
    other = dict(w.findings["clamp"], id="again", title="clamp() should say what it does", description="clamp() should say what it does.")
    w.findings["again"] = other
    w.allowed["again"] = [site.path]
    old, new = site.cure[0]
    edits = [words("unless", "tree", site.path, text + " ") + " " + words("replace", site.path, text, text + " ") for text in (old, new)]
    w.fixer("again", edits, "claim fixed")  # which of the two texts is there depends on what it stands on
    w.honest("mean")


@kind("another agent takes over")
def fallback(w):
    others = [name for name in ("claude", "gemini", "codex") if name != w.variation.fixer]
    w.settings["fix.fallback"] = json.dumps(others[:1])
    w.scripts[w.variation.fixer + ".fixer"] = ["stderr " + json.dumps("Error: usage limit reached, try again tomorrow"), "exit 1"]
    for name in ("mean", "repeat"):
        w.issue(name)
        w.resolved(name)
    w.scripts[others[0] + ".fixer"] = cures_asked_for(w, ("mean", "repeat"))


@kind("good and bad ones", exit_codes=(1, 5, 6))
def mixed(w):
    w.honest("mean")
    w.attack("repeat", *w.edit(w.project.sites["repeat"].path, w.project.sites["repeat"].wrong), cured=False)
    w.judge("verdict 30", name="repeat")
    w.attack("sign", cured=False)
    w.honest("clamp")


@kind("two reports of one defect")
def same(w):
    w.honest("mean")
    says = "mean() fails for an empty list."
    w.findings["twin"] = dict(w.findings["mean"], id="twin", title=says, description=says)
    w.allowed["twin"] = w.allowed["mean"]
    w.fixer("twin", w.cure("mean"), "claim fixed")
    w.honest("clamp")


@kind("proven by a check")
def proven(w):
    for name in ("mean", "repeat"):
        w.reproducer(name)
        w.honest(name)


INVISIBLE = "\u200b"


@kind("fix-its without an agent")
def safe(w):
    for path in ("notes/one.md", "notes/two.md", "notes/three.md"):
        w.files[path] = f"A text with some{INVISIBLE}thing in it.\n"
    w.after_start = lambda world: must(world, "review", "--all", "--analyzers", "builtin", "--exit-zero", "--json")
    return ["fix", "--safe", "--json", "--all-open"]


def must(w, *arguments):
    done = w.emend(*arguments)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done


# --- commands without a session: given again, they come to the same
@kind("review", session=False, exit_codes=(0, 1), known=False)
def review(w):
    for path in ("notes/one.md", "notes/two.md"):
        w.files[path] = f"A text with some{INVISIBLE}thing in it.\n"
    w.files["left.c"] = "<<<<<<< ours\nint a;\n=======\nint b;\n>>>>>>> theirs\n"
    return ["review", "--all", "--analyzers", "builtin", "--json"]


@kind("import", session=False, known=False)
def imported(w):
    site = w.project.sites["clamp"]
    lines = [f"{site.path}:{line}:1: warning: thing number {line} [some-rule-{line}]\n" for line in range(1, 8)]
    write(w.path("held/report.txt"), "".join(lines))
    return ["import", "--from", "text", "--json", w.path("held/report.txt")]


@kind("baseline", session=False, again_codes=(2,), files=("repo/.emend/baseline.json",))
def baseline(w):
    w.issue("clamp")
    w.issue("mean")
    return ["baseline", "create", "--json"]


@kind("clarify", session=False, exit_codes=(0, 7))
def clarify(w):
    w.issue("clamp")
    w.issue("mean")
    w.scripts["other"] = ["result " + json.dumps({"questions_by_issue": [
        {"issue_code": "BE-001", "questions": [{"question": "Which bound is meant?"}]},
        {"issue_code": "BE-002", "questions": [{"question": "What is the mean of nothing?"}]}], "ready_to_plan": False})]
    return ["clarify", "--json", "--no-input"]


VOTER = r"""#!/bin/sh
token=$(sed -n 's/^The review token is \([0-9a-f]*\).*/\1/p' "$1" | tail -1)
printf '{"review_token":"%s","score":90,"summary":"seen","feedback":"good","findings":[]}\n' "$token"
"""


@kind("pull request", session=False, refs=("refs/heads/feature",))
def pull_request(w):
    def branch(world):
        site = world.project.sites["clamp"]
        text = world.files[site.path]
        world.git("checkout", "-q", "-b", "feature")
        write(os.path.join(world.repo, site.path), text.replace(*site.cure[0]))
        world.commit("a change")
        world.git("checkout", "-q", "main")
        write(world.path("held/voter"), VOTER, 0o755)
        with open(world.path("config.toml"), "a", encoding="utf-8") as file:
            for name in ("one", "two"):
                file.write(f'[agents.{name}]\nengine = "exec"\ncommand = [{json.dumps(world.path("held/voter"))}, "{{prompt_file}}"]\n')

    w.after_start = branch
    return ["pr", "review", "--range", "main..feature", "--voters", "one,two", "--json"]


@kind("decisions of a person", session=False, again_codes=(2,))
def decisions(w):
    for name in ("clamp", "mean", "repeat"):
        w.issue(name)
    return lambda world: ["issues", "ignore", world.codes["clamp"], "--reason", "false_positive", "--note", "not so", "--json"]


def fixed_before(w, *names):
    """A session is over, its branch is there, and its fixes are RESOLVED."""
    for name in names:
        w.honest(name)
    w.after_start = lambda world: must(world, "fix", "--json", *world.codes.values())


def last_session(w):
    return json.loads(must(w, "sessions", "--json").stdout)["data"][0]["id"]


@kind("a fix is rejected", session=False)
def rejected(w):
    fixed_before(w, "clamp", "mean", "repeat")
    return lambda world: ["sessions", "reject", last_session(world), world.codes["mean"], "--reason", "not like this", "--json"]


@kind("a session is discarded", session=False)
def discarded(w):
    fixed_before(w, "clamp", "mean")
    return lambda world: ["sessions", "discard", last_session(world), "--reason", "not now", "--json"]
