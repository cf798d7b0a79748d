#include "engine/verify/failure_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/verify/comparison.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandRun ran(const std::string& output) {
  CommandRun run;
  run.name = "tests";
  run.exit_code = 1;
  run.result = CommandResult::failed;
  run.output = output;
  run.tests = parse_test_report(output);
  return run;
}

std::string unittest(const std::string& two, const std::string& five, const std::string& line = "12") {
  return "test_one (tests.test_a.T.test_one) ... ok\n"
         "test_two (tests.test_a.T.test_two) ... " +
         std::string(two.empty() ? "ok" : "FAIL") +
         "\n"
         "test_five (tests.test_a.T.test_five) ... FAIL\n\n" +
         (two.empty() ? ""
                      : "==============================\nFAIL: test_two (tests.test_a.T.test_two)\n"
                        "----------------------------------\nTraceback (most recent call last):\n"
                        "  File \"/w/tests/test_a.py\", line 5, in test_two\n    self.assertEqual(f(2), "
                        "4)\nAssertionError: " +
                            two + "\n\n") +
         "==============================\nFAIL: test_five (tests.test_a.T.test_five)\n"
         "----------------------------------\nTraceback (most recent call last):\n"
         "  File \"/w/src/a.py\", line " +
         line + ", in f\n    return n + 1\nAssertionError: " + five +
         "\n\n"
         "----------------------------------\nRan 3 tests in 0.00" +
         line.substr(0, 1) + "s\n\nFAILED (failures=" + (two.empty() ? "1" : "2") + ")\n";
}

const std::string kFive = "test_five (tests.test_a.T.test_five)";

TEST(FailureWords, AreTheValuesAndNotThePlace) {
  const CommandRun base = ran(unittest("3 != 4", "6 != 10"));
  EXPECT_EQ(failure_words(base, kFive), "AssertionError: 6 != 10");
  EXPECT_FALSE(fails_otherwise(base, ran(unittest("", "6 != 10", "19")), kFive));
  EXPECT_TRUE(fails_otherwise(base, ran(unittest("", "7 != 10")), kFive));
}

TEST(FailureWords, SayWhatRephrasedTestsMean) {
  const auto pytest = [](const std::string& told) {
    return ran(
        "t/a.py::test_b FAILED\nt/a.py::test_c PASSED\n____ test_b ____\n    def test_b():\n>       assert "
        "f(3) == 10\n"
        "E       assert " +
        told +
        "\n\nt/a.py:5: AssertionError\n==== short test summary info ====\n"
        "FAILED t/a.py::test_b - assert " +
        told + "\n==== 1 failed, 1 passed in 0.04s ====\n");
  };
  EXPECT_FALSE(fails_otherwise(pytest("12 == 10"), pytest("12 == (52 - 42)"), "t/a.py::test_b"));
  EXPECT_TRUE(fails_otherwise(pytest("12 == 10"), pytest("11 == (52 - 42)"), "t/a.py::test_b"));
}

TEST(FailureWords, OfOtherRunners) {
  const auto go = [](const std::string& told, const std::string& took) {
    return ran("=== RUN   TestA\n    a_test.go:9: got " + told + ", want 4\n--- FAIL: TestA (" + took +
               "s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nFAIL\nexit status 1\nFAIL\tm\t" + took + "s\n");
  };
  EXPECT_FALSE(fails_otherwise(go("3", "0.00"), go("3", "0.12"), "TestA"));
  EXPECT_TRUE(fails_otherwise(go("3", "0.00"), go("5", "0.00"), "TestA"));
  const auto gtest = [](const std::string& told, const std::string& number) {
    return ran("[ RUN      ] Sum.Two\ntests/a.cc:" + number +
               ": Failure\nExpected equality of these values:\n  f(2)\n    Which is: " + told +
               "\n  4\n[  FAILED  ] Sum.Two (0 ms)\n[ RUN      ] Sum.One\n[       OK ] Sum.One (0 ms)\n"
               "[  PASSED  ] 1 test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Sum.Two\n");
  };
  EXPECT_FALSE(fails_otherwise(gtest("3", "7"), gtest("3", "8"), "Sum.Two"));
  EXPECT_TRUE(fails_otherwise(gtest("3", "7"), gtest("5", "7"), "Sum.Two"));
}

TEST(FailureWords, OfTestsThatCannotBeToldApartSayNothing) {
  const CommandRun run =
      ran("test_a (x.T.test_a) ... FAIL\ntest_a (y.T.test_a) ... FAIL\nFAIL: test_a (x.T.test_a)\nE: 1\n");
  EXPECT_THAT(failure_words(run, "test_a (x.T.test_a)"), IsEmpty());
}

class ReachedTests : public testing::Test {
protected:
  Comparison between(const CommandRun& unpatched, const CommandRun& patched) {
    before.commands = {unpatched};
    after.commands = {patched};
    for (CommandRun* run : {&before.commands[0], &after.commands[0]}) run->scoped = scoped;
    return compare(
        {{"tests", "make", scoped ? std::vector<std::string>{"src/**"} : std::vector<std::string>{}, 0}},
        before, after, about);
  }
  const CommandRun base = ran(unittest("3 != 4", "6 != 10"));
  About about{.files = {"src/a.py"}};
  bool scoped = true;
  Verification before, after;
};

TEST_F(ReachedTests, ATestThatFailsOtherwiseIsNotRepaired) {
  for (const bool own : {true, false}) {
    scoped = own;
    const Comparison c = between(base, ran(unittest("", "7 != 10")));
    EXPECT_FALSE(c.passed);
    EXPECT_THAT(c.failures, ElementsAre(HasSubstr("fails otherwise with the fix: " + kFive)));
    EXPECT_EQ(c.reached.size(), 1U);
  }
}

TEST_F(ReachedTests, ATestThatFailsAsBeforeMayBeAnotherBugs) {
  const Comparison c = between(base, ran(unittest("", "6 != 10", "15")));
  EXPECT_TRUE(c.passed);
  EXPECT_TRUE(support_of(c).reproduced);
}

TEST_F(ReachedTests, WhoSaysWhoseItIsHasNotShownTheIssueGone) {
  Attempt attempt;
  attempt.notes = {std::string("left failing: ") + kFive + ": the cache is BE-002"};
  Issue issue;
  issue.finding.file = "src/a.py";
  about = about_fix(issue, attempt);
  const Comparison c = between(base, ran(unittest("", "7 != 10")));
  EXPECT_TRUE(c.passed);
  EXPECT_FALSE(support_of(c).reproduced);
  EXPECT_EQ(c.reached.size(), 1U);
}

TEST_F(ReachedTests, OfOtherFilesAreNotTheIssues) {
  scoped = false;
  about.files = {"src/other.py"};
  EXPECT_TRUE(between(base, ran(unittest("", "7 != 10"))).failures.empty());
}

} // namespace
} // namespace emend
