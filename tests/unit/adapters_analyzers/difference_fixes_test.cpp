// What a tool changed becomes fix-its of what it reported.
#include "adapters/analyzers/difference_fixes.hpp"

#include <gtest/gtest.h>

#include "model/finding.hpp"

namespace emend {
namespace {

class DifferenceFixesTest : public testing::Test {
protected:
  Finding at(int line, int line_end = 0) const {
    Finding finding;
    finding.file = "a.js";
    finding.line = line;
    finding.line_end = line_end;
    return finding;
  }
  // The file as the finding's fix-it leaves it; "" = it has none.
  std::string fixed(const Finding& finding) const {
    if (!finding.fixit) return "";
    return apply_edits(before_, "a.js", finding.fixit->edits).value_or("?");
  }
  std::vector<Finding> worked_out(std::vector<Finding> findings, const std::string& after) const {
    fix_by_difference(findings, tool_, "a.js", before_, after);
    return findings;
  }

  KnownAnalyzer tool_{.name = "madeup", .fixes_are_safe = true};
  std::string before_ = "one\ntwo\nthree\nfour\nfive";
};

TEST_F(DifferenceFixesTest, AFindingGetsWhatWasChangedOnItsLines) {
  const auto findings = worked_out({at(2), at(4), at(1)}, "one\n2\nthree\n4\nfive");
  EXPECT_EQ(fixed(findings[0]), "one\n2\nthree\nfour\nfive");
  EXPECT_EQ(fixed(findings[1]), "one\ntwo\nthree\n4\nfive");
  EXPECT_EQ(fixed(findings[2]), "") << "nothing was changed there";
  EXPECT_TRUE(findings[0].fixit->safe);
}

TEST_F(DifferenceFixesTest, LinesThatWereAddedOrRemovedCountWhereTheyStand) {
  EXPECT_EQ(fixed(worked_out({at(3)}, "one\ntwo\nnew\nthree\nfour\nfive")[0]),
            "one\ntwo\nnew\nthree\nfour\nfive");
  EXPECT_EQ(fixed(worked_out({at(2)}, "one\nthree\nfour\nfive")[0]), "one\nthree\nfour\nfive");
  EXPECT_EQ(fixed(worked_out({at(5)}, "one\ntwo\nthree\nfour\nfive\n")[0]), "one\ntwo\nthree\nfour\nfive\n")
      << "a last line without its end";
}

TEST_F(DifferenceFixesTest, AFindingOverSeveralLinesTakesAllOfTheirChanges) {
  EXPECT_EQ(fixed(worked_out({at(2, 4)}, "one\n2\nthree\n4\nfive")[0]), "one\n2\nthree\n4\nfive");
}

TEST_F(DifferenceFixesTest, OtherFilesKnownFixesAndPlacelessFindingsStayAsTheyAre) {
  Finding other = at(2), fixable = at(2), placeless = at(0);
  other.file = "b.js";
  fixable.fixit = FixIt{"its own", false, {{"a.js", 0, 3, "1"}}, {}};
  const auto findings = worked_out({other, fixable, placeless}, "one\n2\nthree\nfour\nfive");
  EXPECT_FALSE(findings[0].fixit);
  EXPECT_EQ(findings[1].fixit->description, "its own");
  EXPECT_FALSE(findings[2].fixit);
}

TEST_F(DifferenceFixesTest, WhatAFormatterWouldChangeIsOneFinding) {
  const std::string after = "one\n2\nthree\nfour\n5\n";
  const Finding finding = finding_by_difference(tool_, "a.js", before_, after);
  EXPECT_EQ(finding.line, 2) << "where it begins";
  EXPECT_EQ(finding.severity, Severity::info);
  EXPECT_EQ(finding.fixit->edits.size(), 2U);
  EXPECT_EQ(fixed(finding), after);
}

TEST_F(DifferenceFixesTest, AnEmptiedFileAndAFilledOneAreDifferencesToo) {
  EXPECT_EQ(fixed(finding_by_difference(tool_, "a.js", before_, "")), "");
  before_ = "";
  EXPECT_EQ(fixed(finding_by_difference(tool_, "a.js", "", "one\n")), "one\n");
}

} // namespace
} // namespace emend
