// Commands that fail on the base already: compared test by test.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/verify/comparison.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RedBase : public testing::Test {
protected:
  RedBase() { about.files = {"src/slug.py"}; }

  static CommandRun ran(const std::string& output, int exit_code = 1) {
    CommandRun run;
    run.name = "tests";
    run.exit_code = exit_code;
    run.result = exit_code == 0 ? CommandResult::passed : CommandResult::failed;
    run.runs = 1;
    run.passes = exit_code == 0 ? 1 : 0;
    run.output = output;
    run.tests = parse_test_report(output);
    run.settle();
    return run;
  }

  std::vector<VerifyCommand> commands() const {
    return {{"tests", "make", scoped ? std::vector<std::string>{"src/**"} : std::vector<std::string>{}, 0}};
  }
  Comparison between(const CommandRun& unpatched, const CommandRun& patched) {
    before = after = {};
    before.commands = {unpatched};
    after.commands = {patched};
    for (CommandRun* run : {&before.commands[0], &after.commands[0]}) run->scoped = scoped;
    return compare(commands(), before, after, about);
  }
  std::vector<std::string> repaired(const Comparison& comparison) {
    std::vector<std::string> ids;
    for (const TestOf& test : comparison.repaired) ids.push_back(test.id);
    return ids;
  }

  // slug: red on the base; money: red for another reason; pad: green.
  const CommandRun base =
      ran("t/test_slug.py::a FAILED\nt/test_money.py::b FAILED\nt/test_pad.py::c PASSED\n");
  About about;
  bool scoped = false;
  Verification before, after;
};

TEST_F(RedBase, WhereNothingPassedAPartOfTheTestsIsNoRepair) {
  scoped = true;
  const CommandRun red =
      ran("t/test_slug.py::a FAILED\nt/test_slug.py::b FAILED\n===== 2 failed in 0.01s =====\n");
  Comparison c = between(red, ran("t/test_slug.py::a PASSED\nt/test_slug.py::b FAILED\n"
                                  "===== 1 failed, 1 passed in 0.01s =====\n"));
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures, ElementsAre(HasSubstr("the reproducer failed on the base and still fails")));
  c = between(red,
              ran("t/test_slug.py::a PASSED\nt/test_slug.py::b PASSED\n===== 2 passed in 0.01s =====\n", 0));
  EXPECT_TRUE(c.passed);
}

TEST_F(RedBase, ATestOfTheIssueThatPassesNowIsItsRepair) {
  const Comparison c =
      between(base, ran("t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\nt/test_pad.py::c PASSED\n"));
  EXPECT_TRUE(c.passed);
  EXPECT_THAT(repaired(c), ElementsAre("t/test_slug.py::a"));
  EXPECT_THAT(c.reproducers, ElementsAre("tests"));
  EXPECT_THAT(c.foreign, IsEmpty());
  EXPECT_THAT(c.red_before, IsEmpty());
  EXPECT_TRUE(fails_again(commands(), c, before).reproduced);
}

TEST_F(RedBase, AFixBesideAnUnrelatedFailingTestIsConfirmed) {
  for (const bool own : {false, true}) {
    scoped = own;
    about.files = {"src/other.py"};
    const Comparison c = between(base, base);
    EXPECT_TRUE(c.passed) << (own ? c.failures.front() : "");
    EXPECT_THAT(c.repaired, IsEmpty());
    EXPECT_THAT(c.reproducers, IsEmpty());
  }
}

TEST_F(RedBase, ACheckOfTheIssueWhoseOwnTestStillFailsRefuses) {
  scoped = true;
  const Comparison c = between(base, base);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures, ElementsAre(HasSubstr("still fails: t/test_slug.py::a")));
}

TEST_F(RedBase, WhatWasGreenMayNotFailVanishOrBeSkipped) {
  for (const char* now :
       {"t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\nt/test_pad.py::c FAILED\n",
        "t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\n",
        "t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\nt/test_pad.py::c SKIPPED (x)\n"}) {
    const Comparison c = between(base, ran(now));
    EXPECT_FALSE(c.passed) << now;
    EXPECT_THAT(c.lost_tests, Contains(HasSubstr("t/test_pad.py::c"))) << now;
  }
}

