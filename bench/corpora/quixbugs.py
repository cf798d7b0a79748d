"""QuixBugs (github.com/jkoppel/QuixBugs, MIT): 40 Python programs with a bug in one line each.

Its tests are written for pytest; here they are methods of unittest, made from its own cases and functions."""

import json
import re

from case import RIGHT, Case, Patch, clone_of, laid, listed, shown, spread, usable, with_wrong

ADDRESS = "https://github.com/jkoppel/QuixBugs"
LONGEST = 200  # characters of a case: longer ones run for minutes
HEAD = """import os, signal, sys, unittest

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")]
from programs.{name} import {name}
{more}

def too_long(*_):
    raise TimeoutError("no answer")


class Tests(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGALRM, too_long)
        signal.alarm(2)

    def tearDown(self):
        signal.alarm(0)

"""


def by_cases(name, test, cases):
    """Methods from the cases; the call is the one of the corpus' own test."""
    call = re.search(r"assert (.*) == (expected|pytest\.approx)", test)[1]
    for number, (given, wanted) in enumerate(cases):
        made = call.replace("*input_data", ", ".join(repr(value) for value in given))
        yield f"    def test_{number}(self):\n        " + (
            f"self.assertAlmostEqual({made}, {wanted!r}, delta={given[-1]!r})\n" if "approx" in test else f"self.assertEqual({made}, {wanted!r})\n")


def by_functions(test):
    """(what stands before the first function, the functions as methods)"""
    body = re.sub(r'(?ms)^if __name__ ==.*', "", re.sub(r"(?ms)^import pytest\n|^from node import.*?\n|^if pytest\.use_correct.*?\n\n", "", test))
    before, _, rest = body.partition("def test")
    methods = "\n".join("    " + line if line else "" for line in ("def test" + rest).split("\n"))
    return before, re.sub(r'"""[^"]*"""', "", re.sub(r"def (test\w*)\(\)", r"def \1(self)", methods))


def test_file(clone, name, cases):
    test = shown(clone, f"python_testcases/test_{name}.py")
    if cases:
        return HEAD.format(name=name, more="") + "\n".join(by_cases(name, test, cases))
    before, methods = by_functions(test)
    return HEAD.format(name=name, more="from programs.node import Node\n" + before) + methods


def cases_of(clone, name):
    try:
        rows = [json.loads(line) for line in shown(clone, f"json_testcases/{name}.json").split("\n") if line.strip()]
    except Exception:  # it has none
        return []
    return [(given if isinstance(given, list) else [given], wanted) for given, wanted in rows if len(str(given) + str(wanted)) <= LONGEST]


def case(clone, name):
    buggy, right = (shown(clone, f"{folder}/{name}.py") for folder in ("python_programs", "correct_python_programs"))
    node = shown(clone, "python_testcases/node.py")
    tests = test_file(clone, name, cases_of(clone, name))
    path = f"programs/{name}.py"
    files = {path: buggy, "programs/__init__.py": "", "programs/node.py": node, f"tests/test_{name}.py": tests, "tests/__init__.py": ""}
    line = next((number for number, pair in enumerate(zip(buggy.split("\n"), right.split("\n")), 1) if pair[0] != pair[1]), 1)
    return Case("QuixBugs", name, laid(files), path, f"{name} answers wrongly for some inputs.", f"python3 -m unittest -v tests.test_{name}",
                (Patch(RIGHT, {path: right}),), line, (path,)), buggy


def cases(given, sample, scratch):
    clone = clone_of(ADDRESS, given, scratch)
    names = sorted(path.split("/")[-1].removeprefix("test_").removesuffix(".py") for path in listed(clone, "python_testcases/") if "test_" in path)
    for name in spread(names, sample):
        made, buggy = case(clone, name)
        if usable(made, scratch):
            yield with_wrong(made, buggy, scratch)
