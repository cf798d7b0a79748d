#include "engine/probe/failure_places.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

std::string first(const std::string& output, const std::vector<std::string>& paths) {
  const auto places = failure_places(output, paths);
  return places.empty() ? "" : places[0].file + ":" + std::to_string(places[0].line);
}

TEST(FailurePlaces, Pytest) {
  const std::string output =
      "=================================== FAILURES ===================================\n"
      "___________________________________ test_add ___________________________________\n\n"
      "    def test_add():\n>       compare(add(1, 2), 3)\n\ntests/test_math.py:9: \n"
      "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\n"
      "    def compare(a, b):\n>       assert a == b\nE       assert 4 == 3\n\ntests/test_math.py:5: "
      "AssertionError\n"
      "=========================== short test summary info ============================\n"
      "FAILED tests/test_math.py::test_add - assert 4 == 3\n";
  EXPECT_EQ(failure_places(output, {"tests/test_math.py", "src/math.py"}),
            (std::vector<Place>{{"tests/test_math.py", 5}, {"tests/test_math.py", 9}}));
  // The product is no test: then the last frame in a test counts.
  EXPECT_EQ(first("_____ test_a _____\ntests/test_a.py:3: \n_ _ _\nsrc/a.py:7: ZeroDivisionError\n",
                  {"tests/test_a.py"}),
            "tests/test_a.py:3");
}

TEST(FailurePlaces, Unittest) {
  const std::string output =
      "F\n======================================================================\nFAIL: test_add (test_m.T)\n"
      "----------------------------------------------------------------------\nTraceback (most recent call "
      "last):\n"
      "  File \"/home/x/project/tests/test_m.py\", line 12, in test_add\n    self.check(1)\n"
      "  File \"/home/x/project/tests/test_m.py\", line 8, in check\n    self.assertEqual(a, "
      "b)\nAssertionError: 1 != 2\n";
  EXPECT_EQ(failure_places(output, {"tests/test_m.py"}),
            (std::vector<Place>{{"tests/test_m.py", 8}, {"tests/test_m.py", 12}}));
}

TEST(FailurePlaces, GoogletestCtestAndAssert) {
  EXPECT_EQ(first("/w/tests/a_test.cpp:42: Failure\nExpected equality\n", {"tests/a_test.cpp"}),
            "tests/a_test.cpp:42");
  EXPECT_EQ(first("1: /w/tests/a_test.cpp:42: Failure\n", {"tests/a_test.cpp"}), "tests/a_test.cpp:42");
  EXPECT_EQ(first("prog: tests/t.c:7: main: Assertion `a == b' failed.\n", {"tests/t.c"}), "tests/t.c:7");
  EXPECT_EQ(first("Assertion failed: (a), function main, file t.c, line 9.\n", {"tests/t.c"}), "tests/t.c:9");
  EXPECT_EQ(first("tests/t.c:7:3: warning: unused\ntests/t.c:9: FAIL\n", {"tests/t.c"}), "tests/t.c:9");
}

TEST(FailurePlaces, JavaScript) {
  const std::string node =
      "✖ adds (1.2ms)\n  AssertionError [ERR_ASSERTION]: 3 == 4\n      at compare "
      "(file:///w/test/a.test.mjs:4:10)\n"
      "      at TestContext.<anonymous> (file:///w/test/a.test.mjs:9:3)\n      at Test.run "
      "(node:internal/test:1:2)\n";
  EXPECT_EQ(failure_places(node, {"test/a.test.mjs"}),
            (std::vector<Place>{{"test/a.test.mjs", 4}, {"test/a.test.mjs", 9}}));
  EXPECT_EQ(
      first(
          "  ● adds\n\n      > 3 |   expect(1).toBe(2);\n      at Object.<anonymous> (test/a.test.js:3:13)\n",
          {"test/a.test.js"}),
      "test/a.test.js:3");
  EXPECT_EQ(first("\x1b[31m      at Context.<anonymous> (test/a.js:3:13)\x1b[0m\n", {"test/a.js"}),
            "test/a.js:3");
}

TEST(FailurePlaces, OtherRunners) {
  EXPECT_EQ(first("--- FAIL: TestA (0.00s)\n    a_test.go:12: got 1\n", {"pkg/a_test.go"}),
            "pkg/a_test.go:12");
  EXPECT_EQ(first("thread 'a' panicked at src/lib.rs:14:9:\nassertion\n", {"src/lib.rs"}), "src/lib.rs:14");
  EXPECT_EQ(first("thread 'a' panicked at 'x', src/lib.rs:14:9\n", {"src/lib.rs"}), "src/lib.rs:14");
  EXPECT_EQ(first("\tat org.junit.Assert.fail(Assert.java:89)\n\tat com.x.ATest.adds(ATest.java:20)\n",
                  {"src/test/java/com/x/ATest.java"}),
            "src/test/java/com/x/ATest.java:20");
  EXPECT_EQ(first("1) ATest::testAdd\nFailed asserting\n\n/w/tests/ATest.php:15\n", {"tests/ATest.php"}),
            "tests/ATest.php:15");
  EXPECT_EQ(first("  1) Failure:\nT#test_a [test/a_test.rb:7]:\n", {"test/a_test.rb"}), "test/a_test.rb:7");
  EXPECT_EQ(first("     # ./spec/a_spec.rb:6:in `block'\n", {"spec/a_spec.rb"}), "spec/a_spec.rb:6");
  EXPECT_EQ(first("not ok 1 a\n# (in test file test/a.bats, line 5)\n", {"test/a.bats"}), "test/a.bats:5");
  EXPECT_EQ(first("./tests/run.sh: line 12: x: not found\n", {"tests/run.sh"}), "tests/run.sh:12");
  EXPECT_EQ(first("tests/run.sh: 12: x: not found\n", {"tests/run.sh"}), "tests/run.sh:12");
}

TEST(FailurePlaces, OnlyKnownFiles) {
  EXPECT_TRUE(failure_places("src/a.py:3: AssertionError\n", {"tests/b.py"}).empty());
  EXPECT_TRUE(failure_places("other/a.py:3: AssertionError\n", {"tests/a.py"}).empty());
  EXPECT_TRUE(failure_places("a_test.go:3: x\n", {"p/a_test.go", "q/a_test.go"}).empty()) << "which of them?";
  EXPECT_EQ(first("/w/sub/tests/a.py:3: AssertionError\n", {"tests/a.py", "sub/tests/a.py"}),
            "sub/tests/a.py:3");
  EXPECT_TRUE(failure_places("", {"a.py"}).empty());
  EXPECT_TRUE(failure_places("a.py:0: x\na.py:99999999999999999999: x\na.py::test\n", {"a.py"}).empty());
  EXPECT_TRUE(failure_places("tests/a.py:3: DeprecationWarning: old\n", {"tests/a.py"}).empty());
}

} // namespace
} // namespace emend
