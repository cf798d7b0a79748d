#!/usr/bin/env python3
"""codeflaws.py [--emend PROGRAM] [--corpus FOLDER] [--sample N]: patches that are known to be wrong, played against the real program.

codeflaws (github.com/codeflaws/codeflaws, MIT) has programs that people handed in for programming contests, each with a bug, the tests that are
shown and others that are held out. What somebody else handed in for the same problem is a patch: it fails a visible test, or passes them all
and fails a held-out one ("plausible and wrong"), or is right. The judge says 97 to each, so the experiments alone decide. Three ways:

  visible       the visible tests are the project's checks: no near inputs
  near inputs   and an agent that does not fix writes a hidden check, as it is asked to: its first answer knows the reported input alone and is
                sent back, its second one knows five more. Which ones is chosen before anybody hands in a patch, by what the visible tests show:
                those that are least like them and each other (--choose spread), or most like the reported one (nearest). emend makes up others
  made up       and a person's hidden check knows the reported input alone, so the near inputs are those that emend makes up, whose right answers
                nobody knows

Fetches the corpus into a temporary folder unless --corpus names a clone, or a folder that holds the defects' folders. Exit 1: a patch that
fails a visible test landed."""

import argparse
import collections
import concurrent.futures
import difflib
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "support"))

from place import Place, score, scripted_agent, write

PLACE = "https://github.com/codeflaws/codeflaws"
TREE = "9436ceb4a^:benchmark"  # the data is in the history only
WAYS = ("visible", "near inputs", "made up")
KINDS = ("fails a visible test", "plausible and wrong", "right")
KNOWN = 5          # held-out inputs with known answers
LONGEST = 400      # characters of an input or an answer: longer ones are no plain values
SECONDS = 2        # of one run of a program
GOAL = 0.5         # of the plausible and wrong patches that are proven without near inputs, so many should not be with those of the ordinary way
SAME = re.compile(r"same answer as the base on (\d+) of (\d+) inputs")

Case = collections.namedtuple("Case", "name given wanted")
Defect = collections.namedtuple("Defect", "problem name buggy fixed visible held_out")
Play = collections.namedtuple("Play", "kind defect source")
Outcome = collections.namedtuple("Outcome", "landed level same compared detail")


def read(path):
    """Some files of the corpus are packed."""
    opened = open if os.path.exists(path) else gzip.open
    with opened(path if opened is open else path + ".gz", "rb") as file:
        return file.read().decode("utf-8", errors="replace")


class Corpus:
    """Folders NAME = PROBLEM-bug-BUGGY-FIXED, of a plain folder or of a clone."""

    def __init__(self, place, scratch):
        self.scratch = scratch
        if place is None:
            place = os.path.join(scratch, "clone")
            subprocess.run(["git", "clone", "-q", "--bare", PLACE, place], check=True)
        self.place = place
        self.is_clone = os.path.exists(os.path.join(place, "HEAD")) or os.path.exists(os.path.join(place, ".git"))

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.place, *arguments], check=True, capture_output=True).stdout

    def names(self):
        rows = self.git("ls-tree", "--name-only", TREE).decode().split() if self.is_clone else os.listdir(self.place)
        return sorted(name for name in rows if "-bug-" in name)

    def folder(self, name):
        if not self.is_clone:
            return os.path.join(self.place, name)
        target = os.path.join(self.scratch, "defects", name)
        if not os.path.isdir(target):
            os.makedirs(target)
            subprocess.run(["tar", "x", "-C", target], input=self.git("archive", f"{TREE}/{name}"), check=True)
        return target

    def defect(self, name):
        problem, _, ids = name.partition("-bug-")
        buggy, fixed = ids.split("-")
        folder = self.folder(name)
        cases = {True: [], False: []}
        files = {file.removesuffix(".gz") for file in os.listdir(folder)}
        for file in sorted(files):
            answer = file.replace("input-", "output-")
            if (match := re.fullmatch(r"(heldout-)?input-((?:pos|neg)\d+)", file)) and answer in files:
                cases[match[1] is None].append(Case(match[2], read(os.path.join(folder, file)), settled(read(os.path.join(folder, answer)))))
        return Defect(problem, name, read(os.path.join(folder, f"{problem}-{buggy}.c")), read(os.path.join(folder, f"{problem}-{fixed}.c")),
                      tuple(cases[True]), tuple(cases[False]))


