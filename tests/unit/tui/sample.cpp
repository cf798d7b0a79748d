#include "tests/unit/tui/sample.hpp"

#include "tui/detail_text.hpp"

namespace emend::testing_support {

Issue sample_issue(const std::string& code, Severity severity, IssueStatus status, const std::string& file,
                   int line, const std::string& title) {
  Issue issue;
  issue.id = "id-" + code;
  issue.code = code;
  issue.status = status;
  issue.finding.file = file;
  issue.finding.line = line;
  issue.finding.severity = severity;
  issue.finding.title = title;
  issue.finding.agent = "claude";
  return issue;
}

namespace {

std::vector<Issue> sample_issues() {
  std::vector<Issue> issues = {
      sample_issue("BE-001", Severity::critical, IssueStatus::in_progress, "src/api/routes.py", 42,
                   "Missing null check causes crash"),
      sample_issue("BE-002", Severity::high, IssueStatus::resolved, "src/api/routes.py", 77,
                   "User input reaches the query"),
      sample_issue("BE-003", Severity::medium, IssueStatus::open, "src/api/models.py", 12, "Wrong default"),
      sample_issue("BE-004", Severity::medium, IssueStatus::open, "src/api/errors.py", 3,
                   "Which error type is meant"),
      sample_issue("FE-001", Severity::low, IssueStatus::failed, "web/app.ts", 9, "Unused import"),
      sample_issue("FE-002", Severity::low, IssueStatus::ignored, "web/app.ts", 40, "Long function"),
      sample_issue("FE-003", Severity::info, IssueStatus::merged, "web/list.ts", 5, "Typo in a comment"),
  };
  issues[0].finding.found_by = {"claude", "cppcheck"};
  issues[1].session_id = "k3f9";
  issues[1].last_score = 97;
  issues[1].commit = "0123456789abcdef";
  issues[3].clarifications.push_back({"id-BE-004",
                                      "BE-004-q1",
                                      1,
                                      "Which error type?",
                                      "Two are used in this file",
                                      {"ValueError", "KeyError"}});
  issues[4].reason = "verification_failed";
  issues[4].detail = "lint: failed (exit 1), passed on the base";
  return issues;
}

ShownSession sample_session() {
  ShownSession session;
  session.id = "k3f9";
  session.status = SessionStatus::running;
  session.branch = "fix/k3f9";
  session.tip = "0123456789abcdef";
  session.steps = {{1, "", {"BE-002", "BE-003"}, true, true, false},
                   {2, "same file as step 1", {"BE-001", "FE-001"}, true, false, false},
                   {3, "", {"FE-002"}, false, false, false}};
  session.issues = 5;
  session.settled = 2;
  session.started_ms = 1'700'000'000'000;
  session.cost_usd = 0.41;
  session.budget_usd = 10;
  session.priced = true;
  return session;
}

Detail sample_detail() {
  Detail detail;
  detail.code = "BE-001";
  detail.phase = "judging";
  detail.tries = {{1, "claude", "below_threshold", "scored 70"}, {2, "claude", "accepted", ""}};
  FileChange change;
  change.path = "src/api/routes.py";
  change.old_mode = change.new_mode = kModeFile;
  change.old_content =
      "import db\n\ndef get_user(user_id):\n    return db.query(User).get(user_id).to_dict()\n\ndef "
      "other():\n    pass\n";
  change.new_content =
      "import db\n\ndef get_user(user_id):\n    user = db.query(User).get(user_id)\n    if user is None:\n   "
      "     abort(404)\n    return "
      "user.to_dict()\n\ndef other():\n    pass\n";
  detail.patch.changes = {change};
  detail.patch_of = "attempt 2 of claude: accepted, +4 -1";
  detail.checks = {{"build", "passed", 0, 4'100, false},
                   {"tests", "passed", 0, 12'800, false},
                   {"lint", "failed", 1, 300, true}};
  FixChallengerResult verdict;
  verdict.valid = true;
  verdict.score = 95;
  verdict.quality_scores = {{"correctness", 98}, {"safety", 90}, {"style", 80}};
  verdict.threshold = 90;
  detail.verdict = verdict;
  detail.timeline = {{1'700'000'000'000, "started with claude"},
                     {1'700'000'010'000, "verifying (alone)"},
                     {1'700'000'020'000, "score 95 (needs 90)"}};
  detail.log = "==> fixer claude (ok)\nlooking at routes.py\nediting\n";
  detail.prompt = "You fix one issue.\nBE-001\n";
  detail.source_from = 40;
  detail.source = {"", "def get_user(user_id):", "    return db.query(User).get(user_id).to_dict()"};
  return detail;
}

} // namespace

Model sample_model() {
  Model model;
  model.project = "myproject";
  model.session = sample_session();
  take_sessions(model, {{"k3f9", SessionStatus::running, "fix/k3f9", "0123456789abcdef", 5},
                        {"a1b2", SessionStatus::planned, "fix/a1b2", "", 2}});
  take_issues(model, sample_issues());
  take_detail(model, sample_detail());
  model.now_ms = 1'700'000'192'000;
  return model;
}

} // namespace emend::testing_support
