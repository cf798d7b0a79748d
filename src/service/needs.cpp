#include "service/needs.hpp"

#include <algorithm>

#include "engine/branch/recovery.hpp"
#include "engine/context/event_log.hpp"
#include "model/session_view.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostSessions = 100; // the newest ones; older ones are found in the list of sessions
constexpr std::size_t kMostIssues = 500;

IssueSearch search_for(const std::string& repository_id, std::vector<IssueStatus> statuses,
                       std::size_t limit) {
  IssueSearch search;
  search.repository_id = repository_id;
  search.statuses = std::move(statuses);
  search.limit = limit;
  search.order = IssueOrder::worst;
  return search;
}

Status add_issues(Ledger& ledger, const std::string& repository_id, Needs& needs) {
  IssueSearch asked = search_for(
      repository_id, {IssueStatus::open, IssueStatus::failed, IssueStatus::in_progress}, kMostIssues);
  asked.questions = QuestionFilter::open;
  TRY_ASSIGN(IssuePage questions, ledger.issue_page(asked, 0));
  needs.asked = std::move(questions.issues);
  const IssueSearch failed = search_for(repository_id, {IssueStatus::failed}, Needs::kMostFailed);
  TRY_ASSIGN(IssuePage page, ledger.issue_page(failed, 0));
  needs.failed = std::move(page.issues);
  needs.failed_total = static_cast<std::int64_t>(needs.failed.size());
  if (needs.failed.size() < Needs::kMostFailed) return {};
  TRY_ASSIGN(const auto kinds, ledger.issue_kinds(failed));
  needs.failed_total = 0;
  for (const IssueKindCount& kind : kinds) needs.failed_total += kind.count;
  return {};
}

// It ended by an error, or whoever ran it is gone.
bool broke_off(const Session& session) {
  const SessionStatus now = present_status(session);
  return now == SessionStatus::error || now == SessionStatus::interrupted;
}

// Issues that a session which broke off has left for itself.
bool has_unfinished(Store& store, const Session& session) {
  return std::any_of(session.issue_ids.begin(), session.issue_ids.end(), [&](const std::string& id) {
    const auto issue = store.issue(session.repository_id, id);
    return issue && issue->session_id == session.id &&
           (issue->status == IssueStatus::open || issue->status == IssueStatus::in_progress);
  });
}

Status add_branches(Store& store, Ledger& ledger, const std::string& repository_id,
                    const std::vector<Session>& sessions, Needs& needs) {
  TRY_ASSIGN(const IssuePage fixed,
             ledger.issue_page(search_for(repository_id, {IssueStatus::resolved}, kMostIssues), 0));
  for (const Session& session : sessions) {
    Needs::Branch branch{session, {}};
    for (const Issue& issue : fixed.issues)
      if (issue.session_id == session.id) branch.fixes.push_back(issue);
    if (branch.fixes.empty() || session.tip.empty() || session.status == SessionStatus::running) continue;
    TRY_ASSIGN(const SessionView view, session_view(store, session.id));
    Needs::Branch undecided{session, {}};
    for (const Issue& issue : branch.fixes)
      if (!view.accepted.contains(issue.code)) undecided.fixes.push_back(issue);
    if (undecided.fixes.empty())
      needs.taken.push_back(std::move(branch));
    else
      needs.ready.push_back(std::move(undecided));
  }
  return {};
}

} // namespace

std::int64_t Needs::questions() const {
  std::int64_t count = 0;
  for (const Issue& issue : asked)
    count += std::count_if(issue.clarifications.begin(), issue.clarifications.end(),
                           [](const auto& one) { return one.state == ClarificationState::asked; });
  return count;
}

std::int64_t Needs::total() const {
  return questions() +
         static_cast<std::int64_t>(plans.size() + stopped.size() + ready.size() + taken.size()) +
         failed_total;
}

Result<Needs> needs_of(Store& store, Ledger& ledger, const std::string& repository_id) {
  Needs needs;
  TRY(add_issues(ledger, repository_id, needs));
  TRY_ASSIGN(const SessionPage page, ledger.session_page(repository_id, "", kMostSessions, {}));
  for (const Session& session : page.sessions) {
    if (session.status == SessionStatus::planned) needs.plans.push_back(session);
    if (broke_off(session) && has_unfinished(store, session)) needs.stopped.push_back(session);
  }
  TRY(add_branches(store, ledger, repository_id, page.sessions, needs));
  return needs;
}

} // namespace emend
