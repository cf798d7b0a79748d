#!/usr/bin/env python3
"""The queue of fleet.py beside the formula for it (Erlang C), and what must follow from more load or more workers."""

import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fleet


def erlang_mean_wait(rate, seconds, servers):
    """Mean wait of Poisson arrivals and exponential service by equal servers."""
    load = rate * seconds
    below = sum(load ** k / math.factorial(k) for k in range(servers))
    full = load ** servers / math.factorial(servers) * servers / (servers - load)
    return full / (below + full) * seconds / (servers - load)


class Fleet(unittest.TestCase):
    def test_waits_are_those_of_the_formula(self):
        rng = random.Random(7)
        for servers, rate in ((1, 0.7), (3, 2.4), (10, 8.0)):
            jobs = [(arrival, rng.expovariate(1.0)) for arrival in fleet.arrivals(rng, rate, 200_000 / rate)]
            waits, _ = fleet.queue(jobs, servers)
            expected = erlang_mean_wait(rate, 1.0, servers)
            self.assertAlmostEqual(sum(waits) / len(waits) / expected, 1.0, delta=0.1)

    def test_samples_have_their_mean(self):
        rng = random.Random(3)
        self.assertAlmostEqual(sum(fleet.sample(rng, 40.0) for _ in range(200_000)) / 200_000, 40.0, delta=1.0)

    def test_more_workers_wait_less_and_the_next_limit_appears(self):
        figures = {**fleet.FIGURES, "connections_limit": 5_000.0}
        few, many = (fleet.play(figures, 2_000, workers) for workers in (50, 400))
        self.assertGreater(few["wait_p95"], 100 * (many["wait_p95"] + 1))
        self.assertEqual(few["first"], "slots of the workers")
        self.assertEqual(few["issues"], many["issues"])
        tight = fleet.play({**figures, "tokens_a_minute": 1_000_000.0}, 2_000, 400)
        self.assertEqual(tight["first"], "rate limits of the vendors")
        self.assertEqual(fleet.play(fleet.FIGURES, 2_000, 400)["first"], "connections of the database")

    def test_a_figure_that_does_not_exist_is_named(self):
        with self.assertRaises(fleet.argparse.ArgumentTypeError):
            fleet.setting("fixer=3")
        with self.assertRaises(fleet.argparse.ArgumentTypeError):
            fleet.setting("issues=many")


if __name__ == "__main__":
    unittest.main()
