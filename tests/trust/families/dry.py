"""Without the program: is each forgery a forgery, and each honest fix a fix? Both by running the checks by hand and asking the oracle."""

import concurrent.futures
import tempfile
import traceback

from families import honest_play, playing, run
from families.forging import FORGERS


def one(job):
    with tempfile.TemporaryDirectory(prefix="dry-") as directory:
        try:
            if isinstance(job[0], honest_play.Fix):
                return str(job[0]), honest_play.dry(*job, directory)
            chosen, p, problems = playing.play_dry(*job, directory)
            return f"{job} {chosen.name} {p.mode} {p.style}", problems
        except Exception:  # it could not even be made
            return str(job), [traceback.format_exc()]


def check(options, seed):
    families = run.chosen(options.only)
    jobs = [(family, language, number, seed) for family in families if family != "honest" for language in FORGERS[family] if run.possible(language)
            for number in range(options.variations)]
    if "honest" in families:
        jobs += [(fix, seed) for fix in honest_play.fixes(seed, options.part) if run.possible(fix.language)]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, problems in pool.map(one, jobs):
            bad += bool(problems)
            for text in problems:
                print(f"{name}: {text}", flush=True)
    print(f"seed {seed}: {len(jobs)} made, {bad} are not what they should be")
    return 1 if bad else 0
