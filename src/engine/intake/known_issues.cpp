#include "engine/intake/known_issues.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/hash.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

bool is_dismissed(IssueStatus status) {
  return status == IssueStatus::ignored || status == IssueStatus::duplicate;
}

// What cannot be found out (the fix's branch was deleted and pruned) is no proof that it came back.
bool came_back(const Issue& issue, const std::string& commit, History& repository) {
  if ((issue.status != IssueStatus::resolved && issue.status != IssueStatus::merged) || issue.commit.empty())
    return false;
  return repository.is_ancestor(issue.commit, commit).value_or(false);
}

Status reopen(const Issue& issue, const std::string& commit, EventLog& log) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = IssueStatus::open;
  move.reason = "regressed";
  move.detail = "found again in " + commit.substr(0, 12) + ", which has its fix";
  move.trend = IssueTrend::regressed;
  Change change;
  change.events.push_back(
      make_event(issue.session_id, issue.code,
                 IssueUpdated{to_string(move.to), move.reason, move.detail, {}, {}, {}, {}}));
  change.moves.push_back(std::move(move));
  return log.apply(std::move(change));
}

// Silence counts only when somebody who spoke before was listened to, and nobody who spoke before was cut
// short.
bool would_have_said(const Finding& finding, const std::vector<Analysis>& analyses) {
  const auto spoke = [&](const std::string& name) {
    return name == finding.agent ||
           std::find(finding.found_by.begin(), finding.found_by.end(), name) != finding.found_by.end();
  };
  bool listened = false;
  for (const Analysis& analysis : analyses) {
    if (!spoke(analysis.analyzer)) continue;
    if (analysis.state == AnalysisState::done)
      listened = true;
    else if (analysis.state != AnalysisState::skipped)
      return false;
  }
  return listened;
}

} // namespace

std::string_view to_string(SeenAs seen) {
  switch (seen) {
    case SeenAs::fresh: return "new";
    case SeenAs::unchanged: return "unchanged";
    case SeenAs::regressed: return "regressed";
    case SeenAs::dismissed: return "dismissed";
  }
  return "";
}

Sighting new_sighting(const std::string& commit, std::function<bool(const std::string&)> has_file) {
  return {new_uuid(), commit, std::move(has_file)};
}

Result<std::map<std::string, SeenAs>> judge_sightings(std::vector<Issue>& issues, const std::string& commit,
                                                      bool save, History& repository, IssueStore& store,
                                                      EventLog& log) {
  std::map<std::string, SeenAs> seen;
  for (Issue& issue : issues) {
    if (seen.contains(issue.fingerprint)) continue;
    SeenAs as = issue.trend == IssueTrend::fresh ? SeenAs::fresh
                : is_dismissed(issue.status)     ? SeenAs::dismissed
                                                 : SeenAs::unchanged;
    if (came_back(issue, commit, repository)) {
      as = SeenAs::regressed;
      if (save) {
        TRY(reopen(issue, commit, log));
        TRY_ASSIGN(issue, store.issue(issue.repository_id, issue.id));
      }
    }
    seen[issue.fingerprint] = as;
  }
  return seen;
}

Result<std::vector<Issue>> record_absent(const Looked& looked, const std::vector<Issue>& found,
                                         const std::string& repository_id, IssueStore& store, EventLog& log) {
  std::unordered_set<std::string> seen;
  for (const Issue& issue : found) seen.insert(issue.id);
  for (const Issue& issue : looked.hidden) seen.insert(issue.fingerprint);
  IssueFilter filter;
  filter.repository_id = repository_id;
  filter.statuses = {IssueStatus::open, IssueStatus::failed};
  std::vector<Issue> absent;
  Change change;
  TRY(store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    const std::string& file = issue.finding.file;
    if (seen.contains(issue.id) || seen.contains(issue.fingerprint) || file.empty() ||
        !would_have_said(issue.finding, looked.analyses))
      return {};
    const bool here = std::binary_search(looked.files.begin(), looked.files.end(), file);
    if (!here && (!looked.whole_tree || looked.has_file(file))) return {};
    if (issue.absent_commit.empty()) {
      change.absences.push_back({issue.id, looked.commit});
      issue.absent_commit = looked.commit;
    }
    absent.push_back(std::move(issue));
    return {};
  }));
  if (!change.absences.empty()) TRY(log.apply(std::move(change)));
  return absent;
}

} // namespace emend