TEST_F(RedBase, ANewFailingTestRefuses) {
  const Comparison c =
      between(base, ran("t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\nt/test_pad.py::c "
                        "PASSED\nt/test_new.py::d FAILED\n"));
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.lost_tests, ElementsAre("tests: test fails now, but not on the base: t/test_new.py::d"));
}

TEST_F(RedBase, ARunThatIsCutOffOrFallsSilentRefuses) {
  CommandRun cut = ran("t/test_slug.py::a PASSED\n");
  cut.result = CommandResult::timed_out;
  EXPECT_FALSE(between(base, cut).passed);
  EXPECT_THAT(between(base, cut).failures, ElementsAre(HasSubstr("on the base it came to its end")));
  EXPECT_THAT(between(base, ran("Segmentation fault\n")).lost_tests, ElementsAre(HasSubstr("reports none")));
  EXPECT_FALSE(
      between(base, ran("t/test_slug.py::a PASSED\nt/test_money.py::b PASSED\nt/test_pad.py::c PASSED\n"))
          .passed)
      << "it fails, but names nothing that does";
}

TEST_F(RedBase, ExitZeroWithTheSameFailuresRefuses) {
  for (const bool own : {false, true}) {
    scoped = own;
    about.files = {"src/other.py"};
    const Comparison c = between(base, ran(base.output, 0));
    EXPECT_FALSE(c.passed);
    EXPECT_THAT(c.failures,
                ElementsAre(HasSubstr("its own summary says 2 failed, and on the base it failed")));
  }
}

TEST_F(RedBase, AFixBesideATestThatCrashesIsConfirmed) {
  CommandRun crash = ran("[ RUN      ] A.x\n[       OK ] A.x (0 ms)\n[ RUN      ] A.y\n");
  crash.result = CommandResult::crashed;
  about.files = {"src/other.py"};
  EXPECT_TRUE(between(crash, crash).passed);
}

TEST_F(RedBase, NamesOfFailingTestsAndCountsSuffice) {
  const char* both =
      "FAIL: test_a (t.test_slug.S.test_a)\nFAIL: test_b (t.test_money.M.test_b)\nRan 5 tests in "
      "0.1s\n\nFAILED "
      "(failures=2)\n";
  const char* one = "FAIL: test_b (t.test_money.M.test_b)\nRan 5 tests in 0.1s\n\nFAILED (failures=1)\n";
  const Comparison c = between(ran(both), ran(one));
  EXPECT_TRUE(c.passed);
  EXPECT_THAT(repaired(c), ElementsAre("test_a (t.test_slug.S.test_a)"));
  EXPECT_TRUE(between(ran(both), ran("Ran 5 tests in 0.1s\n\nOK\n", 0)).passed);
  EXPECT_FALSE(between(ran(both), ran("Ran 3 tests in 0.1s\n\nOK\n", 0)).passed) << "fewer ran";
  const char* other =
      "FAIL: test_b (t.test_money.M.test_b)\nFAIL: test_c (t.test_pad.P.test_c)\nRan 5 tests in "
      "0.1s\n\nFAILED "
      "(failures=2)\n";
  EXPECT_THAT(between(ran(both), ran(other)).lost_tests, Contains(HasSubstr("test_c (t.test_pad.P.test_c)")));
}

TEST_F(RedBase, GoWithoutNamesOfWhatPasses) {
  const char* both =
      "--- FAIL: TestSlug (0.00s)\n--- FAIL: TestMoney (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\nok  "
      "\texample.com/b\t0.01s\n";
  const char* one =
      "--- FAIL: TestMoney (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\nok  \texample.com/b\t0.02s\n";
  const Comparison c = between(ran(both), ran(one));
  EXPECT_TRUE(c.passed) << (c.lost_tests.empty() ? "" : c.lost_tests.front());
  EXPECT_THAT(repaired(c), ElementsAre("TestSlug"));
  EXPECT_TRUE(between(ran(both), ran("ok  \texample.com/a\t0.01s\nok  \texample.com/b\t0.02s\n", 0)).passed);
  EXPECT_FALSE(between(ran(both), ran("ok  \texample.com/a\t0.01s\n", 0)).passed) << "a package is gone";
}

