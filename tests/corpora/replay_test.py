#!/usr/bin/env python3
"""replay_test.py PROGRAM: what replay.py prints and when it fails, and two everyday fixes played with the real program."""

import contextlib
import io
import itertools
import os
import sys
import tempfile
import unittest

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench")
sys.path[:0] = [BENCH, os.path.join(BENCH, "corpora")]

import everyday
import replay
from case import RED, RIGHT, Case, Outcome, Patch, play

PROGRAM = sys.argv.pop(1)


def outcome(kind, accepted, corpus="QuixBugs", rounds=1, noted=False):
    case = Case(corpus, "gcd", None, "a.py", "it is wrong", "true", ())
    return Outcome(case, Patch(kind, {}), accepted, "proven" if accepted else "", rounds, 2.5, noted=noted)


class Replay(unittest.TestCase):
    def test_every_issue_has_its_rounds_and_its_time(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            replay.issue_table([outcome(RIGHT, True, rounds=2), outcome(RED, False)])
        self.assertIn("| QuixBugs | gcd | right | accepted | proven | 2 | 2.5 s |", printed.getvalue())
        self.assertIn("| QuixBugs | gcd | fails a visible test | refused | - | 1 | 2.5 s |", printed.getvalue())

    def test_a_wrong_patch_that_nothing_names_is_a_problem(self):
        self.assertEqual(replay.problems([outcome(RIGHT, True), outcome(RED, False)]), [])
        self.assertEqual(len(replay.problems([outcome(RED, True)])), 1)
        self.assertEqual(replay.problems([outcome(RED, True, noted=True)]), [], "a limit that is described")
        self.assertEqual(len(replay.wrongly_accepted([outcome(RED, True, noted=True)], noted=True)), 1)

    def test_right_patches_have_a_goal_and_everyday_fixes_no_second_attempt(self):
        self.assertEqual(len(replay.problems([outcome(RIGHT, True)] * 9 + [outcome(RIGHT, False)])), 1)
        self.assertEqual(len(replay.problems([outcome(RIGHT, True, "everyday", rounds=2)])), 1)

    def test_everyday_fixes_are_played_with_the_real_program(self):
        with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
            some = itertools.islice(everyday.cases(None, 0, scratch), 2)
            outcomes = [play(os.path.abspath(PROGRAM), case, patch, scratch) for case in some for patch in case.patches]
        self.assertEqual([(row.accepted, row.rounds) for row in outcomes], [(True, 1)] * 2, [row.why for row in outcomes])
        self.assertGreater(min(row.seconds for row in outcomes), 0)
        self.assertEqual(replay.problems(outcomes), [])


if __name__ == "__main__":
    unittest.main()
