// Additions to test files beside changes of existing tests, in the manner of each language.
#include "engine/patch/changed_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "what name:line"
std::vector<std::string> said(const std::string& path, const std::string& before, const std::string& after) {
  std::vector<std::string> found;
  for (const ChangedTest& one : changed_tests(changed(path, before, after)))
    found.push_back(one.what + " " + one.name + ":" + std::to_string(one.line));
  return found;
}

void expect_added(const std::string& path, const std::string& before, const std::string& after) {
  EXPECT_THAT(said(path, before, after), IsEmpty()) << path << "\n" << after;
}

void expect_changed(const std::string& path, const std::string& before, const std::string& after,
                    const std::string& what) {
  EXPECT_THAT(said(path, before, after), testing::Contains(what)) << path << "\n" << after;
}

const std::string kPython =
    "import unittest\nfrom calc import add\n\n\nclass TestAdd(unittest.TestCase):\n"
    "    def test_small(self):\n        self.assertEqual(add(1, 1), 2)\n\n"
    "    def test_limit(self):\n        result = add(9, 1)\n"
    "        self.assertEqual(result, 10)\n\n\n"
    "if __name__ == \"__main__\":\n    unittest.main()\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ChangedTests, PythonAdditions) {
  const std::string& old = kPython;
  expect_added("tests/test_a.py", old, old);
  expect_added("tests/test_a.py", old,
               with(old, "\n\nif __name__",
                    "\n    def test_more(self):\n        self.assertEqual(add(2, 2), 4)\n\n\nif __name__"));
  expect_added(
      "tests/test_a.py", old,
      with(old, "    def test_limit", "    def test_more(self):\n        return\n\n    def test_limit"));
  expect_added("tests/test_a.py", old,
               with(old, "(result, 10)\n", "(result, 10)\n        self.assertEqual(add(9, 2), 11)\n"));
  expect_added("tests/test_a.py", old,
               with(old, "from calc import add\n", "from calc import add, subtract\n"));
  expect_added("tests/test_a.py", old,
               with(old, "import unittest\n", "import os\nimport unittest\nLIMIT = 3\n"));
  expect_added("tests/test_a.py", old,
               with(old, "\n\nif __name__",
                    "\n\nclass TestMore(unittest.TestCase):\n    def test_limit(self):\n"
                    "        self.assertEqual(add(0, 0), 0)\n\n\nif __name__"));
}

TEST(ChangedTests, PythonChanges) {
  const std::string path = "tests/test_a.py", limit = " TestAdd::test_limit:";
  expect_changed(path, kPython, with(kPython, "(result, 10)", "(result, 11)"), "changes" + limit + "11");
  expect_changed(path, kPython, with(kPython, "assertEqual(result, 10)", "assertTrue(result)"),
                 "changes" + limit + "11");
  expect_changed(path, kPython, with(kPython, "        result = ", "        return\n        result = "),
                 "changes" + limit + "10");
  expect_changed(path, kPython, with(kPython, "(9, 1)\n", "(9, 1)\n        result = 10\n"),
                 "changes" + limit + "11");
  expect_changed(path, kPython, with(kPython, "    def test_limit", "    @unittest.skip\n    def test_limit"),
                 "changes" + limit + "9");
  expect_changed(path, kPython, with(kPython, "def test_limit", "def no_test_limit"),
                 "removes" + limit + "9");
  expect_changed(path, kPython, with(kPython, "class TestAdd", "@unittest.skip\nclass TestAdd"),
                 "moves" + limit + "10");
  expect_changed(
      path, kPython,
      with(kPython, "\n\nif __name__", "\n    def test_limit(self):\n        pass\n\n\nif __name__"),
      "defines again" + limit + "13");
  expect_changed(path, kPython,
                 with(with(kPython, "        result = ", "        \"\"\"\n        result = "), "10)\n",
                      "10)\n        \"\"\"\n"),
                 "changes" + limit + "11");
  expect_changed(path, kPython,
                 with(kPython, "class TestAdd", "def add(a, b):\n    return 10\n\n\nclass TestAdd"),
                 "defines again add:5");
  expect_changed(path, kPython, with(kPython, "class TestAdd", "add = lambda a, b: a\n\n\nclass TestAdd"),
                 "changes :5");
  expect_changed(path, kPython,
                 with(kPython, "import unittest\n", "import unittest\nraise unittest.SkipTest\n"),
                 "changes :2");
  expect_changed(path, kPython, with(kPython, "from calc import add", "from calc import sub as add"),
                 "changes :2");
  expect_changed(path, kPython, kPython + "unittest.TestCase.assertEqual = print\n", "changes :16");
}

