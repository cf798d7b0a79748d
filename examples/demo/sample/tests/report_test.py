import os
import subprocess
import sys
import unittest

TOOL = os.path.join(os.path.dirname(__file__), "..", "tools", "report.py")
LOG = "mill;mon;1.5\nmill;tue;0\nbridge;mon;0.2\n"


def report(*arguments):
    command = [sys.executable, "-W", "ignore", TOOL, *arguments]
    return subprocess.run(command, input=LOG, capture_output=True, text=True, check=True).stdout


class ReportTest(unittest.TestCase):
    def test_totals(self):
        self.assertEqual(report(), "bridge 0.2\nmill 1.5\n")


if __name__ == "__main__":
    unittest.main()
