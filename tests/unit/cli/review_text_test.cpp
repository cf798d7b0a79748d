// The pages people read after a review.
#include "cli/daily/review_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

Issue issue_at(int line, int column, int column_end, Severity severity = Severity::high) {
  Issue issue;
  issue.code = "BE-001";
  issue.finding.file = "src/a.c";
  issue.finding.line = line;
  issue.finding.column = column;
  issue.finding.column_end = column_end;
  issue.finding.severity = severity;
  issue.finding.rule = "unbounded-copy";
  issue.finding.title = "copies too much";
  issue.finding.agent = "builtin";
  return issue;
}

Issue fixable(Issue issue) {
  issue.finding.fixit = FixIt{"use snprintf", true, {{"src/a.c", 0, 1, "x"}}, {}};
  return issue;
}

} // namespace

TEST(SourceFrame, ShowsTheLineAndPointsAtTheWords) {
  EXPECT_EQ(source_frame(issue_at(2, 3, 9).finding, "char b[4];\n  strcpy(b, s);\n", {}),
            "    1 | char b[4];\n"
            "    2 |   strcpy(b, s);\n"
            "      |   ^^^^^^\n");
}

TEST(SourceFrame, CountsCharactersNotBytesAndTabsAsOne) {
  EXPECT_EQ(source_frame(issue_at(1, 7, 9).finding, "\t\"\xc3\xa9\xc3\xa9\xc3\xbc\";\n", {}),
            "    1 |  \"\xc3\xa9\xc3\xa9\xc3\xbc\";\n"
            "      |     ^\n");
}

