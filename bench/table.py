#!/usr/bin/env python3
"""table.py [--program EMEND] [--only NAME,...] [--runs N] [--json FILE]: what the program costs, one figure a line.

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


def cost(command, cwd, environment, stdin=None):
    """Wall and CPU seconds of one command, and the most memory (MB) it held. A command that fails is an error."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    child = subprocess.Popen(command, cwd=cwd, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)} failed with {child.returncode}:\n{output.decode(errors='replace')[-2000:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "mb": usage.ru_maxrss / 1024}


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
        """A SARIF report: the same number of results for each file, each with a text of its own."""
        path = os.path.join(self.root, f"{results}.sarif")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "bench"}}, "results": [')
            for number in range(results):
                place, line = number * self.files // results, 1 + number % 300
                text = f"The value computed on this line may overflow when the argument is large ({number}). " + "x" * 150
                file.write((", " if number else "") + json.dumps({
                    "ruleId": f"R{number % 40:03}", "level": "warning", "message": {"text": text},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": f"src/f{place}.c"}, "region": {"startLine": line}}}]}))
            file.write("]}]}\n")
        return path


class Bench:
    def __init__(self, program, runs, parent):
        self.program, self.runs, self.parent = program, runs, parent

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


@figure("import", "`emend import`, by SARIF results", "Python reading the same JSON")
def imported(bench):
    for results in (20000, 60000, 200000):
        place = bench.place(200)
        path = place.report(results)
        floor = place.run([sys.executable, "-c", "import json, sys\njson.load(open(sys.argv[1]))", path])
        yield results, place.emend("import", path), floor


JUDGE = {"role": "fix_challenger", "answer": {"review_token": "{review_token}", "issues": {
    "{issue}": {"score": 98, "status": "SOLVED", "feedback": "Right.", "quality_scores": {"correctness": 99}, "improvements_needed": []}}}}
CONFIG = """[fix]
agent = "bench-fixer"
parallel = %d
[fix_challenger]
agent = "bench-judge"
canaries = 0
[verify]
mode = "%s"
commands = [{ name = "suite", run = "%s" }]
[agents.bench-fixer]
engine = "scripted"
script = "../fixer.json"
family = "a"
[agents.bench-judge]
engine = "scripted"
script = "../judge.json"
family = "b"
"""


class Session:
    """A session of `issues` issues, one a file, with scripted agents that take `agent_ms` each. The first change of a file in `bad` is a bad one."""

    def __init__(self, place, issues, parallel=2, agent_ms=0, bad=(), mode="each", suite="test -d src"):
        self.place, self.issues = place, issues
        wait = [{"sleep_ms": agent_ms}] if agent_ms else []
        fixer, findings = [], []
        for number in range(issues):
            file = f"src/f{number}.c"
            for cycle in ([1] if number in bad else []) + [0]:
                turn = {"role": "*", "file": file, "do": wait + [{"write": {"path": file, "text": place.text(number, "bad" if cycle else "long")}}],
                        "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It cannot overflow any more."}]}}
                fixer.append(dict(turn, cycle=1) if cycle else turn)
            findings.append({"id": f"F{number}", "file": file, "line": 8, "severity": "major", "issue": f"value {number} overflows"})
        self.put("fixer.json", {"model": "bench-1", "turns": fixer})
        self.put("judge.json", {"model": "bench-2", "turns": [dict(JUDGE, do=wait)]})
        self.put("findings.json", {"findings": findings})
        with open(os.path.join(place.repo, "emend.toml"), "w", encoding="utf-8") as file:
            file.write(CONFIG % (parallel, mode, suite))
        place.commit("base")
        place.emend("trust")

    def put(self, name, content):
        with open(os.path.join(self.place.root, name), "w", encoding="utf-8") as file:
            json.dump(content, file)

    def run(self):
        return self.place.emend("fix", "--findings", "../findings.json")

    def loop(self):
        return self.place.run(["sh", "-c", LOOP, "sh", str(self.issues)])


# For each issue: a copy of the file, an agent, a check, a judge, and a commit of what was made.
LOOP = """i=0; tip=$(git rev-parse HEAD)
export GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@b GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@b GIT_INDEX_FILE=../index
git read-tree HEAD
while [ $i -lt $1 ]; do
  mkdir -p ../copy/src; cp src/f$i.c ../copy/src/f$i.c
  sh -c "sed -i 's/value_${i}_7(int a)/value_${i}_7(long a)/' ../copy/src/f$i.c"
  sh -c "test -d src"; sh -c "echo 98"
  blob=$(git hash-object -w ../copy/src/f$i.c); git update-index --cacheinfo 100644,$blob,src/f$i.c
  tip=$(git commit-tree -p $tip -m fix$i $(git write-tree)); i=$((i+1))
done
"""


@figure("session", "`emend fix` with agents that answer at once, by issues", "a shell loop: copy, agent, check, judge, commit")
def session(bench):
    for issues in (10, 30, 100):
        made = Session(bench.place(300), issues)
        yield issues, made.run(), made.loop()


@figure("files", "the same, 10 issues, by files of the repository", "the same loop")
def files(bench):
    for count in (500, 5000, 50000):
        made = Session(bench.place(count, 10), 10)
        yield count, made.run(), made.loop()


def at_a_time(place, count, slots, command):
    """A floor: the command `count` times, `slots` at a time."""
    return place.run(["sh", "-c", f"seq {count} | xargs -P {slots} -I N sh -c '{command}'"])


@figure("makespan", "60 issues, fixer and judge of 1 s each, by agents at a time", "sleeping as long, as many at a time", "wall")
def makespan(bench):
    for slots in (4, 16):
        made = Session(bench.place(60, 10), 60, parallel=slots, agent_ms=1000)
        yield slots, made.run(), at_a_time(made.place, 60, slots, "sleep 2")


@figure("culprits", "40 issues, a suite of 2 s, 12 fixes that break it, 4 at a time, by verify.mode", "the suite for each of them, 4 at a time", "wall")
def culprits(bench):
    for mode in ("each", "batch", "auto"):
        made = Session(bench.place(40, 10), 40, parallel=4, bad=set(range(0, 36, 3)), mode=mode, suite="sleep 2; ! grep -q bad src/*.c")
        yield mode, made.run(), at_a_time(made.place, 40, 4, "sleep 2")


def machine():
    one, five, _ = os.getloadavg()
    return {"cpus": os.cpu_count(), "load_1": round(one, 2), "load_5": round(five, 2)}


def measure(bench, names):
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
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/emend")
    parser.add_argument("--only", default="", help="figures to measure, by commas: " + ", ".join(FIGURES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", default="", help="write the figures and the machine's load to this file")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name] or list(FIGURES)
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        parser.error(f"there is no figure {unknown[0]}; there are: {', '.join(FIGURES)}")
    for name in names:
        print(f"{name}: {FIGURES[name][0]}; floor: {FIGURES[name][1]}")
    at_start = machine()
    parent = tempfile.mkdtemp(prefix="emend-bench-")
    try:
        rows = measure(Bench(os.path.abspath(arguments.program), max(1, arguments.runs), parent), names)
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": at_start, "at_end": machine(), "rows": rows}, file, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
