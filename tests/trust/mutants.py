#!/usr/bin/env python3
"""Shows that the adversary suite would notice: each clause of the gate and each rule of construction is left out in turn.

    mutants.py --emend FILE --fake-agent FILE [--only P1,R3] [--jobs N] [--short]

The program is build/mutants/emend, which the product is not. Ends with 1 when a mutant survives, or when the whole program is not accepted."""

import argparse
import concurrent.futures
import dataclasses
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import abilities
import play
import trust
from world import Variation

# What is left out -> scenarios that must notice, the first of which usually does.
MUTANTS = {
    "P1": ("a change that changes nothing counts", ("A2",)),
    "P2": ("any path may be touched", ("G15", "D12", "B1")),
    "P3": ("hidden text and secrets may be added", ("P6", "K6")),
    "P4": ("red verification does not count", ("A4b", "A10")),
    "P5": ("tests may vanish", ("B5", "J6")),
    "P6": ("a reproducer may stay red", ("A11", "A8")),
    "P7": ("an analyzer may go on reporting it", ("A14b",)),
    "P8": ("nobody has to judge it", ("G7", "G13")),
    "P9": ("the commit is not looked at", ("G6b",)),
    "P10": ("no proof is kept", ("A7",)),
    "R1": ("the user's git configuration and hooks count", ("C8b",)),
    "R2": ("size and time say whether a file has changed", ("C14",)),
    "R3": ("an agent has ended when its leader has", ("E3", "J8")),
    "R4": ("nothing is limited", ("J3",)),
    "R5": ("git works on the user's own index", ("K10", "C6")),
    "R6": ("what is begun is not written down first", ("L12",)),
    "R7": ("two engines may own one repository", ("L4",)),
}

# An experiment that is left out -> families of forged fixes of which something must get through without it, and nothing with it; or
# scenarios that must notice, where several experiments would catch the forged fixes of a family and this one alone catches the scenario.
EXPERIMENTS = {
    "alive": ("a check counts although nobody saw it failing", ("summary_forged", "framework_patched")),
    "probe_silent": ("a test and its opposite may both pass", ("assertion_neutralised", "framework_patched")),
    "reword": ("the text of the tests is never changed", ("test_text", "adaptive")),
    "neutral_look": ("a run has variables that a developer's shell has not", ("environment",)),
    "elsewhere": ("what holds in one place only counts", ("honest_elsewhere",)),
    "other_turn": ("what fails when it is turned around need not fail with another value", ("results_exchanged",)),
    "other_scale": ("both sides of a comparison are never changed together", ("other_value",)),
    "fails_again": ("a check that passes without the fix, too, counts for it", ("X1",)),
    "exact_set": ("other tests may fail than the one that was turned around", ("X2",)),
    "fails_otherwise": ("a test of the issue may fail in another way than before", ("X3",)),
    "seen_twice": ("what fails once counts against a fix", ("X4",)),
    "too_good": ("many tests of other files may pass all of a sudden", ("X5",)),
    "breakage": ("a check without words is never seen failing", ("X6",)),
    "canary": ("no judge is shown a worthless diff", ("G1",)),
    "hidden_bytes": ("text may become bytes that a reader is not shown", ("P1b",)),
    "own_ipc": ("runs share the kernel's memory and queues with each other", ("R1",)),
    "contradiction": ("exit status 0 counts although the output names failures", ("Q4b",)),
    "layers": ("one command may leave files beside the tree for the next", ("Q4c",)),
    "shown": ("the tests of a patch are not taken apart from its product side", ("O4",)),
    "unneeded": ("files that nothing needs may stay", ("O2",)),
    "outside": ("hidden checks compare inside of the process they try", ("A11c",)),
    "negation": ("no comparison is turned around", ("X9",)),
    "value": ("no expected value becomes another one", ("X10",)),
    "sentinel": ("no failing test is added", ("X7",)),
    "data_flip": ("expected data stays as it is", ("X8",)),
    "data_beside": ("data of tests that passed all along stays as it is", ("reads_the_data",)),
    "guard": ("nothing is turned around where no test failed before", ("X12",)),
    "void_run": ("a run with probes counts although tests are missing in it", ("X11",)),
    "control": ("what probes do on the base does not matter", ("X16",)),
    "draws": ("values that the base does not bear count against a fix", ("X15",)),
    "wavers": ("a check that disagrees with itself on the base goes on counting", ("X4",)),
    "near_inputs": ("inputs near that of a hidden check are not tried", ("X13",)),
    "executed": ("nobody looks which of the changed lines the checks execute", ("X14",)),
    "notes": ("no judge is told what to look at", ("B2",)),
}
IN_MOUNTS = {"neutral_look", "own_ipc"}  # without private mounts nothing of this is there to be left out
FAMILY_SEED, FAMILY_PLAYS = "mutants", 2  # variations in each language


