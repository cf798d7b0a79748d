// A report with one resolved and one failed issue, as the printers' tests see it.
#pragma once

#include "model/report.hpp"

namespace emend {

inline Issue sample_issue(const std::string& code, IssueStatus status) {
  Issue issue;
  issue.id = "id-" + code;
  issue.code = code;
  issue.status = status;
  issue.finding.file = "src/a.c";
  issue.finding.line = 12;
  issue.finding.severity = Severity::high;
  issue.finding.title = "Off by one";
  issue.finding.description = "The loop\nruns too far.";
  return issue;
}

inline FixCycle sample_cycle(const std::string& code, int number, AttemptResult result) {
  FixCycle cycle;
  cycle.issue_code = code;
  cycle.attempt.cycle = number;
  cycle.attempt.agent = "claude";
  cycle.attempt.result = result;
  cycle.attempt.duration_ms = 38'000;
  return cycle;
}

inline CommandRun sample_run(const std::string& name, CommandResult result) {
  CommandRun run;
  run.name = name;
  run.run = "make " + name;
  run.result = result;
  run.exit_code = result == CommandResult::passed ? 0 : 2;
  run.runs = 1;
  run.passes = result == CommandResult::passed ? 1 : 0;
  run.duration_ms = 400;
  if (result != CommandResult::passed) run.output = name + " says no\n";
  return run;
}

inline FixReport sample_report() {
  FixReport report;
  report.session.id = "k3f9abcd";
  report.session.status = SessionStatus::partial;
  report.session.base = "0123456789abcdef0123";
  report.session.branch = "fix/k3f9abcd";
  report.session.tip = "fedcba9876543210fedc";
  report.duration_ms = 38'000;

  Issue resolved = sample_issue("BE-001", IssueStatus::resolved);
  resolved.commit = "fedcba9876543210fedc";
  resolved.last_score = 97;
  resolved.evidence = "unbroken";
  GateDecision decision;
  decision.resolved = true;
  decision.clauses = {{"P1", "real_change", ClauseState::passed, "2 lines changed"},
                      {"P6", "proven", ClauseState::not_required, ""}};
  report.issues.push_back({resolved, decision});
  Issue failed = sample_issue("FE-002", IssueStatus::failed);
  failed.finding.file = "web/b.js";
  failed.finding.line = 0;
  failed.reason = "verification_failed";
  failed.detail = "unit failed";
  report.issues.push_back({failed, {}});

  FixCycle good = sample_cycle("BE-001", 1, AttemptResult::accepted);
  Verification verification;
  verification.commands = {sample_run("unit", CommandResult::passed),
                           sample_run("lint", CommandResult::failed)};
  good.verifications = {verification};
  Verdict verdict;
  verdict.agent = "gemini";
  verdict.valid = true;
  verdict.independent = true;
  verdict.score = 97;
  verdict.feedback = "Well done.";
  good.verdicts = {verdict};
  good.attempt.patch.changes = {{"src/a.c", kModeFile, kModeFile, "1", "2", "x\n", "y\n"}};
  good.diff_after_fix = "--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-x\n+y\n";
  FixCycle bad = sample_cycle("FE-002", 1, AttemptResult::verification_failed);
  bad.attempt.detail = "unit failed";
  report.cycles = {good, bad};

  Verification baseline;
  baseline.kind = VerificationKind::baseline;
  baseline.commands = {sample_run("unit", CommandResult::passed), sample_run("lint", CommandResult::failed)};
  report.baseline = baseline;
  report.notes = {"failed before: lint"};
  report.fixes_applied = true;
  return report;
}

} // namespace emend
