// What several tools say about one place becomes one issue; what one tool says twice stays two.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/review/review.hpp"

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

TEST(MergeDuplicates, OtherRulesLinesAndFindingsWithoutARuleStayApart) {
  EXPECT_EQ(merge_duplicates({said("a", "R1", 1, "1"), said("b", "R2", 1, "2"), said("b", "R1", 2, "3"),
                              said("a", "", 1, "4"), said("b", "", 1, "5"), said("a", "R1", 0, "6"),
                              said("b", "R1", 0, "7")})
                .size(),
            7U);
}

} // namespace
} // namespace emend
