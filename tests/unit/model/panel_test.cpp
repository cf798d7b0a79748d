// The votes of several judges on one change.
#include "model/panel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

Verdict vote(const std::string& agent, const std::string& family, int score) {
  Verdict verdict;
  verdict.agent = agent;
  verdict.family = family;
  verdict.valid = true;
  verdict.score = score;
  verdict.feedback = agent + " says so";
  return verdict;
}

int joint(const std::vector<Verdict>& votes, int panel = 2) {
  const auto verdict = joint_verdict(votes, panel);
  return verdict ? *verdict->score : -1;
}

TEST(Panel, TheAverageOfTwoVendorsCounts) {
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), vote("gemini", "google", 90)}), 95);
  EXPECT_EQ(joint({vote("claude", "anthropic", 99), vote("gemini", "google", 90)}), 94)
      << "94.5 does not reach 95";
  EXPECT_EQ(joint({vote("a", "", 99), vote("b", "", 97)}), 98)
      << "unknown vendors: two agents are two judges";
}

TEST(Panel, OneVendorIsOneVoteAndItsLowestScoreCounts) {
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), vote("other", "anthropic", 98)}), -1);
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), vote("claude", "anthropic", 80),
                   vote("gemini", "google", 100)}),
            90);
}

TEST(Panel, WhatIsNoVoteDoesNotCount) {
  Verdict invalid = vote("gemini", "google", 99);
  invalid.valid = false;
  Verdict canary = vote("gemini", "google", 99);
  canary.canary = "empty";
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), invalid, canary}), -1);
  EXPECT_EQ(joint({invalid, canary}, 1), -1);
}

TEST(Panel, AVeryLowVoteDecidesByItself) {
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), vote("gemini", "google", 49)}), 49);
  EXPECT_EQ(joint({vote("claude", "anthropic", 100), vote("gemini", "google", 50)}), 75);
}

TEST(Panel, OneJudgeIsWhatItWas) {
  EXPECT_EQ(joint({vote("claude", "anthropic", 97), vote("gemini", "google", 80)}, 1), 80)
      << "a no outweighs a yes";
}

TEST(Panel, TheFixerHearsAllOfThemAndNotWhoTheyAre) {
  Verdict low = vote("gemini", "google", 80);
  low.improvements_needed = {"handle empty input"};
  low.feedback = "misses a case";
  Verdict high = vote("claude", "anthropic", 97);
  high.feedback = "looks right";
  const auto verdict = joint_verdict({high, low}, 2);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->feedback, "One judge (97 of 100): looks right\nOne judge (80 of 100): misses a case");
  EXPECT_THAT(verdict->improvements_needed, testing::ElementsAre("handle empty input"));
  EXPECT_EQ(votes_text({high, low}, 2), "claude 97, gemini 80: 88 on average");
}

} // namespace
} // namespace emend
