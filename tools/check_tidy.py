#!/usr/bin/env python3
"""check_tidy.py [ROOT] [--most N]: clang-tidy on the C++ lines that were changed, with the checks that .clang-tidy makes errors.

Changed is what differs from where this branch left main; on main itself, what the last commit changed. Uncommitted changes count. Of more than N
files (4) those with the most changed lines are read: `make lint` reads them all, with every check, and only advises. Exit 77: nothing could be
looked at, and the output says why."""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
# The build's own flags name a precompiled header of g++, which clang cannot read. These are the same for every file.
FLAGS = ["-std=c++20", "-Isrc", "-I.", "-isystem/usr/include/postgresql", "-Wno-everything", '-DEMEND_VERSION="0"', '-DEMEND_BUILD_DIR="."',
         '-DEMEND_SOURCES="."']


def git(root, *arguments):
    """Its output; None when it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def start_of_change(root):
    """The commit to compare with; None = there is none."""
    head = git(root, "rev-parse", "HEAD")
    for main in ("main", "origin/main"):
        base = git(root, "merge-base", "HEAD", main)
        if base and base != head:
            return base
    return git(root, "rev-parse", "--verify", "--quiet", "HEAD^")


def changed_lines(diff):
    """Path -> ranges of lines, from `git diff -U0`. Files that only lost lines are not in it."""
    found, path = {}, None
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif path and (hunk := HUNK.match(line)):
            first, count = int(hunk.group(1)), int(hunk.group(2) or "1")
            if count:
                found.setdefault(path, []).append([first, first + count - 1])
    return found


def errors_of(text):
    """The checks .clang-tidy makes errors."""
    block = re.search(r"^WarningsAsErrors: >\n((?:  .*\n)+)", text, re.MULTILINE)
    return "".join(block.group(1).split()).strip(",") if block else ""


def tidy(root, checks, path, lines):
    wanted = json.dumps([{"name": path, "lines": lines}])
    command = ["clang-tidy", "--quiet", f"--checks=-*,{checks}", "--warnings-as-errors=*", f"--line-filter={wanted}", path, "--", *FLAGS]
    return path, subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def largest(changes, most):
    """The files with the most changed lines, and how many are left out."""
    def size(path):
        return sum(last - first + 1 for first, last in changes[path])
    order = sorted(changes, key=lambda path: (-size(path), path))
    return order[:most], len(order[most:])


def skip(why):
    print(f"check_tidy: skipped: {why}")
    return SKIPPED


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".")
    parser.add_argument("--most", type=int, default=4)
    options = parser.parse_args()
    if not shutil.which("clang-tidy"):
        return skip("clang-tidy is not installed (apt-get install clang-tidy)")
    start = start_of_change(options.root)
    if not start:
        return skip("there is no earlier commit to compare with")
    changes = changed_lines(git(options.root, "diff", "-U0", "--no-renames", start, "--", "src/*.cpp", "tests/*.cpp") or "")
    chosen, left_out = largest(changes, options.most)
    with open(os.path.join(options.root, ".clang-tidy"), encoding="utf-8") as file:
        checks = errors_of(file.read())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda path: tidy(options.root, checks, path, changes[path]), chosen))
    wrong = [(path, run) for path, run in done if run.returncode != 0]
    for path, run in wrong:
        print(f"{path}:\n{run.stdout}{run.stderr}")
    print(f"check_tidy: {len(chosen)} files changed since {start[:12]}, {len(wrong)} with findings" +
          (f"; {left_out} more were not read: make lint SINCE={start[:12]}" if left_out else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
