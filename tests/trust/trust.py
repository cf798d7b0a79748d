#!/usr/bin/env python3
"""The adversary suite: whole sessions of the real program against agents, commands and machines that misbehave.

    trust.py --emend FILE --fake-agent FILE [--shim FILE] [--only A,B3] [--variations N] [--jobs N] [--seed TEXT] [--keep] [--list]
    trust.py --emend FILE --fake-agent FILE --families [--only exit_forged,honest] [--variations N] [--part N] [--jobs N] [--seed TEXT]

Prints what it counted; ends with 1 on any false RESOLVED, any containment violation, too few accepted honest fixes, or any other
difference from what a scenario expects, and any row of the catalogue that no scenario plays. What this machine cannot play is named."""

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

import abilities
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
    shim: str = ""                                             # library that makes calls of the program fail
    variables: dict = dataclasses.field(default_factory=dict)  # for the program
    seconds: int = 120                                         # one run of it may take


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--shim", default="")
    parser.add_argument("--list", action="store_true", help="the rows of the catalogue and what plays them")
    parser.add_argument("--families", action="store_true", help="play families of forged fixes and the honest ones beside them")
    parser.add_argument("--only", default="", help="groups or ids, comma separated; with --families, names of families")
    parser.add_argument("--part", type=int, default=1, help="with --families: play every N-th honest fix only")
    parser.add_argument("--dry", action="store_true", help="with --families: only see whether forged fixes are forged and honest ones right")
    parser.add_argument("--json", default="", help="with --families: write every outcome to this file")
    parser.add_argument("--variations", type=int, default=1, help="plays of each scenario that varies")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", default=os.environ.get("EMEND_TRUST_SEED", ""))
    parser.add_argument("--keep", action="store_true", help="keep the directories of plays that went wrong")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def chosen(only):
    wanted = [part for part in only.split(",") if part]

    return [scene for scene in [*play.SCENARIOS.values(), *honest.HONEST.values()] if not wanted or scene.id in wanted or scene.group in wanted]


@contextlib.contextmanager
def own_tools(emend, fake_agent, shim=""):
    """The fake agent is linked into every world, so it must not be built anew meanwhile."""
    with tempfile.TemporaryDirectory(prefix="emend-trust-agent-") as directory:
        yield Tools(os.path.abspath(emend), shutil.copy2(fake_agent, os.path.join(directory, "fake_agent")), os.path.abspath(shim) if shim else "")


def main():
    options = arguments()
    if options.list:
        return show_list()
    seed = options.seed or str(int(time.time()))
    with own_tools(options.emend, options.fake_agent, options.shim) as tools:
        if options.families:
            from families import dry, run
            return dry.check(options, seed) if options.dry else run.run(tools, options, seed)
        lacking = abilities.lacking(tools)
        scenes = chosen(options.only)
        findings = play_all(options, seed, tools, [scene for scene in scenes if scene.needs not in lacking])
    return report(findings, seed, {scene.id: lacking[scene.needs] for scene in scenes if scene.needs in lacking})


def show_list():
    for row in play.CATALOGUE:
        played = [scene for scene in play.SCENARIOS.values() if scene.row == row]
        for scene in played:
            print(f"{scene.id:5} {scene.title}{'' if scene.varies else ' (always the same)'}")
        if not played:
            print(f"{row:5} MISSING")
    return 0


def play_all(options, seed, tools, scenes):
    plays = [(scene, Variation(number, f"{seed}/{scene.id}/{scene.title}")) for scene in scenes
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


def report(findings, seed, left_out):
    honest = sum(finding.honest for finding in findings)
    accepted = sum(finding.honest_accepted for finding in findings)
    false = sum(len(finding.false_resolved) for finding in findings)
    violations = sum(len(finding.violations) for finding in findings)
    different = sum(1 for finding in findings if finding.differences)
    share = 100.0 * accepted / honest if honest else 100.0
    print(f"seed {seed} (EMEND_TRUST_SEED)")
    rows = {scene.row for scene in play.SCENARIOS.values()}
    missing = [row for row in play.CATALOGUE if row not in rows]
    print(f"catalogue rows         {len(play.CATALOGUE) - len(missing)} of {len(play.CATALOGUE)}" + (f", MISSING {' '.join(missing)}" if missing else ""))
    print(f"scenarios              {len({finding.id for finding in findings} - {'honest'})}")
    for reason in sorted(set(left_out.values())):
        ids = [id for id, why in left_out.items() if why == reason]
        print(f"not possible here      {len(ids)}: {' '.join(ids)} ({reason})")
    print(f"variations             {len(findings)}")
    print(f"false RESOLVED         {false}")
    print(f"honest accepted        {accepted} of {honest} ({share:.1f} %)")
    print(f"containment violations {violations}")
    print(f"not as expected        {different}")
    for note in [note for finding in findings for note in finding.notes]:
        print(note)
    return 1 if missing or false or violations or different or share < 98 else 0


if __name__ == "__main__":
    sys.exit(main())
