#include "cli/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/daily/markdown_report.hpp"
#include "model/next_step.hpp"
#include "tests/unit/cli/sample_report.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

TEST(FixResultText, ShowsTheResultFirstThenWhereItIs) {
  EXPECT_EQ(fix_result_text(sample_report(), {}),
            "code    where       status    score  evidence  why\n"
            "BE-001  src/a.c:12  RESOLVED  97     unbroken  commit fedcba987654\n"
            "FE-002  web/b.js    FAILED    -      -         unit failed\n"
            "\n"
            "1 of 2 issues resolved, 1 failed in 38 s (session k3f9abcd, partial)\n"
            "evidence of the resolved issues: 0 proven, 0 repaired, 1 unbroken (100 %), 0 judged\n"
            "note: failed before: lint\n"
            "why:       emend explain FE-002\n"
            "branch     fix/k3f9abcd\n"
            "review it: git diff 0123456789ab..fix/k3f9abcd\n"
            "take it:   git merge fix/k3f9abcd\n"
            "or:        emend apply k3f9abcd   (into your working tree), emend pr create\n"
            "nothing was pushed\n");
}

// An ordinary explanation is longer than a cell.
TEST(FixResultText, TheNextStepHasALineOfItsOwn) {
  const std::string said = "the fixer says that it is a false positive: " + std::string(300, 'x');
  FixReport report = sample_report();
  Issue& issue = report.issues[1].issue;
  for (const auto& [reason, step] :
       {std::pair("claimed_false_positive", "emend issues ignore FE-002 --reason false_positive"),
        std::pair("needs_decision", "emend clarify FE-002, then emend fix FE-002"),
        std::pair("blocked", "emend issues comment FE-002 TEXT, and emend fix FE-002")}) {
    issue.reason = reason;
    issue.detail = with_next_step(said, reason, issue.code);
    EXPECT_EQ(detail_alone(issue), said);
    const std::string text = fix_result_text(report, {});
    EXPECT_THAT(text, testing::ContainsRegex("\nnext:      FE-002: [^\n]*" + std::string(step)));
    Explanation explanation;
    explanation.issue = issue;
    EXPECT_THAT(explanation_text(explanation, {}),
                testing::ContainsRegex("\nnext: [^\n]*" + std::string(step)));
    EXPECT_THAT(markdown_report(report), testing::ContainsRegex("\n- next for FE-002: "));
  }
}

TEST(FixResultText, ATestThatAssertsTheBugIsOpenedByName) {
  FixReport report = sample_report();
  report.issues[1].issue.reason = "refused";
  FixCycle cycle = sample_cycle("FE-002", 2, AttemptResult::refused);
  cycle.attempt.notes = {"wants to change the test tests/test b.py::test_limit (from `9` to `10`)"};
  report.cycles.push_back(cycle);
  EXPECT_THAT(fix_result_text(report, {}),
              HasSubstr("next:      FE-002: If the test asserts the bug: emend issues open-test FE-002 "
                        "'tests/test b.py::test_limit', then emend fix FE-002\n"));
  EXPECT_EQ(next_text(report.issues[0].issue, report.cycles), "") << "nothing is left to do";
}

TEST(FixResultText, SaysThatNothingWasCommitted) {
  FixReport report = sample_report();
  report.session.tip.clear();
  EXPECT_THAT(fix_result_text(report, {}), HasSubstr("no commit was made"));
  EXPECT_THAT(fix_result_text(report, {}), Not(HasSubstr("review it")));
}

TEST(FixResultText, NoIssuesIsNothingToDo) {
  EXPECT_EQ(fix_result_text({}, {}), "No findings: nothing to do.\n");
}