TEST(ChangedTests, RowsOfTables) {
  const std::string py =
      "CASES = [\n    (1, 2),\n    (2, 3)\n]\n\n\n@pytest.mark.parametrize('a, b', [\n"
      "    (1, 1),\n])\ndef test_f(a, b):\n    assert f(a) == b\n";
  expect_added("tests/test_a.py", py, with(py, "(2, 3)\n", "(2, 3),\n    (3, 4)\n"));
  expect_added("tests/test_a.py", py,
               with(py, "(1, 1),\n", "(1, 1),\n    (\n        3,\n        4,\n    ),\n"));
  expect_changed("tests/test_a.py", py, with(py, "(2, 3)", "(2, 4)"), "changes :3");
  expect_changed("tests/test_a.py", py, with(py, "    (1, 1),\n", ""), "changes test_f:8");
  const std::string go =
      "package a\n\nfunc TestF(t *testing.T) {\n\tcases := []struct{ in, out int }{\n"
      "\t\t{1, 2},\n\t}\n\tfor _, c := range cases {\n\t\tif f(c.in) != c.out {\n"
      "\t\t\tt.Error(c)\n\t\t}\n\t}\n}\n";
  expect_added("a_test.go", go, with(go, "{1, 2},\n", "{1, 2},\n\t\t{\n\t\t\tin: 3,\n\t\t},\n"));
  expect_changed("a_test.go", go, with(go, "\tfor _", "\tcases = nil\n\tfor _"), "changes TestF:7");
  expect_changed("a_test.go", go, with(go, "range cases {\n", "range cases {\n\t\tcontinue\n"),
                 "changes TestF:8");
  const std::string js = "test.each([\n  [1, 2],\n])('f %i', (a, b) => {\n  expect(f(a)).toBe(b)\n})\n";
  expect_added("a.test.js", js, with(js, "[1, 2],\n", "[1, 2],\n  [2, 3],\n"));
  expect_changed("a.test.js", js, with(js, "  expect", "  b = f(a)\n  expect"), "changes f %i:4");
  const std::string near = "def test_near():\n    check(\n        f(1),\n        1,\n    )\n";
  expect_changed("tests/test_a.py", near, with(near, "        1,\n", "        1,\n        delta=9,\n"),
                 "changes test_near:5");
}

TEST(ChangedTests, JavaScript) {
  const std::string js =
      "const { f } = require('./a')\ndescribe('f', () => {\n  it('adds', () => {\n"
      "    expect(f(1)).toBe(2)\n  })\n})\n";
  expect_added("a.test.js", js,
               with(js, "  })\n})", "  })\n  it('f', () => {\n    expect(f(2)).toBe(3)\n  })\n})"));
  expect_added("a.test.js", js, with(js, "{ f }", "{ f, g }"));
  expect_changed("a.test.js", js, with(js, "it('adds'", "it.skip('adds'"), "changes f::adds:3");
  expect_changed("a.test.js", js, with(js, "describe('f'", "describe.skip('f'"), "moves f::adds:3");
  expect_changed("a.test.js", js, with(js, "'adds'", "'adds up'"), "removes f::adds:3");
  expect_changed("a.test.js", js, js + "function f(a) {\n  return a\n}\n", "defines again f:7");
}

