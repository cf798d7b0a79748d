#include "engine/verify/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandRun run(const std::string& name, CommandResult result) {
  CommandRun made;
  made.name = name;
  made.result = result;
  made.exit_code = result == CommandResult::passed ? 0 : 1;
  made.runs = 1;
  made.passes = result == CommandResult::passed ? 1 : 0;
  return made;
}

CommandRun tested(CommandRun made, int passed, int failed, int skipped) {
  made.tests.recognised = true;
  made.tests.passed = passed;
  made.tests.failed = made.tests.own_failures = failed;
  made.tests.skipped = skipped;
  return made;
}

Verification runs(std::vector<CommandRun> commands) {
  Verification verification;
  verification.commands = std::move(commands);
  return verification;
}

constexpr auto green = CommandResult::passed;
constexpr auto red = CommandResult::failed;

Comparison one(bool scoped, CommandResult base, CommandResult patched) {
  const std::vector<VerifyCommand> commands = {
      {"test", "make", scoped ? std::vector<std::string>{"src/**"} : std::vector<std::string>{}, 0}};
  static Verification before, after; // Comparison points into the second
  before = runs({run("test", base)});
  after = runs({run("test", patched)});
  return compare(commands, before, after);
}

TEST(Comparison, GreenStaysGreen) {
  for (const bool scoped : {false, true}) {
    const Comparison c = one(scoped, green, green);
    EXPECT_TRUE(c.passed);
    EXPECT_EQ(evidence_of(support_of(c)), Evidence::unbroken);
    EXPECT_THAT(c.failures, IsEmpty());
    EXPECT_THAT(c.reproducers, IsEmpty());
    EXPECT_EQ(c.first_failure, nullptr);
  }
}

TEST(Comparison, ARunnerThatRanNothingVouchesForNothing) {
  const std::vector<VerifyCommand> shared = {{"test", "make", {}, 0}},
                                   scoped = {{"test", "make", {"src/**"}, 0}};
  const Verification before = runs({tested(run("test", green), 0, 0, 0)}),
                     skipped = runs({tested(run("test", green), 0, 0, 3)});
  for (const Verification& after : {before, skipped}) {
    const Comparison c = compare(shared, after, after);
    EXPECT_FALSE(c.passed);
    EXPECT_THAT(c.failures, IsEmpty());
    EXPECT_THAT(c.red_before, ElementsAre("test (ran no tests)"));
  }
  const Comparison c = compare(scoped, runs({run("test", red)}), before);
  EXPECT_FALSE(c.passed) << "a reproducer that turns green by running nothing";
  EXPECT_THAT(c.failures, ElementsAre(HasSubstr("ran no tests")));
}

CommandRun contradictory(int passed, int failed) {
  CommandRun made = tested(run("test", green), passed, failed, 0);
  made.settle();
  return made;
}

TEST(Comparison, ExitZeroDoesNotOutweighTheRunnersOwnFailures) {
  const CommandRun forged = contradictory(2, 1);
  EXPECT_EQ(forged.result, CommandResult::contradictory);
  EXPECT_THAT(forged.output, HasSubstr("exit 0, but its own summary says 1 failed"));
  const std::vector<VerifyCommand> shared = {{"test", "make", {}, 0}},
                                   scoped = {{"test", "make", {"src/**"}, 0}};
  const Verification before = runs({tested(run("test", red), 2, 1, 0)}), after = runs({forged});
  const Comparison check = compare(scoped, before, after);
  EXPECT_FALSE(check.passed);
  EXPECT_THAT(check.reproducers, IsEmpty());
  EXPECT_THAT(check.failures,
              ElementsAre("`test` exited with 0, but its own summary says 1 failed, the reproducer "
                          "failed on the base and still fails"));
  const Comparison suite = compare(shared, runs({tested(run("test", green), 3, 0, 0)}), after);
  EXPECT_FALSE(suite.passed);
  EXPECT_THAT(suite.failures, ElementsAre(HasSubstr("passed on the base")));
  const Comparison on_base = compare(shared, after, after);
  EXPECT_FALSE(on_base.passed) << "a base that contradicts itself vouches for nothing";
  EXPECT_THAT(on_base.red_before, ElementsAre("test"));
}

TEST(Comparison, WhatFailedInAReproducerMustPassInIt) {
  const std::vector<VerifyCommand> scoped = {{"test", "make", {"src/**"}, 0}};
  const auto with = [&](int passed) {
    return compare(scoped, runs({tested(run("test", red), 2, 1, 0)}),
                   runs({tested(run("test", green), passed, 0, 0)}));
  };
  EXPECT_THAT(with(3).reproducers, ElementsAre("test"));
  EXPECT_THAT(with(2).failures, ElementsAre(HasSubstr("2 of 2 do now")));
}