TEST(FixResultText, WordsOfAgentsCannotControlTheTerminal) {
  FixReport report = sample_report();
  report.issues[1].issue.detail = "\x1b]0;owned\x07\x1b[2Jx\ny";
  report.issues[1].issue.finding.file = "a\nb";
  report.notes = {"\x1b[31mred"};
  EXPECT_THAT(fix_result_text(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(fix_result_text(report, {}), HasSubstr("x y\n"));
}

TEST(SessionText, TellsEveryCycle) {
  EXPECT_THAT(session_text(sample_report(), {}),
              HasSubstr("what was tried\n"
                        "  BE-001 round 1: accepted\n"
                        "    fixer claude, 38 s, 1 file changed\n"
                        "    ran (alone): unit passed, lint failed\n"
                        "    judged by gemini: 97\n"
                        "      Well done.\n"
                        "  FE-002 round 1: verification_failed - unit failed\n"));
}

TEST(SessionText, SaysWhatWasContestedAndWhatSeveralJudgesSayTogether) {
  FixReport report = sample_report();
  report.session.policy.panel = 2;
  FixCycle& cycle = report.cycles[0];
  cycle.attempt.claim = Claim::contested;
  cycle.verdicts.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    cycle.verdicts[i].agent = cycle.verdicts[i].family = i == 0 ? "codex" : "gemini";
    cycle.verdicts[i].valid = true;
    cycle.verdicts[i].score = i == 0 ? 93 : 98;
  }
  const std::string text = session_text(report, {});
  EXPECT_THAT(text, HasSubstr("BE-001 round 1: accepted, the verdict before was contested\n"));
  EXPECT_THAT(text, HasSubstr("    together: codex 93, gemini 98: 95 on average\n"));
}

TEST(FixResultText, SaysHowFarOffTheForecastWas) {
  FixReport report = sample_report();
  AgentRunRecord run;
  run.agent = "claude";
  run.usage.input_tokens = 1'300;
  report.runs = {run};
  report.forecast = FixForecast{2, 6, 4, 1'000, {}, 0};
  EXPECT_THAT(fix_result_text(report, {}), HasSubstr("estimated 1000 tokens, was 1300 (+30 %)\n"));
  report.forecast.reset();
  EXPECT_THAT(fix_result_text(report, {}), Not(HasSubstr("estimated")));
}

TEST(IssuesText, IsATable) {
  EXPECT_EQ(issues_text({sample_issue("BE-001", IssueStatus::open)}, {}),
            "code    severity  status  where       title\n"
            "BE-001  high      OPEN    src/a.c:12  Off by one\n"
            "\n1 issue\n");
  EXPECT_EQ(issues_text({}, {}), "no issues\n");
}

TEST(IssueText, ShowsOneIssueInFull) {
  Issue issue = sample_issue("BE-001", IssueStatus::ignored);
  issue.reason = "by_design";
  issue.detail = "see the manual";
  issue.finding.suggestion = "use <";
  EXPECT_EQ(issue_text(issue, {}),
            "BE-001  Off by one\n\n"
            "  status    IGNORED\n"
            "  why       by_design: see the manual\n"
            "  where     src/a.c:12\n"
            "  severity  high\n"
            "\n  The loop\n  runs too far.\n"
            "\n  suggestion\n    use <\n");
}

TEST(SessionsText, IsATable) {
  Session session;
  session.id = "k3f9abcd";
  session.status = SessionStatus::passed;
  session.started_ms = 1'763'187'540'000;
  session.issue_ids = {"a", "b"};
  session.branch = "fix/k3f9abcd";
  EXPECT_EQ(sessions_text({session}, {}),
            "session   status  started               issues  branch  detail\n"
            "k3f9abcd  passed  2025-11-15 06:19 UTC  2       -\n");
}

TEST(ExplanationText, ListsTheClausesOfTheGate) {
  Explanation explanation;
  explanation.issue = sample_report().issues[0].issue;
  explanation.decision = sample_report().issues[0].decision;
  EXPECT_EQ(explanation_text(explanation, {}),
            "BE-001  Off by one\n"
            "RESOLVED: commit fedcba987654\n"
            "\nthe gate\n"
            "  P1  real_change  passed        2 lines changed\n"
            "  P6  proven       not_required\n");
  explanation.decision.reset();
  EXPECT_THAT(explanation_text(explanation, {}), HasSubstr("No fix was tried yet."));
}

TEST(VerificationText, ShowsTheOutputOfWhatFailed) {
  Verification verification;
  verification.commands = {sample_run("unit", CommandResult::passed),
                           sample_run("lint", CommandResult::failed)};
  EXPECT_EQ(verification_text(verification, {}),
            "command  result  exit  time   runs  reports\n"
            "unit     passed  0     0.4 s  1/1   exit status only\n"
            "lint     failed  2     0.4 s  0/1   exit status only\n"
            "\nlint: make lint\n  lint says no\n");
}

} // namespace emend
