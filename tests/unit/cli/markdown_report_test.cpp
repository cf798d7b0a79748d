#include "cli/daily/markdown_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/sample_report.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

TEST(MarkdownReport, HasASummaryAndASectionPerIssue) {
  const std::string text = markdown_report(sample_report());
  EXPECT_THAT(text, HasSubstr("Session `k3f9abcd`: **partial**, 38 s, base `0123456789ab`, branch "
                              "`fix/k3f9abcd`. Nothing was pushed.\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "- evidence of the resolved issues: 0 proven, 0 repaired, 1 unbroken \\(100 %\\), 0 judged\n"));
  EXPECT_THAT(
      text, HasSubstr("| issue | where | status | score | evidence | cost | agent time | why "
                      "|\n|---|---|---|---|---|---|---|---|\n"
                      "| BE-001 | src/a.c:12 | RESOLVED | 97 | unbroken | - | - | commit fedcba987654 |\n"));
  EXPECT_THAT(
      text,
      HasSubstr("## BE-001: Off by one\n\nsrc/a.c:12, high, **RESOLVED**\n\n> The loop\n> runs too far.\n"));
  EXPECT_THAT(text, HasSubstr("### Cycle 1: accepted\n"));
  EXPECT_THAT(text, HasSubstr("| unit | passed | 0 | 0.4 s | no |\n| lint | failed | 2 | 0.4 s | yes |\n"));
  EXPECT_THAT(text, HasSubstr("Judged by gemini (independent): **97**\n\n> Well done.\n"));
  EXPECT_THAT(text, HasSubstr("| P1 | real\\_change | passed | 2 lines changed |\n"));
  EXPECT_THAT(text, HasSubstr("### Diff\n\n```diff\ndiff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n"));
  EXPECT_THAT(text, HasSubstr("## FE-002: Off by one\n"));
}

TEST(MarkdownReport, TheFenceIsLongerThanAnyFenceInside) {
  FixReport report = sample_report();
  report.cycles[0].attempt.patch.changes = {{"a.md", 0, kModeFile, "", "2", "", "````\nescaped?\n```\n"}};
  const std::string text = markdown_report(report);
  EXPECT_THAT(text, HasSubstr("`````diff\n"));
  EXPECT_THAT(text, HasSubstr("+````\n+escaped?\n+```\n`````\n"));
}

TEST(MarkdownReport, UntrustedTextIsEscaped) {
  FixReport report = sample_report();
  report.issues[0].issue.finding.title = "<script>x</script> | [a](http://b) @team\n# head";
  const std::string text = markdown_report(report);
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("@team")));
  EXPECT_THAT(text, HasSubstr("\\| \\[a\\]\\(http://b\\)"));
  EXPECT_THAT(text, Not(HasSubstr("\n# head")));
}

TEST(MarkdownReport, NothingToDoIsSaid) {
  EXPECT_THAT(markdown_report({}), HasSubstr("Nothing to do: no findings.\n"));
}

} // namespace emend
