#include "model/session_timing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

class SessionTimingTest : public testing::Test {
protected:
  template <typename E>
  void at(std::int64_t ms, const std::string& code, const E& told) {
    Event event = make_event("s", code, told);
    event.time_ms = 1'000'000 + ms;
    fold.take(event);
  }
  void agent(std::int64_t from, std::int64_t to, const std::string& code, const std::string& role) {
    at(from, "", AgentRunStarted{code + role, "claude", role, {code}});
    at(to, "", AgentRunCompleted{code + role, "claude", role, "", "ok", {}, to - from, {code}});
  }

  TimingFold fold;
};

TEST_F(SessionTimingTest, TellsWhatAnIssueWaitedFor) {
  at(0, "", FixSessionStarted{});
  at(0, "", FixVerificationStarted{"baseline", {"unit"}});
  at(400, "", FixVerificationResult{"baseline", true, {}});
  at(500, "BE-001", FixIssueStarted{});
  agent(600, 1'600, "BE-001", "fixer");
  at(1'700, "BE-001", FixVerificationStarted{"alone", {"unit", "lint"}});
  at(2'000, "BE-001", FixVerificationResult{"alone", true, {}});
  at(2'000, "BE-001", FixVerificationStarted{"probe", {"unit"}}); // of which no end is told
  at(2'200, "BE-001", FixChallengerEvaluating{});
  agent(2'300, 2'800, "BE-001", "fix_challenger");
  at(2'900, "BE-001", FixCycleCompleted{});
  at(3'500, "", FixSessionCompleted{});
  const SessionTiming timing = fold.result();
  ASSERT_EQ(timing.issues.size(), 1U);
  const IssueTiming& issue = timing.issues[0];
  ASSERT_EQ(issue.spans.size(), 4U);
  EXPECT_EQ(issue.spans[0].what, "fixer claude");
  EXPECT_EQ(issue.spans[1].what, "alone: unit, lint");
  EXPECT_EQ(issue.spans[2].end_ms - issue.spans[2].begin_ms, 200);
  EXPECT_EQ(issue.worked_ms(), 1'000 + 300 + 200 + 500);
  ASSERT_EQ(timing.shared.size(), 1U);
  EXPECT_EQ(timing.before_ms(), 500);
  EXPECT_EQ(timing.after_ms(), 600);
  EXPECT_EQ(timing.bound_ms(4), 400 + issue.worked_ms())
      << "one issue cannot be divided, nor done before the base";
  const Json json = to_json(timing, 4);
  EXPECT_EQ(json["issues"][0]["begin_ms"], 500);
  EXPECT_EQ(json["total_ms"], 3'500);
}

TEST_F(SessionTimingTest, TheBoundIsTheWorkDividedOrTheLongestIssue) {
  at(0, "", FixSessionStarted{});
  for (const char* code : {"BE-001", "BE-002", "BE-003", "BE-004"}) {
    at(0, code, FixIssueStarted{});
    agent(0, 1'000, code, "fixer");
  }
  const SessionTiming timing = fold.result();
  EXPECT_EQ(timing.worked_ms(), 4'000);
  EXPECT_EQ(timing.bound_ms(2), 2'000);
  EXPECT_EQ(timing.bound_ms(16), 1'000);
}

TEST_F(SessionTimingTest, WhatRunsForAllFixesAtTheSameTimeKeepsItsOwnEnd) {
  at(0, "BE-001", FixIssueStarted{});
  agent(0, 1'000, "BE-001", "fixer");
  at(1'000, "BE-001", FixCycleCompleted{});
  at(1'000, "", FixVerificationStarted{"combined", {"unit"}}); // two halves, looked at side by side
  at(1'100, "", FixVerificationStarted{"combined", {"unit"}});
  at(1'500, "", FixVerificationResult{"combined", false, {}});
  at(1'700, "", FixVerificationResult{"combined", true, {}});
  at(2'000, "", FixSessionCompleted{});
  const SessionTiming timing = fold.result();
  ASSERT_EQ(timing.shared.size(), 2U);
  EXPECT_EQ(timing.shared[0].end_ms - timing.shared[0].begin_ms, 500);
  EXPECT_EQ(timing.shared[1].end_ms - timing.shared[1].begin_ms, 600);
  EXPECT_EQ(timing.bound_ms(1), 1'000 + 700) << "the branch is looked at when all fixes are made";
}

TEST_F(SessionTimingTest, WhatRunsBesideTheIssuesIsNoTimeOfItsOwn) {
  at(0, "BE-001", FixIssueStarted{});
  at(100, "", FixVerificationStarted{"baseline", {"slow"}});
  agent(0, 1'000, "BE-001", "fixer");
  at(800, "", FixVerificationResult{"baseline", true, {}});
  at(1'000, "BE-001", FixCycleCompleted{});
  EXPECT_EQ(fold.result().bound_ms(1), 1'000);
}

TEST_F(SessionTimingTest, WhatRunsTwiceAtOnceCountsOnce) {
  at(0, "BE-001", FixIssueStarted{});
  at(0, "", AgentRunStarted{"1", "a", "fixer", {"BE-001"}});
  at(100, "", AgentRunStarted{"2", "b", "fixer", {"BE-001"}});
  at(300, "", AgentRunCompleted{"1", "a", "fixer", "", "ok", {}, 300, {"BE-001"}});
  at(500, "", AgentRunCompleted{"2", "b", "fixer", "", "ok", {}, 400, {"BE-001"}});
  EXPECT_EQ(fold.result().issues[0].worked_ms(), 500);
}

TEST_F(SessionTimingTest, NothingAtAllIsNoTime) {
  const SessionTiming timing = fold.result();
  EXPECT_EQ(timing.before_ms(), 0);
  EXPECT_EQ(timing.after_ms(), 0);
  EXPECT_EQ(timing.bound_ms(0), 0);
}

} // namespace
} // namespace emend
