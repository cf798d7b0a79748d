#include "cli/daily/proof_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cli/sample_report.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

TellingRun run_of(const std::string& step, bool passes) {
  TellingRun run;
  run.step = step;
  run.check = "unit";
  run.passes = passes;
  run.base = "0123456789abcdef";
  run.patched = step == "with";
  run.output = "output of " + step;
  return run;
}

Explanation sample() {
  Explanation explanation;
  explanation.issue = sample_issue("BE-001", IssueStatus::resolved);
  explanation.cycles.push_back(sample_cycle("BE-001", 1, AttemptResult::accepted));
  explanation.cycles.back().diff_after_fix = "-a < b\n+a <= b\n";
  explanation.experiments = {run_of("before", false), run_of("with", true), run_of("without", false)};
  explanation.story = {{"base", "unit fails on the base."}};
  return explanation;
}

ProofReport report() {
  ProofReport made;
  made.code = "BE-001";
  made.commit = "fedcba9876543210";
  made.evidence = "repaired";
  made.checks = {{"commit", true, "reachable"}};
  return made;
}

TEST(ProofPage, ShowsTheCheckOnEveryTreeAndSaysWhatWasNotRun) {
  const std::string page = proof_page(sample(), report());
  EXPECT_THAT(page, HasSubstr("The proof holds."));
  EXPECT_THAT(page, HasSubstr("<h3>With the fix</h3>\n<p><span class=\"good\">passes</span> as it should"));
  EXPECT_THAT(page, HasSubstr("<h3>Before the fix</h3>\n<p><span class=\"good\">fails</span> as it should"));
  EXPECT_THAT(page, HasSubstr("<h3>Its expectation turned around</h3>\n<p class=\"soft\">not run</p>"));
  EXPECT_THAT(page, HasSubstr("output of without"));
  EXPECT_THAT(page, HasSubstr("-a &lt; b\n+a &lt;= b"));
  EXPECT_THAT(page, HasSubstr("unit fails on the base."));
}

TEST(ProofPage, SaysThatAProofDoesNotHold) {
  ProofReport broken = report();
  broken.checks.push_back({"journal", false, "a row changed"});
  Explanation explanation = sample();
  explanation.experiments[1].passes = false;
  const std::string page = proof_page(explanation, broken);
  EXPECT_THAT(page, HasSubstr("The proof does not hold."));
  EXPECT_THAT(page, HasSubstr("<span class=\"bad\">fails</span> although it should pass"));
  EXPECT_THAT(page, HasSubstr("<td class=\"bad\">broken</td><td>a row changed</td>"));
}

TEST(ProofPage, DoesNotAccuseACheckThatSaysNothing) {
  Explanation explanation = sample();
  explanation.experiments = {run_of("before", true), run_of("with", true)};
  const std::string page = proof_page(explanation, report());
  EXPECT_THAT(page, HasSubstr("<span class=\"soft\">passes</span> too, so it does not show the issue"));
  EXPECT_THAT(page, Not(HasSubstr("class=\"bad\"")));
}

TEST(ProofPage, EscapesWhatStrangersWrote) {
  const std::string bad = "<script>alert(1)</script>\" onload=x \xE2\x80\xAE";
  Explanation explanation = sample();
  explanation.issue.finding.title = explanation.issue.finding.file = bad;
  explanation.experiments[0].output = explanation.experiments[0].check = bad;
  explanation.cycles[0].diff_after_fix = explanation.cycles[0].attempt.agent = bad;
  explanation.story[0].text = bad;
  ProofReport made = report();
  made.commit = made.evidence = made.checks[0].detail = bad;
  const std::string page = proof_page(explanation, made);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
}

} // namespace
} // namespace emend
