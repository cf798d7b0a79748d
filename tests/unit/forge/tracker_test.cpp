#include "engine/forge/tracker.hpp"

#include <gmock/gmock.h>

#include "adapters/forge/forges.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/pull_request.hpp"
#include "engine/forge/review_comments.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class TrackerTest : public testing::Test {
protected:
  TrackerTest() {
    issue_.code = "BE-007";
    issue_.fingerprint = "f1";
    issue_.session_id = "s2";
    issue_.status = IssueStatus::failed;
    issue_.reason = "below_threshold";
    issue_.detail = "scored 60 of 95";
    issue_.finding.file = "src/a.c";
    issue_.finding.line = 3;
    issue_.finding.severity = Severity::high;
    issue_.finding.title = "Off by one";
    issue_.finding.description = "Runs too far, ask @team.";
    issue_.finding.found_by = {"one", "two"};
  }

  FixCycle& attempt(const std::string& session, Claim claim, AttemptResult result, bool changed) {
    FixCycle cycle;
    cycle.attempt.session_id = session;
    cycle.attempt.cycle = static_cast<int>(cycles_.size()) + 1;
    cycle.attempt.agent = "fixer";
    cycle.attempt.claim = claim;
    cycle.attempt.result = result;
    cycle.attempt.base = std::string(40, 'a');
    cycle.attempt.explanation = "my words";
    if (changed) cycle.attempt.patch.changes.push_back({"src/a.c", kModeFile, kModeFile, "1", "2", "x", "y"});
    cycles_.push_back(std::move(cycle));
    return cycles_.back();
  }

  TrackerEntry entry() { return tracker_entry(issue_, cycles_, &place_, settings_, Redactor()); }

  Issue issue_;
  std::vector<FixCycle> cycles_;
  ForgePlace place_{find_forge_kind("github"), "github.com", "team/app", "", ""};
  TrackerSettings settings_{true, {"emend"}, true, true, true};
};

TEST_F(TrackerTest, TellsEveryAttemptAndWhyItDidNotDo) {
  attempt("s1", Claim::fixed, AttemptResult::verification_failed, true);
  Verification verification;
  CommandRun run;
  run.name = "unit";
  run.result = CommandResult::failed;
  run.exit_code = 1;
  run.output = "expected 3\n```\n/close\n";
  verification.commands = {run};
  cycles_.back().verifications = {verification};
  attempt("s2", Claim::fixed, AttemptResult::below_threshold, true);
  Verdict verdict;
  verdict.agent = "judge";
  verdict.valid = true;
  verdict.score = 60;
  verdict.feedback = "It still runs too far.";
  verdict.improvements_needed = {"compare with <"};
  cycles_.back().verdicts = {verdict};
  const TrackerEntry made = entry();
  EXPECT_EQ(made.text.title, "Off by one (src/a.c)");
  EXPECT_THAT(made.text.labels, ElementsAre("emend", "severity: high"));
  for (const char* word :
       {"[src/a.c:3](https://github.com/team/app/blob/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/src/a.c#L3)",
        "found by one, two", "`unit`: failed (exit 1)", "expected 3",
        "judge: 60 of 100. It still runs too far.", "compare with",
        "1. fixer in session `s1`: **verification_failed**", "2. fixer", "scored 60 of 95"})
    EXPECT_THAT(made.text.body, HasSubstr(word));
  EXPECT_THAT(made.text.body, Not(HasSubstr("@team")));
  EXPECT_EQ(mark_in(made.text.body)->fingerprint, "f1");
  EXPECT_THAT(made.update, HasSubstr("1. fixer in session `s2`"));
  EXPECT_THAT(made.update, Not(HasSubstr("verification_failed"))) << "only what is new";
  EXPECT_THAT(made.doubts, IsEmpty());
}

TEST_F(TrackerTest, SaysWhatToLookAtTwice) {
  attempt("s1", Claim::false_positive, AttemptResult::blocked, false);
  attempt("s1", Claim::fixed, AttemptResult::refused, true).attempt.detail = "it weakens a test";
  attempt("s2", Claim::fixed, AttemptResult::no_change, false);
  EXPECT_THAT(doubts_about(issue_, cycles_),
              ElementsAre("attempt 1 calls it a false positive, but 2 reviewers found it independently, and "
                          "another attempt changed code for it",
                          "attempt 2 was refused, not judged: it weakens a test",
                          "attempt 3 says \"fixed\" and changed nothing"));
  cycles_.resize(1);
  EXPECT_THAT(doubts_about(issue_, cycles_),
              testing::Contains("it was called unfixable without trying a change"));
}

