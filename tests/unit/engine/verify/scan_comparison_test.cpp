#include "engine/verify/scan_comparison.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

Finding at(int line, const std::string& rule, Severity severity = Severity::medium,
           const std::string& file = "a.sh") {
  Finding finding;
  finding.agent = "shellcheck";
  finding.rule = rule;
  finding.file = file;
  finding.line = line;
  finding.severity = severity;
  return finding;
}

Patch change_of(const std::string& before, const std::string& after, const std::string& file = "a.sh") {
  FileChange change;
  change.path = file;
  change.old_mode = change.new_mode = kModeFile;
  change.old_content = before;
  change.new_content = after;
  change.old_id = "old";
  change.new_id = "new";
  return Patch{{change}};
}

using Ids = std::vector<std::string>;

TEST(LineMap, UnchangedLinesKeepTheirPlaceAndChangedOnesShareTheirHunk) {
  const LineMap map("a\nb\nc\nd\n", "x\na\nB1\nB2\nc\nd\n");
  EXPECT_EQ(map.old_slot(1), 2);
  EXPECT_LT(map.old_slot(2), 0);
  EXPECT_EQ(map.new_slot(3), map.old_slot(2));
  EXPECT_EQ(map.new_slot(4), map.old_slot(2));
  EXPECT_NE(map.new_slot(1), map.old_slot(2)); // another hunk
  EXPECT_EQ(map.old_slot(4), 6);
  EXPECT_EQ(map.old_slot(0), 0);
  EXPECT_EQ(map.old_slot(99), 0);
}

TEST(ScanComparison, AFixedFindingIsGoneAndTheOthersOnlyMoved) {
  const Patch patch = change_of("cd $x\necho $y\nrm $z\n", "set -e\ncd \"$x\"\necho $y\nrm $z\n");
  const std::vector<Finding> before = {at(1, "SC2086"), at(2, "SC2086"), at(3, "SC2086")};
  const Rescan rescan =
      compare_scans(before, {at(3, "SC2086"), at(4, "SC2086")}, patch, {{"one", before[0]}});
  EXPECT_EQ(rescan.gone, Ids{"one"});
  EXPECT_TRUE(rescan.remaining.empty());
  EXPECT_TRUE(rescan.fresh.empty());
}

TEST(ScanComparison, AFindingThatStaysInItsChangedLineRemains) {
  const Patch patch = change_of("cd $x\n", "cd  $x\n");
  const Rescan rescan =
      compare_scans({at(1, "SC2086")}, {at(1, "SC2086")}, patch, {{"one", at(1, "SC2086")}});
  EXPECT_EQ(rescan.remaining, Ids{"one"});
  EXPECT_TRUE(rescan.fresh.empty());
}

TEST(ScanComparison, AFindingWhoseLineWasNotEvenTouchedRemains) {
  const Patch patch = change_of("cd $x\necho ok\n", "cd $x\necho fine\n");
  const Rescan rescan =
      compare_scans({at(1, "SC2086")}, {at(1, "SC2086")}, patch, {{"one", at(1, "SC2086")}});
  EXPECT_EQ(rescan.remaining, Ids{"one"});
}

TEST(ScanComparison, OneOfTwoOnALineMayBeFixedAlone) {
  const Patch patch = change_of("cp $x $y\n", "cp \"$x\" $y\n");
  const std::vector<Finding> before = {at(1, "SC2086"), at(1, "SC2086")};
  const Rescan one = compare_scans(before, {at(1, "SC2086")}, patch, {{"one", before[0]}});
  EXPECT_EQ(one.gone, Ids{"one"});
  const Rescan both =
      compare_scans(before, {at(1, "SC2086")}, patch, {{"one", before[0]}, {"two", before[1]}});
  EXPECT_EQ(both.remaining, (Ids{"one", "two"})); // which of them it is cannot be known
}

TEST(ScanComparison, ABugThatWasMovedElsewhereIsNew) {
  const Patch patch = change_of("cd $x\necho\n", "echo\ncd $x\n");
  const Rescan rescan =
      compare_scans({at(1, "SC2086")}, {at(2, "SC2086")}, patch, {{"one", at(1, "SC2086")}});
  ASSERT_EQ(rescan.fresh.size() + rescan.remaining.size(),
            1u); // moved: seen as new, or as still there; never as fixed
  if (!rescan.fresh.empty()) {
    EXPECT_EQ(fresh_against(rescan, Severity::medium, patch).size(), 1u);
  }
}

TEST(ScanComparison, ANewFindingOnAnUntouchedLineIsNew) {
  const Patch patch = change_of("int unused = f();\nuse(unused);\n", "int unused = f();\n");
  const Rescan rescan =
      compare_scans({at(2, "X")}, {at(1, "unused-variable", Severity::low)}, patch, {{"one", at(2, "X")}});
  EXPECT_EQ(rescan.gone, Ids{"one"});
  ASSERT_EQ(rescan.fresh.size(), 1u);
  EXPECT_EQ(rescan.fresh[0].rule, "unused-variable");
  EXPECT_TRUE(fresh_against(rescan, Severity::medium, patch).empty()); // weaker than what was fixed
  EXPECT_EQ(fresh_against(rescan, Severity::low, patch).size(), 1u);
  EXPECT_TRUE(fresh_against(rescan, Severity::low, change_of("a", "b", "other.sh")).empty());
}

TEST(ScanComparison, FindingsOfTheWholeFileAreCounted) {
  const Patch patch = change_of("a\n", "b\n");
  EXPECT_TRUE(compare_scans({at(0, "W")}, {at(0, "W")}, patch, {}).fresh.empty());
  EXPECT_EQ(compare_scans({at(0, "W")}, {at(0, "W"), at(0, "W")}, patch, {}).fresh.size(), 1u);
}

TEST(RescanProblem, SaysWhatIsNotShown) {
  Issue issue;
  issue.id = "one";
  issue.finding = at(1, "SC2086");
  const Patch patch = change_of("a\n", "b\n");
  Rescan rescan;
  EXPECT_NE(rescan_problem(rescan, issue, patch).find("not seen on the base"), std::string::npos);
  rescan.gone = {"one"};
  rescan.tools = {{"shellcheck", "0.9", "done", "", "done", {}}};
  EXPECT_EQ(rescan_problem(rescan, issue, patch), "");
  rescan.tools.push_back({"codespell", "2", "timed_out", "", "failed", {"a.sh"}});
  EXPECT_EQ(rescan_problem(rescan, issue, patch), "") << "it did not work on the base either";
  rescan.tools.back() = {"codespell", "2", "timed_out", "", "done", {"b.sh"}};
  EXPECT_EQ(rescan_problem(rescan, issue, patch), "") << "it was to look at another file";
  rescan.tools.back() = {"codespell", "2", "timed_out", "", "done", {"a.sh"}};
  EXPECT_NE(rescan_problem(rescan, issue, patch).find("codespell failed"), std::string::npos);
  rescan.tools.pop_back();
  rescan.fresh = {{"shellcheck", "SC1000", "a.sh", 4, Severity::critical, ""}};
  EXPECT_NE(rescan_problem(rescan, issue, patch).find("new: a.sh:4 shellcheck SC1000"), std::string::npos);
  rescan.fresh.clear();
  rescan.gone.clear();
  rescan.remaining = {"one"};
  EXPECT_EQ(rescan_problem(rescan, issue, patch), "shellcheck still reports SC2086");
}

} // namespace
} // namespace emend
