// What the ledger of fixes adds up to.
#include "model/fix_outcome.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

FixOutcome fix(FixFate fate, const std::string& agent = "claude", const std::string& rule = "F401") {
  FixOutcome outcome;
  outcome.fate = fate;
  outcome.agent = agent;
  outcome.rule = rule;
  return outcome;
}

TEST(FixOutcomes, AreCountedByGroup) {
  FixOutcome back = fix(FixFate::merged, "codex");
  back.back = back.changed_again = true;
  const std::vector<FixOutcome> all = {fix(FixFate::merged),   fix(FixFate::edited),  fix(FixFate::rejected),
                                       fix(FixFate::reverted), fix(FixFate::waiting), back};
  const auto rows = count_outcomes(all, "agent");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].key, "claude");
  EXPECT_EQ(rows[0].fixes, 5);
  EXPECT_EQ(rows[0].kept_percent(), 50) << "2 of the 4 that were decided about";
  EXPECT_EQ(rows[1].back, 1);
  EXPECT_EQ(rows[1].changed_again, 1);
  EXPECT_EQ(count_outcomes(all, "rule").size(), 1U);
  EXPECT_FALSE(count_outcomes({fix(FixFate::waiting)}, "model")[0].kept_percent());
}

TEST(FixOutcomes, AutonomyNeedsTwentyMergedAndOneRevertTakesItAway) {
  std::vector<FixOutcome> all(19, fix(FixFate::merged));
  all.push_back(fix(FixFate::edited));
  all.push_back(fix(FixFate::merged, "codex"));
  all.push_back(fix(FixFate::merged, "claude", "E501"));
  EXPECT_FALSE(has_earned(all, "claude", "F401")) << "an edited fix was not right as it was";
  all.push_back(fix(FixFate::merged));
  EXPECT_TRUE(has_earned(all, "claude", "F401"));
  EXPECT_FALSE(has_earned(all, "codex", "F401"));
  EXPECT_FALSE(has_earned(all, "claude", "E501"));
  all.push_back(fix(FixFate::reverted));
  EXPECT_FALSE(has_earned(all, "claude", "F401"));
}

// Findings that name no rule have nothing in common, however many of their fixes were merged.
TEST(FixOutcomes, WithoutARuleNothingIsEarned) {
  const std::vector<FixOutcome> all(30, fix(FixFate::merged, "claude", ""));
  EXPECT_FALSE(has_earned(all, "claude", ""));
  EXPECT_TRUE(earned_trust(all).empty());
  const std::vector<FixOutcome> nobodys(30, fix(FixFate::merged, "", "F401"));
  EXPECT_FALSE(has_earned(nobodys, "", "F401"));
}

TEST(FixOutcomes, TheWayToAutonomyIsShownByAgentAndRule) {
  std::vector<FixOutcome> all(20, fix(FixFate::merged));
  all.push_back(fix(FixFate::merged, "codex"));
  all.push_back(fix(FixFate::merged, "claude", "E501"));
  all.push_back(fix(FixFate::reverted, "claude", "E501"));
  all.push_back(fix(FixFate::rejected, "gemini"));
  std::vector<std::string> rows;
  for (const EarnedTrust& row : earned_trust(all))
    rows.push_back(row.agent + " " + row.rule + ": " + earned_text(row));
  EXPECT_EQ(rows, (std::vector<std::string>{"claude F401: earned", "claude E501: lost: 1 was reverted",
                                            "codex F401: 1 of 20 merged"}));
  const Json json = to_json(earned_trust(all).front());
  EXPECT_EQ(json["earned"], true);
  EXPECT_EQ(json["merged"], 20);
  EXPECT_EQ(json["needed"], kEarnedFixes);
}

TEST(FixOutcomes, LanguagesHaveNames) {
  EXPECT_EQ(language_name("src/a.PY"), "Python");
  EXPECT_EQ(language_name("a.b/Makefile"), "");
  EXPECT_EQ(language_name("x/y.zig"), "zig");
}

} // namespace
} // namespace emend
