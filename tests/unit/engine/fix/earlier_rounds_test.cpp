#include "engine/fix/earlier_rounds.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

class EarlierRoundsTest : public testing::Test {
protected:
  EarlierRoundsTest() {
    unit.id = "u";
    unit.base = "base";
  }

  Attempt& attempt(AttemptResult result, const std::string& content) {
    Attempt made;
    made.id = std::to_string(attempts.size());
    made.unit_id = "u";
    made.base = "base";
    made.cycle = static_cast<int>(attempts.size()) + 1;
    made.result = result;
    if (!content.empty()) made.patch = Patch{{changed("a.c", "0\n", content)}};
    attempts.push_back(made);
    return attempts.back();
  }
  void judged(int score) {
    Verdict verdict;
    verdict.attempt_id = attempts.back().id;
    verdict.valid = true;
    verdict.score = score;
    verdicts.push_back(verdict);
  }
  EarlierRounds rounds() const { return earlier_rounds(attempts, verdicts, unit); }

  Unit unit;
  std::vector<Attempt> attempts;
  std::vector<Verdict> verdicts;
};

TEST_F(EarlierRoundsTest, TheLaterOfTwoThatFailedTheChecks) {
  attempt(AttemptResult::verification_failed, "1\n");
  attempt(AttemptResult::verification_failed, "2\n");
  ASSERT_TRUE(rounds().best);
  EXPECT_EQ(rounds().best->cycle, 2);
  EXPECT_EQ(rounds().set_aside(), nullptr);
}

TEST_F(EarlierRoundsTest, AJudgedChangeIsBetterThanOneThatFailsItsChecks) {
  attempt(AttemptResult::below_threshold, "1\n");
  judged(80);
  attempt(AttemptResult::verification_failed, "2\n");
  const EarlierRounds seen = rounds();
  EXPECT_EQ(seen.best->cycle, 1);
  EXPECT_EQ(seen.verdict->score, 80);
  ASSERT_NE(seen.set_aside(), nullptr);
  EXPECT_EQ(seen.set_aside()->cycle, 2);
}

TEST_F(EarlierRoundsTest, TheHigherScoreWins) {
  attempt(AttemptResult::below_threshold, "1\n");
  judged(90);
  attempt(AttemptResult::below_threshold, "2\n");
  judged(60);
  EXPECT_EQ(rounds().best->cycle, 1);
  attempt(AttemptResult::below_threshold, "3\n");
  judged(90);
  EXPECT_EQ(rounds().best->cycle, 3) << "of equals the later one";
}

TEST_F(EarlierRoundsTest, WhatWasRefusedIsShownButNotStartedFrom) {
  attempt(AttemptResult::refused, "1\n");
  const EarlierRounds seen = rounds();
  EXPECT_FALSE(seen.best);
  ASSERT_NE(seen.set_aside(), nullptr);
  EXPECT_EQ(seen.set_aside()->cycle, 1);
}

TEST_F(EarlierRoundsTest, OtherUnitsOtherBasesAndInterruptedOnesDoNotCount) {
  attempt(AttemptResult::verification_failed, "1\n").unit_id = "other";
  attempt(AttemptResult::verification_failed, "2\n").base = "other";
  attempt(AttemptResult::interrupted, "3\n");
  EXPECT_FALSE(rounds().best);
  EXPECT_FALSE(rounds().last);
}

TEST_F(EarlierRoundsTest, RemembersThatAJudgementWasContested) {
  attempt(AttemptResult::below_threshold, "1\n");
  EXPECT_FALSE(rounds().contested);
  attempt(AttemptResult::below_threshold, "1\n").claim = Claim::contested;
  EXPECT_TRUE(rounds().contested);
}

} // namespace
} // namespace emend
