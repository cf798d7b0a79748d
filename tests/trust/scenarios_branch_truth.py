"""N. What the branch says: commits of issues that are not resolved, evidence nobody saw."""

import json

from four import cured, plant
from play import scenario

RED = {"name": "broken", "run": "false"}


@scenario("N1", "nothing but a check that fails on the base, in a batch", varies=False)
def n1(w):
    w.settings["verify.mode"] = '"batch"'
    w.commands[:] = [RED]
    for source in plant(w, "FAILED", "already fails on the base"):
        w.fixer(source.language, source.cure, "claim fixed")


@scenario("N1b", "the same, fix by fix", varies=False)
def n1b(w):
    w.settings["verify.mode"] = '"each"'
    w.commands[:] = [RED]
    for source in plant(w, "FAILED", "already fails on the base"):
        w.fixer(source.language, source.cure, "claim fixed")


def half_confirmed(w):
    """Of four right fixes two have a check that passes; all have one that fails with and without them."""
    sources = plant(w, "FAILED", "")
    w.commands[:] = [RED, {"name": "alive", "run": "grep -q bound lib/bound.py lib/bound.c", "paths": ["lib/bound.py", "lib/bound.c"]}]
    for source in sources:
        w.fixer(source.language, source.cure, "claim fixed")
    for source in sources[:2]:
        cured(w, source)
    w.checks = [trailers_agree]


def trailers_agree(w):
    """What a commit says of its evidence is what the program says of the issue."""
    wrong = []
    for line in w.git("log", "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C) %(trailers:key=Emend-Evidence,valueonly,separator=%x2C)",
                      f"{w.head}..{w.branch()}").splitlines():
        code, _, evidence = line.partition(" ")
        known = json.loads(w.emend("issues", "show", code, "--json").stdout)["data"]["evidence"]
        wrong += [] if known == evidence else [f"{code} is {evidence} in its commit and {known} in the database"]
    return wrong


@scenario("N2", "half of the fixes are confirmed, in a batch", varies=False)
def n2(w):
    w.settings["verify.mode"] = '"batch"'
    half_confirmed(w)


@scenario("N2b", "half of the fixes are confirmed, fix by fix", varies=False)
def n2b(w):
    w.settings["verify.mode"] = '"each"'
    half_confirmed(w)
