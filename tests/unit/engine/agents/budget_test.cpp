// Budgets count what agents report; a limit is over as soon as it is reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/agents/budget.hpp"

namespace emend {
namespace {

using testing::HasSubstr;

AgentRunRecord run(std::vector<std::string> issues, std::optional<double> cost, std::int64_t tokens,
                   std::int64_t ms = 0) {
  AgentRunRecord record;
  record.agent = "claude";
  record.role = "fixer";
  record.state.status = AgentStatus::ok;
  record.issue_ids = std::move(issues);
  record.usage.cost_usd = cost;
  record.usage.input_tokens = tokens / 2;
  record.usage.output_tokens = tokens - tokens / 2;
  record.duration_ms = ms;
  return record;
}

TEST(Meter, NoLimitIsNeverOver) {
  Meter meter((Policy()));
  meter.add(run({"a"}, 1e9, 1'000'000'000, 1'000'000'000));
  EXPECT_FALSE(meter.session_over());
  EXPECT_FALSE(meter.issue_over("a"));
  EXPECT_EQ(meter.cost_left({"a"}), 0);
  EXPECT_EQ(meter.time_left_ms({"a"}), 0);
}

TEST(Meter, TheSessionsCostAndTokensEndIt) {
  Policy policy;
  policy.session_budget.cost_usd = 1;
  Meter meter(policy);
  meter.add(run({"a"}, 0.75, 10));
  EXPECT_FALSE(meter.session_over());
  EXPECT_DOUBLE_EQ(meter.cost_left({"b"}), 0.25);
  meter.add(run({"b"}, 0.25, 10));
  EXPECT_THAT(meter.session_over().value_or(""), HasSubstr("$1.00"));
  policy.session_budget = {0, 100, 0};
  Meter tokens(policy);
  tokens.add(run({"a"}, std::nullopt, 100));
  EXPECT_THAT(tokens.session_over().value_or(""), HasSubstr("100 tokens"));
}

TEST(Meter, SaysOnceThatFourFifthsAreUsed) {
  Policy policy;
  policy.session_budget.cost_usd = 1;
  Meter meter(policy);
  meter.add(run({"a"}, 0.79, 10));
  EXPECT_FALSE(meter.take_warning());
  meter.add(run({"a"}, 0.01, 10));
  EXPECT_THAT(meter.take_warning().value_or(""), HasSubstr("$0.80 of the budget of $1.00 are used"));
  meter.add(run({"a"}, 0.1, 10));
  EXPECT_FALSE(meter.take_warning());
  // What is used up at once is told by that.
  policy.session_budget = {0, 100, 0};
  Meter tokens(policy);
  tokens.add(run({"a"}, std::nullopt, 200));
  EXPECT_FALSE(tokens.take_warning());
}

TEST(Meter, ASharedRunCountsForEachIssueWithItsShare) {
  Policy policy;
  policy.issue_budget = {1, 0, 0};
  Meter meter(policy);
  meter.add(run({"a", "b"}, 1.5, 10));
  EXPECT_FALSE(meter.issue_over("a"));
  meter.add(run({"a"}, 0.25, 10));
  EXPECT_TRUE(meter.issue_over("a"));
  EXPECT_FALSE(meter.issue_over("b"));
  EXPECT_FALSE(meter.issue_over("c"));
  EXPECT_DOUBLE_EQ(meter.cost_left({"b"}), 0.25);
}

TEST(Meter, AnIssuesTimeIsHandedDown) {
  Policy policy;
  policy.issue_budget = {0, 0, 1'000};
  Meter meter(policy);
  EXPECT_EQ(meter.time_left_ms({"a"}), 1'000);
  meter.add(run({"a"}, std::nullopt, 0, 400));
  EXPECT_EQ(meter.time_left_ms({"a"}), 600);
  meter.add(run({"a"}, std::nullopt, 0, 900));
  EXPECT_TRUE(meter.issue_over("a"));
  EXPECT_EQ(meter.time_left_ms({"a"}), 1) << "never no limit";
}

TEST(Estimate, ComesFromEarlierRunsOfTheSameAgents) {
  Policy policy;
  policy.fixer.name = "claude";
  policy.challenger.name = "gemini";
  AgentRunRecord judged = run({"a"}, std::nullopt, 100, 1'000);
  judged.agent = "gemini";
  judged.role = "fix_challenger";
  AgentRunRecord limited = run({"a"}, 50.0, 0);
  limited.state.status = AgentStatus::rate_limited;
  const Estimate made =
      estimate(policy, 3, 3, {run({"a"}, 0.5, 1'000, 2'000), run({"a"}, 1.5, 3'000, 4'000), judged, limited});
  EXPECT_EQ(made.runs_at_least, 6);
  EXPECT_GT(made.runs_at_most, 6);
  EXPECT_DOUBLE_EQ(made.cost_usd.value_or(0), 3.0);
  EXPECT_EQ(made.tokens.value_or(0), 6'300);
  EXPECT_EQ(made.time_ms.value_or(0), 12'000);
  EXPECT_THAT(to_text(made), HasSubstr("$3.00"));
}

TEST(Estimate, SaysSoWhenNothingIsKnown) {
  Policy policy;
  policy.fixer.name = "claude";
  policy.challenger.name = "gemini";
  const Estimate made = estimate(policy, 5, 1, {run({"a"}, 0.5, 10)});
  EXPECT_EQ(made.runs_at_least, 6) << "one call for five issues, five judgements";
  EXPECT_FALSE(made.cost_usd) << "nothing is known of the challenger";
  EXPECT_THAT(to_text(made), HasSubstr("no earlier runs"));
}

} // namespace
} // namespace emend