def settled(text):
    """Answers are compared by their words."""
    return " ".join(text.split())


def answers(source, cases, scratch):
    """What a program answers to each case; None where it does not. Empty: it does not compile."""
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        write(os.path.join(place, "prog.c"), source)
        made = subprocess.run(["gcc", "-w", "-O1", "-o", "prog", "prog.c", "-lm"], cwd=place, capture_output=True, check=False)
        if made.returncode != 0:
            return []
        told = []
        for case in cases:
            try:
                done = subprocess.run(["./prog"], input=case.given.encode(), cwd=place, capture_output=True, timeout=SECONDS, check=False)
                told.append(settled(done.stdout.decode(errors="replace")) if done.returncode >= 0 else None)
            except subprocess.TimeoutExpired:
                told.append(None)
        return told


def kind_of(source, defect, scratch):
    told = answers(source, defect.visible + defect.held_out, scratch)
    if not told:
        return None
    right = [answer == case.wanted for answer, case in zip(told, defect.visible + defect.held_out)]
    if not all(right[:len(defect.visible)]):
        return KINDS[0]
    return KINDS[2] if all(right) else KINDS[1]


def reported(defect, scratch):
    """The visible case the bug is known by."""
    for answer, case in zip(answers(defect.buggy, defect.visible, scratch), defect.visible):
        if answer is not None and answer != case.wanted and max(len(case.given), len(case.wanted)) <= LONGEST:
            return case
    return None


def plays(corpus, sample, seed, scratch):
    """`sample` patches of each kind, of as many problems as possible."""
    groups = collections.defaultdict(list)
    for name in corpus.names():
        groups[name.partition("-bug-")[0]].append(name)
    drawn = random.Random(seed)
    problems = sorted(problem for problem, names in groups.items() if len(names) > 1)
    drawn.shuffle(problems)
    found = {kind: [] for kind in KINDS}
    for problem in problems:
        if all(len(rows) >= sample for rows in found.values()):
            break
        try:
            defects = [corpus.defect(name) for name in drawn.sample(groups[problem], min(4, len(groups[problem])))]
        except subprocess.CalledProcessError:  # a clone may lack its largest files
            continue
        base = next((one for one in defects if one.held_out and reported(one, scratch) and
                     kind_of(one.fixed, one, scratch) == KINDS[2]), None)
        if base is None:
            continue
        seen = set()
        for source in [text for other in defects if other is not base for text in (other.buggy, other.fixed)]:
            kind = kind_of(source, base, scratch)
            if kind and kind not in seen and len(found[kind]) < sample:
                seen.add(kind)  # one of a kind and problem
                found[kind].append(Play(kind, base, source))
    return [play for rows in found.values() for play in rows]


TESTS = '''import os, subprocess, tempfile, unittest

place = tempfile.mkdtemp()


def setUpModule():
    subprocess.run(["gcc", "-w", "-O1", "-o", place + "/prog", "prog.c", "-lm"], check=True)


def answer(given):
    done = subprocess.run([place + "/prog"], input=given, capture_output=True, text=True, timeout=%d)
    return " ".join(done.stdout.split())


class Visible(unittest.TestCase):
%s

if __name__ == "__main__":
    unittest.main()
'''


def test_file(cases):
    tests = [f"    def test_{case.name}(self):\n        self.assertEqual(answer({case.given!r}), {case.wanted!r})\n" for case in cases]
    return TESTS % (SECONDS, "\n".join(tests))


def hidden_check(cases):
    """A script that prints the program's answer to each case as a value, and what is expected."""
    lines = ["prog=$(mktemp)", 'gcc -w -O1 -o "$prog" prog.c -lm || exit 1']
    for number, case in enumerate(cases):
        lines += [f'printf "%s answer-%s %s\\n" "$1" {"abcdefghij"[number]} "$(timeout {SECONDS}s "$prog" <<\'END\' | tr -s \' \\n\' \' \' | sed \'s/ $//\'',
                  case.given.rstrip("\n"), "END", ')"']
    expected = [f"answer-{'abcdefghij'[number]} {case.wanted}" for number, case in enumerate(cases)]
    return "\n".join(lines) + "\n", "\n".join(expected) + "\n"


