"""Small sources, and which of them batches.py would join."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "batches.py")


def own(declarations, rest=""):
    return f"namespace emend {{\n\nnamespace {{\n\n{declarations}\n\n}} // namespace\n\n{rest}\n\n}} // namespace emend\n"


def batches(lines=1000, **files):
    """The batches, each a word of file names: "a b"; those that stand alone are not named."""
    with tempfile.TemporaryDirectory() as root:
        paths = [os.path.join(root, name + ".cpp") for name in files]
        for path, text in zip(paths, files.values()):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, SCRIPT, str(lines), *paths], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        path, batch = line.rsplit(" ", 1)
        found.setdefault(batch, []).append(os.path.basename(path)[:-4])
    found.pop("-", None)
    return [" ".join(names) for names in found.values()]


class Batches(unittest.TestCase):
    def test_files_with_nothing_of_their_own_are_joined(self):
        self.assertEqual(batches(a="int f() { return 1; }\n", b="int g() { return 2; }\n"), ["a b"])

    def test_two_helpers_of_one_name_are_kept_apart(self):
        for declaration in ("int list(int a) {\n  return a;\n}", "constexpr int list = 3;", "struct list {\n  int a;\n};", "using list = int;",
                            "constexpr std::string_view list[] = {\"a\"};", "const std::string list{\"a\"};", "enum class list { a };",
                            "template <typename T> int list(T a) {\n  return a;\n}", "Result<std::map<int, int>> list(int a) {\n  return a;\n}"):
            with self.subTest(declaration):
                self.assertEqual(batches(a=own(declaration), b=own(declaration)), [])

    def test_a_helper_stays_away_from_whoever_writes_its_name(self):
        helper = own("std::string shown(int a) {\n  return \"\";\n}")
        self.assertEqual(batches(a=helper, b="void f() { shown(2L); }\n"), [])
        self.assertEqual(batches(a="void f() { shown(2L); }\n", b=helper), [])
        self.assertEqual(batches(a=helper, b="// shown in the report\nconst char* f() { return \"shown\"; }\n"), ["a b"])

    def test_members_and_names_of_other_scopes_are_no_helper(self):
        helper = own("constexpr int npos = 3;")
        for use in ("text.npos", "text->npos", "std::string::npos"):
            with self.subTest(use):
                self.assertEqual(batches(a=helper, b=f"void f() {{ g({use}); }}\n"), ["a b"])
                self.assertEqual(batches(a="#define npos 3\n", b=f"void f() {{ g({use}); }}\n"), [])

    def test_statics_and_macros_are_names_too(self):
        self.assertEqual(batches(a="static int count(int a) { return a; }\n", b="int f() { return count(1); }\n"), [])
        self.assertEqual(batches(a="#define COUNT 3\n", b="int f() { return COUNT; }\n"), [])

    def test_names_inside_functions_do_not_matter(self):
        self.assertEqual(batches(a=own("int f() {\n  int total = 1;\n  return total;\n}"), b="int total() { return 1; }\n"), ["a b"])

    def test_somebody_elses_names_do_not_matter(self):
        self.assertEqual(batches(a=own("using testing::Not;"), b=own("using testing::Not;")), ["a b"])

    def test_what_sees_curses_stands_alone(self):
        self.assertEqual(batches(a="#include <ncursesw/curses.h>\n", b="int f();\n", c="#include <curses.h>\n", d="int g();\n"), ["b d"])

    def test_a_batch_has_its_size(self):
        text = "// a line\n" * 40
        self.assertEqual(batches(100, a=text, b=text, c=text, d=text), ["a b", "c d"])
        self.assertEqual(batches(50, a=text, b=text), [])

    def test_one_that_fits_nowhere_does_not_stop_the_next(self):
        self.assertEqual(batches(a=own("int list() {\n  return 1;\n}"), b=own("int list() {\n  return 2;\n}"), c="int f();\n"), ["a c"])


if __name__ == "__main__":
    unittest.main()
