// What happens when an agent cannot work now: wait, ask another, or stop; never an attempt.
#include <gtest/gtest.h>

#include "engine/agents/role_agents.hpp"

namespace emend {
namespace {

constexpr std::int64_t kNow = 1'790'000'000'000;

Hindrance hindered(AgentStatus status, int tries = 1) {
  Hindrance hindrance;
  hindrance.state.status = status;
  hindrance.tries = tries;
  hindrance.now_ms = kNow;
  return hindrance;
}

Policy patient() {
  Policy policy;
  policy.max_wait_ms = 600'000;
  policy.retry_wait_ms = 5'000;
  return policy;
}

bool waits(const NextMove& move) { return move.kind == NextMove::Kind::wait; }

TEST(NextMove, WhatDoesNotPassByItselfIsNotWaitedFor) {
  for (const AgentStatus status :
       {AgentStatus::billing, AgentStatus::not_logged_in, AgentStatus::unknown_model})
    EXPECT_FALSE(waits(next_move(patient(), hindered(status)))) << to_string(status);
}

TEST(NextMove, WaitsUntilTheResetTimeTheAgentNames) {
  Hindrance hindrance = hindered(AgentStatus::rate_limited);
  hindrance.state.resets_at_ms = kNow + 120'000;
  const NextMove move = next_move(patient(), hindrance);
  ASSERT_TRUE(waits(move));
  EXPECT_EQ(move.wait_ms, 121'000);
  hindrance.state.resets_at_ms = kNow - 5'000; // it has passed
  EXPECT_EQ(next_move(patient(), hindrance).wait_ms, 1'000);
}

TEST(NextMove, AnotherAgentIsBetterThanALongWaitAndWorseThanAShortOne) {
  Hindrance hindrance = hindered(AgentStatus::rate_limited);
  hindrance.another = true;
  hindrance.state.retry_after_ms = 120'000;
  EXPECT_FALSE(waits(next_move(patient(), hindrance)));
  hindrance.state.retry_after_ms = 10'000;
  EXPECT_TRUE(waits(next_move(patient(), hindrance)));
}

TEST(NextMove, NeverWaitsLongerThanAllowedInAll) {
  Hindrance hindrance = hindered(AgentStatus::rate_limited);
  hindrance.state.retry_after_ms = 300'000;
  EXPECT_TRUE(waits(next_move(patient(), hindrance)));
  hindrance.waited_ms = 400'000;
  EXPECT_FALSE(waits(next_move(patient(), hindrance)));
  Policy hasty = patient();
  hasty.max_wait_ms = 0;
  hindrance.waited_ms = 0;
  EXPECT_FALSE(waits(next_move(hasty, hindrance)));
}

TEST(NextMove, AnOutageIsTriedAgainAFewTimesWithGrowingPauses) {
  EXPECT_EQ(next_move(patient(), hindered(AgentStatus::overloaded, 1)).wait_ms, 5'000);
  EXPECT_EQ(next_move(patient(), hindered(AgentStatus::overloaded, 2)).wait_ms, 10'000);
  EXPECT_EQ(next_move(patient(), hindered(AgentStatus::unreachable, 3)).wait_ms, 20'000);
  EXPECT_FALSE(waits(next_move(patient(), hindered(AgentStatus::overloaded, 4))));
}

TEST(NextMove, AQuotaWithoutAResetTimeIsNotWaitedFor) {
  EXPECT_FALSE(waits(next_move(patient(), hindered(AgentStatus::quota))));
  Hindrance hindrance = hindered(AgentStatus::quota);
  hindrance.state.resets_at_ms = kNow + 60'000;
  EXPECT_TRUE(waits(next_move(patient(), hindrance)));
}

TEST(NextMove, AnAgentThatAlwaysSaysSoonEndsToo) {
  Policy policy = patient();
  Hindrance hindrance = hindered(AgentStatus::rate_limited, 100);
  hindrance.state.retry_after_ms = 0;
  EXPECT_FALSE(waits(next_move(policy, hindrance)));
}

AgentRun run_with(AgentStatus status, Ending ending, int exit_code = 0) {
  AgentRun run;
  run.state.status = status;
  run.process.ending = ending;
  run.process.exit_code = exit_code;
  return run;
}

TEST(DescribeEnding, SaysWhatTheProcessDidAndWhatTheAgentSaid) {
  EXPECT_EQ(describe_ending(run_with(AgentStatus::ok, Ending::exited)), "exit 0");
  EXPECT_EQ(describe_ending(run_with(AgentStatus::ok, Ending::exited, 1)), "answered, then exit 1");
  EXPECT_EQ(describe_ending(run_with(AgentStatus::failed, Ending::exited, 3)), "exit 3");
  EXPECT_EQ(describe_ending(run_with(AgentStatus::api_error, Ending::exited, 0)), "exit 0 (api_error)");
}

TEST(FamilyOfRun, TheModelInTheStreamCountsNotTheNameInTheConfiguration) {
  AgentBinding binding;
  binding.engine = "exec";
  binding.family = "anthropic";
  AgentRun run;
  run.model = "gemini-2.5-pro";
  EXPECT_EQ(family_of_run(binding, run), "anthropic") << "a configured model name is no report";
  run.model_reported = true;
  EXPECT_EQ(family_of_run(binding, run), "google");
  run.model = "some-model";
  EXPECT_EQ(family_of_run(binding, run), "anthropic");
}

} // namespace
} // namespace emend