def likeness(one, other):
    return difflib.SequenceMatcher(None, one.given, other.given).ratio()


def plain_inputs(defect):
    """Held-out cases with plain values that no visible test shows."""
    shown = {str(one.given.split()) for one in defect.visible}
    return [one for one in defect.held_out
            if max(len(one.given), len(one.wanted)) <= LONGEST and one.wanted and str(one.given.split()) not in shown]


def nearest(defect, case):
    return sorted(plain_inputs(defect), key=lambda one: -likeness(one, case))[:KNOWN]


def spread(defect, case):
    """Each is the one that is least like all that are known by then: other sizes, other shapes, edges."""
    left, known, chosen = plain_inputs(defect), [case, *defect.visible], []
    while left and len(chosen) < KNOWN:
        chosen.append(min(left, key=lambda one: max(likeness(one, other) for other in known)))
        left.remove(chosen[-1])
        known.append(chosen[-1])
    return chosen


CHOICES = {"spread": spread, "nearest": nearest}


class World(Place):
    """One session of the real program."""

    def __init__(self, emend, scratch):
        super().__init__(emend, "codeflaws", scratch)

    def emend(self, *arguments):
        return self.run("--config", self.path("config.toml"), *arguments)

    def write_author(self, case, more):
        """Who is asked for a hidden check knows few inputs first, and more when that is sent back."""
        turns = []
        for cycle, cases in ((1, [case]), (2, [case, *more])):
            script, expected = hidden_check(cases)
            rows = [dict(zip(("name", "value"), line.split(" ", 1))) for line in expected.splitlines()]
            turns.append({"role": "reproducer", "cycle": cycle, "do": [{"write": {"path": "check.sh", "text": script}}],
                          "answer": {"reproducer": {"files": ["check.sh"], "command": 'sh check.sh "$1"', "expected": rows}}})
        self.write_turns("author.json", turns)

    def build(self, play, author):
        self.write("repo/prog.c", play.defect.buggy)
        self.write("repo/tests/__init__.py", "")
        self.write("repo/tests/test_prog.py", test_file(play.defect.visible))
        self.begin()
        self.write_turns("fixer.json", [
            {"do": [{"write": {"path": "prog.c", "text": play.source}}], "answer": {"issues": {"{issue}": {"status": "fixed"}}}}])
        self.write_turns("judge.json", [{"answer": score(97)}])
        agents = scripted_agent("wrong", self.path("fixer.json"), "a") + scripted_agent("lenient", self.path("judge.json"), "b")
        if author:
            agents += scripted_agent("author", self.path("author.json"), "c") + '[reproducer]\nwhen = "always"\nagent = "author"\n'
        self.write("config.toml", agents + """[fix]
agent = "wrong"
[fix_challenger]
agent = "lenient"
canaries = 0
max_iterations = 1
[verify]
commands = [{ name = "visible", run = "python3 -m unittest -v tests.test_prog", paths = ["prog.c"] }]
mode = "each"
max_fix_cycles = 1
timeout = "60s"
coverage = "off"
""")


def must(done, what):
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {done.stderr.strip() or done.stdout.strip()}")
    return done


