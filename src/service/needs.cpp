#include "service/needs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "engine/branch/recovery.hpp"
#include "engine/context/event_log.hpp"
#include "engine/forge/forge_log.hpp"
#include "model/session_view.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostIssues = 500; // at once

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

using FixesBySession = std::map<std::string, std::vector<Issue>>;

// What is fixed and not merged.
Result<FixesBySession> unmerged(Ledger& ledger, const std::string& repository_id) {
  IssueSearch search = search_for(repository_id, {IssueStatus::resolved}, kMostIssues);
  search.order = IssueOrder::found; // that one has pages
  FixesBySession fixes;
  std::int64_t after = 0;
  do {
    TRY_ASSIGN(IssuePage page, ledger.issue_page(search, after));
    for (Issue& issue : page.issues) fixes[issue.session_id].push_back(std::move(issue));
    after = page.next;
  } while (after != 0);
  return fixes;
}

// The sessions whose branch can be looked at, newest first.
Result<std::vector<Needs::Branch>> fixed_branches(Store& store, Ledger& ledger,
                                                  const std::string& repository_id) {
  TRY_ASSIGN(FixesBySession fixes, unmerged(ledger, repository_id));
  std::vector<Needs::Branch> branches;
  for (auto& [id, issues] : fixes) {
    auto session = id.empty() ? Result<Session>(fail(ErrorCode::not_found, "no session")) : store.session(id);
    if (!session && session.error().code == ErrorCode::not_found) continue;
    TRY(session);
    if (session->tip.empty() || session->status == SessionStatus::running) continue;
    branches.push_back({std::move(*session), std::move(issues)});
  }
  std::stable_sort(branches.begin(), branches.end(), [](const auto& one, const auto& other) {
    return one.session.started_ms > other.session.started_ms;
  });
  return branches;
}

Status add_branches(Store& store, Ledger& ledger, const std::string& repository_id, Needs& needs) {
  TRY_ASSIGN(std::vector<Needs::Branch> branches, fixed_branches(store, ledger, repository_id));
  if (branches.size() > Needs::kMostBranches) {
    needs.older_branches = static_cast<std::int64_t>(branches.size() - Needs::kMostBranches);
    branches.resize(Needs::kMostBranches);
  }
  for (Needs::Branch& branch : branches) {
    TRY_ASSIGN(const SessionView view, session_view(store, branch.session.id));
    Needs::Branch undecided{branch.session, {}};
    for (const Issue& issue : branch.fixes)
      if (!view.accepted.contains(issue.code)) undecided.fixes.push_back(issue);
    if (undecided.fixes.empty())
      needs.taken.push_back(std::move(branch));
    else
      needs.ready.push_back(std::move(undecided));
  }
  return {};
}

// Of issues that are still open, the last one each: whoever decides about the issue has decided about it.
Status add_dismissals(Store& store, const std::string& repository_id, Needs& needs) {
  TRY_ASSIGN(const auto proposed, forge_events<PrDismissalProposed>(store, repository_id));
  std::map<std::string, const PrDismissalProposed*> last;
  for (const PrDismissalProposed& each : proposed) last[each.code] = &each;
  for (const auto& [code, each] : last) {
    auto issue = store.issue(repository_id, code);
    if (!issue && issue.error().code == ErrorCode::not_found) continue;
    TRY(issue);
    if (issue->status == IssueStatus::open)
      needs.dismissals.push_back({*std::move(issue), each->by, each->number});
  }
  return {};
}

Severity worst_of(const Needs::Dismissal& dismissal) { return dismissal.issue.finding.severity; }
std::int64_t begun(const Needs::Dismissal&) { return 0; }
Severity worst_of(const Issue& issue) { return issue.finding.severity; }
std::int64_t begun(const Issue&) { return 0; } // issues stay as they were found
Severity worst_of(const Session&) { return Severity::info; }
std::int64_t begun(const Session& session) { return session.started_ms; }
Severity worst_of(const Needs::Branch& branch) {
  Severity worst = Severity::info;
  for (const Issue& issue : branch.fixes) worst = std::max(worst, issue.finding.severity);
  return worst;
}
std::int64_t begun(const Needs::Branch& branch) { return branch.session.started_ms; }

template <typename Row>
void add_rows(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& other) {
    return std::pair(worst_of(one), begun(one)) > std::pair(worst_of(other), begun(other));
  });
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
         static_cast<std::int64_t>(dismissals.size() + plans.size() + stopped.size() + ready.size() +
                                   taken.size()) +
         failed_total + older_branches;
}

void add_needs(Needs& all, Needs more) {
  add_rows(all.dismissals, std::move(more.dismissals));
  add_rows(all.asked, std::move(more.asked));
  add_rows(all.plans, std::move(more.plans));
  add_rows(all.stopped, std::move(more.stopped));
  add_rows(all.ready, std::move(more.ready));
  add_rows(all.taken, std::move(more.taken));
  add_rows(all.failed, std::move(more.failed));
  all.failed_total += more.failed_total;
  all.older_branches += more.older_branches;
}

Result<Needs> needs_of(Store& store, Ledger& ledger, const std::string& repository_id) {
  Needs found, needs;
  TRY(add_issues(ledger, repository_id, found));
  TRY(add_dismissals(store, repository_id, found));
  TRY_ASSIGN(const auto sessions, ledger.unfinished_sessions(repository_id));
  for (const Session& session : sessions) {
    if (session.status == SessionStatus::planned) found.plans.push_back(session);
    if (broke_off(session) && has_unfinished(store, session)) found.stopped.push_back(session);
  }
  TRY(add_branches(store, ledger, repository_id, found));
  add_needs(needs, std::move(found)); // in order
  return needs;
}

} // namespace emend
