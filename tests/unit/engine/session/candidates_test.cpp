// Several changes for one issue: which are the same, and which is best.
#include "engine/session/candidates.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

Candidate candidate(AttemptResult result, Evidence level, int score, const std::string& after) {
  Candidate made;
  made.attempt.patch = Patch{{changed("a.py", "x = 1\n", after)}};
  made.end.result = result;
  made.end.score = score;
  made.level = level;
  return made;
}

TEST(Candidates, AnAcceptedOneIsBestThenEvidenceScoreAndTheSmallerDiff) {
  using R = AttemptResult;
  const Candidate failed = candidate(R::verification_failed, Evidence::proven, -1, "x = 2\n"),
                  refused = candidate(R::below_threshold, Evidence::proven, 80, "x = 2\n"),
                  weak = candidate(R::accepted, Evidence::unbroken, 100, "x = 2\n"),
                  sure = candidate(R::accepted, Evidence::repaired, 95, "x = 2\n"),
                  liked = candidate(R::accepted, Evidence::repaired, 98, "x = 2\ny = 1\n"),
                  small = candidate(R::accepted, Evidence::repaired, 98, "x = 3\n");
  EXPECT_EQ(best_candidate({failed, refused}), 1U);
  EXPECT_EQ(best_candidate({refused, weak}), 1U);
  EXPECT_EQ(best_candidate({weak, sure, failed}), 1U);
  EXPECT_EQ(best_candidate({sure, liked}), 1U);
  EXPECT_EQ(best_candidate({liked, small}), 1U);
  EXPECT_EQ(best_candidate({small, small}), 0U) << "of equals the first";
}

TEST(Candidates, TheSameChangeIsOneCandidate) {
  std::vector<Candidate> all(3, candidate(AttemptResult::accepted, Evidence::judged, 95, "x = 2\n"));
  all[1].attempt.patch = Patch{{changed("a.py", "x = 1\n", "x = 3\n")}};
  EXPECT_EQ(first_same(all, 0), 0U);
  EXPECT_EQ(first_same(all, 1), 1U);
  EXPECT_EQ(first_same(all, 2), 0U);
  all[0].attempt.patch = all[2].attempt.patch = {};
  EXPECT_EQ(first_same(all, 2), 2U) << "no change is no duplicate";
}

TEST(Candidates, AreAsManyAsAskedForAndTheBudgetLasts) {
  EXPECT_EQ(candidates_wanted(3, false, 3, std::nullopt, 0), 3U);
  EXPECT_EQ(candidates_wanted(3, false, 1, std::nullopt, 0), 2U) << "nobody else is there";
  EXPECT_EQ(candidates_wanted(0, false, 3, std::nullopt, 0), 1U);
  EXPECT_EQ(candidates_wanted(0, true, 3, std::nullopt, 0), 2U) << "after a round that failed";
  EXPECT_EQ(candidates_wanted(3, false, 3, 0.5, 2.0), 2U) << "each is made and judged";
  EXPECT_EQ(candidates_wanted(3, false, 3, 0.5, 0.1), 1U);
}

} // namespace
} // namespace emend