TEST(Comparison, GreenTurnsRed) {
  for (const bool scoped : {false, true}) {
    const Comparison c = one(scoped, green, red);
    EXPECT_FALSE(c.passed);
    EXPECT_EQ(evidence_of(support_of(c)), Evidence::judged);
    EXPECT_THAT(c.failures, ElementsAre("`test` failed (exit 1), but it passed on the base"));
    ASSERT_NE(c.first_failure, nullptr);
    EXPECT_EQ(c.first_failure->name, "test");
  }
}

TEST(Comparison, EveryBadEndingIsRed) {
  for (const auto bad : {CommandResult::timed_out, CommandResult::crashed, CommandResult::not_started,
                         CommandResult::cancelled}) {
    EXPECT_FALSE(one(false, green, bad).passed);
    EXPECT_THAT(one(false, green, bad).failures, ElementsAre(HasSubstr(std::string(to_string(bad)))));
  }
}

TEST(Comparison, RedBeforeUsSaysNothing) {
  for (const auto now : {red, green}) {
    const Comparison c = one(false, red, now);
    EXPECT_FALSE(c.passed) << "nothing vouches";
    EXPECT_EQ(evidence_of(support_of(c)), Evidence::judged);
    EXPECT_THAT(c.failures, IsEmpty());
    EXPECT_THAT(c.red_before, ElementsAre("test"));
    EXPECT_THAT(c.reproducers, IsEmpty());
  }
}

TEST(EvidenceOf, NeedsWhatTheLevelSays) {
  const auto level = [](Support support) { return evidence_of(support); };
  EXPECT_EQ(level({}), Evidence::judged);
  EXPECT_EQ(level({.confirmed = true}), Evidence::judged) << "a check nobody saw failing tells nothing";
  EXPECT_EQ(level({.confirmed = true, .alive = true}), Evidence::unbroken);
  EXPECT_EQ(level({.reproduced = true}), Evidence::judged) << "likewise";
  EXPECT_EQ(level({.alive = true, .reproduced = true}), Evidence::repaired);
  EXPECT_EQ(level({.confirmed = true, .alive = true, .reproduced = true, .probed = true}), Evidence::proven);
  EXPECT_EQ(level({.confirmed = true, .alive = true, .probed = true}), Evidence::unbroken)
      << "a probe of a check that has nothing to do with the issue";
  EXPECT_EQ(level({.confirmed = true, .alive = true, .own_judge = true, .reproduced = true, .probed = true}),
            Evidence::judged);
  EXPECT_EQ(level({.marks = {.rescanned = true}}), Evidence::judged) << "a mark is no level";
}

TEST(EvidenceOf, OldProofsAreDecidedAsTheyWere) {
  const auto level = [](Support support) { return old_evidence_of(support); };
  EXPECT_EQ(level({}), Evidence::judged);
  EXPECT_EQ(level({.confirmed = true}), Evidence::unbroken);
  EXPECT_EQ(level({.reproduced = true}), Evidence::repaired);
  EXPECT_EQ(level({.confirmed = true, .reproduced = true, .probed = true}), Evidence::repaired);
  EXPECT_EQ(level({.confirmed = true, .own_judge = true}), Evidence::judged);
  EXPECT_EQ(level({.confirmed = true, .own_judge = true, .marks = {.rescanned = true}}), Evidence::unbroken);
}

TEST(Comparison, TheIssuesOwnCheckTurnsGreen) {
  const Comparison c = one(true, red, green);
  EXPECT_TRUE(c.passed);
  EXPECT_EQ(evidence_of(support_of(c)), Evidence::repaired);
  EXPECT_THAT(c.reproducers, ElementsAre("test"));
  EXPECT_THAT(c.red_before, IsEmpty());
}

TEST(Comparison, TheIssuesOwnCheckStaysRed) {
  const Comparison c = one(true, red, red);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures, ElementsAre(HasSubstr("the reproducer failed on the base and still fails")));
}

TEST(Comparison, WhatWasNotRunProvesNothing) {
  const std::vector<VerifyCommand> commands = {{"test", "make", {}, 0}};
  const Verification has = runs({run("test", green)}), has_not = runs({run("other", green)});
  EXPECT_THAT(compare(commands, has, has_not).failures, ElementsAre("`test` was not run"));
  EXPECT_THAT(compare(commands, has_not, has).failures, ElementsAre("`test` was not run"));
  EXPECT_FALSE(compare(commands, has_not, has).passed);
}

