#include "engine/verify/probe_reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using States = std::map<std::string, std::string>;

CommandRun named(const States& by_id) {
  CommandRun run;
  run.name = "test";
  run.tests.recognised = true;
  run.tests.by_id = by_id;
  for (const auto& [id, state] : by_id)
    ++(state == "passed" ? run.tests.passed : state == "failed" ? run.tests.failed : run.tests.skipped);
  run.result = run.tests.failed == 0 ? CommandResult::passed : CommandResult::failed;
  return run;
}

CommandRun silent(CommandResult result, const std::string& output = {}) {
  CommandRun run;
  run.name = "test";
  run.result = result;
  run.output = output;
  return run;
}

Probe negation(std::vector<std::string> tests, const std::string& issue = "one") {
  return {issue,           "test",          "negation", "tests/test_a.py", 7,
          "assert x == 1", "assert x != 1", "",         std::move(tests)};
}

Probe sentinel(const std::string& issue = "one") {
  return {issue, "test", std::string(kSentinel), "tests/test_a.py", 20, "", "assert 1 == 2", "test_f00", {}};
}

const States kGreen = {{"a::limit", "passed"}, {"a::other", "passed"}};

TEST(ProbeReading, ATestThatFailsWhenItIsTurnedAroundIsAlive) {
  const ProbeReading reading = read_probes({negation({"a::limit"})}, named(kGreen),
                                           named({{"a::limit", "failed"}, {"a::other", "passed"}}));
  EXPECT_TRUE(reading.as_expected());
  EXPECT_TRUE(reading.exact);
}

TEST(ProbeReading, ATestAndItsOppositeCannotBothPass) {
  const ProbeReading reading = read_probes({negation({"a::limit"})}, named(kGreen), named(kGreen));
  EXPECT_FALSE(reading.as_expected());
  EXPECT_THAT(reading.silent, ElementsAre(negation({"a::limit"})));
  EXPECT_THAT(probe_problem(reading), HasSubstr("`assert x == 1` and `assert x != 1`"));
}

TEST(ProbeReading, AFailureSomewhereElseIsNotTheOneThatWasAskedFor) {
  const ProbeReading reading = read_probes({negation({"a::limit"})}, named(kGreen),
                                           named({{"a::limit", "passed"}, {"a::other", "failed"}}));
  EXPECT_THAT(reading.silent, ElementsAre(negation({"a::limit"})));
  EXPECT_THAT(reading.unexpected, ElementsAre("a::other"));
}

// "ok 1 - all years are right" becomes "not ok 1 - 1900 is wrong".
TEST(ProbeReading, AProgramMayCallATestThatFailsOtherwise) {
  const States before = {{"all years are right", "passed"}, {"a::other", "passed"}};
  const States after = {{"1900 is wrong", "failed"}, {"a::other", "passed"}};
  const ProbeReading reading = read_probes({negation({"1900 is wrong"})}, named(before), named(after));
  EXPECT_TRUE(reading.as_expected()) << reading.void_because;
  EXPECT_TRUE(reading.exact);
  const States less = {{"1900 is wrong", "failed"}};
  EXPECT_TRUE(read_probes({negation({"1900 is wrong"})}, named(before), named(less)).says_nothing());
}

TEST(ProbeReading, RoundsOfOneTestAreOneTest) {
  const States before = {{"a::limit[1]", "passed"}, {"a::limit[2]", "passed"}};
  const States after = {{"a::limit[1]", "failed"}, {"a::limit[2]", "failed"}};
  EXPECT_TRUE(read_probes({negation({"a::limit[1]"})}, named(before), named(after)).as_expected());
}

