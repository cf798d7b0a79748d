#!/usr/bin/env python3
"""The adversary suite: whole sessions of the real program against agents, commands and machines that misbehave.

    trust.py --emend FILE --fake-agent FILE [--only A,B3] [--variations N] [--honest N] [--jobs N] [--seed TEXT] [--keep]

Prints what it counted; ends with 1 on any false RESOLVED, any containment violation, too few accepted honest fixes, or any other
difference from what a scenario expects."""

import argparse
import concurrent.futures
import dataclasses
import importlib
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import play
from world import Variation

for _file in sorted(os.listdir(os.path.dirname(os.path.abspath(__file__)))):
    if _file.startswith("scenarios_"):
        importlib.import_module(_file.removesuffix(".py"))


@dataclasses.dataclass(frozen=True)
class Tools:
    emend: str
    fake_agent: str


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--only", default="", help="ids or their beginnings, comma separated")
    parser.add_argument("--variations", type=int, default=1, help="plays of each scenario that varies")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", default=os.environ.get("EMEND_TRUST_SEED", ""))
    parser.add_argument("--keep", action="store_true", help="keep the directories of plays that went wrong")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def chosen(only):
    wanted = [part for part in only.split(",") if part]

    def matches(id):
        return not wanted or any(id == part or (part.isalpha() and id.startswith(part)) for part in wanted)

    return [scene for id, scene in play.SCENARIOS.items() if matches(id)]


def main():
    options = arguments()
    seed = options.seed or str(int(time.time()))
    tools = Tools(os.path.abspath(options.emend), os.path.abspath(options.fake_agent))
    plays = [(scene, Variation(number, f"{seed}/{scene.id}")) for scene in chosen(options.only)
             for number in range(options.variations if scene.varies else 1)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        findings = []
        for finding in pool.map(lambda pair: play.play(tools, *pair, keep=options.keep), plays):
            findings.append(finding)
            if options.verbose or not finding.good():
                print(f"{'ok  ' if finding.good() else 'BAD '} {finding.id:4} {finding.seconds:5.1f} s  {finding.variation}", flush=True)
            for kind in ("false_resolved", "violations", "differences"):
                for text in getattr(finding, kind):
                    print(f"      {kind}: {text}", flush=True)
            if finding.kept:
                print(f"      kept in {finding.kept}")
    return report(findings, seed)


def report(findings, seed):
    honest = sum(finding.honest for finding in findings)
    accepted = sum(finding.honest_accepted for finding in findings)
    false = sum(len(finding.false_resolved) for finding in findings)
    violations = sum(len(finding.violations) for finding in findings)
    different = sum(1 for finding in findings if finding.differences)
    share = 100.0 * accepted / honest if honest else 100.0
    print(f"seed {seed} (EMEND_TRUST_SEED)")
    print(f"scenarios              {len({finding.id for finding in findings})}")
    print(f"variations             {len(findings)}")
    print(f"false RESOLVED         {false}")
    print(f"honest accepted        {accepted} of {honest} ({share:.1f} %)")
    print(f"containment violations {violations}")
    print(f"not as expected        {different}")
    return 1 if false or violations or different or share < 98 else 0


if __name__ == "__main__":
    sys.exit(main())
