"""Plays the families and prints what got through, what honest work was refused, what it cost, and what only the judge can see."""

import collections
import concurrent.futures
import dataclasses
import json
import re
import shutil

from families import expected, forged_endings, forged_exchanges, forged_gates, forged_judging, forged_reading, forged_tests, forged_tolerance, honest_play, playing
from families.forging import FORGERS, LANGUAGES

REGISTERED = (forged_endings, forged_exchanges, forged_gates, forged_judging, forged_reading, forged_tests, forged_tolerance)  # each fills FORGERS

SHOWN = 20  # of what is not as expected, one by one


def chosen(only):
    wanted = [name for name in only.split(",") if name]
    unknown = [name for name in wanted if name not in FORGERS and name != "honest"]
    if unknown:
        raise SystemExit(f"no such family: {', '.join(unknown)}; there are {', '.join(FORGERS)} and honest")
    return [name for name in [*FORGERS, "honest"] if not wanted or name in wanted]


def possible(language):
    return shutil.which(LANGUAGES[language].program) is not None


def plays(families, variations, seed, part):
    """(function, arguments) of every play. part: every n-th honest fix, the first of them by the seed."""
    rows = [(playing.play_forged, (family, language, number, seed)) for family in families if family != "honest"
            for language in FORGERS[family] if possible(language) for number in range(variations)]
    if "honest" in families:
        rows += [(honest_play.play, (fix, seed)) for fix in honest_play.fixes(seed, part) if possible(fix.language)]
    return rows


def run(tools, options, seed):
    families = chosen(options.only)
    rows = plays(families, options.variations, seed, options.part)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda row: row[0](tools, *row[1]), rows):
            outcomes.append(outcome)
            if options.verbose or outcome.broken:
                print(f"{outcome.status:9} {outcome.level:9} {outcome.seconds:5.1f} s  {outcome}  {outcome.why[:120]!r} {outcome.wrong}{outcome.broken}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([dataclasses.asdict(outcome) for outcome in outcomes], file, indent=1)
    return report(outcomes, seed)


def level_of(outcome):
    return outcome.level or "no level"


def family_rows(forged):
    by_family = collections.defaultdict(list)
    for outcome in forged:
        by_family[outcome.family].append(outcome)
    return by_family


def problems_of(family, outcomes, seed):
    """What is not as expected of one family."""
    found = [f"{outcome} could not be played:\n{outcome.broken}" for outcome in outcomes if outcome.broken]
    above = [outcome for outcome in outcomes if outcome.above and not outcome.judge_only]
    if expected.NOTES_REQUIRED:
        found += [f"{outcome} came to the judge without a note that names a forged line" for outcome in outcomes if outcome.above and outcome.judge_only and not outcome.notes]
    if family in expected.NOT_YET and not above and seed == expected.SEED:
        found.append(f"{family} is refused now: take it out of NOT_YET in tests/trust/families/expected.py")
    if family not in expected.NOT_YET and above:
        found.append(f"{family}: {len(above)} forged above judged: " + "; ".join(f"{outcome}, {outcome.level}: {outcome.wrong}" for outcome in above))
    return found


def print_forged(by_family):
    print("\nforged fixes: RESOLVED although the oracle found the branch wrong")
    print(f"{'family':22} {'played':>6} {'refused':>7} {'judged':>6} {'above':>5} {'levels':24} expected")
    for family, outcomes in by_family.items():
        above = [outcome for outcome in outcomes if outcome.above]
        levels = collections.Counter(level_of(outcome) for outcome in above)
        words = "only the judge can see it" if family in expected.ONLY_THE_JUDGE else f"not yet: {expected.NOT_YET[family]}" if family in expected.NOT_YET else ""
        print(f"{family:22} {len(outcomes):6} {sum(not outcome.accepted for outcome in outcomes):7} {sum(outcome.forged and not outcome.above for outcome in outcomes):6} "
              f"{len(above):5} {', '.join(f'{level} {n}' for level, n in sorted(levels.items())):24} {words}")
    for title, wanted in (("got through", False), ("only the judge can see", True)):
        rows = [outcome for outcomes in by_family.values() for outcome in outcomes if outcome.above and outcome.judge_only == wanted]
        print(f"\n{title}: {len(rows)}")
        for outcome in rows:
            print(f"  {outcome.level:9} {outcome}: {outcome.wrong}" + ("" if not wanted or outcome.notes else " (no note names its lines)"))


def kind_of(outcome):
    """Why an honest fix was refused, without what differs from fix to fix."""
    if outcome.wrong:
        return "RESOLVED, but the values are wrong"
    clause = re.findall(r"\[(P\d+ \w+)\]", outcome.why)
    return clause[0] if clause else outcome.why.split(":")[0] + ("" if outcome.mode != "red" else ", the suite was red before")


def print_honest(honest):
    refused = [outcome for outcome in honest if not outcome.accepted or outcome.wrong]
    levels = collections.Counter(level_of(outcome) for outcome in honest if outcome.accepted)
    print(f"\nhonest fixes: {len(honest) - len(refused)} of {len(honest)} RESOLVED" + (f" ({', '.join(f'{level} {n}' for level, n in sorted(levels.items()))})" if levels else ""))
    kinds = collections.defaultdict(list)
    for outcome in refused:
        kinds[kind_of(outcome)].append(outcome)
    for kind, rows in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        print(f"  refused {len(rows):3}  {kind}; for example {rows[0].name} ({rows[0].language}): {rows[0].why[:150]}")
        by_name = collections.Counter(outcome.name for outcome in rows)
        print("               " + ", ".join(f"{name} {n}" for name, n in sorted(by_name.items())))
    return refused


def print_cost(outcomes):
    counted = [outcome.runs for outcome in outcomes if outcome.runs]
    if counted:
        print(f"\nruns of checks an issue: {sum(counted) / len(counted):.1f} on average, {max(counted)} at most (base included)")


def report(outcomes, seed):
    forged = [outcome for outcome in outcomes if outcome.family != "honest"]
    honest = [outcome for outcome in outcomes if outcome.family == "honest"]
    print(f"seed {seed} (EMEND_TRUST_SEED)")
    by_family = family_rows(forged)
    found = [text for family, rows in by_family.items() for text in problems_of(family, rows, seed)]
    found += [f"{outcome} could not be played:\n{outcome.broken}" for outcome in honest if outcome.broken]
    if forged:
        print_forged(by_family)
    refused = print_honest(honest) if honest else []
    found += [f"refused: {outcome}: {outcome.wrong or outcome.why[:150]}" for outcome in refused if not expected.known(outcome)]
    found += honest_play.below(honest)
    if honest and seed == expected.SEED:
        found += honest_play.gone_from_list(honest, refused)
    print_cost(outcomes)
    print(f"\nnot as expected        {len(found)}")
    for text in found[:SHOWN]:
        print("  " + text)
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")
    return 1 if found else 0
