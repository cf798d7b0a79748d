"""Bugs++' bugs of md4c (github.com/Suresoft-GLaDOS/bugscpp, github.com/mity/md4c, both MIT): real bugs of a Markdown parser in C.

The check builds it with the address sanitizer and runs all tests of the bug's list; several of them fail on every tree."""

import json
import os
import re
import subprocess
import tempfile

from case import RIGHT, Case, Patch, archive, clone_of, shown, spread

LIST, CODE = "https://github.com/Suresoft-GLaDOS/bugscpp", "https://github.com/mity/md4c"
PLACE = "bugscpp/taxonomy/md4c"
SUITE = """import subprocess, unittest


class Tests(unittest.TestCase):
"""
TEST = """    def test_{number:02}(self):
        done = subprocess.run({command!r}, shell=True, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)

"""
BUILD = "cmake -B build . -DBUILD_SHARED_LIBS=OFF -DCMAKE_C_FLAGS=-fsanitize=address > /dev/null && cmake --build build > /dev/null"


def applied(tree, patch):
    subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=tree, input=patch.encode(), check=True, capture_output=True,
                   env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(tree)})


def suite(tests):
    lines = [line.replace("python ", "python3 ", 1) for line in tests.split("\n") if line.strip()]
    return SUITE + "".join(TEST.format(number=number, command=command) for number, command in enumerate(lines, 1))


def case(bugs, code, defect, scratch):
    number = f"{defect['id']:04}"
    common, buggy = (shown(bugs, f"{PLACE}/patch/{number}-{kind}.patch") for kind in ("common", "buggy"))
    tests = suite(shown(bugs, f"{PLACE}/extra/{number}/.dpp/test_list"))

    def prepared(tree):
        applied(tree, common)
        with open(os.path.join(tree, "test", "test_list.py"), "w", encoding="utf-8") as file:
            file.write(tests)

    def broken(tree):
        prepared(tree)
        applied(tree, buggy)

    path = re.search(r"(?m)^\+\+\+ b/(.*)$", buggy)[1]
    with tempfile.TemporaryDirectory(dir=scratch) as tree:
        archive(code, defect["hash"], prepared)(tree)
        with open(os.path.join(tree, path), encoding="utf-8") as file:
            right = file.read()
    line = int(re.search(r"(?m)^@@ -(\d+)", buggy)[1]) + 3
    return Case("md4c", number, archive(code, defect["hash"], broken), path, defect["description"], f"{BUILD} && python3 -m unittest -v test/test_list.py",
                (Patch(RIGHT, {path: right}),), line, (), "180s")


def cases(given, sample, scratch):
    bugs, code = clone_of(LIST, given, scratch), clone_of(CODE, given, scratch)
    text = re.sub(r",(\s*[\]}])", r"\1", shown(bugs, f"{PLACE}/meta.json"))
    for defect in spread(json.loads(text)["defects"], sample):
        made = case(bugs, code, defect, scratch)
        yield made
