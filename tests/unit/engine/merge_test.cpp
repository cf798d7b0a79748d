// What several tools say about one place becomes one issue; what one tool says twice stays two.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/review/review.hpp"
#include "model/review_rules.hpp"

namespace emend {
namespace {

using testing::ElementsAre;

Issue said(const std::string& agent, const std::string& rule, int line, const std::string& fingerprint,
           Severity severity = Severity::low) {
  Issue issue;
  issue.fingerprint = fingerprint;
  issue.finding.agent = agent;
  issue.finding.rule = rule;
  issue.finding.file = "a.py";
  issue.finding.line = line;
  issue.finding.severity = severity;
  return issue;
}

TEST(MergeDuplicates, OneFingerprintIsOneIssueWithTheHighestSeverityAndAllWhoFoundIt) {
  Issue second = said("b", "R", 3, "f", Severity::high);
  second.finding.fixit = FixIt{"x", true, {}, {}};
  const auto merged = merge_duplicates({said("a", "R", 3, "f"), second, said("a", "R", 3, "f")});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].finding.severity, Severity::high);
  EXPECT_THAT(merged[0].finding.found_by, ElementsAre("a", "b"));
  EXPECT_TRUE(merged[0].finding.fixit);
  EXPECT_EQ(merged[0].finding.agent, "a");
}

TEST(MergeDuplicates, TheSameRuleOnOneLineFromTwoToolsIsOneIssueWhateverTheColumn) {
  const auto merged = merge_duplicates({said("ruff", "F401", 1, "f1"), said("flake8", "F401", 1, "f2"),
                                        said("pylint", "unused-import", 1, "f3")});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_THAT(merged[0].finding.found_by, ElementsAre("ruff", "flake8", "pylint"));
  EXPECT_EQ(merged[0].fingerprint, "f1");
}

TEST(MergeDuplicates, OneToolTwiceOnALineIsTwoIssuesAndAnotherToolsTwoJoinThem) {
  const auto merged = merge_duplicates({said("ruff", "F401", 1, "f1"), said("ruff", "F401", 1, "f2"),
                                        said("flake8", "F401", 1, "f3"), said("flake8", "F401", 1, "f4")});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_THAT(merged[1].finding.found_by, ElementsAre("ruff", "flake8"));
}

// ruff's F401 in __init__.py is quiet, pylint's name of it is not; a mark of doubt is the marked tool's
// alone.
TEST(MergeDuplicates, WhoIsSureSpeaksForWhoDoubts) {
  Issue doubtful = said("ruff", "F841", 1, "f1"), quiet = said("ruff", "F401", 2, "f3");
  mark_doubtful(doubtful.finding);
  quiet.finding.file = "__init__.py";
  Issue sure = said("pylint", "unused-import", 2, "f4");
  sure.finding.file = "__init__.py";
  const auto merged = merge_duplicates({doubtful, said("flake8", "F841", 1, "f2"), quiet, sure});
  ASSERT_EQ(merged.size(), 2U);
  for (const Issue& issue : merged) EXPECT_FALSE(is_noise(issue.finding)) << issue.finding.rule;
  EXPECT_THAT(merged[0].finding.found_by, ElementsAre("flake8", "ruff"));
  EXPECT_EQ(merged[1].finding.rule, "unused-import");
  const auto both = merge_duplicates({quiet, doubtful, quiet});
  for (const Issue& issue : both) EXPECT_TRUE(is_noise(issue.finding)) << issue.finding.rule;
}

TEST(MergeDuplicates, ToolsThatNameOneFactDifferentlySayItOnce) {
  const std::pair<const char*, const char*> same[] = {{"TS6133", "no-unused-vars"},
                                                      {"W292", "emend/missing-final-newline"},
                                                      {"MD047", "emend/missing-final-newline"},
                                                      {"S105", "emend/secret"},
                                                      {"B105", "S105"},
                                                      {"B602", "S602"},
                                                      {"reportUndefinedVariable", "F821"},
                                                      {"clippy::dbg_macro", "emend/debug-leftover"}};
  for (const auto& [one, other] : same) {
    const auto merged = merge_duplicates({said("a", one, 1, "1"), said("b", other, 1, "2")});
    EXPECT_EQ(merged.size(), 1U) << one << " and " << other;
  }
  for (const auto& [one, other] : {std::pair{"B006", "S006"}, {"F401", "F811"}, {"nullPointer", "memleak"}})
    EXPECT_EQ(merge_duplicates({said("a", one, 1, "1"), said("b", other, 1, "2")}).size(), 2U) << one;
}

TEST(MergeDuplicates, OtherRulesLinesAndFindingsWithoutARuleStayApart) {
  EXPECT_EQ(merge_duplicates({said("a", "R1", 1, "1"), said("b", "R2", 1, "2"), said("b", "R1", 2, "3"),
                              said("a", "", 1, "4"), said("b", "", 1, "5"), said("a", "R1", 0, "6"),
                              said("b", "R1", 0, "7")})
                .size(),
            7U);
}

} // namespace
} // namespace emend