// unittest says so which of them it is.
TEST(ProbeReading, TestsOfOneNameInTwoModulesAreTwo) {
  const std::string first = "test_limit (tests.test_first.Limits.test_limit)",
                    second = "test_limit (tests.test_second.Limits.test_limit)";
  const States before = {{first, "passed"}, {second, "passed"}};
  const ProbeReading reading =
      read_probes({negation({second})}, named(before), named({{first, "failed"}, {second, "passed"}}));
  EXPECT_THAT(reading.silent, ElementsAre(negation({second})));
  EXPECT_THAT(reading.unexpected, ElementsAre(first));
  const States rounds = {{first, "passed"}, {second + " (i=3)", "failed"}};
  EXPECT_TRUE(read_probes({negation({second + " (i=1)"})}, named({{first, "passed"}}), named(rounds))
                  .unexpected.empty());
}

TEST(ProbeReading, ASentinelMustFailUnderItsOwnName) {
  const States after = {{"a::limit", "passed"}, {"a::other", "passed"}, {"a::test_f00", "failed"}};
  EXPECT_TRUE(read_probes({sentinel()}, named(kGreen), named(after)).as_expected());
  EXPECT_THAT(read_probes({sentinel()}, named(kGreen), named(kGreen)).silent, ElementsAre(sentinel()));
}

TEST(ProbeReading, ARunWithFewerTestsSaysNothing) {
  EXPECT_TRUE(
      read_probes({negation({"a::limit"})}, named(kGreen), named({{"a::limit", "failed"}})).says_nothing());
  EXPECT_TRUE(read_probes({negation({"a::limit"})}, named(kGreen),
                          named({{"a::limit", "failed"}, {"a::other", "skipped"}}))
                  .says_nothing());
  EXPECT_TRUE(
      read_probes({negation({"a::limit"})}, named(kGreen), silent(CommandResult::failed)).says_nothing());
  EXPECT_TRUE(read_probes({negation({})}, silent(CommandResult::passed), silent(CommandResult::timed_out))
                  .says_nothing());
}

TEST(ProbeReading, AnAddedTestIsNoOtherNameOfOneThatIsMissing) {
  Probe sentinel = negation({});
  sentinel.kind = kSentinel;
  sentinel.name = "test_zz";
  EXPECT_TRUE(read_probes({negation({"a::limit"}), sentinel}, named(kGreen),
                          named({{"a::limit", "failed"}, {"a::test_zz", "failed"}}))
                  .says_nothing())
      << "a::other was not run";
}

TEST(ProbeReading, WithoutNamesTheLineTellsWhereItFailed) {
  const ProbeReading at_line = read_probes({negation({})}, silent(CommandResult::passed),
                                           silent(CommandResult::failed,
                                                  "Traceback (most recent call last):\n"
                                                  "  File \"tests/test_a.py\", line 7, in <module>\n"
                                                  "    assert x != 1\nAssertionError\n"));
  EXPECT_TRUE(at_line.as_expected());
  EXPECT_TRUE(at_line.exact);
  const ProbeReading somewhere =
      read_probes({negation({})}, silent(CommandResult::passed), silent(CommandResult::failed, "no\n"));
  EXPECT_TRUE(somewhere.as_expected());
  EXPECT_FALSE(somewhere.exact);
}

TEST(ProbeReading, ACommandThatFailsAnywayAndNamesNothingSaysNothing) {
  EXPECT_TRUE(read_probes({negation({})}, silent(CommandResult::failed), silent(CommandResult::failed))
                  .says_nothing());
}

struct ProbeRuns : testing::Test {
  Verification plain = run_of("", "sha", {}, kGreen);
  Verification baseline = run_of("", "", {}, {{"a::limit", "failed"}, {"a::other", "passed"}});
  std::vector<Verification> runs;

  static Verification run_of(const std::string& issue, const std::string& sha, std::vector<Probe> probes,
                             const States& tests) {
    Verification run;
    run.kind = probes.empty() ? VerificationKind::alone : VerificationKind::probe;
    run.base = "base";
    run.patch_sha256 = sha;
    run.issue_id = issue;
    run.probes = std::move(probes);
    run.commands = {named(tests)};
    return run;
  }
  [[nodiscard]] Probed of(const std::string& issue) const {
    return probed_by(runs, issue, "base", "sha", plain, baseline);
  }
};

