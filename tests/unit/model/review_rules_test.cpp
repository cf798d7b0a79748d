#include "model/review_rules.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

Finding finding(std::string rule, std::string file = "src/a.py", std::string agent = "flake8") {
  Finding made;
  made.rule = std::move(rule);
  made.file = std::move(file);
  made.agent = std::move(agent);
  made.line = 2;
  return made;
}

std::string no_line(int) { return ""; }

TEST(ReviewRules, ARuleIsNamedByItsNameItsBeginningOrAPattern) {
  EXPECT_TRUE(names_rule("F401", "F401", "flake8"));
  EXPECT_TRUE(names_rule("F4", "F401", "flake8"));
  EXPECT_TRUE(names_rule("SC", "SC2016", "shellcheck"));
  EXPECT_FALSE(names_rule("S", "SC2016", "shellcheck"));
  EXPECT_FALSE(names_rule("F4010", "F401", "flake8"));
  EXPECT_TRUE(names_rule("bugprone-*", "bugprone-branch-clone", "clang-tidy"));
  EXPECT_TRUE(names_rule("lint/*", "lint/style/useConst", "biome"));
  EXPECT_FALSE(names_rule("bugprone", "bugprone-branch-clone", "clang-tidy"));
  EXPECT_FALSE(names_rule("", "F401", "flake8"));
}

TEST(ReviewRules, AnAnalyzerInFrontNarrowsItDown) {
  EXPECT_TRUE(names_rule("codespell:", "codespell/teh", "codespell"));
  EXPECT_FALSE(names_rule("codespell:", "F401", "flake8"));
  EXPECT_TRUE(names_rule("flake8:F401", "F401", "flake8"));
  EXPECT_FALSE(names_rule("flake8:F401", "F401", "ruff"));
}

TEST(ReviewRules, FilesAreLeftOutByDirectoryAndGlobAndTakenBack) {
  ReviewRules rules;
  rules.exclude = {"lib/", "*.gen.py", "!lib/own/**"};
  EXPECT_TRUE(rules.leaves_out("lib/a.py"));
  EXPECT_TRUE(rules.leaves_out("src/deep/a.gen.py"));
  EXPECT_FALSE(rules.leaves_out("lib/own/a.py"));
  EXPECT_FALSE(rules.leaves_out("library.py"));
  rules.include = {"src"};
  EXPECT_TRUE(rules.leaves_out("docs/a.py"));
  EXPECT_FALSE(rules.leaves_out("src/a.py"));
}

TEST(ReviewRules, SelectIgnoreAndPerFileIgnoresHideFindings) {
  ReviewRules rules;
  EXPECT_EQ(rules.why_hidden(finding("F401"), no_line), "");
  rules.select = {"F"};
  EXPECT_EQ(rules.why_hidden(finding("E501"), no_line), "not in review.select");
  EXPECT_EQ(rules.why_hidden(finding("F401"), no_line), "");
  rules.ignore = {"F4"};
  EXPECT_EQ(rules.why_hidden(finding("F401"), no_line), "in review.ignore");
  rules.ignore.clear();
  rules.per_file_ignores = {{"tests/**", {"F811"}}};
  EXPECT_EQ(rules.why_hidden(finding("F811", "tests/a.py"), no_line), "in review.per_file_ignores");
  EXPECT_EQ(rules.why_hidden(finding("F811"), no_line), "");
}

TEST(ReviewRules, ACommentOnTheLineOrAloneAboveItIgnoresTheRulesItNames) {
  const Finding found = finding("F401");
  EXPECT_EQ(ignored_by("import os  # emend: ignore F401 re-exported", found), "re-exported");
  EXPECT_EQ(ignored_by("import os  # emend: ignore E1,F4", found), "");
  EXPECT_FALSE(ignored_by("import os  # emend: ignore", found));
  EXPECT_FALSE(ignored_by("import os  # emend: ignore F811 F401", found)) << "the reason names no rules";
  const ReviewRules rules;
  const auto lines = [](std::string above, std::string line) {
    return [=](int number) { return number == 1 ? above : line; };
  };
  EXPECT_EQ(rules.why_hidden(found, lines("", "import os # emend: ignore F401")), "ignored by a comment");
  EXPECT_EQ(rules.why_hidden(found, lines("  # emend: ignore F401 old", "import os")),
            "ignored by a comment");
  EXPECT_EQ(rules.why_hidden(found, lines("import sys # emend: ignore F401", "import os")), "")
      << "it speaks of its own line";
}

TEST(ReviewRules, WhatIsDoubtfulIsShownToWhoAsksForIt) {
  Finding found = finding("M1");
  ReviewRules rules;
  EXPECT_EQ(rules.why_hidden(found, no_line), "");
  mark_doubtful(found);
  mark_doubtful(found);
  EXPECT_EQ(found.annotations.size(), 1U);
  EXPECT_EQ(rules.why_hidden(found, no_line), "doubtful (--strict shows them)");
  rules.select = {"M1"};
  EXPECT_EQ(rules.why_hidden(found, no_line), "");
  rules.select.clear();
  rules.strict = true;
  EXPECT_EQ(rules.why_hidden(found, no_line), "");
}

} // namespace
} // namespace emend
