// What agents consumed and how they ended: as values, as JSON, and which endings are no attempt.
#include <gtest/gtest.h>

#include "model/agent_run_record.hpp"

namespace emend {

TEST(AgentState, KnowsWhichEndingsAreNoAttempt) {
  for (const char* word : {"rate_limited", "quota", "billing", "not_logged_in", "overloaded", "unreachable",
                           "unknown_model", "conversation_lost"}) {
    EXPECT_TRUE((AgentState{parse_agent_status(word).value(), "", 0, {}, {}}.unavailable())) << word;
  }
  for (const char* word : {"ok", "refused", "too_long", "turn_limit", "cost_limit", "interrupted",
                           "api_error", "no_result", "failed"}) {
    EXPECT_FALSE((AgentState{parse_agent_status(word).value(), "", 0, {}, {}}.unavailable())) << word;
  }
  EXPECT_FALSE(AgentState{}.ok()) << "unknown counts as no";
  EXPECT_FALSE(parse_agent_status("fine"));
}

TEST(AgentState, OnlySomeEndingsPassByThemselves) {
  EXPECT_TRUE((AgentState{AgentStatus::quota, "", 0, {}, {}}.passing()));
  EXPECT_FALSE((AgentState{AgentStatus::billing, "", 0, {}, {}}.passing()));
  EXPECT_FALSE((AgentState{AgentStatus::not_logged_in, "", 0, {}, {}}.passing()));
}

TEST(AgentState, SurvivesJson) {
  const AgentState state{AgentStatus::rate_limited, "slow down", 429, 1'900'000'000'000, 30'000};
  const AgentState back = agent_state_from_json(to_json(state));
  EXPECT_EQ(back.status, state.status);
  EXPECT_EQ(back.text, state.text);
  EXPECT_EQ(back.http_status, 429);
  EXPECT_EQ(back.resets_at_ms, state.resets_at_ms);
  EXPECT_EQ(back.retry_after_ms, state.retry_after_ms);
  EXPECT_EQ(agent_state_from_json(Json::object()).status, AgentStatus::no_result);
}

TEST(Usage, AddsSubtractsAndSurvivesJson) {
  Usage total{1300, 110, 200, 0.5, 4};
  EXPECT_EQ(usage_from_json(to_json(total)), total);
  EXPECT_EQ(usage_since(total, {1000, 60, 100, 0.25, 3}), (Usage{300, 50, 100, 0.25, 1}));
  EXPECT_EQ(usage_since({1, 1, 1, {}, 1}, total), (Usage{0, 0, 0, {}, 0})) << "never negative";
  total += Usage{1, 2, 3, {}, 1};
  EXPECT_EQ(total, (Usage{1301, 112, 203, 0.5, 5}));
  EXPECT_TRUE(Usage{}.empty());
  EXPECT_FALSE(usage_from_json(Json::object()).cost_usd);
}

} // namespace emend