TEST_F(ProbeRuns, WithoutARunThereIsNoAnswer) {
  EXPECT_EQ(of("one").end, Probed::End::nothing);
  runs = {run_of("one", "another", {negation({"a::limit"})}, kGreen)};
  EXPECT_EQ(of("one").end, Probed::End::nothing);
}

TEST_F(ProbeRuns, APassCountsAtOnceAndAFailureWhenItWasSeenTwice) {
  runs = {run_of("one", "sha", {negation({"a::limit"})}, {{"a::limit", "failed"}, {"a::other", "passed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  runs = {run_of("one", "sha", {negation({"a::limit"})}, kGreen)};
  EXPECT_EQ(of("one").end, Probed::End::failed);
  EXPECT_TRUE(of("one").needs_repeat);
  runs.push_back(runs.front());
  EXPECT_EQ(of("one").end, Probed::End::failed);
  EXPECT_FALSE(of("one").needs_repeat);
}

TEST_F(ProbeRuns, WhatComesAndGoesIsHeldAgainstNobody) {
  const std::vector<Probe> probes = {negation({"a::limit"})};
  runs = {run_of("one", "sha", probes, kGreen), run_of("one", "sha", probes, kGreen),
          run_of("one", "sha", probes, {{"a::limit", "failed"}, {"a::other", "passed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
}

TEST_F(ProbeRuns, AHelperThatManyTestsShareIsKnownByTheBase) {
  const std::vector<Probe> probes = {negation({"a::limit"})};
  const States all_red = {{"a::limit", "failed"}, {"a::other", "failed"}};
  runs = {run_of("one", "sha", probes, all_red)};
  EXPECT_TRUE(of("one").needs_control);
  runs.push_back(run_of("one", "", probes, all_red));
  EXPECT_EQ(of("one").end, Probed::End::nothing);
  runs.back() = run_of("one", "", probes, {{"a::limit", "passed"}, {"a::other", "passed"}});
  EXPECT_EQ(of("one").end, Probed::End::failed);
  EXPECT_THAT(of("one").detail, HasSubstr("a::other"));
}

TEST_F(ProbeRuns, ASentinelThatTheBaseDoesNotRunEitherSaysNothing) {
  const std::vector<Probe> probes = {sentinel()};
  runs = {run_of("one", "sha", probes, kGreen)};
  EXPECT_TRUE(of("one").needs_control);
  runs.push_back(run_of("one", "", probes, {{"a::limit", "failed"}, {"a::other", "passed"}}));
  EXPECT_EQ(of("one").end, Probed::End::nothing);
}

Probe literal(std::vector<std::string> tests) {
  Probe probe = negation(std::move(tests));
  probe.kind = kLiteral;
  return probe;
}

TEST_F(ProbeRuns, AValueAtTheNameOfATestShowsLifeAndNothingElse) {
  runs = {run_of("one", "sha", {literal({"a::limit"})}, kGreen)};
  EXPECT_EQ(of("one").end, Probed::End::nothing) << "what was changed may be what goes in";
  EXPECT_FALSE(of("one").needs_repeat);
  runs = {run_of("one", "sha", {literal({"a::limit"})}, {{"a::limit", "failed"}, {"a::other", "passed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_TRUE(of("one").exact) << "the test failed on the base";
  EXPECT_THAT(of("one").alive, ElementsAre("test"));
  runs = {run_of("one", "sha", {literal({"a::other"})}, {{"a::limit", "passed"}, {"a::other", "failed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_FALSE(of("one").exact) << "it is not what the fix repaired";
}

TEST_F(ProbeRuns, SilentDataOfATestRefusesNobodyAndLeavesADoubt) {
  for (const std::string_view kind : {kData, kOthers}) {
    Probe probe = literal({"a::limit"});
    probe.kind = kind;
    runs = {run_of("one", "sha", {probe}, kGreen)};
    EXPECT_EQ(of("one").end, Probed::End::nothing) << kind;
    EXPECT_TRUE(of("one").doubted) << kind;
    runs = {run_of("one", "sha", {probe}, {{"a::limit", "failed"}, {"a::other", "passed"}})};
    EXPECT_EQ(of("one").end, Probed::End::passed) << kind;
    EXPECT_FALSE(of("one").doubted) << kind;
  }
  runs = {run_of("one", "sha", {literal({"a::limit"})}, kGreen)};
  EXPECT_FALSE(of("one").doubted) << "it may be what goes in";
}

TEST_F(ProbeRuns, SilentDataOfATestThatPassedAllAlongIsADoubtWhereTheBaseNoticesIt) {
  Probe probe = literal({"a::other"});
  probe.kind = kData;
  runs = {run_of("one", "sha", {probe}, kGreen)};
  EXPECT_TRUE(of("one").needs_control);
  EXPECT_TRUE(of("one").doubted) << "until the base has said otherwise";
  const States noticed = {{"a::limit", "failed"}, {"a::other", "failed"}};
  const States overlooked = {{"a::limit", "failed"}, {"a::other", "passed"}};
  runs.push_back(run_of("one", "", {probe}, noticed));
  EXPECT_TRUE(of("one").doubted);
  EXPECT_FALSE(of("one").needs_control);
  runs.back() = run_of("one", "", {probe}, overlooked);
  EXPECT_FALSE(of("one").doubted) << "that test compares nothing with it";
  EXPECT_EQ(of("one").end, Probed::End::nothing);
}

TEST_F(ProbeRuns, OtherTestsMayLookAtTheSameData) {
  Probe probe = literal({"a::other"});
  probe.kind = kData;
  runs = {run_of("one", "sha", {probe}, {{"a::limit", "failed"}, {"a::other", "failed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_FALSE(of("one").exact) << "it is not what the fix repairs";
}

TEST_F(ProbeRuns, AProgramThatStopsAtItsFirstFailureNeedNotNameIt) {
  Verification run = run_of("one", "sha", {negation({"a::limit"})}, {{"a::other", "passed"}});
  run.commands.front().result = CommandResult::failed;
  runs = {run};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  runs.front().commands.front().tests.by_id = {};
  EXPECT_EQ(of("one").end, Probed::End::nothing) << "a::other was not run";
}

TEST_F(ProbeRuns, OneRunAnswersForSeveralIssues) {
  plain = run_of("", "sha", {}, {{"a::limit", "passed"}, {"b::edge", "passed"}});
  const std::vector<Probe> probes = {negation({"a::limit"}), negation({"b::edge"}, "two")};
  runs = {run_of("", "sha", probes, {{"a::limit", "failed"}, {"b::edge", "passed"}})};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_EQ(of("two").end, Probed::End::failed);
  EXPECT_EQ(of("three").end, Probed::End::nothing);
}

TEST_F(ProbeRuns, InASharedRunNobodyIsBlamedForAnUnexpectedFailure) {
  plain = run_of("", "sha", {}, {{"a::limit", "passed"}, {"b::edge", "passed"}, {"c::far", "passed"}});
  const std::vector<Probe> probes = {negation({"a::limit"}), negation({"b::edge"}, "two")};
  runs = {run_of("", "sha", probes, {{"a::limit", "failed"}, {"b::edge", "failed"}, {"c::far", "failed"}})};
  EXPECT_EQ(of("one").end, Probed::End::nothing);
  EXPECT_EQ(of("two").end, Probed::End::nothing);
}

// `make test` with two runners: the second one is not started when the first one fails.
struct ChainRuns : ProbeRuns {
  const States all = {{"a::limit", "passed"}, {"a::other", "passed"}, {"b::edge", "passed"}};
  const States first_part = {{"a::limit", "failed"}, {"a::other", "passed"}};
  std::vector<Probe> guards = {guard({"a::limit"})};

  ChainRuns() {
    plain = run_of("", "sha", {}, all);
    baseline = run_of("", "", {}, all);
  }
  static Probe guard(std::vector<std::string> tests, const std::string& issue = "one") {
    Probe probe = negation(std::move(tests), issue);
    probe.kind = kGuard;
    return probe;
  }
};

TEST_F(ChainRuns, APartThatIsNotStartedOnTheBaseEitherIsNotMissed) {
  runs = {run_of("one", "sha", guards, first_part)};
  EXPECT_EQ(of("one").end, Probed::End::nothing) << "nobody knows yet who left b::edge out";
  EXPECT_TRUE(of("one").needs_control);
  runs.push_back(run_of("one", "", guards, first_part));
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_THAT(of("one").alive, ElementsAre("test"));
  EXPECT_FALSE(of("one").needs_control);
}

TEST_F(ChainRuns, ATestThatTheBaseStillRunsIsMissed) {
  runs = {run_of("one", "sha", guards, first_part),
          run_of("one", "", guards, {{"a::limit", "failed"}, {"a::other", "passed"}, {"b::edge", "passed"}})};
  EXPECT_EQ(of("one").end, Probed::End::nothing) << "the patch left b::edge out";
  EXPECT_TRUE(of("one").alive.empty());
}

TEST_F(ChainRuns, OtherFailuresAreNotHiddenByTheEndOfARun) {
  const States other = {{"a::limit", "passed"}, {"a::other", "failed"}};
  runs = {run_of("one", "sha", guards, other), run_of("one", "", guards, first_part)};
  EXPECT_EQ(of("one").end, Probed::End::nothing);
  runs.front() = run_of("one", "sha", guards, {{"a::limit", "failed"}, {"a::other", "failed"}});
  EXPECT_EQ(of("one").end, Probed::End::nothing) << "a::other does not fail on the base";
}

TEST_F(ChainRuns, WhatTheFixRepairedEndsTheRunAsItDidOnTheBase) {
  baseline = run_of("", "", {}, first_part);
  runs = {run_of("one", "sha", {negation({"a::limit"})}, first_part)};
  EXPECT_EQ(of("one").end, Probed::End::passed) << "the base itself ends there: no further run is needed";
  EXPECT_TRUE(of("one").exact);
}

// It names the test that fails, and exits with 0.
TEST_F(ChainRuns, ACommandThatExitsWithZeroOnlyWithThePatchCannotFail) {
  Verification forged =
      run_of("one", "sha", guards, {{"a::limit", "failed"}, {"a::other", "passed"}, {"b::edge", "passed"}});
  forged.commands.front().result = CommandResult::contradictory;
  runs = {forged, forged};
  EXPECT_TRUE(of("one").needs_control);
  EXPECT_EQ(of("one").end, Probed::End::nothing);
  Verification control = forged;
  control.patch_sha256 = "";
  control.commands.front().result = CommandResult::failed;
  runs.push_back(control);
  EXPECT_EQ(of("one").end, Probed::End::failed);
  runs.back().commands.front().result = CommandResult::contradictory;
  EXPECT_EQ(of("one").end, Probed::End::passed) << "it always exits with 0, and its words count";
}

TEST_F(ChainRuns, AProbeBehindTheEndOfARunSaysNothing) {
  baseline = run_of("", "", {}, first_part);
  const std::vector<Probe> probes = {negation({"a::limit"}), negation({"b::edge"}, "two")};
  runs = {run_of("", "sha", probes, first_part)};
  EXPECT_EQ(of("one").end, Probed::End::passed);
  EXPECT_EQ(of("two").end, Probed::End::nothing) << "b::edge was not run, so it did not fail either";
}

TEST_F(ChainRuns, ATestThatRanAndPassedIsSilentWhereverTheRunEnds) {
  baseline = run_of("", "", {}, first_part);
  const std::vector<Probe> probes = {negation({"a::limit"}), negation({"a::other"}, "two")};
  runs = {run_of("", "sha", probes, first_part), run_of("", "sha", probes, first_part)};
  EXPECT_EQ(of("two").end, Probed::End::failed);
}

} // namespace
} // namespace emend
