#include "cli/exit_status.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {

namespace {

class ExitStatusTest : public testing::Test {
protected:
  void issue(const std::string& code, IssueStatus status, std::vector<AttemptResult> results) {
    IssueOutcome outcome;
    outcome.issue.code = code;
    outcome.issue.status = status;
    report_.issues.push_back(outcome);
    for (const AttemptResult result : results) {
      FixCycle cycle;
      cycle.issue_code = code;
      cycle.attempt.result = result;
      report_.cycles.push_back(cycle);
    }
  }
  FixReport report_;
};

} // namespace

TEST_F(ExitStatusTest, NothingToDoIsDone) { EXPECT_EQ(exit_status(report_), ExitStatus::done); }

TEST_F(ExitStatusTest, AllResolvedIsDone) {
  issue("BE-001", IssueStatus::resolved, {AttemptResult::verification_failed, AttemptResult::accepted});
  issue("BE-002", IssueStatus::merged, {});
  EXPECT_EQ(exit_status(report_), ExitStatus::done);
}

TEST_F(ExitStatusTest, ALowScoreIsUnresolved) {
  issue("BE-001", IssueStatus::resolved, {AttemptResult::accepted});
  issue("BE-002", IssueStatus::failed, {AttemptResult::below_threshold});
  EXPECT_EQ(exit_status(report_), ExitStatus::unresolved);
}

TEST_F(ExitStatusTest, OnlyTheLastAttemptCounts) {
  issue("BE-001", IssueStatus::failed,
        {AttemptResult::verification_failed, AttemptResult::agent_failed, AttemptResult::below_threshold});
  EXPECT_EQ(exit_status(report_), ExitStatus::unresolved);
}

TEST_F(ExitStatusTest, AnInterruptedAttemptSaysNothing) {
  issue("BE-001", IssueStatus::open, {AttemptResult::verification_failed, AttemptResult::interrupted});
  EXPECT_EQ(exit_status(report_), ExitStatus::verification_failed);
}

TEST_F(ExitStatusTest, FailedVerificationIsSix) {
  issue("BE-001", IssueStatus::failed, {AttemptResult::verification_failed});
  issue("BE-002", IssueStatus::failed, {AttemptResult::refused});
  EXPECT_EQ(exit_status(report_), ExitStatus::verification_failed);
}

TEST_F(ExitStatusTest, AnAgentWithoutUsableAnswerIsFiveAndTheLowestWins) {
  issue("BE-001", IssueStatus::failed, {AttemptResult::verification_failed});
  issue("BE-002", IssueStatus::failed, {AttemptResult::unevaluated});
  EXPECT_EQ(exit_status(report_), ExitStatus::agents_failed);
  report_.cycles.back().attempt.result = AttemptResult::agent_failed;
  EXPECT_EQ(exit_status(report_), ExitStatus::agents_failed);
}

TEST_F(ExitStatusTest, AResolvedIssuesFailuresDoNotCount) {
  issue("BE-001", IssueStatus::resolved, {AttemptResult::agent_failed});
  issue("BE-002", IssueStatus::failed, {AttemptResult::no_change});
  EXPECT_EQ(exit_status(report_), ExitStatus::unresolved);
}

TEST_F(ExitStatusTest, ASessionTheWorldStoppedCouldNotRun) {
  issue("BE-001", IssueStatus::open, {});
  report_.session.status = SessionStatus::error;
  EXPECT_EQ(exit_status(report_), ExitStatus::cannot_run);
}

TEST(ExitStatus, ErrorsMapToTheTable) {
  EXPECT_EQ(exit_status(ErrorCode::usage), ExitStatus::usage);
  EXPECT_EQ(exit_status(ErrorCode::config), ExitStatus::usage);
  EXPECT_EQ(exit_status(ErrorCode::not_found), ExitStatus::usage);
  EXPECT_EQ(exit_status(ErrorCode::git), ExitStatus::cannot_run);
  EXPECT_EQ(exit_status(ErrorCode::database), ExitStatus::cannot_run);
  EXPECT_EQ(exit_status(ErrorCode::auth), ExitStatus::auth);
  EXPECT_EQ(exit_status(ErrorCode::agent), ExitStatus::agents_failed);
  EXPECT_EQ(exit_status(ErrorCode::needs_input), ExitStatus::needs_input);
  EXPECT_EQ(exit_status(ErrorCode::limit), ExitStatus::limit);
  EXPECT_EQ(exit_status(ErrorCode::cancelled), ExitStatus::interrupted);
}

TEST(ExitStatus, TheDocumentListsEveryCode) {
  const auto page = read_file(std::string(EMEND_SOURCE_DIR) + "/docs/exit-codes.md");
  ASSERT_TRUE(page) << page.error().message;
  for (const ExitMeaning& entry : exit_meanings()) {
    EXPECT_TRUE(contains(*page, "| " + std::to_string(static_cast<int>(entry.status)) + " |"))
        << entry.meaning;
  }
}

} // namespace emend
