#include "service/quota.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(Quota, WhatIsLeftIsTheSessionsBudget) {
  Policy policy;
  policy.session_budget.tokens = 500;
  std::string warning;
  ASSERT_TRUE(keep_to_quota(
      policy,
      {{"quota.day_usd", QuotaUnit::usd, 10, 4}, {"quota.day_tokens", QuotaUnit::tokens, 10'000, 100}},
      warning));
  EXPECT_DOUBLE_EQ(policy.session_budget.cost_usd, 6);
  EXPECT_EQ(policy.session_budget.tokens, 500) << "a smaller limit of its own stays";
  EXPECT_EQ(warning, "");
  ASSERT_TRUE(keep_to_quota(policy, {{"quota.month_usd", QuotaUnit::usd, 100, 99}}, warning));
  EXPECT_DOUBLE_EQ(policy.session_budget.cost_usd, 1) << "the smallest rest counts";
  EXPECT_NE(warning.find("$99.00 of $100.00 (quota.month_usd)"), std::string::npos) << warning;
}

TEST(Quota, NothingLeftIsARefusalThatNamesTheKey) {
  Policy policy;
  std::string warning;
  const Status refused = keep_to_quota(policy, {{"quota.day_tokens", QuotaUnit::tokens, 100, 100}}, warning);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  EXPECT_NE(refused.error().message.find("quota.day_tokens"), std::string::npos);
  EXPECT_EQ(policy.session_budget.tokens, 0) << "it was not changed";
}

TEST(Quota, MinutesLimitTheTimeOfASession) {
  Policy policy;
  std::string warning;
  ASSERT_TRUE(keep_to_quota(policy, {{"quota of team a", QuotaUnit::minutes, 60, 59.5}}, warning));
  EXPECT_EQ(policy.session_budget.time_ms, 30'000);
  EXPECT_NE(warning, "");
}

TEST(Quota, ARunMayCostWhatIsLeftAndNoneStartsWhenNothingIs) {
  const Allowance rest = allowance_of({{"quota.day_usd", QuotaUnit::usd, 10, 9.5},
                                       {"the budget of the day", QuotaUnit::usd, 4, 1},
                                       {"minutes", QuotaUnit::minutes, 60, 59.5},
                                       {"tokens", QuotaUnit::tokens, 100, 99}});
  EXPECT_EQ(rest.used_up, "");
  EXPECT_DOUBLE_EQ(rest.cost_usd, 0.5) << "the smallest rest";
  EXPECT_EQ(rest.time_ms, 30'000);
  const Allowance none =
      allowance_of({{"a", QuotaUnit::usd, 10, 1}, {"tokens", QuotaUnit::tokens, 100, 100}});
  EXPECT_NE(none.used_up.find("100 tokens of 100 tokens (tokens)"), std::string::npos) << none.used_up;
  EXPECT_DOUBLE_EQ(allowance_of({}).cost_usd, 0) << "no limit";
}

TEST(Quota, AForecastIsComparedWithWhatIsLeft) {
  Estimate estimate;
  EXPECT_EQ(beyond_quota(estimate, {{"q", QuotaUnit::usd, 10, 9.5}}), "") << "nothing is expected";
  estimate.cost_usd = 0.75;
  EXPECT_EQ(beyond_quota(estimate, {{"q", QuotaUnit::usd, 10, 9}}), "");
  EXPECT_NE(beyond_quota(estimate, {{"q", QuotaUnit::usd, 10, 9.5}}).find("$0.50 are left (q)"),
            std::string::npos);
}

} // namespace emend