TEST_F(RedBase, WithoutNamesItSpeaksForNothing) {
  for (const char* output : {"2 passed, 1 failed\n", "make: *** [check] Error 1\n", ""}) {
    EXPECT_FALSE(can_confirm(ran(output))) << output;
    const Comparison c = between(ran(output), ran(output));
    EXPECT_FALSE(c.passed) << output;
    EXPECT_THAT(c.red_before, ElementsAre("tests"));
  }
}

TEST_F(RedBase, AnUnknownRunnerSpeaksByItsNames) {
  const Comparison c = between(ran("FAIL slug of umlauts\nFAIL money\n"), ran("FAIL money\n"));
  EXPECT_TRUE(c.passed);
  EXPECT_THAT(repaired(c), ElementsAre("slug of umlauts"));
  EXPECT_FALSE(between(ran("FAIL slug of umlauts\nFAIL money\n"), ran("stopped\n")).passed) << "silent";
  EXPECT_FALSE(between(ran("FAIL slug\nFAIL money\n"), ran("FAIL money\nFAIL pad\n")).passed) << "a new one";
  EXPECT_FALSE(between(ran("FAIL money\n"), ran("FAIL money\n")).passed) << "nothing is known to pass";
  EXPECT_TRUE(between(ran("PASS pad\nFAIL money\n"), ran("PASS pad\nFAIL money\n")).passed);
  EXPECT_FALSE(between(ran("PASS pad\nFAIL money\n"), ran("FAIL money\n")).passed) << "pad is gone";
  scoped = true;
  EXPECT_FALSE(between(ran("FAIL slug\n"), ran("FAIL slug\n", 0)).passed)
      << "only the exit status has changed";
}

TEST_F(RedBase, TestsOfOtherFilesThatPassNowAreANoteAndManyAreRefused) {
  const auto output = [](int passing) {
    std::string text =
        "t/test_pad.py::c PASSED\nt/test_slug.py::a " + std::string(passing > 0 ? "PASSED\n" : "FAILED\n");
    for (int i = 0; i < 6; ++i)
      text += fmt::format("t/test_m{}.py::x {}\n", i, i < passing ? "PASSED" : "FAILED");
    return text;
  };
  const Comparison few = between(ran(output(0)), ran(output(3)));
  EXPECT_TRUE(few.passed);
  EXPECT_EQ(few.foreign.size(), 3U);
  const Comparison many = between(ran(output(0)), ran(output(4)));
  EXPECT_FALSE(many.passed);
  EXPECT_THAT(many.failures, ElementsAre(HasSubstr("4 of 6 failing tests of other files pass now")));
  about.words = "They all failed in slug: test_m0.py, test_m1.py, test_m2.py, test_m3.py.";
  EXPECT_TRUE(between(ran(output(0)), ran(output(4))).passed) << "explained";
  about.words.clear();
  about.together = {"tests"};
  EXPECT_TRUE(between(ran(output(0)), ran(output(4))).passed) << "another fix did it";
  EXPECT_THAT(between(ran(output(0)), ran(output(4))).repaired, IsEmpty());
}

TEST_F(RedBase, ARepairedTestMustFailAgainWithoutThePatch) {
  Comparison c =
      between(base, ran("t/test_slug.py::a PASSED\nt/test_money.py::b FAILED\nt/test_pad.py::c PASSED\n"));
  const Verification fixed = after;
  EXPECT_FALSE(fails_again(commands(), c, fixed).reproduced);
  EXPECT_EQ(fails_again(commands(), c, fixed).refusal, "") << "the suite wavers; the fix is not to blame";
  EXPECT_THAT(fails_again(commands(), c, fixed).detail,
              HasSubstr("t/test_slug.py::a does not fail without the patch"));
  EXPECT_THAT(broken_again(c, before), ElementsAre(HasSubstr("t/test_slug.py::a")));
  EXPECT_THAT(broken_again(c, fixed), IsEmpty());
}

TEST_F(RedBase, ABaseThatDisagreesWithItselfSaysNothing) {
  CommandRun wavering = ran("", 0);
  wavering.wavers = true;
  const Comparison c = between(wavering, ran(""));
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures, IsEmpty());
  EXPECT_THAT(c.red_before, ElementsAre("tests (its runs on the base disagree)"));
}

} // namespace
} // namespace emend
