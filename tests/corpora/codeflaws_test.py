#!/usr/bin/env python3
"""codeflaws_test.py EMEND SOURCES: bench/corpora/codeflaws.py on a corpus of one problem, made here, whose figures are known. Exit 77: there is no gcc."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

EMEND, SOURCES = "", ""
PROGRAM = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  int n;\n  if (scanf(\"%%d\", &n) != 1) return 1;\n  %s\n  return 0;\n}\n"
# Twice the number. Who handed in what: the bug, somebody who knows the visible answers only, somebody whose program does not run.
BUGGY = ('printf("%d\\n", n + 2);', 'printf("%d\\n", n == 3 ? 6 : n + 2);', "abort();")
FIXED = ('printf("%d\\n", n * 2);', 'printf("%d\\n", n + n);', 'printf("%d\\n", 2 * n);')
CASES = {"input-neg1": 3, "input-pos1": 2, "heldout-input-pos1": 5, "heldout-input-pos2": 7, "heldout-input-pos3": 11}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class CodeflawsTest(unittest.TestCase):
    def test_figures(self):
        with tempfile.TemporaryDirectory() as corpus:
            for number, (buggy, fixed) in enumerate(zip(BUGGY, FIXED)):
                folder = os.path.join(corpus, f"1-A-bug-{number}-{number}9")
                write(os.path.join(folder, f"1-A-{number}.c"), PROGRAM % buggy)
                write(os.path.join(folder, f"1-A-{number}9.c"), PROGRAM % fixed)
                for name, given in CASES.items():
                    write(os.path.join(folder, name), f"{given}\n")
                    write(os.path.join(folder, name.replace("input-", "output-")), f"{2 * given}\n")
            done = subprocess.run([sys.executable, "-B", os.path.join(SOURCES, "bench", "corpora", "codeflaws.py"), "--emend", EMEND, "--corpus", corpus,
                                   "--sample", "1", "--verbose"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
        self.assertIn("fails a visible test: landed 0 of 1 0 %", lines, done.stdout + done.stderr)
        wrong, right = lines[lines.index("plausible and wrong:"):lines.index("right:")], lines[lines.index("right:"):]
        self.assertIn("visible proven 1 of 1 100 %", wrong, done.stderr)
        self.assertIn("made up proven without a note 0 of 1 0 %", wrong, done.stderr)
        self.assertIn("near inputs landed 0 of 1 0 %", wrong, done.stderr)
        self.assertIn("made up proven without a note 1 of 1 100 %", right, done.stderr)
        self.assertIn("near inputs proven 1 of 1 100 %", right, done.stderr)
        self.assertIn("near inputs cut the wrong ones that are proven by 100 % (goal 50 %: met), the right ones by 0 %", lines)


if __name__ == "__main__":
    EMEND, SOURCES = sys.argv[1:3]
    if not shutil.which("gcc"):
        print("skipped: there is no gcc")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
