#include "engine/judge/rubric.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

RubricFacts all_good() { return {true, true, true, true, 3}; }

TEST(Rubric, EverythingShownIsFullMarks) {
  const RubricScore score = rubric_score(all_good());
  EXPECT_EQ(score.score, 100);
  EXPECT_EQ(score.points.at("gone"), 40);
  EXPECT_EQ(score.points.at("verified"), 30);
  EXPECT_NE(score.feedback.find("no model"), std::string::npos);
}

TEST(Rubric, SizeAloneDoesNotRefuseAFixAtTheDefaultThreshold) {
  RubricFacts facts = all_good();
  facts.changed_lines = 500;
  EXPECT_EQ(rubric_score(facts).score, 95);
}

TEST(Rubric, NothingElseCanBeMissingAtTheDefaultThreshold) {
  for (int missing = 0; missing < 4; ++missing) {
    RubricFacts facts = all_good();
    if (missing == 0) facts.finding_gone = false;
    if (missing == 1) facts.verified = false;
    if (missing == 2) facts.nothing_new = false;
    if (missing == 3) facts.confined = false;
    EXPECT_LT(rubric_score(facts).score, 95) << missing;
  }
}

TEST(Rubric, WithoutCommandsVerificationIsNotCountedAndSaidSo) {
  RubricFacts facts = all_good();
  facts.verified.reset();
  const RubricScore score = rubric_score(facts);
  EXPECT_EQ(score.score, 100);
  EXPECT_FALSE(score.points.contains("verified"));
  EXPECT_NE(score.feedback.find("not counted"), std::string::npos);
  facts.finding_gone = false;
  EXPECT_LT(rubric_score(facts).score, 50);
}

} // namespace
} // namespace emend
