#include "api/rate_limit.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RateLimit::Moment kBegin = RateLimit::Moment() + std::chrono::hours(1);

TEST(RateLimit, AMinutesWorthAtOnceThenAsFastAsTheyComeBack) {
  RateLimit limit(60);
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(limit.seconds_to_wait("ann", kBegin)) << i;
  EXPECT_EQ(limit.seconds_to_wait("ann", kBegin), 1);
  EXPECT_EQ(limit.seconds_to_wait("ann", kBegin + milliseconds(900)), 1) << "asking is not held against her";
  EXPECT_FALSE(limit.seconds_to_wait("ann", kBegin + milliseconds(1'100)));
  EXPECT_TRUE(limit.seconds_to_wait("ann", kBegin + milliseconds(1'150)));
}

TEST(RateLimit, EachCallerHasItsOwn) {
  RateLimit limit(1);
  EXPECT_FALSE(limit.seconds_to_wait("ann", kBegin));
  EXPECT_EQ(limit.seconds_to_wait("ann", kBegin), 60);
  EXPECT_FALSE(limit.seconds_to_wait("bob", kBegin));
  EXPECT_FALSE(limit.seconds_to_wait("ann", kBegin + seconds(61)));
}

TEST(RateLimit, WaitingLongGivesNoMoreThanAMinutesWorth) {
  RateLimit limit(2);
  EXPECT_FALSE(limit.seconds_to_wait("ann", kBegin));
  const auto later = kBegin + std::chrono::hours(5);
  EXPECT_FALSE(limit.seconds_to_wait("ann", later));
  EXPECT_FALSE(limit.seconds_to_wait("ann", later));
  EXPECT_TRUE(limit.seconds_to_wait("ann", later));
}

TEST(RateLimit, NoneIsNone) {
  RateLimit limit(0);
  for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(limit.seconds_to_wait("ann", kBegin));
}

} // namespace
} // namespace emend
