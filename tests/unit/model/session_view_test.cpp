#include "model/session_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SessionViewTest : public testing::Test {
protected:
  template <typename E>
  void happen(const std::string& code, const E& told) {
    take(view_, make_event("s", code, told), ++now_ms_);
  }
  SessionView view_;
  std::int64_t now_ms_ = 100;
};

} // namespace

TEST_F(SessionViewTest, KeepsTheChecksAndTheScoreOfTheRound) {
  happen("", FixSessionStarted{"fix/a", "abc", {"BE-1", "BE-2"}, "claude", {}});
  happen("BE-1", FixCycleStarted{1, 3});
  happen("", FixVerificationResult{"baseline", true, {{"unit", "passed", 0, 5, false}}});
  happen("BE-1", FixVerificationResult{"alone", false, {{"unit", "failed", 1, 5, false}}});
  happen("BE-1", FixChallengerResult{true, 88, "", "", "", {}, {}, 90, true});
  ASSERT_EQ(view_.issues.size(), 2U);
  const IssueView& issue = view_.issues.front();
  ASSERT_EQ(issue.checks.size(), 1U);
  EXPECT_EQ(issue.checks[0].result, "failed");
  ASSERT_TRUE(issue.verdict);
  EXPECT_EQ(issue.verdict->score, 88);
  happen("BE-1", FixCycleStarted{2, 3});
  EXPECT_THAT(issue.checks, IsEmpty());
  EXPECT_FALSE(issue.verdict);
  EXPECT_EQ(issue.round, 2);
  EXPECT_EQ(issue.began_ms, 102) << "the first round";
}

TEST_F(SessionViewTest, NoticesAndDecisionsStartNothing) {
  happen("BE-1", FixNotice{"BE-1: judge also remarked"});
  happen("BE-1", ContainmentViolation{"agent claude", "/home/u/.bashrc", "changed", true});
  happen("", ContainmentViolation{"command unit", "/tmp/x", "made", false});
  happen("BE-2", FixIssueAccepted{"abc"});
  EXPECT_THAT(view_.notices,
              ElementsAre("BE-1: judge also remarked",
                          "BE-1: /home/u/.bashrc was changed while agent claude ran: outside its workspace",
                          "/tmp/x was made while command unit ran"));
  EXPECT_THAT(view_.accepted, ElementsAre("BE-2"));
  EXPECT_FALSE(view_.running);
  EXPECT_THAT(view_.issues, IsEmpty()) << "only what is worked on is shown as such";
}

TEST_F(SessionViewTest, SumsUpWhatAgentsSayTheyCost) {
  EXPECT_FALSE(view_.cost_usd);
  for (const double cost : {0.25, 0.5}) {
    AgentRunCompleted run;
    run.usage = {{"cost_usd", cost}};
    happen("BE-1", run);
  }
  happen("BE-1", AgentRunCompleted{});
  EXPECT_DOUBLE_EQ(view_.cost_usd.value_or(0), 0.75);
}

TEST_F(SessionViewTest, KeepsTheForecast) {
  EXPECT_FALSE(view_.forecast);
  happen("", FixForecast{2, 6, 4, 1'000, 0.4, 60'000});
  ASSERT_TRUE(view_.forecast);
  EXPECT_EQ(view_.forecast->tokens, 1'000);
}

TEST_F(SessionViewTest, EndsAndBeginsAgain) {
  happen("BE-1", FixIssueStarted{"claude", 1});
  EXPECT_TRUE(view_.running);
  EXPECT_EQ(view_.began_ms, 101);
  happen("", FixSessionError{"power cut", {}, "interrupted", true, true});
  EXPECT_FALSE(view_.running);
  happen("BE-1", FixIssueStarted{"claude", 1});
  EXPECT_TRUE(view_.running);
  EXPECT_EQ(view_.began_ms, 103);
}

} // namespace emend
