#!/usr/bin/env python3
"""What check_tidy.py looks at, in small repositories; and that it notices something."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_tidy

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_tidy.py")
CONFIG = "Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: >\n  modernize-use-nullptr,\n  modernize-use-override\nFormatStyle: file\n"
GOOD = "int* f() { return nullptr; }\n"
BAD = "int* g() { return 0; }\n"


class Tidy(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="emend-tidy-")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.git("init", "-q", "-b", "main")
        self.write(".clang-tidy", CONFIG)
        self.write("src/a.cpp", BAD)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self, message="more"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def check(self, *arguments, path=None):
        environment = dict(os.environ, PATH=path) if path else None
        return subprocess.run([sys.executable, "-B", SCRIPT, self.root, *arguments], capture_output=True, text=True, env=environment, check=False)

    def test_the_checks_are_those_that_are_errors(self):
        self.assertEqual(check_tidy.errors_of(CONFIG), "modernize-use-nullptr,modernize-use-override")

    def test_lines_of_a_diff(self):
        diff = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1,0 +2,3 @@\n+x\n@@ -9 +12 @@\n+y\n@@ -20,2 +22,0 @@\n--- a/b.cpp\n+++ /dev/null\n@@ -1 +0,0 @@\n"
        self.assertEqual(check_tidy.changed_lines(diff), {"src/a.cpp": [[2, 4], [12, 12]]})

    def test_of_many_files_those_with_the_most_changed_lines(self):
        changes = {"b": [[1, 2]], "a": [[5, 6]], "c": [[1, 1], [9, 12]], "d": [[3, 3]]}
        self.assertEqual(check_tidy.largest(changes, 3), (["c", "a", "b"], 1))

    def test_the_only_commit_is_compared_with_nothing(self):
        self.commit()
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (77, "check_tidy: skipped: there is no earlier commit to compare with\n"))

    def test_without_clang_tidy_it_says_so(self):
        self.commit()
        done = self.check(path="/nonexistent")
        self.assertEqual(done.returncode, 77)
        self.assertIn("clang-tidy is not installed", done.stdout)

    @unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
    def test_changed_lines_count_and_old_ones_do_not(self):
        self.commit()
        self.write("src/a.cpp", BAD + GOOD)
        self.commit()
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 files changed since", done.stdout)
        self.write("src/a.cpp", BAD + GOOD + BAD.replace("g()", "h()"))
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("a.cpp:3:19", done.stdout)

    @unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
    def test_on_a_branch_all_its_commits_count(self):
        self.write("src/a.cpp", GOOD)
        self.commit()
        self.git("checkout", "-q", "-b", "topic")
        self.write("src/b.cpp", BAD)
        self.commit()
        self.write("src/c.cpp", GOOD.replace("f()", "k()"))
        self.commit()
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("2 files changed", done.stdout)
        self.assertIn("src/b.cpp", done.stdout)


if __name__ == "__main__":
    unittest.main()
