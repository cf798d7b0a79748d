#include "engine/branch/culprits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

// A check that fails with any of `bad`, or with all of `pair`.
struct Check {
  std::set<std::size_t> bad = {};
  std::set<std::size_t> pair = {};
  std::atomic<int> runs = 0;

  GroupCheck check() {
    return [this](const Group& group) -> Result<GroupEnd> {
      ++runs;
      std::size_t seen = 0;
      for (const std::size_t i : group) {
        if (bad.contains(i)) return GroupEnd::failed;
        seen += pair.contains(i) ? 1U : 0U;
      }
      return !pair.empty() && seen == pair.size() ? GroupEnd::failed : GroupEnd::passed;
    };
  }
};

TEST(Culprits, OneOfOneNeedsNoRun) {
  Check check{{0}};
  EXPECT_THAT(find_culprits(1, {}, 4, check.check()).value().alone, ElementsAre(0));
  EXPECT_EQ(check.runs, 0);
}

TEST(Culprits, OneOfManyIsFoundInLogarithmicRuns) {
  for (const std::size_t bad : {0U, 511U, 700U, 1023U}) {
    Check check{{bad}};
    EXPECT_THAT(find_culprits(1024, {}, 1, check.check()).value().alone, ElementsAre(bad));
    EXPECT_LE(check.runs, 2 * 10) << bad;
  }
}

TEST(Culprits, ManyAreFoundTogether) {
  Check check;
  for (std::size_t i = 0; i < 36; i += 3) check.bad.insert(i);
  EXPECT_THAT(find_culprits(40, {}, 4, check.check()).value().alone, ElementsAreArray(check.bad));
  EXPECT_LE(check.runs, 60);
}

TEST(Culprits, ASuspectCostsOneRunAndOneForTheOthers) {
  Check check{{17}};
  EXPECT_THAT(find_culprits(40, {17}, 4, check.check()).value().alone, ElementsAre(17));
  EXPECT_EQ(check.runs, 2);
}

TEST(Culprits, AWrongSuspectIsNotCondemned) {
  Check check{{30}};
  EXPECT_THAT(find_culprits(40, {3, 17}, 4, check.check()).value().alone, ElementsAre(30));
}

TEST(Culprits, ThoseThatFailOnlyTogetherAreNamedAsAGroup) {
  Check check{{}, {4, 33}};
  const Culprits found = find_culprits(40, {}, 4, check.check()).value();
  EXPECT_THAT(found.alone, IsEmpty());
  EXPECT_EQ(found.together.size(), 40U);
  EXPECT_EQ(found.passing, 10U);
  EXPECT_EQ(check.runs, 4);
}

TEST(Culprits, AGroupThatFailsTogetherMayBeAPartOfAll) {
  Check check{{}, {4, 5}};
  const Culprits found = find_culprits(40, {}, 4, check.check()).value();
  EXPECT_THAT(found.alone, IsEmpty());
  EXPECT_THAT(found.together, testing::IsSupersetOf({4U, 5U}));
  EXPECT_LT(found.together.size(), 10U);
}

TEST(Culprits, AStopEndsTheSearch) {
  const auto stopped = [](const Group&) -> Result<GroupEnd> { return GroupEnd::stopped; };
  EXPECT_TRUE(find_culprits(8, {}, 2, stopped).value().stopped);
}

TEST(Culprits, AnErrorIsHandedOn) {
  const auto broken = [](const Group&) -> Result<GroupEnd> { return fail(ErrorCode::io, "no space"); };
  EXPECT_FALSE(find_culprits(8, {}, 2, broken));
}

} // namespace
} // namespace emend
