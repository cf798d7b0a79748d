#include "service/quota.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(Quota, WhatIsLeftIsTheSessionsBudget) {
  Policy policy;
  policy.session_budget.tokens = 500;
  std::string warning;
  ASSERT_TRUE(keep_to_quota(
      policy, {{"quota.day_usd", "USD", 10, 4}, {"quota.day_tokens", "tokens", 10'000, 100}}, warning));
  EXPECT_DOUBLE_EQ(policy.session_budget.cost_usd, 6);
  EXPECT_EQ(policy.session_budget.tokens, 500) << "a smaller limit of its own stays";
  EXPECT_EQ(warning, "");
  ASSERT_TRUE(keep_to_quota(policy, {{"quota.month_usd", "USD", 100, 99}}, warning));
  EXPECT_DOUBLE_EQ(policy.session_budget.cost_usd, 1) << "the smallest rest counts";
  EXPECT_NE(warning.find("$99.00 of $100.00 (quota.month_usd)"), std::string::npos) << warning;
}

TEST(Quota, NothingLeftIsARefusalThatNamesTheKey) {
  Policy policy;
  std::string warning;
  const Status refused = keep_to_quota(policy, {{"quota.day_tokens", "tokens", 100, 100}}, warning);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  EXPECT_NE(refused.error().message.find("quota.day_tokens"), std::string::npos);
  EXPECT_EQ(policy.session_budget.tokens, 0) << "it was not changed";
}

} // namespace emend