// Nobody but the file itself runs its checks.
TEST(ChangedTests, ScriptsWithAHelper) {
  const std::string js =
      "const { f } = require(\"../f.js\");\nlet failed = 0;\nfunction check(name, is, want) {\n"
      "  if (is !== want) ++failed;\n}\ncheck(\"one\", f(1), 1);\n"
      "process.exitCode = failed > 0 ? 1 : 0;\n";
  expect_added("tests/a.test.js", js, with(js, "process", "check(\"two\", f(2), 2);\nprocess"));
  expect_changed("tests/a.test.js", js, with(js, "process", "failed = 0;\nprocess"), "changes :7");
  expect_changed("tests/a.test.js", js, js + "process.exitCode = 0;\n", "changes :8");
  expect_changed("tests/a.test.js", js, with(js, "check(\"one", "failed = 1;\ncheck(\"one"), "changes :6");
  const std::string py =
      "import sys\nfrom f import f\n\nfailed = 0\n\n\ndef check(got, want):\n    global failed\n"
      "    failed += got != want\n\n\ncheck(f(1), 1)\nsys.exit(failed)\n";
  expect_added("tests/a.py", py, with(py, "sys.exit", "check(f(2), 2)\nsys.exit"));
  expect_changed("tests/a.py", py, with(py, "check(f(1)", "sys.exit(0)\ncheck(f(1)"), "changes :12");
  const std::string registered =
      "const test = require(\"node:test\");\nconst assert = require(\"assert\");\n"
      "test(\"one\", () => {\n  assert.equal(f(1), 1);\n});\n";
  expect_changed("tests/a.test.js", registered, registered + "assert.equal = () => {};\n",
                 "defines again equal:6");
}

TEST(ChangedTests, CAndCpp) {
  const std::string gtest = "#include <gtest/gtest.h>\n\nTEST(A, b) {\n  EXPECT_EQ(f(1), 2);\n}\n";
  expect_added("a_test.cpp", gtest, gtest + "\nTEST(A, c) {\n  EXPECT_EQ(f(2), 3);\n}\n");
  expect_added("a_test.cpp", gtest, with(gtest, "TEST(A", "int g(int a);\nstatic int limit = 3;\n\nTEST(A"));
  expect_added("a_test.cpp", gtest, with(gtest, "2);\n", "2);\n  EXPECT_EQ(f(2), 3);\n"));
  expect_changed("a_test.cpp", gtest, with(gtest, "{\n", "{\n  GTEST_SKIP();\n"), "changes A.b:4");
  expect_changed("a_test.cpp", gtest, with(gtest, "A, b", "A, DISABLED_b"), "removes A.b:3");
  expect_changed("a_test.cpp", gtest, with(gtest, "TEST", "#if 0\nTEST") + "#endif\n", "moves A.b:4");
  expect_changed("a_test.cpp", gtest, with(gtest, "TEST", "/*\nTEST") + "*/\n", "removes A.b:3");
  expect_changed("a_test.cpp", gtest, with(gtest, "TEST", "#define f(x) 2\nTEST"), "changes :3");
  const std::string plain =
      "int main(void) {\n  int failed = 0;\n  if (f(1) != 2) failed = 1;\n"
      "  printf(\"%d\\n\", failed);\n  return failed;\n}\n";
  expect_added("tests/a.c", plain, with(plain, "  printf", "  if (f(2) != 3) failed = 1;\n  printf"));
  expect_changed("tests/a.c", plain, with(plain, "  return", "  failed = 0;\n  return"), "changes main:5");
  expect_changed("tests/a.c", plain, with(plain, "  if", "  return 0;\n  if"), "changes main:3");
  expect_changed("tests/a.c", plain, with(plain, "  return", "  return 0;\n  return"), "changes main:5");
}

