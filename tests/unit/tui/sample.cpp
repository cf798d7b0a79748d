#include "tests/unit/tui/sample.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/strings.hpp"
#include "tui/detail_text.hpp"
#include "tui/inbox.hpp"

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

bool one_of(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

// What the database answers to a search, as far as the tests ask.
bool found_by(const IssueSearch& search, const Issue& issue) {
  const Finding& finding = issue.finding;
  const bool status = search.statuses.empty() || std::find(search.statuses.begin(), search.statuses.end(),
                                                           issue.status) != search.statuses.end();
  const std::string text = to_lower(issue.code + " " + finding.title + " " + finding.file);
  return status && one_of(search.severities, to_string(finding.severity)) &&
         std::ranges::all_of(split(to_lower(search.text), ' '),
                             [&](const std::string& word) { return contains(text, word); }) &&
         (search.file_glob.empty() || search.file_glob == finding.file) &&
         (search.session_id.empty() || search.session_id == issue.session_id);
}

} // namespace

IssueList list_of(std::vector<Issue> issues) {
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.finding.severity > b.finding.severity; });
  const auto all = std::make_shared<std::vector<Issue>>(std::move(issues));
  const auto matching = [all](const IssueSearch& search) {
    std::vector<Issue> found;
    std::copy_if(all->begin(), all->end(), std::back_inserter(found),
                 [&](const Issue& issue) { return found_by(search, issue); });
    return found;
  };
  IssueSource source;
  source.count = [matching](const IssueSearch& search) -> Result<std::size_t> {
    return matching(search).size();
  };
  source.page = [matching](const IssueSearch& search) -> Result<std::vector<Issue>> {
    std::vector<Issue> rows = matching(search);
    const auto from = std::min(static_cast<std::size_t>(search.offset.value_or(0)), rows.size());
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(from));
    rows.resize(std::min(rows.size(), search.limit));
    return rows;
  };
  source.find = [all](const std::string& code) -> Result<Issue> {
    const auto found = std::find_if(
        all->begin(), all->end(), [&](const Issue& issue) { return issue.code == code || issue.id == code; });
    if (found == all->end()) return fail(ErrorCode::not_found, "there is no issue " + code);
    return *found;
  };
  return IssueList(std::move(source));
}

void take_issues(Model& model, std::vector<Issue> issues) {
  IssueList before = std::move(model.list);
  const std::string kept =
      before.at(model.issue_cursor) != nullptr ? before.at(model.issue_cursor)->code : "";
  model.list = list_of(std::move(issues));
  model.list.show(model.filter);
  if (const auto row = model.list.row_of(kept, model.issue_cursor)) model.issue_cursor = *row;
}

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
  issues[1].evidence = "repaired";
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

namespace {

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
  model.sessions = {{"k3f9", SessionStatus::running, "fix/k3f9", "0123456789abcdef", 5},
                    {"a1b2", SessionStatus::planned, "fix/a1b2", "", 2}};
  const std::vector<Issue> issues = sample_issues();
  take_issues(model, issues);
  Needs needs;
  needs.asked = {issues[3]};
  Session plan;
  plan.id = "a1b2";
  plan.branch = "fix/a1b2";
  needs.plans = {plan};
  needs.failed = {issues[4]};
  needs.failed_total = 1;
  take_inbox(model, inbox_of(needs, model.sessions), needs.total());
  take_detail(model, sample_detail());
  model.now_ms = 1'700'000'192'000;
  return model;
}

} // namespace emend::testing_support
