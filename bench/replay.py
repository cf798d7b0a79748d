#!/usr/bin/env python3
"""replay.py [--emend PROGRAM] [--only quixbugs,everyday] [--sample N] [--from FOLDER] [--json FILE]: known bugs with their right patches and wrong ones,
played against the real program.

Scripted agents hand the patches in and the judge says 97 to each, so the experiments of the gate alone decide. Prints, for each corpus, how many right
patches were accepted (goal: 98 %), and at the first attempt; how many wrong ones; the rounds; and the time of the engine for an issue, its runs of the checks
included. A second table has the rounds and the time of each issue (`--brief` leaves it out). Corpora are cloned into a temporary folder, or taken from clones
below --from; nothing of them is kept. `--sample 0` plays all of them.
Exit 1: fewer right patches than the goal, an everyday fix that was not accepted at once, or a patch that fails a visible test was accepted although no note
names that test (what is accepted with such a note is listed: a limit that docs/experiments.md describes)."""

import argparse
import collections
import concurrent.futures
import dataclasses
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpora"))

from case import PLAUSIBLE, RED, RIGHT, play

CORPORA = ("everyday", "quixbugs", "humanevalpack", "codeflaws_cases", "youtube_dl", "md4c")
GOAL = 0.98


def rows_of(corpus, options, scratch):
    """Every case of a corpus with every patch of it; nothing where it cannot be fetched."""
    try:
        for case in importlib.import_module(corpus).cases(options.given, options.sample, scratch):
            for patch in case.patches:
                yield case, patch
    except subprocess.CalledProcessError as error:
        print(f"{corpus} was left out: {' '.join(error.cmd[:5])} failed", file=sys.stderr)


def played(options, scratch):
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for corpus in options.only.split(",") if options.only else CORPORA:
            for outcome in pool.map(lambda row: play(options.emend, *row, scratch), rows_of(corpus, options, scratch)):
                outcomes.append(outcome)
                if options.verbose or is_bad(outcome):
                    print(f"  {outcome.case.corpus} {outcome.case.name}, {outcome.patch.kind}: {'accepted' if outcome.accepted else 'refused'} "
                          f"{outcome.level} after {outcome.rounds}, {outcome.seconds:.1f} s {outcome.why[:400]}", file=sys.stderr, flush=True)
    return outcomes


def is_bad(outcome):
    if outcome.patch.kind == RIGHT:
        return not outcome.accepted
    return outcome.patch.kind == RED and outcome.accepted


def share(rows, count):
    return f"{count} of {len(rows)}" + (f" ({100 * count / len(rows):.0f} %)" if rows else "")


def table(outcomes):
    """One row of Markdown for each corpus, and one for all."""
    print("| corpus | right accepted | at the first attempt | rounds | fails a visible test: accepted | plausible and wrong: accepted | engine time, median / 90 % |")
    print("|---|---|---|---|---|---|---|")
    groups = collections.defaultdict(list)
    for outcome in outcomes:
        groups[outcome.case.corpus].append(outcome)
    for name, rows in [*groups.items(), *([("all", outcomes)] if len(groups) > 1 else [])]:
        kinds = {kind: [row for row in rows if row.patch.kind == kind] for kind in (RIGHT, RED, PLAUSIBLE)}
        right = kinds[RIGHT]
        times = sorted(row.seconds for row in right) or [0]
        print(f"| {name} | {share(right, sum(row.accepted for row in right))} | {sum(row.accepted and row.rounds == 1 for row in right)} "
              f"| {statistics.mean(row.rounds for row in right) if right else 0:.2f} "
              + "".join(f"| {share(kinds[kind], sum(row.accepted for row in kinds[kind])) if kinds[kind] else '-'} " for kind in (RED, PLAUSIBLE))
              + f"| {statistics.median(times):.1f} s / {times[int(0.9 * (len(times) - 1))]:.1f} s |")


def issue_table(outcomes):
    """One row of Markdown for each issue and patch that was played."""
    print("\n| corpus | issue | patch | outcome | evidence | rounds | engine time |")
    print("|---|---|---|---|---|---|---|")
    for row in outcomes:
        print(f"| {row.case.corpus} | {row.case.name} | {row.patch.kind} | {'accepted' if row.accepted else 'refused'} | {row.level or '-'} | {row.rounds} "
              f"| {row.seconds:.1f} s |")


def wrongly_accepted(outcomes, noted):
    """Patches that fail a visible test and were accepted; noted: with a note that names the test, or without one."""
    return [row for row in outcomes if row.patch.kind == RED and row.accepted and row.noted == noted]


def problems(outcomes):
    found = []
    right = [row for row in outcomes if row.patch.kind == RIGHT]
    accepted = sum(row.accepted for row in right)
    if right and accepted < GOAL * len(right):
        found.append(f"{share(right, accepted)} right patches were accepted; the goal is {100 * GOAL:.0f} %")
    found += [f"everyday fix {row.case.name} was not accepted at the first attempt: {row.why}" for row in right
              if row.case.corpus == "everyday" and not (row.accepted and row.rounds == 1)]
    found += [f"{row.case.corpus} {row.case.name}: a patch that fails a visible test was accepted, and no note names the test"
              for row in wrongly_accepted(outcomes, noted=False)]
    return found


def stored(outcome):
    row = {key: value for key, value in dataclasses.asdict(dataclasses.replace(outcome, case=None, patch=None)).items() if key not in ("case", "patch")}
    return {"corpus": outcome.case.corpus, "name": outcome.case.name, "kind": outcome.patch.kind, **row}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=shutil.which("emend"))
    parser.add_argument("--from", dest="given", help="a folder with clones; what is not there is cloned")
    parser.add_argument("--only", default="", help="of " + ", ".join(CORPORA))
    parser.add_argument("--sample", type=int, default=40, help="bugs of each corpus, evenly spread; 0: all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="write every outcome to this file")
    parser.add_argument("--brief", action="store_true", help="without the table of issues")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not options.emend:
        parser.error("--emend PROGRAM is needed: emend is not on the PATH")
    options.emend = os.path.abspath(options.emend)
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        outcomes = played(options, scratch)
    table(outcomes)
    if not options.brief:
        issue_table(outcomes)
    for row in wrongly_accepted(outcomes, noted=True):
        print(f"{row.case.corpus} {row.case.name}: a patch that fails a visible test was accepted, with a note that names the test (docs/experiments.md)")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([stored(outcome) for outcome in outcomes], file, indent=1)
    found = problems(outcomes)
    for text in found:
        print(text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
