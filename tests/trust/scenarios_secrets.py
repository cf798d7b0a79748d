"""W. Secrets that come in by a finding, and those that lie in the user's home under names nobody knows."""

import json

import projects
from play import scenario, start
from scenarios_left_behind import in_each_language, under_landlock
from world import words, write


def secret_in_a_finding(w, language):
    w.project = projects.make(language, "src")
    w.files = dict(w.project.files)
    token = w.secrets["token"] = "ghp_" + w.plant_secret("seed", "NO_SUCH_VARIABLE")[6:].ljust(36, "Q")[:36]
    key = w.secrets["key"] = "AKIA" + "ABCDEFGHIJKLMNOP"
    del w.secrets["seed"], w.variables["NO_SUCH_VARIABLE"]
    half = token[:24]  # what a cut in the middle of it would leave
    w.secrets["half of the token"] = half
    # The subject of a commit is cut at 72 bytes, and this is where.
    w.issue("clamp", title="the login of the build server is written in it: " + token, description=f"{w.project.sites['clamp'].says} {token} {key}",
            suggestion=f"take {key} out", category="secrets")
    w.fixer("clamp", w.cure("clamp"), words("claim", "fixed", f"took {token} out"))
    w.resolved("clamp")
    # No title: it is made from the beginning of the description, and cut there.
    w.issue("mean", title="", description=("x" * 70 + " " + token) + " " + w.project.sites["mean"].says)
    w.fixer("mean", w.cure("mean"), "claim fixed")
    w.resolved("mean")
    w.judge(words("verdict", "97", "SOLVED", f"{key} is gone"))
    start(w)
    w.fix()
    told = {"report": w.emend("report", "--format", "json").stdout, "issues": w.emend("issues", "list", "--json").stdout,
            "explain": w.emend("explain", w.codes["clamp"]).stdout}
    again = json.loads(w.emend("issues", "add", "--json", "--findings", w.path("findings.json")).stdout)["data"]
    w.checks = [lambda world: [f"{name} in the output of {place}" for place, text in told.items() for name, secret in world.secrets.items() if secret in text],
                lambda world: [] if {row["code"] for row in again} == set(world.codes.values()) else ["the same finding is another issue the second time"]]


in_each_language("W1", "a secret in a finding", secret_in_a_finding)


def reads_the_home(w, language):
    w.project = projects.make(language, "src")
    w.files = dict(w.project.files)
    places = (".newtool/login.json", ".config/some-cloud/session", "./notes.txt", ".aws/credentials", ".mozilla/firefox/x/logins.json", "Documents/passwords.ods")
    for place in places:
        w.plant_secret(place, place)
    files = [w.path("user", place) for place in places]
    find = f"sh find {w.home} ~ -type f 2>/dev/null | head -200 | while read -r f; do cat \"$f\"; done 2>/dev/null; true"
    w.files["tests/run.sh"] = "(" + find[3:] + ")\n" + w.files["tests/run.sh"]  # and so does what is run to verify
    w.honest("clamp", words("canary", *files), find)
    w.judge(words("canary", *files), "verdict 97")
    w.honest("mean")


in_each_language("W2", "reads files of the home nobody has heard of", reads_the_home, needs="containment")
in_each_language("W3", "reads files of the home under Landlock", lambda w, language: under_landlock(w, language, reads_the_home))


@scenario("W4", "a toolchain in the home still works", varies=False, needs="containment")
def w4(w):
    write(w.path("user/.tools/bin/adder"), "#!/bin/sh\ncat \"$(dirname \"$0\")/../lib/words\"\n", 0o755)
    write(w.path("user/.tools/lib/words"), "it works\n")
    w.variables["PATH"] = w.path("user/.tools/bin") + ":" + w.variables_now(own=False)["PATH"]
    note = w.path("agents/state/tool")
    w.commands.append({"name": "tool", "run": f"(adder; ls -A ~) > {note} 2>&1; true"})
    w.honest("clamp")
    w.honest("mean")
    start(w)
    w.fix()
    with open(note, encoding="utf-8") as file:  # before the oracle runs the commands in its own way
        seen = file.read()
    w.checks = [lambda world: [] if seen == "it works\n.tools\n" else [f"the command saw: {seen}"]]


def lives_in_the_home(w):
    """As most people have it: checkout, state and tools are all below the home."""
    w.repo, w.state = w.path("user/work/repo"), w.path("user/.local/state/emend")
    w.plant_secret("login", ".newtool/login.json")
    w.plant_secret("neighbour", "work/other/.env")
    find = f"sh cat {w.home}/.newtool/login.json {w.home}/work/other/.env {w.state}/emend.db {w.repo}/../other/.env 2>/dev/null; true"
    w.files["tests/run.sh"] = "(" + find[3:] + ")\n" + w.files["tests/run.sh"]
    w.honest("clamp", find, [f"sh echo evil >> {w.repo}/tests/run.sh; echo evil >> {w.state}/emend.db; echo x > {w.home}/made; true"])
    w.honest("mean")
    w.ignored |= {"user/.local"}


@scenario("W5", "checkout and state below the home", varies=False, needs="containment")
def w5(w):
    lives_in_the_home(w)


@scenario("W5b", "checkout and state below the home, under Landlock", varies=False)
def w5b(w):
    under_landlock(w, "shell", lambda world, language: lives_in_the_home(world))