TEST_F(TrackerTest, OnlyWhatEndedIsTold) {
  EXPECT_EQ(open_end(issue_), OpenEnd::exhausted);
  issue_.reason = "blocked";
  EXPECT_EQ(open_end(issue_), OpenEnd::blocked);
  for (const char* reason : {"budget", "interrupted", "rate_limited"}) {
    issue_.reason = reason;
    EXPECT_EQ(open_end(issue_), std::nullopt) << reason;
  }
  issue_.reason = "blocked";
  issue_.status = IssueStatus::open;
  EXPECT_EQ(open_end(issue_), std::nullopt);
}

TEST(PullRequestTextTest, OnlyOurPartIsReplaced) {
  FixReport report;
  report.session.id = "s1";
  const std::string ours = proposal_text(report, {}, nullptr).body;
  EXPECT_EQ(with_our_part("theirs", ours), std::nullopt);
  EXPECT_EQ(with_our_part("before\r\n\r\n" + ours + "\r\nafter\r\n", "NEW"), "before\n\nNEW\n\nafter\n");
  EXPECT_EQ(with_our_part("before\n" + to_string(Mark{"pull-request", "s0"}) + "\ncut off", ours),
            std::nullopt)
      << "without its end nothing is known to be ours";
}

TEST(PullRequestTextTest, AFixOfAnotherSessionIsNotOfThisBranch) {
  FixReport report;
  report.session.id = "s1";
  IssueOutcome here, elsewhere;
  here.issue.code = "BE-001";
  here.issue.finding.title = "Off by one";
  elsewhere.issue.code = "BE-002"; // rejected here, and fixed again
  here.issue.status = elsewhere.issue.status = IssueStatus::resolved;
  here.issue.session_id = "s1";
  elsewhere.issue.session_id = "s2";
  report.issues = {here, elsewhere};
  const ProposalText text = proposal_text(report, {}, nullptr);
  EXPECT_EQ(text.title, "Fix BE-001: Off by one");
  EXPECT_THAT(text.body, HasSubstr("emend fixed 1 of 2 issues"));
  EXPECT_THAT(text.body, HasSubstr("| fixed on another branch | session s2 |"));
}

TEST(PullRequestTextTest, TheSameCheckIsShownBeforeWithAndWithoutTheFix) {
  FixReport report;
  report.session.id = "s1";
  IssueOutcome outcome;
  outcome.issue.code = "BE-001";
  outcome.issue.status = IssueStatus::resolved;
  outcome.issue.session_id = "s1";
  report.issues = {outcome};
  TellingRun before, with, without;
  before.step = "before";
  with.step = "with";
  without.step = "without";
  before.check = with.check = without.check = "unit";
  with.passes = true;
  with.tests = {"test_half | @team"};
  ProposalEvidence evidence;
  EXPECT_THAT(proposal_text(report, evidence, nullptr).body, Not(HasSubstr("three times")));
  evidence.runs["BE-001"] = {before, with, without};
  const std::string body = proposal_text(report, evidence, nullptr).body;
  EXPECT_THAT(body, HasSubstr("| issue | check | before the fix | with it | without it again |"));
  EXPECT_THAT(body, HasSubstr("| fails | passes | fails |"));
  EXPECT_THAT(body, Not(HasSubstr("@team"))) << "nobody is mentioned";
  EXPECT_THAT(body, HasSubstr("--html FILE"));
}

TEST(ReviewCommentsTest, OnlyWhatPeopleBeginOnALineIsTaken) {
  Remark remark;
  remark.kind = RemarkKind::inline_comment;
  remark.id = "5";
  remark.author = "carol";
  remark.body = "Too slow.";
  remark.path = "a.c";
  remark.line = 3;
  std::vector<Remark> all(6, remark);
  all[1].own = true;
  all[2].bot = true;
  all[3].reply = true;
  all[4].kind = RemarkKind::conversation;
  all[5].body = "x\n" + to_string(Mark{"f", "s"});
  const auto found = comment_findings(all, 42, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "review-comment/42/5");
  Issue known;
  known.finding = found[0];
  EXPECT_THAT(comment_findings(all, 42, {known}), IsEmpty());
}

TEST(ForgeTokenTest, WhereATokenIsLookedFor) {
  const ForgePlace github{find_forge_kind("github"), "github.com", "", "", ""},
      own{find_forge_kind("github"), "code.example", "", "", ""},
      gitlab{find_forge_kind("gitlab"), "gitlab.com", "", "", ""};
  EXPECT_THAT(token_variables(github, {}), ElementsAre("GH_TOKEN", "GITHUB_TOKEN"));
  EXPECT_THAT(token_variables(own, {}),
              ElementsAre("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"));
  EXPECT_THAT(token_variables(gitlab, {}), ElementsAre("GITLAB_TOKEN", "CI_JOB_TOKEN"));
  EXPECT_THAT(token_variables(github, {"auto", "", {"MINE"}, true, false}), ElementsAre("MINE"));
}

} // namespace emend
