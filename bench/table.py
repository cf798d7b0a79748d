#!/usr/bin/env python3
"""table.py [--program EMEND] [--only NAME,...] [--runs N] [--smallest] [--json FILE]: what the program costs, one figure a line.

Each figure stands beside a floor or a peer that was measured in the same run and shares no code with the program, so two lines of one run can
be compared on any machine. CPU seconds are those of the command and all its children; wall seconds depend on what else the machine does.
Medians of several runs; figures that grow are measured at three sizes. tools/bench_compare.py compares two files of --json."""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "support"))

import place

FIGURES = {}


def figure(name, what, floor, by="cpu"):
    """by: what is compared with the floor."""
    def keep(function):
        FIGURES[name] = (what, floor, function, by)
        return function
    return keep


def cost(command, cwd, environment, stdin=None, codes=(0,)):
    """Wall and CPU seconds of one command, and the most memory (MB) it held. A command that ends with another code is an error."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    child = subprocess.Popen(command, cwd=cwd, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode not in codes:
        raise SystemExit(f"bench: {' '.join(command)} failed with {child.returncode}:\n{output.decode(errors='replace')[-2000:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "mb": usage.ru_maxrss / 1024}


# What each figure should be: what is measured, how it is read from the rows of its figure by size, and its limit.
GOALS = (
    ("start", "wall ms of --version", lambda rows: rows[1]["wall"] * 1000, 4),
    ("list", "wall ms of an empty list", lambda rows: rows[10]["wall"] * 1000, 12),
    ("plan", "CPU s for 10,000 issues", lambda rows: rows[10000]["cpu"], 1),
    ("plan", "CPU for an issue, 10,000 beside 1,000", lambda rows: rows[10000]["cpu"] / rows[1000]["cpu"] / 10, 1.2),
    ("import", "wall s of 200,000 results", lambda rows: rows[200000]["wall"], 5),
    ("import", "MB of 200,000 results", lambda rows: rows[200000]["mb"], 150),
    ("import", "CPU for a result, 200,000 beside 20,000", lambda rows: rows[200000]["cpu"] / rows[20000]["cpu"] / 10, 1.2),
    ("import", "CPU for a result, 1,000,000 beside 200,000", lambda rows: rows[1000000]["cpu"] / rows[200000]["cpu"] / 5, 1.2),
    ("page", "wall s of 50 among 1,000,000", lambda rows: rows[1000000]["wall"], 0.1),
    ("check", "wall s that emend adds", lambda rows: max(row["wall"] for row in rows.values()), 0.3),
    ("proven", "wall s that emend adds", lambda rows: max(row["wall"] for row in rows.values()), 0.3),
    ("hook", "wall s of a silent hook", lambda rows: max(row["wall"] for row in rows.values()), 0.05),
    ("first", "wall s that 20 other checks hold it back", lambda rows: rows[20]["wall"] - rows[0]["wall"], 0.1),
    ("session", "CPU beside the loop in its sandboxes, 100 issues", lambda rows: rows[100]["cpu"] / rows[100]["floor_cpu"], 1.5),
    ("session", "wall beside the loop in its sandboxes, 100 issues", lambda rows: rows[100]["wall"] / rows[100]["floor_wall"], 1.5),
    ("files", "CPU of 50,000 files, checked out, beside 500", lambda rows: rows[50000]["cpu"] / rows[500]["cpu"], 2),
    ("makespan", "wall beside the sleeps, 4 at a time", lambda rows: rows[4]["ratio"], 1.08),
    ("makespan", "wall beside the sleeps, 16 at a time", lambda rows: rows[16]["ratio"], 1.25),
    ("culprits", "auto beside the better of both", lambda rows: rows["auto"]["wall"] / min(rows["each"]["wall"], rows["batch"]["wall"]), 1.1),
    ("review", "CPU of a first review beside the tools", lambda rows: rows[1]["ratio"], 1.1),
    ("review", "CPU of a second review beside the tools", lambda rows: rows[2]["ratio"], 0.05),
    ("review", "CPU s of a second review of an unchanged tree", lambda rows: rows[2]["cpu"], 1),
    ("review", "CPU after one file changed, beside that file's", lambda rows: rows[3]["ratio"], 1.5),
    ("sight", "wall s to the first finding", lambda rows: max(row["wall"] for row in rows.values()), 2),
)


def judged(rows):
    """The goals of what was measured: name, what, value, limit."""
    by_figure, goals = {}, []
    for row in rows:
        by_figure.setdefault(row["figure"], {})[row["size"]] = row
    for name, what, value_of, limit in GOALS:
        try:
            value = value_of(by_figure[name])
        except KeyError:  # not of this size
            continue
        goals.append({"figure": name, "what": what, "value": round(value, 3), "limit": limit, "met": value <= limit})
    return goals


def median(runs):
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


class Place(place.Place):
    """With a repository of `files` C files."""

    def __init__(self, parent, program, files, lines=300):
        super().__init__(program, "bench", parent)
        self.files, self.lines = files, lines
        for number in range(files):
            self.write(f"repo/src/f{number}.c", self.text(number))
        self.begin()

    def text(self, number, changed=""):
        """One function a line; `changed` takes the place of the parameter's type in the eighth."""
        return "".join(f"int value_{number}_{line}({changed if changed and line == 7 else 'int'} a) {{ return a + {line * number % 977}; }}\n"
                       for line in range(self.lines))

    def run(self, command):
        return cost(command, self.repo, self.environment)

    def emend(self, *arguments):
        return self.run([self.program, *arguments])

    def report(self, results):
        """A SARIF report: the same number of results for each file, each at a place with a rule and a text of its own; 103 MB for 200,000."""
        path = os.path.join(self.root, f"{results}.sarif")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "bench"}}, "results": [')
            for number in range(results):
                place, line = number * self.files // results, 1 + number % 300
                text = f"The value computed on this line may overflow when the argument is large ({number}). " + "x" * 257
                file.write((", " if number else "") + json.dumps({
                    "ruleId": f"R{number % 41:03}", "level": "warning", "message": {"text": text},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": f"src/f{place}.c"}, "region": {"startLine": line}}}]}))
            file.write("]}]}\n")
        return path


class Bench:
    def __init__(self, program, runs, parent):
        self.program, self.runs, self.parent = program, runs, parent
        self.imported = {}  # places by the number of results that were imported there

    def place(self, files, lines=300):
        return Place(self.parent, self.program, files, lines)

    def median(self, once):
        return median([once() for _ in range(self.runs)])


@figure("start", "`emend --version`", "`git --version`")
def start(bench):
    place = bench.place(1)
    yield 1, bench.median(lambda: place.emend("--version")), bench.median(lambda: place.run(["git", "--version"]))


@figure("list", "`emend issues list` without issues, by files of the repository", "`git status`")
def empty_list(bench):
    for files in (10, 100, 1000):
        place = bench.place(files)
        place.emend("issues", "list")  # makes its state directory
        yield files, bench.median(lambda p=place: p.emend("issues", "list")), bench.median(lambda p=place: p.run(["git", "status"]))


@figure("plan", "`emend plan --all-open`, by issues", "writing as many files and syncing once")
def plan(bench):
    write = ("import os, sys\nos.makedirs(sys.argv[1])\nfor i in range(int(sys.argv[2])):\n"
             "    open(f'{sys.argv[1]}/{i}', 'w').write('x' * 1500)\nos.sync()\n")
    for issues in (1000, 3000, 10000):
        place = bench.place(issues // 5)
        place.emend("import", place.report(issues))
        floor = place.run([sys.executable, "-c", write, os.path.join(place.root, "written"), str(issues)])
        yield issues, bench.median(lambda p=place: p.emend("plan", "--all-open")), floor


IMPORTED = (20000, 60000, 200000, 1000000)


@figure("import", "`emend import`, by SARIF results", "Python reading the same JSON")
def imported(bench):
    for results in IMPORTED:
        place = bench.place(max(200, results // 1000))
        path = place.report(results)
        floor = place.run([sys.executable, "-c", "import json, sys\njson.load(open(sys.argv[1]))", path])
        yield results, place.emend("import", path), floor
        os.unlink(path)
        bench.imported[results] = place


@figure("page", "a page of 50 of them in the terminal, by issues", "`git status`", "wall")
def page(bench):
    for results in IMPORTED:
        place = bench.imported.get(results)
        if place is None:
            place = bench.place(max(200, results // 1000))
            place.emend("import", place.report(results))
        yield results, bench.median(lambda p=place: p.emend("issues", "list", "--limit", "50")), bench.median(lambda p=place: p.run(["git", "status"]))


@figure("check", "a second `emend check` of a changed file whose check is `true`: what emend adds, by files of the repository", "`git status`", "wall")
def check(bench):
    for files in (10, 1000):
        place = bench.place(files, 30)
        place.write("state/config.toml", '[verify]\ncommands = ["true"]\n')
        place.write("repo/src/f0.c", place.text(0, "long"))
        once = lambda p=place: cost([p.program, "check"], p.repo, p.environment, codes=(1,))  # nothing shows that `true` could fail: UNPROVABLE
        once()
        yield files, bench.median(once), bench.median(lambda p=place: p.run(["git", "status"]))


HALVING = """import unittest
from half import half


class Half(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(half(0), 0)

    def test_eight(self):
        self.assertEqual(half(8), 4)
"""
# The project's command, which notes when it was at work.
TIMED = """#!/bin/sh
start=$(date +%s.%N)
{python} -m unittest -v
code=$?
echo "$start $(date +%s.%N)" >> {log}
exit $code
"""


def at_work(log):
    """Seconds in which at least one command ran, and how many there were."""
    with open(log, encoding="utf-8") as file:
        spans = sorted(tuple(map(float, line.split())) for line in file)
    total, end = 0.0, 0.0
    for start, stop in spans:
        total += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return total, len(spans)


@figure("proven", "a second `emend check` of a fix, until it is PROVEN: what emend adds beside the project's commands, by files of the repository", "`git status`",
        "wall")
def proven(bench):
    for files in (10, 1000):
        place = bench.place(files, 30)
        log = place.path("shared", "log")
        place.write("shared/log", "")
        place.write("repo/half.py", "def half(n):\n    return n\n")
        place.write("repo/test_half.py", HALVING)
        place.write("timed.sh", TIMED.format(python=sys.executable, log=log), 0o755)
        place.commit("Halve")
        place.environment["PATH"] = os.path.dirname(sys.executable) + ":" + place.environment["PATH"]  # no shim of a version manager in between
        place.write("state/config.toml", f'[verify]\ncommands = ["{place.path("timed.sh")}"]\n'
                    f'[sandbox]\nshared = [{json.dumps(place.path("shared"))}]\nreadable = [{json.dumps(place.path("timed.sh"))}]\n')
        place.write("repo/half.py", "def half(n):\n    return n // 2\n")

        def once(p=place, log=log):
            open(log, "w", encoding="utf-8").close()
            whole = p.emend("check")
            seconds, runs = at_work(log)
            if not runs:
                raise SystemExit("bench: the project's command did not run")
            return {**whole, "wall": whole["wall"] - seconds, "whole": whole["wall"], "runs": runs}

        said = subprocess.run([place.program, "check"], cwd=place.repo, env=place.environment, capture_output=True, text=True, check=False).stdout
        if not said.startswith("PROVEN"):
            raise SystemExit("bench: the fix is not PROVEN: " + said)
        yield files, bench.median(once), bench.median(lambda p=place: p.run(["git", "status"]))


@figure("hook", "`emend hook stop` where nothing changed, by files of the repository", "`git status`", "wall")
def hook(bench):
    for files in (10, 1000):
        place = bench.place(files, 30)
        place.write("event.json", json.dumps({"hook_event_name": "Stop", "session_id": "s", "cwd": place.repo}))

        def once(p=place):
            with open(p.path("event.json"), "rb") as event:
                return cost([p.program, "hook", "stop"], p.repo, p.environment, stdin=event)
        subprocess.run([place.program, "hook", "session-start"], cwd=place.repo, env=place.environment, check=True, stdout=subprocess.DEVNULL,
                       input=json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": place.repo}).encode())
        once()
        yield files, bench.median(once), bench.median(lambda p=place: p.run(["git", "status"]))


CONFIG = """[fix]
agent = "bench-fixer"
parallel = %d
[fix_challenger]
agent = "bench-judge"
canaries = 0
[verify]
mode = "%s"
commands = [{ name = "suite", run = "%s" }%s]
[agents.bench-fixer]
engine = "exec"
command = ["/bin/sh", "%s/fixer.sh", "{role}", "{issue}"]
family = "a"
[agents.bench-judge]
engine = "exec"
command = ["/bin/sh", "%s/judge.sh", "{issue}"]
family = "b"
"""
# The agents, as small as a shell makes them, so that what a session costs is what emend costs. A file in $bad gets a bad change first.
FIXER = """%s
number=$(sed -n '/src\\/f[0-9]*\\.c/{s/.*src\\/f\\([0-9]*\\)\\.c.*/\\1/p;q}')
kind=long; if [ "$1" = fixer ]; then case " %s " in *" $number "*) kind=bad;; esac; fi
sed -i "8s/([a-z]* a)/($kind a)/" "src/f$number.c"
echo '{"outcomes": [{"id": "'"$2"'", "outcome": "fixed", "explanation": "It cannot overflow any more."}]}'
"""
JUDGE = """%s
token=$(sed -n 's/^The review token is \\([0-9a-f]*\\).*/\\1/p')
echo '{"review_token": "'"$token"'", "issues": {"'"$1"'": {"score": 98, "status": "SOLVED", "feedback": "Right.",'
echo '"quality_scores": {"correctness": 99}, "improvements_needed": []}}}'
"""


class Session:
    """A session of `issues` issues, one a file, with agents that take `agent_ms` each. The first change of a file in `bad` is a bad one."""

    def __init__(self, place, issues, parallel=2, agent_ms=0, bad=(), mode="each", suite="test -d src", others=0):
        self.place, self.issues = place, issues
        wait = f"sleep {agent_ms / 1000}" if agent_ms else ""
        place.write("fixer.sh", FIXER % (wait, " ".join(map(str, bad))))
        place.write("judge.sh", JUDGE % wait)
        self.find(range(issues))
        slow = "".join(f', {{ name = "other{number}", run = "sleep 1; test -d src", paths = ["src/f{number + 1}.c"] }}' for number in range(others))
        place.write("repo/emend.toml", CONFIG % (parallel, mode, suite, slow, place.root, place.root))
        place.commit("base")
        place.emend("trust")

    def find(self, numbers):
        findings = [{"id": f"F{number}", "file": f"src/f{number}.c", "line": 8, "severity": "major", "issue": f"value {number} overflows"}
                    for number in numbers]
        self.place.write("findings.json", json.dumps({"findings": findings}))

    def run(self):
        return self.place.emend("fix", "--findings", "../findings.json")

    def first_agent(self):
        """Until the first agent of a session has started."""
        spent = self.run()
        shown = subprocess.run([self.place.program, "report", "--timing", "--json"], cwd=self.place.repo, env=self.place.environment, stdout=subprocess.PIPE,
                               check=True).stdout
        agents = [span["begin_ms"] for issue in json.loads(shown)["data"]["issues"] for span in issue["spans"] if span["on"] == "agent"]
        return dict(spent, wall=min(agents) / 1000)

    def loop(self):
        return self.place.run(["sh", "-c", LOOP, "sh", str(self.issues), floor_box(self.place)])


def floor_box(place):
    """bench/floor_box.c, or nothing where the machine lets nobody make such a sandbox: none costs less."""
    box = place.path("floor_box")
    made = subprocess.run(["cc", "-O2", "-o", box, os.path.join(os.path.dirname(os.path.abspath(__file__)), "floor_box.c")], check=False)
    for directory in ("box", "tree"):
        os.makedirs(place.path(directory), exist_ok=True)
    tried = made.returncode == 0 and subprocess.run([box, place.path("box"), place.repo, place.path("tree"), "true"], check=False).returncode == 0
    return box if tried else ""


# For each issue: an agent, a check, a judge, each in a sandbox of its own over the files, and a commit of what was made. emend runs the check once
# more where it could not fail (see docs/evidence.md); that is not in here.
LOOP = """i=0; tip=$(git rev-parse HEAD); box=$2; made=../box/upper
export GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@b GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@b GIT_INDEX_FILE=../index
git read-tree HEAD
in_box() {
  if [ "$box" ]; then "$box" ../box . ../tree "$@"; else mkdir -p $made/src; cp src/f$i.c $made/src; (cd $made && "$@"); fi
}
while [ $i -lt $1 ]; do
  in_box sh -c "sed -i '8s/(int a)/(long a)/' src/f$i.c"
  blob=$(git hash-object -w $made/src/f$i.c); git update-index --cacheinfo 100644,$blob,src/f$i.c
  in_box sh -c "test -d src"; in_box sh -c "echo 98"
  tip=$(git commit-tree -p $tip -m fix$i $(git write-tree)); i=$((i+1))
done
"""


@figure("session", "`emend fix` with agents that answer at once, by issues", "a shell loop: agent, check, judge, each in a sandbox by hand, and commit")
def session(bench):
    for issues in (10, 30, 100):
        made = Session(bench.place(300), issues)
        yield issues, made.run(), made.loop()


@figure("files", "the same, 10 issues, by files of the repository, whose base was checked out by a session before", "the same loop")
def files(bench):
    for count in (500, 5000, 50000):
        made = Session(bench.place(count, 10), 10)
        made.find([count - 1])
        made.run()
        made.find(range(10))
        yield count, made.run(), made.loop()


@figure("base", "a first session, 1 issue, by files of the repository: it checks out the base", "`git worktree add`")
def base(bench):
    for count in (500, 5000, 50000):
        made = Session(bench.place(count, 10), 1)
        yield count, made.run(), made.place.run(["git", "worktree", "add", "-q", "--detach", "../floor", "HEAD"])


@figure("first", "until the first agent starts, 1 issue, by checks of 1 s that other files are for", "as many runs of `true`", "wall")
def first(bench):
    for checks in (0, 5, 20):
        made = Session(bench.place(30, 10), 1, others=checks)
        yield checks, made.first_agent(), at_a_time(made.place, max(1, checks), 1, "true")


def at_a_time(place, count, slots, command):
    """A floor: the command `count` times, `slots` at a time."""
    return place.run(["sh", "-c", f"seq {count} | xargs -P {slots} -I N sh -c '{command}'"])


@figure("makespan", "60 issues, fixer and judge of 1 s each, by agents at a time", "sleeping as long, as many at a time", "wall")
def makespan(bench):
    for slots in (4, 16):
        made = Session(bench.place(60, 10), 60, parallel=slots, agent_ms=1000)
        yield slots, made.run(), at_a_time(made.place, 240, slots, "sleep 0.5")  # divides evenly


@figure("culprits", "40 issues, a suite of 2 s, 12 fixes that break it, 4 at a time, by verify.mode", "the suite for each of them, 4 at a time", "wall")
def culprits(bench):
    for mode in ("each", "batch", "auto"):
        made = Session(bench.place(40, 10), 40, parallel=4, bad=set(range(0, 36, 3)), mode=mode, suite="sleep 2; ! grep -q bad src/*.c")
        yield mode, made.run(), at_a_time(made.place, 40, 4, "sleep 2")


class Reviewed(Place):
    """A repository of `files` C files, a quarter as many scripts and Python files each, and a page of text for each of those; and the analyzers that are
    installed here, as a person would call them: with the same arguments, and those for C a file at a time."""

    CHECKS = ("-*,bugprone-*,performance-*,clang-analyzer-*,clang-diagnostic-*,misc-redundant-expression,modernize-use-override,modernize-use-nullptr,"
              "readability-container-size-empty,readability-delete-null-pointer,readability-redundant-string-cstr,-bugprone-easily-swappable-parameters,"
              "-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result,-bugprone-reserved-identifier")
    TOOLS = ((".c", ["cppcheck", "--quiet", "--xml", "--enable=warning,performance,portability", "--inline-suppr", "-Isrc"], [], True),
             (".c", ["clang-tidy", "--quiet", f"--checks={CHECKS}", "--header-filter=.*"], ["--", "-std=gnu11", "-I.", "-Isrc"], True),
             (".sh", ["shellcheck", "--format=json1"], [], True),
             (".py", ["flake8"], [], False),
             ("", ["codespell"], [], False))

    def __init__(self, bench, files):
        self.scripts = max(1, files // 4)
        super().__init__(bench.parent, bench.program, files, 60)

    def text(self, number, changed=""):
        """Functions with loops, branches and memory, as programs have them."""
        body = "".join(f"""
static int step_{line}({changed if changed and line == 7 else 'int'} n, const char *text) {{
  char *copy = malloc(strlen(text) + {line + 1});
  int sum = 0;
  if (copy == NULL) return -1;
  strcpy(copy, text);
  for (int i = 0; i < n; i++) {{
    if (copy[i % 3] == 'a') sum += i; else if (sum > {line * number % 977}) sum -= 2;
    while (sum > 1000) sum /= {line % 7 + 2};
  }}
  printf("%s: %d\\n", copy, sum);
  free(copy);
  return sum;
}}
""" for line in range(self.lines // 4))
        calls = "".join(f"  total += step_{line}(total % 9, text);\n" for line in range(self.lines // 4))
        return f"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{body}\nint all_{number}(const char *text) {{\n  int total = {number};\n{calls}  return total;\n}}\n"

    def begin(self):
        for number in range(self.scripts):
            body = "".join(f'if [ "$1" = "{line}" ]; then echo "step {line} of $1"; fi\n' for line in range(60))
            self.write(f"repo/bin/s{number}.sh", "#!/bin/sh\n" + body)
            self.write(f"repo/py/m{number}.py", "import os\n\n\n" + "".join(
                f"def step_{line}(value):\n    return value + {line}\n\n\n" for line in range(60)) + "unused = os.sep\n")
            self.write(f"repo/docs/p{number}.md", "# Page\n\n" + f"The value is written to the file, step {number}.\n" * 60)
        super().begin()

    def review(self):
        return self.emend("review", "--all", "--exit-zero", "--no-save", "--quiet", "--format", "json")

    def by_hand(self, only=""):
        listed = [only] if only else self.git("ls-files").split()
        total = {"wall": 0.0, "cpu": 0.0, "mb": 0.0}
        for ending, command, after, alone in self.TOOLS:
            files = [name for name in listed if name.endswith(ending)]
            if not files or shutil.which(command[0]) is None:
                continue
            for call in ([[name] for name in files] if alone else [files]):
                once = cost(["sh", "-c", '"$@" || true', "sh", *command, *call, *after], self.repo, self.environment)
                total = {key: total[key] + once[key] for key in total}
        return total


@figure("review", "`emend review --all`: first (1), again (2), with one file changed (3); 40 C files and 40 others",
        "the same tools by hand, on all files (1, 2), on the file (3)")
def review(bench):
    made = Reviewed(bench, 40)
    floor = made.by_hand()
    yield 1, made.review(), floor
    yield 2, bench.median(made.review), floor
    made.write("repo/src/f7.c", made.text(7, "long"))
    made.commit("Change one file")
    yield 3, made.review(), made.by_hand("src/f7.c")


def first_sight(place):
    """Seconds until the first finding stands on a terminal, in a first review."""
    import pty
    shutil.rmtree(place.state, ignore_errors=True)
    reader, writer = pty.openpty()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    child = subprocess.Popen([place.program, "review", "--all", "--exit-zero", "--no-save"], cwd=place.repo, stdin=writer, stdout=writer, stderr=writer,
                             env={**place.environment, "TERM": "xterm-256color"}, start_new_session=True)
    os.close(writer)
    seen, text = None, b""
    while True:
        try:
            part = os.read(reader, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
        if seen is None and b"notes.py" in text:
            seen = time.monotonic() - start
    child.wait()
    os.close(reader)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if seen is None:
        raise SystemExit(f"bench: no finding was shown:\n{text.decode(errors='replace')[-2000:]}")
    return {"wall": seen, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "mb": 0.0}


@figure("sight", "until the first finding is on the screen in a first review, by C files", "2 seconds", "wall")
def sight(bench):
    for files in (4, 40):
        made = Reviewed(bench, files)
        made.write("repo/py/notes.py", "x = 1\n" + "<" * 7 + " HEAD\n")
        made.commit("Add a mistake")
        yield files, median([first_sight(made) for _ in range(min(3, bench.runs))]), {"wall": 2.0, "cpu": 2.0, "mb": 0.0}


def machine():
    one, five, _ = os.getloadavg()
    return {"cpus": os.cpu_count(), "load_1": round(one, 2), "load_5": round(five, 2)}


def measure(bench, names, smallest):
    rows = []
    print(f"{'figure':<9} {'size':>7} {'cpu s':>9} {'wall s':>9} {'MB':>6}  {'floor':>9}      {'x':>7}   load")
    for name in names:
        by = FIGURES[name][3]
        for size, own, floor in FIGURES[name][2](bench):
            load = os.getloadavg()[0]
            ratio = own[by] / floor[by] if floor[by] > 0 else float("inf")
            rows.append({"figure": name, "size": size, **own, "floor_cpu": floor["cpu"], "floor_wall": floor["wall"], "by": by, "ratio": ratio,
                         "load_1": round(load, 2)})
            print(f"{name:<9} {size:>7} {own['cpu']:>9.3f} {own['wall']:>9.3f} {own['mb']:>6.0f}  {floor[by]:>9.3f} {by:<4} {ratio:>7.2f}   {load:.1f}",
                  flush=True)
            if smallest:
                break
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/emend")
    parser.add_argument("--only", default="", help="figures to measure, by commas: " + ", ".join(FIGURES) + "; or programs beside the program: evidence, process ...")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--smallest", action="store_true", help="only the smallest size of each figure, to see that it works")
    parser.add_argument("--json", default="", help="write the figures and the machine's load to this file")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name] or list(FIGURES)
    programs = {name: os.path.join(os.path.dirname(arguments.program), f"bench_{name}") for name in names if name not in FIGURES}
    for name, program in programs.items():
        if not os.access(program, os.X_OK):
            parser.error(f"there is no figure {name}; there are: {', '.join(FIGURES)}, and what is built as bench_NAME")
    failed = [name for name, program in programs.items() if subprocess.run([os.path.abspath(program)], check=False).returncode != 0]
    names = [name for name in names if name in FIGURES]
    if programs and not names:
        return 1 if failed else 0
    for name in names:
        print(f"{name}: {FIGURES[name][0]}; floor: {FIGURES[name][1]}")
    at_start = machine()
    parent = tempfile.mkdtemp(prefix="emend-bench-")
    try:
        rows = measure(Bench(os.path.abspath(arguments.program), max(1, arguments.runs), parent), names, arguments.smallest)
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    goals = judged(rows)
    for goal in goals:
        print(f"{goal['figure']:<9} {goal['what']:<44} {goal['value']:>9.3f}  goal {goal['limit']:<6} {'met' if goal['met'] else 'NOT MET'}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": at_start, "at_end": machine(), "rows": rows, "goals": goals}, file, indent=2)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