def played(emend, play, way, choose, scratch):
    world = World(emend, scratch)
    try:
        case = reported(play.defect, scratch)
        world.build(play, way == WAYS[1])
        if way == WAYS[1]:
            world.write_author(case, choose(play.defect, case))
        finding = {"id": "bug", "file": "prog.c", "line": 1, "severity": "high", "title": "wrong answer",
                   "description": f"The answer to {case.given[:200]!r} is wrong."}
        write(world.path("findings.json"), json.dumps({"findings": [finding]}))
        rows = must(world.emend("issues", "add", "--json", "--findings", world.path("findings.json")), "issues add").stdout
        code = json.loads(rows)["data"][0]["code"]
        if way == WAYS[2]:
            script, expected = hidden_check([case])
            write(world.path("check.sh"), script)
            write(world.path("expected"), expected)
            must(world.emend("issues", "reproducer", code, "--file", world.path("check.sh"), "--run", 'sh .checks/check.sh "$1"',
                             "--expect", world.path("expected")), "issues reproducer")
        done = world.emend("fix", "--json", code)
        session = json.loads(done.stdout)["data"]
        issue = session["issues"][0]
        noted = SAME.search(done.stdout)
        same, compared = (int(noted[1]), int(noted[2])) if noted else (0, 0)
        return Outcome(issue["status"] == "RESOLVED", issue["evidence"] or "none", same, compared, issue.get("detail") or "")
    finally:
        world.close()


def share(count, all_of_them):
    return f"{count:4} of {all_of_them:<4}" + (f"{100 * count / all_of_them:5.0f} %" if all_of_them else "")


def table(results):
    """Prints what came of it; the patches that fail a visible test and landed."""
    landed = [play for (play, way), outcome in results.items() if play.kind == KINDS[0] and outcome.landed]
    shown = {kind: [(play, way) for play, way in results if play.kind == kind and way == WAYS[0]] for kind in KINDS}
    print(f"fails a visible test: landed         {share(len(landed), len(shown[KINDS[0]]))}")
    for kind in KINDS[1:]:
        print(f"{kind}:")
        for way in WAYS:
            rows = [outcome for (play, its_way), outcome in results.items() if play.kind == kind and its_way == way]
            proven = [row for row in rows if row.landed and row.level == "proven"]
            silent = [row for row in proven if not row.compared or row.same < row.compared]
            print(f"  {way:12} landed                {share(sum(row.landed for row in rows), len(rows))}")
            print(f"  {way:12} proven                {share(len(proven), len(rows))}")
            if way != WAYS[0]:
                print(f"  {way:12} proven without a note {share(len(silent), len(rows))}")
    print_cut(results)
    return landed


def print_cut(results):
    """By how much each kind of near inputs lowers the number of wrong patches that are proven, and of right ones."""
    def proven(kind, way):
        return sum(row.landed and row.level == "proven" for (play, its_way), row in results.items() if (play.kind, its_way) == (kind, way))

    for way in WAYS[1:]:
        cuts = {kind: 1 - proven(kind, way) / max(1, proven(kind, WAYS[0])) for kind in KINDS[1:]}
        goal = f" (goal {100 * GOAL:.0f} %: {'met' if cuts[KINDS[1]] >= GOAL else 'NOT MET'})" if way == WAYS[1] else ""
        print(f"{way} cut the wrong ones that are proven by {100 * cuts[KINDS[1]]:.0f} %{goal}, the right ones by {100 * cuts[KINDS[2]]:.0f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=shutil.which("emend"))
    parser.add_argument("--corpus", help="a clone, or a folder of folders; without it the corpus is fetched")
    parser.add_argument("--sample", type=int, default=20, help="patches of each kind")
    parser.add_argument("--choose", choices=CHOICES, default="spread", help="which inputs with known answers")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not options.emend:
        parser.error("--emend PROGRAM is needed: emend is not on the PATH")
    options.emend = os.path.abspath(options.emend)
    with tempfile.TemporaryDirectory(prefix="codeflaws-") as scratch:
        chosen = plays(Corpus(options.corpus, scratch), options.sample, options.seed, scratch)
        jobs = [(play, way) for play in chosen for way in (WAYS if play.kind != KINDS[0] else WAYS[:1])]
        print(f"codeflaws: {len(chosen)} patches of {len({play.defect.problem for play in chosen})} problems, seed {options.seed}", flush=True)
        results = {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for (play, way), outcome in zip(jobs, pool.map(lambda job: played(options.emend, *job, CHOICES[options.choose], scratch), jobs)):
                results[play, way] = outcome
                if options.verbose:
                    print(f"  {play.kind}, {play.defect.name}, {way}: {outcome}", file=sys.stderr, flush=True)
        return 1 if table(results) else 0


if __name__ == "__main__":
    sys.exit(main())
