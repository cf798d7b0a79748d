#!/usr/bin/env python3
"""The adversary suite: whole sessions of the real program against agents, commands and machines that misbehave.

    trust.py --emend FILE --fake-agent FILE [--only A,B3] [--variations N] [--honest N] [--jobs N] [--seed TEXT] [--keep]

Prints what it counted; ends with 1 on any false RESOLVED, any containment violation, too few accepted honest fixes, or any other
difference from what a scenario expects."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import importlib
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import honest
import play
from world import Variation

for _file in sorted(os.listdir(os.path.dirname(os.path.abspath(__file__)))):
    if _file.startswith("scenarios_"):
        importlib.import_module(_file.removesuffix(".py"))


@dataclasses.dataclass(frozen=True)
class Tools:
    emend: str
    fake_agent: str
    variables: dict = dataclasses.field(default_factory=dict)  # for the program
    seconds: int = 120                                         # one run of it may take


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

    fixes = [play.Scenario("honest", name, function) for name, function in honest.HONEST.items()]
    return [scene for scene in [*play.SCENARIOS.values(), *fixes] if matches(scene.id) or matches(scene.id.upper())]


@contextlib.contextmanager
def own_tools(emend, fake_agent):
    """The fake agent is linked into every world, so it must not be built anew meanwhile."""
    with tempfile.TemporaryDirectory(prefix="emend-trust-agent-") as directory:
        yield Tools(os.path.abspath(emend), shutil.copy2(fake_agent, os.path.join(directory, "fake_agent")))


def main():
    options = arguments()
    seed = options.seed or str(int(time.time()))
    with own_tools(options.emend, options.fake_agent) as tools:
        findings = play_all(options, seed, tools)
    return report(findings, seed)


def play_all(options, seed, tools):
    plays = [(scene, Variation(number, f"{seed}/{scene.id}/{scene.title}")) for scene in chosen(options.only)
             for number in range(options.variations if scene.varies else 1)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        findings = []
        for finding in pool.map(lambda pair: play.play(tools, *pair, keep=options.keep), plays):
            findings.append(finding)
            if options.verbose or not finding.good():
                print(f"{'ok  ' if finding.good() else 'BAD '} {finding.id:6} {finding.seconds:5.1f} s  {finding.title} ({finding.variation})", flush=True)
            for kind in ("false_resolved", "violations", "differences"):
                for text in getattr(finding, kind):
                    print(f"      {kind}: {text}", flush=True)
            if finding.kept:
                print(f"      kept in {finding.kept}")
    return findings


def not_played(findings):
    """Catalogue rows that need what does not exist yet: said, never passed over."""
    groups = {finding.id[0] for finding in findings}
    return {id: told for id, told in play.NOT_YET.items() if id[0] in groups}


def report(findings, seed):
    honest = sum(finding.honest for finding in findings)
    accepted = sum(finding.honest_accepted for finding in findings)
    false = sum(len(finding.false_resolved) for finding in findings)
    violations = sum(len(finding.violations) for finding in findings)
    different = sum(1 for finding in findings if finding.differences)
    share = 100.0 * accepted / honest if honest else 100.0
    print(f"seed {seed} (EMEND_TRUST_SEED)")
    missing = [id for id in play.CATALOGUE if id not in play.SCENARIOS and id not in play.NOT_YET]
    for id in missing:
        print(f"MISSING {id}: no scenario plays it, and nothing says why")
    print(f"scenarios              {len({finding.id for finding in findings} - {'honest'})}")
    waiting = not_played(findings)
    print(f"not yet                {len(waiting)}")
    for id, (title, reason) in sorted(waiting.items()):
        print(f"  {id:4} {title}: {reason}")
    print(f"variations             {len(findings)}")
    print(f"false RESOLVED         {false}")
    print(f"honest accepted        {accepted} of {honest} ({share:.1f} %)")
    print(f"containment violations {violations}")
    print(f"not as expected        {different}")
    return 1 if missing or false or violations or different or share < 98 else 0


if __name__ == "__main__":
    sys.exit(main())
