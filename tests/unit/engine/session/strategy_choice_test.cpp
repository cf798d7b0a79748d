#include "engine/session/strategy_choice.hpp"

#include <gmock/gmock.h>

namespace emend {
namespace {

using testing::HasSubstr;

TEST(CheapestStrategy, WithoutFiguresItIsPerIssue) {
  const StrategyChoice choice = cheapest({{Strategy::one_call, kResolvedToCount - 1, 1, 0, false}});
  EXPECT_EQ(choice.strategy, Strategy::per_issue);
  EXPECT_THAT(choice.why, HasSubstr("yet"));
}

TEST(CheapestStrategy, TakesTheLowestPriceOfAResolvedIssue) {
  const StrategyChoice choice =
      cheapest({{Strategy::per_issue, 10, 100'000, 2.0, true}, {Strategy::batched, 10, 120'000, 1.0, true}});
  EXPECT_EQ(choice.strategy, Strategy::batched);
  EXPECT_THAT(choice.why, HasSubstr("batched $0.1000, per-issue $0.2000"));
}

TEST(CheapestStrategy, ComparesTokensWhereARunHadNoPrice) {
  EXPECT_EQ(
      cheapest({{Strategy::per_issue, 10, 100'000, 2.0, true}, {Strategy::batched, 10, 120'000, 1.0, false}})
          .strategy,
      Strategy::per_issue);
}

// What failed was paid for, too.
TEST(CheapestStrategy, CountsByWhatWasResolved) {
  EXPECT_EQ(
      cheapest({{Strategy::per_issue, 20, 100'000, 0, false}, {Strategy::one_call, 5, 50'000, 0, false}})
          .strategy,
      Strategy::per_issue);
}

} // namespace
} // namespace emend