def first_through(tools, families):
    """The first forged fix of these families that is RESOLVED above `judged`."""
    from families import run
    for family in families:
        for function, arguments in run.plays([family], FAMILY_PLAYS, FAMILY_SEED, 1):
            outcome = function(tools, *arguments)
            if outcome.above and not outcome.judge_only:
                return outcome
    return None


def experiment(tools, name):
    """Whether leaving it out is noticed; with the whole program the same fixes are refused, as trust_family_* and the scenarios say."""
    what, witnesses = EXPERIMENTS[name]
    if name in IN_MOUNTS and not abilities.contained(tools):
        print(f"not here {name:14} {what}; this machine mounts no overlays", flush=True)
        return True
    if witnesses[0] in play.SCENARIOS:
        return one(tools, name, what, witnesses)
    through = first_through(dataclasses.replace(tools, variables={"EMEND_GATE_WITHOUT": name}, seconds=30), witnesses)
    print(f"{'caught  ' if through else 'SURVIVED'} {name:14} {what}" + (f"; {through}: {through.wrong}" if through else ""), flush=True)
    return through is not None


def caught_by(tools, part, names):
    for name in names:
        finding = play.play(tools, play.SCENARIOS[name], Variation())
        if not finding.good() and not finding.broken:
            return name, (finding.false_resolved + finding.violations + finding.differences)[0]
    return "", ""


def one(tools, part, what, names):
    tools = dataclasses.replace(tools, variables={"EMEND_GATE_WITHOUT": part}, seconds=30)
    name, why = caught_by(tools, part, names)
    first = why.strip().split("\n")[-1][:150]
    print(f"{'caught  ' if name else 'SURVIVED'} {part:4} {what}" + (f"; {name}: {first}" if name else ""), flush=True)
    return bool(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--short", action="store_true", help="do not show first that the whole program is accepted")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    options = parser.parse_args()
    with trust.own_tools(options.emend, options.fake_agent) as tools:
        return run(options, tools)


def run(options, tools):
    parts = [part for part in MUTANTS if not options.only or part in options.only.split(",")]
    witnesses = sorted({MUTANTS[part][1][0] for part in parts})
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        sound = list(pool.map(lambda name: play.play(tools, play.SCENARIOS[name], Variation()), [] if options.short else witnesses))
        for finding in sound:
            for text in finding.false_resolved + finding.violations + finding.differences:
                print(f"the whole program fails {finding.id}: {text}")
        caught = list(pool.map(lambda part: one(tools, part, *MUTANTS[part]), parts))
        wanted = [name for name in EXPERIMENTS if not options.only or name in options.only.split(",")]
        caught += list(pool.map(lambda name: experiment(tools, name), wanted))
    print(f"mutants {len(caught)}, caught {sum(caught)}")
    return 0 if all(caught) and all(finding.good() for finding in sound) else 1


if __name__ == "__main__":
    sys.exit(main())