TEST(SourceFrame, PlacesThatDoNotExistShowNothingOrNoCaret) {
  const std::string file = "one\ntwo\n";
  EXPECT_THAT(source_frame(issue_at(3, 1, 2).finding, file, {}), IsEmpty());
  EXPECT_THAT(source_frame(issue_at(0, 0, 0).finding, file, {}), IsEmpty());
  EXPECT_EQ(source_frame(issue_at(2, 0, 0).finding, file, {}), "    1 | one\n    2 | two\n");
  EXPECT_EQ(source_frame(issue_at(2, 900, 901).finding, file, {}), "    1 | one\n    2 | two\n");
  EXPECT_THAT(source_frame(issue_at(2, 4, 2'000'000'000).finding, file, {}), HasSubstr("|    ^\n"));
}

TEST(SourceFrame, SourceCannotControlTheTerminal) {
  EXPECT_THAT(source_frame(issue_at(1, 1, 2).finding, "a\x1b[31mred\xe2\x80\xae\n", {}),
              Not(HasSubstr("\x1b")));
}

TEST(IssueFrame, SaysWhereWhatWhyAndHow) {
  Issue issue = fixable(issue_at(2, 3, 9));
  issue.finding.description = "the length comes from outside";
  issue.finding.found_by = {"builtin", "flawfinder"};
  const std::string page = issue_frame(issue, "x\n  strcpy(b, s);\n", {});
  EXPECT_THAT(page, HasSubstr("src/a.c:2:3  high  unbounded-copy  [BE-001]\n"));
  EXPECT_THAT(page, HasSubstr("why   the length comes from outside; found by builtin + flawfinder\n"));
  EXPECT_THAT(page, HasSubstr("fix   use snprintf   (safe)\n"));
  EXPECT_THAT(issue_frame(issue, std::nullopt, {}), HasSubstr("copies too much"));
}

TEST(IssueFrame, ATextCutIntoATitleIsSaidOnce) {
  Issue issue = issue_at(1, 0, 0);
  issue.finding.description = "a long text that was cut somewhere";
  issue.finding.title = "a long text that was...";
  const std::string page = issue_frame(issue, std::nullopt, {});
  EXPECT_THAT(page, HasSubstr("  a long text that was cut somewhere\n   why   found by builtin\n"));
}

TEST(ReviewSummary, CountsBySeverityFileAndFix) {
  Issue other = issue_at(1, 1, 2, Severity::low);
  other.finding.file = "b";
  EXPECT_EQ(review_summary({fixable(issue_at(1, 1, 2, Severity::critical)), issue_at(2, 1, 2), other}, 2900),
            "3 issues (1 critical, 1 high, 1 low) in 2 files - 1 can be fixed without AI   2.9 s");
  EXPECT_THAT(review_summary({}, 100), HasSubstr("no issues"));
}

TEST(NextStep, NamesWhatCanBeDone) {
  EXPECT_EQ(next_step({issue_at(1, 1, 2), fixable(issue_at(2, 1, 2))}), "next: emend fix --safe");
  EXPECT_EQ(next_step({issue_at(1, 1, 2)}), "next: emend fix BE-001");
  Issue done = fixable(issue_at(1, 1, 2));
  done.status = IssueStatus::resolved;
  EXPECT_EQ(next_step({done}), "");
  EXPECT_EQ(next_step({}), "");
  Issue loose = fixable(issue_at(2, 1, 2));
  loose.id = "2";
  EXPECT_EQ(next_step({loose}, {"2"}), "next: commit your changes, then emend fix --safe");
  EXPECT_EQ(next_step({issue_at(1, 1, 2), loose}, {"2"}), "next: emend fix BE-001")
      << "what can be done now comes first";
}

TEST(Statistics, MostFrequentRuleFirst) {
  Issue rare = issue_at(1, 1, 2);
  rare.finding.rule = "a-rare-one";
  const std::string table = statistics_text({rare, issue_at(1, 1, 2), fixable(issue_at(2, 1, 2))}, {});
  EXPECT_LT(table.find("unbounded-copy"), table.find("a-rare-one"));
  EXPECT_THAT(table, HasSubstr("2      unbounded-copy  1"));
}

TEST(AnalyzerLines, WhatGaveUpIsNeverCountedAsRun) {
  std::vector<Analysis> analyses(4);
  analyses[0].analyzer = "builtin", analyses[0].state = AnalysisState::done;
  analyses[1].analyzer = "ruff", analyses[1].state = AnalysisState::missing;
  analyses[2].analyzer = "cppcheck", analyses[2].state = AnalysisState::failed,
  analyses[2].detail = "it crashed";
  analyses[3].analyzer = "eslint", analyses[3].state = AnalysisState::skipped;
  const AnalyzerLines lines = analyzer_lines(analyses);
  EXPECT_EQ(lines.ran, "builtin");
  EXPECT_EQ(lines.missing, "ruff");
  ASSERT_EQ(lines.alarming.size(), 1U);
  EXPECT_THAT(lines.alarming[0], HasSubstr("cppcheck did not finish (failed: it crashed)"));
}

TEST(AnalyzerLines, FilesThatCannotBeReadHereAreNoAlarm) {
  std::vector<Analysis> analyses(2);
  analyses[0].analyzer = "clang-tidy", analyses[0].state = AnalysisState::failed, analyses[0].partial = true;
  analyses[0].detail = "49 of 56 files; 7 could not be analyzed here: a.cpp";
  analyses[1].analyzer = "tflint", analyses[1].state = AnalysisState::skipped;
  const AnalyzerLines lines = analyzer_lines(analyses);
  EXPECT_TRUE(lines.alarming.empty());
  EXPECT_EQ(lines.missing, "");
  ASSERT_EQ(lines.partial.size(), 1U);
  EXPECT_EQ(lines.partial[0], "clang-tidy: 49 of 56 files; 7 could not be analyzed here: a.cpp");
}

TEST(AnalyzerLines, WhatWouldSayMoreIsToldWithHowToGetIt) {
  std::vector<Analysis> analyses(4);
  analyses[0].analyzer = "tflint", analyses[0].state = AnalysisState::missing; // there are files for it
  analyses[1].analyzer = "eslint", analyses[1].needs_permission = true;
  analyses[2].analyzer = "tsc", analyses[2].needs_permission = true;
  analyses[3].analyzer = "mypy", analyses[3].state = AnalysisState::done;
  analyses[3].advice = "mypy cannot see what the code imports";
  const AnalyzerLines lines = analyzer_lines(analyses);
  EXPECT_EQ(lines.missing, "tflint");
  ASSERT_EQ(lines.advice.size(), 2U);
  EXPECT_EQ(lines.advice[0], "mypy cannot see what the code imports");
  EXPECT_EQ(lines.advice[1],
            "not run, because they run code of the project: eslint, tsc. To allow them: emend trust "
            "--project-tools");
}

TEST(ReviewText, TheFirstCodeIsExplainedOnce) {
  Issue issue;
  issue.fingerprint = "f";
  issue.code = "BE-001";
  EXPECT_THAT(first_code_line({issue}, {"f"}), HasSubstr("emend issues show BE-001"));
  EXPECT_EQ(first_code_line({issue}, {}), "") << "known since an earlier review";
  issue.code = "BE-017";
  EXPECT_EQ(first_code_line({issue}, {"f"}), "");
  issue.code = "FE-001";
  EXPECT_THAT(first_code_line({issue}, {"f"}), HasSubstr("FE: frontend"));
}

} // namespace emend