TEST(Comparison, NoCommandsNothingVouches) {
  const Verification nothing;
  const Comparison c = compare({}, nothing, nothing);
  EXPECT_FALSE(c.passed);
  EXPECT_EQ(evidence_of(support_of(c)), Evidence::judged);
  EXPECT_THAT(c.failures, IsEmpty());
}

TEST(Comparison, SeveralCommands) {
  const std::vector<VerifyCommand> commands = {
      {"lint", "x", {}, 0}, {"test", "y", {}, 0}, {"own", "z", {"src/**"}, 0}};
  const Verification base = runs({run("lint", red), run("test", green), run("own", red)});
  const Verification good = runs({run("lint", red), run("test", green), run("own", green)});
  const Comparison c = compare(commands, base, good);
  EXPECT_TRUE(c.passed);
  EXPECT_EQ(evidence_of(support_of(c)), Evidence::repaired);
  EXPECT_THAT(c.red_before, ElementsAre("lint"));
  const Verification bad = runs({run("lint", green), run("test", red), run("own", green)});
  const Comparison d = compare(commands, base, bad);
  EXPECT_FALSE(d.passed);
  EXPECT_EQ(evidence_of(support_of(d)), Evidence::judged);
  ASSERT_NE(d.first_failure, nullptr);
  EXPECT_EQ(d.first_failure, bad.find("test"));
}

TEST(Comparison, KOfK) {
  const std::vector<VerifyCommand> commands = {{"test", "make", {}, 0}};
  CommandRun flaky = run("test", red);
  flaky.runs = 3;
  flaky.passes = 2;
  const Verification base = runs({run("test", green)}), patched = runs({flaky});
  const Comparison c = compare(commands, base, patched);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures,
              ElementsAre("`test` failed (exit 1), 2 of 3 runs passed, but it passed on the base"));
}

TEST(Comparison, LostTestsBehindAGreenExit) {
  const std::vector<VerifyCommand> commands = {{"test", "make", {}, 0}};
  const Verification base = runs({tested(run("test", green), 4, 0, 0)}),
                     patched = runs({tested(run("test", green), 0, 0, 0)});
  const Comparison c = compare(commands, base, patched);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.failures, IsEmpty());
  EXPECT_THAT(c.lost_tests, ElementsAre("test: 4 tests passed on the base, 0 with the patch"));
  EXPECT_EQ(c.first_failure, patched.find("test"));
}

TEST(Comparison, AReproducerMayNotTurnGreenBySkipping) {
  const std::vector<VerifyCommand> commands = {{"own", "make", {"src/**"}, 0}};
  const Verification base = runs({tested(run("own", red), 3, 1, 0)}),
                     patched = runs({tested(run("own", green), 3, 0, 1)});
  const Comparison c = compare(commands, base, patched);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.lost_tests, ElementsAre(HasSubstr("skipped")));
}

TEST(Comparison, GreenTestsOfARedCommandStayGreen) {
  const std::vector<VerifyCommand> commands = {{"all", "make", {}, 0}, {"lint", "x", {}, 0}};
  const Verification base = runs({tested(run("all", red), 9, 1, 0), run("lint", green)});
  const Verification worse = runs({tested(run("all", red), 5, 5, 0), run("lint", green)});
  const Comparison c = compare(commands, base, worse);
  EXPECT_FALSE(c.passed);
  EXPECT_THAT(c.lost_tests, ElementsAre("all: 9 tests passed on the base, 5 with the patch"));
  EXPECT_TRUE(compare(commands, base, base).passed);
  const Verification cut_off =
      runs({tested(run("all", CommandResult::timed_out), 2, 0, 0), run("lint", green)});
  EXPECT_TRUE(compare(commands, base, cut_off).passed) << "a run that was cut off cannot be compared";
}

TEST(CommandsFor, ByPathInOrder) {
  Policy policy;
  policy.commands = {{"b", "x", {}, 0}, {"web", "y", {"web/**"}, 0}, {"a", "z", {"src/**", "lib/**"}, 0}};
  Issue issue;
  issue.finding.file = "src/a.c";
  const auto names = [&] {
    std::vector<std::string> list;
    for (const VerifyCommand& command : commands_for(policy, issue)) list.push_back(command.name);
    return list;
  };
  EXPECT_THAT(names(), ElementsAre("b", "a"));
  issue.finding.file = "web/x/y.ts";
  EXPECT_THAT(names(), ElementsAre("b", "web"));
  issue.finding.file = "README.md";
  EXPECT_THAT(names(), ElementsAre("b"));
}

} // namespace
} // namespace emend
