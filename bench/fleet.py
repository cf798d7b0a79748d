#!/usr/bin/env python3
"""fleet.py [--repositories N] [--workers N] [--set NAME=VALUE ...] [--json FILE]: how long fixes wait in a large installation.

Plays one busy hour of the queue: sessions arrive at random, each brings some issues, a worker takes one issue after another, and each issue
needs a fixer, checks, a judge and sometimes a second round. Prints how long issues wait, and how much of each resource is used; the one with
the largest share breaks first. docs/scale.md says where the figures come from and what the result means."""

import argparse
import heapq
import json
import math
import random
import statistics
import sys

# What one thing costs. Times are means in seconds; --set changes each of them.
FIGURES = {
    "sessions_a_day": 2.0,            # of one repository
    "busy_hour": 0.20,                # share of a day's sessions that starts in its busiest hour
    "issues": 6.0,                    # of a session
    "fixer_seconds": 90.0,            # one call of the fixing agent
    "judge_seconds": 20.0,            # one call of the judging agent
    "check_seconds": 30.0,            # one run of the project's checks
    "check_runs": 3.6,                # runs for an issue: the fix itself and its experiments
    "again": 0.25,                    # share of rounds that end in another round, at most three in all
    "engine_seconds": 0.06,           # CPU of the engine for an issue
    "cores": 4.0,                     # of a worker's machine
    "slots": 4.0,                     # issues a worker has in hand at once
    "check_cores": 1.0,               # cores a check keeps busy
    "transactions": 17.0,             # of the database for an issue
    "database_limit": 2500.0,         # transactions a second one PostgreSQL commits on a plain SSD
    "connections": 4.0,               # to the database, of one worker
    "connections_limit": 100.0,       # max_connections of PostgreSQL as it is installed
    "idle_transactions": 0.2,         # a second, of a worker with nothing to do
    "issue_kilobytes": 1.9,           # in the database, for ever
    "event_kilobytes": 40.0,          # in the database, with its session
    "tokens": 30_000.0,               # of one agent call, in and out
    "tokens_a_minute": 40_000_000.0,  # what the vendors' rate limits allow in all
    "call_dollars": 0.05,             # one agent call
}


def sample(rng, mean):
    """Times of agents and checks have a long tail: half are below 60 % of the mean."""
    sigma = 1.0
    return rng.lognormvariate(math.log(mean) - sigma * sigma / 2, sigma)


def arrivals(rng, rate, seconds):
    """Moments of a Poisson process."""
    now = rng.expovariate(rate)
    while now < seconds:
        yield now
        now += rng.expovariate(rate)


def queue(jobs, servers):
    """First come, first served by `servers` equal ones. jobs: (arrival, seconds), sorted. Returns the waits and the busy seconds."""
    free = [0.0] * servers
    waits, busy = [], 0.0
    for arrival, seconds in jobs:
        start = max(arrival, heapq.heappop(free))
        heapq.heappush(free, start + seconds)
        waits.append(start - arrival)
        busy += seconds
    return waits, busy


def rounds(rng, again):
    count = 1
    while count < 3 and rng.random() < again:
        count += 1
    return count


def issue(rng, figures):
    """Seconds one issue keeps a slot, and what it asks of others."""
    turns = rounds(rng, figures["again"])
    agents = sum(sample(rng, figures["fixer_seconds"]) + sample(rng, figures["judge_seconds"]) for _ in range(turns))
    one_run = sample(rng, figures["check_seconds"])
    checks = one_run * figures["check_runs"] * turns
    return agents + checks + figures["engine_seconds"] * turns, checks, 2 * turns


def play(figures, repositories, workers, seed=1, seconds=3600.0):
    """One busy hour, after another one that fills the queue."""
    rng = random.Random(seed)
    rate = repositories * figures["sessions_a_day"] * figures["busy_hour"] / 3600.0
    jobs, checks, calls = [], 0.0, 0
    for arrival in arrivals(rng, rate, 2 * seconds):
        for _ in range(max(1, round(rng.expovariate(1 / figures["issues"])))):
            length, check, asked = issue(rng, figures)
            jobs.append((arrival, length))
            if arrival >= seconds:
                checks, calls = checks + check, calls + asked
    waits, _ = queue(jobs, max(1, int(workers * figures["slots"])))
    counted = [(wait, length) for wait, (arrival, length) in zip(waits, jobs) if arrival >= seconds]
    issues = len(counted)
    work = sum(length for _, length in counted)
    shares = {
        "slots of the workers": work / (seconds * workers * figures["slots"]),
        "cores of the workers": (checks * figures["check_cores"] + issues * figures["engine_seconds"]) / (seconds * workers * figures["cores"]),
        "commits of the database": (issues * figures["transactions"] / seconds + workers * figures["idle_transactions"]) / figures["database_limit"],
        "connections of the database": workers * figures["connections"] / figures["connections_limit"],
        "rate limits of the vendors": calls * figures["tokens"] / (seconds / 60) / figures["tokens_a_minute"],
    }
    ordered = sorted(wait for wait, _ in counted) or [0.0]
    day = issues / figures["busy_hour"]
    return {
        "issues": issues, "wait_p50": ordered[len(ordered) // 2], "wait_p95": ordered[int(len(ordered) * 0.95)],
        "mean_seconds": statistics.fmean(length for _, length in counted) if counted else 0.0,
        "shares": shares, "first": max(shares, key=shares.get),
        "transactions": issues * figures["transactions"] / seconds + workers * figures["idle_transactions"],
        "gigabytes_a_day": day * (figures["issue_kilobytes"] + figures["event_kilobytes"]) / 1e6,
        "dollars_a_day": calls / figures["busy_hour"] * figures["call_dollars"],
    }


def show(result, repositories, workers):
    print(f"{repositories} repositories, {workers} workers, the busiest hour of a day")
    print(f"  issues       {result['issues']} ({result['mean_seconds']:.0f} s of work each)")
    print(f"  wait         {result['wait_p50']:.0f} s for half of them, {result['wait_p95']:.0f} s for 95 %")
    print(f"  database     {result['transactions']:.0f} transactions/s, {result['gigabytes_a_day']:.2f} GB a day")
    print(f"  agents       {result['dollars_a_day']:,.0f} dollars a day")
    for name, share in sorted(result["shares"].items(), key=lambda item: -item[1]):
        print(f"  {share * 100:6.1f} %     {name}{'  <- breaks first' if name == result['first'] else ''}")


def setting(text):
    name, _, value = text.partition("=")
    if name not in FIGURES:
        raise argparse.ArgumentTypeError(f"there is no figure {name!r}; there are: {', '.join(FIGURES)}")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{name} needs a number, not {value!r}") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repositories", type=int, default=10_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[250, 500, 1000])
    parser.add_argument("--set", type=setting, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    figures = {**FIGURES, **dict(options.set)}
    results = [play(figures, options.repositories, workers) for workers in options.workers]
    for workers, result in zip(options.workers, results):
        show(result, options.repositories, workers)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"figures": figures, "results": dict(zip(map(str, options.workers), results))}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