TEST(ChangedTests, GoRustJava) {
  const std::string go = "package a\n\nfunc TestF(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Error()\n\t}\n}\n";
  expect_added("a_test.go", go, go + "\nfunc TestG(t *testing.T) {\n}\n");
  expect_changed("a_test.go", go, with(go, "\tif", "\tt.Skip()\n\tif"), "changes TestF:4");
  const std::string rust = "#[test]\nfn limit() {\n    assert_eq!(f(1), 2);\n}\n";
  expect_added("tests/a.rs", rust, rust + "\n#[test]\nfn more() {\n    assert_eq!(f(2), 3);\n}\n");
  expect_changed("tests/a.rs", rust, with(rust, "#[test]\n", "#[test]\n#[ignore]\n"), "changes limit:2");
  const std::string java =
      "class ATest {\n    @Test\n    void limit() {\n        assertEquals(2, f(1));\n    }\n}\n";
  expect_added("ATest.java", java, with(java, "    }\n}", "    }\n\n    @Test\n    void more() {\n    }\n}"));
  expect_changed("ATest.java", java, with(java, "    @Test", "    @Disabled\n    @Test"),
                 "changes ATest::limit:2");
  expect_changed("ATest.java", java, with(java, "(2,", "(3,"), "changes ATest::limit:4");
}

TEST(ChangedTests, Shell) {
  const std::string sh = "#!/bin/sh\nfail=0\n[ \"$(f 1)\" = 2 ] || fail=1\nexit $fail\n";
  expect_added("tests/a.sh", sh, with(sh, "exit", "[ \"$(f 2)\" = 3 ] || fail=1\nexit"));
  expect_changed("tests/a.sh", sh, with(sh, "exit", "fail=0\nexit"), "changes :4");
  expect_changed("tests/a.sh", sh, with(sh, "fail=0\n", "fail=0\nexit 0\n"), "changes :3");
  expect_changed("tests/a.sh", "sh one.sh\n", "sh one.sh\ntrue\n", "changes :2");
  expect_changed("tests/a.sh", sh, with(sh, "= 2", "= 3"), "changes :3");
  const std::string bats = "@test \"limit\" {\n  run f 1\n  [ \"$output\" = 2 ]\n}\n";
  expect_added("tests/a.bats", bats, bats + "\n@test \"more\" {\n  run f 2\n}\n");
  expect_changed("tests/a.bats", bats, with(bats, "  run", "  skip\n  run"), "changes limit:2");
}

TEST(ChangedTests, DataMayOnlyGrow) {
  expect_added("tests/cases.txt", "1 2\n2 3\n", "1 2\n2 3\n3 4\n");
  expect_changed("tests/cases.txt", "1 2\n2 3\n", "1 2\n2 4\n", "changes :2");
  EXPECT_THAT(changed_tests(removed("tests/a.txt", "x\n")),
              ElementsAre(ChangedTest{"", 1, "removes", "", ""}));
}

TEST(ChangedTests, TheFirstLineThatDiffersIsNamed) {
  const auto found =
      changed_tests(changed("tests/test_a.py", kPython, with(kPython, "(result, 10)", "(result, 11)")));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].before, "self.assertEqual(result, 10)");
  EXPECT_EQ(found[0].after, "self.assertEqual(result, 11)");
}

TEST(ChangedTests, OnlyTheOpenedTestIsTaken) {
  const std::string after =
      with(with(kPython, "(result, 10)", "(result, 11)"), "add(1, 1), 2", "add(1, 1), 3") + "# more\n";
  const FileChange change = changed("tests/test_a.py", kPython, after);
  EXPECT_EQ(only_tests(change, {"TestAdd::test_limit"}).new_content,
            with(kPython, "(result, 10)", "(result, 11)"));
  EXPECT_EQ(only_tests(change, {""}).new_content, after);
  EXPECT_EQ(only_tests(change, {}).new_content, kPython);
  const FileChange gone =
      changed("tests/test_a.py", "def test_a():\n    x()\ndef test_b():\n    y()", "def test_b():\n    y()");
  EXPECT_EQ(only_tests(gone, {"test_a"}).new_content, "def test_b():\n    y()");
}

} // namespace
} // namespace emend
