"""BugsInPy's bugs of youtube-dl (github.com/soarsmu/BugsInPy; youtube-dl: Unlicense): real bugs of a large Python program.

The tree is the fixed commit with its patch taken back, so the tests that show the bug are there."""

import os
import re
import subprocess

from case import RIGHT, Case, Patch, archive, clone_of, listed, shown, spread, usable, with_wrong

LIST, CODE = "https://github.com/soarsmu/BugsInPy", "https://github.com/ytdl-org/youtube-dl"
BUGS = "projects/youtube-dl/bugs"


def taken_back(patch):
    def change(tree):
        subprocess.run(["git", "apply", "-R", "--whitespace=nowarn", "-"], cwd=tree, input=patch.encode(), check=True, capture_output=True,
                       env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(tree)})
    return change


def case(bugs, code, number):
    facts = dict(re.findall(r'(\w+) *= *"([^"]*)"', shown(bugs, f"{BUGS}/{number}/bug.info")))
    patch = shown(bugs, f"{BUGS}/{number}/bug_patch.txt")
    tests = [name for line in shown(bugs, f"{BUGS}/{number}/run_test.sh").split("\n") for name in line.split() if name.startswith("test.")]
    files = re.findall(r"(?m)^\+\+\+ b/(.*)$", patch)
    commit = facts["fixed_commit_id"]
    right = {path: shown(code, path, commit) for path in files}
    line = int(re.search(r"(?m)^@@ -(\d+)", patch)[1]) + 3
    return Case("BugsInPy youtube-dl", number, archive(code, commit, taken_back(patch)), files[0], f"A test shows it: {', '.join(tests)}.",
                f"python3 -m unittest -v {' '.join(tests)}", (Patch(RIGHT, right),), line, tuple(files))


def cases(given, sample, scratch):
    bugs, code = clone_of(LIST, given, scratch), clone_of(CODE, given, scratch)
    numbers = sorted((path.split("/")[-1] for path in listed(bugs, BUGS + "/")), key=int)
    for number in spread(numbers, sample):
        try:
            made = case(bugs, code, number)
        except (subprocess.CalledProcessError, IndexError, KeyError):
            continue  # a commit that is gone, or a bug without a test of its own
        if made.command.endswith("-v ") or not usable(made, scratch):
            continue
        yield with_wrong(made, "", scratch, tries=3)
