#include "engine/branch/sync.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr std::string_view kHeads = "refs/heads/", kRemotes = "refs/remotes/";

std::optional<std::string> tip_of(History& repository, const std::string& ref) {
  const auto tip = repository.resolve(ref);
  return tip ? std::optional<std::string>(*tip) : std::nullopt;
}

struct Fix {
  FixPlace place;
  std::string branch; // it was made on
};

Result<Fix> fix_of(const Ports& ports, const Issue& issue) {
  TRY_ASSIGN(const Session session, ports.store.session(issue.session_id));
  TRY_ASSIGN(const std::vector<CommitRecord> commits, ports.store.commits(session.id));
  const auto record = std::find_if(commits.begin(), commits.end(),
                                   [&](const CommitRecord& commit) { return commit.sha == issue.commit; });
  if (record == commits.end())
    return fail(ErrorCode::not_found, "its commit is not one of session " + session.id);
  for (const std::string& commit : {record->sha, record->parent}) TRY(ports.repository.resolve(commit));
  const bool known = !session.tip.empty() && ports.repository.resolve(session.tip);
  return Fix{{record->sha, record->parent, session.base, known ? session.tip : ""}, session.branch};
}

Result<MergeLook> look(const Ports& ports, const Issue& issue, const SyncTarget& target) {
  TRY_ASSIGN(const Fix fix, fix_of(ports, issue));
  if (fix.branch == target.branch) return MergeLook{std::nullopt, "this is the branch it was fixed on"};
  return look_for_merge(ports.repository, fix.place, target.tip);
}

// False = it is not RESOLVED any more: somebody was faster, and that is no mistake.
Result<bool> mark_merged(const Issue& issue, const Merge& merge, const std::string& detail,
                         const SyncTarget& target, EventLog& log) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = IssueStatus::resolved;
  move.to = IssueStatus::merged;
  move.mover = Mover::sync;
  move.reason = "merged";
  move.detail = detail;
  move.commit = merge.commit;
  Change change;
  change.events.push_back(
      make_event(issue.session_id, issue.code,
                 IssueUpdated{to_string(move.to), move.reason, detail, to_string(merge.proof), merge.commit,
                              issue.commit, target.branch}));
  change.moves.push_back(std::move(move));
  const Status applied = log.apply(std::move(change));
  if (!applied && applied.error().code == ErrorCode::conflict) return false;
  TRY(applied);
  return true;
}

std::string sentence(const Merge& merge, const std::string& branch) {
  return fmt::format("in {} since {} ({})", branch, merge.commit.substr(0, 12), to_string(merge.proof));
}

} // namespace

std::size_t SyncReport::merged() const {
  return static_cast<std::size_t>(std::count_if(
      issues.begin(), issues.end(), [](const SyncedIssue& synced) { return synced.merge.has_value(); }));
}

Result<SyncTarget> sync_target(History& repository, const std::string& branch) {
  std::string name = branch;
  if (name.empty()) {
    TRY_ASSIGN(const auto found, repository.default_branch());
    if (!found)
      return fail(ErrorCode::not_found,
                  "the repository has no default branch: neither origin/HEAD nor main, master or trunk",
                  "name the branch that fixes are merged into: emend issues sync --branch NAME");
    name = found->starts_with("origin/") ? found->substr(7) : *found;
  }
  const std::string local_ref = std::string(kHeads) + name,
                    remote_ref = std::string(kRemotes) + "origin/" + name;
  const auto local = tip_of(repository, local_ref), remote = tip_of(repository, remote_ref);
  if (local && remote) {
    TRY_ASSIGN(const bool behind, repository.is_ancestor(*local, *remote));
    return behind && *local != *remote ? SyncTarget{name, remote_ref, *remote}
                                       : SyncTarget{name, local_ref, *local};
  }
  if (local) return SyncTarget{name, local_ref, *local};
  if (remote) return SyncTarget{name, remote_ref, *remote};
  const std::string tracking = std::string(kRemotes) + name; // "upstream/main"
  if (const auto tip = tip_of(repository, tracking)) return SyncTarget{name, tracking, *tip};
  return fail(ErrorCode::not_found, "there is no branch " + name, "to list branches: git branch --all");
}

Result<SyncReport> sync_merged(const Ports& ports, EventLog& log, const std::string& branch,
                               std::stop_token stop) {
  TRY_ASSIGN(const SyncTarget target, sync_target(ports.repository, branch));
  return sync_merged(ports, log, target, std::move(stop));
}

Result<SyncReport> sync_merged(const Ports& ports, EventLog& log, const SyncTarget& target,
                               std::stop_token stop) {
  SyncReport report;
  report.target = target;
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  filter.statuses = {IssueStatus::resolved};
  TRY_ASSIGN(const std::vector<Issue> resolved, ports.store.issues(filter));
  for (const Issue& issue : resolved) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped; what was found so far is stored");
    SyncedIssue synced{issue, std::nullopt, ""};
    const auto looked = look(ports, issue, report.target);
    if (!looked)
      synced.detail = "unknown: " + looked.error().message;
    else if (!looked->merge)
      synced.detail = looked->why_not;
    if (looked && looked->merge) {
      synced.detail = sentence(*looked->merge, report.target.branch);
      TRY_ASSIGN(const bool moved, mark_merged(issue, *looked->merge, synced.detail, report.target, log));
      if (moved)
        synced.merge = looked->merge;
      else
        synced.detail = "it was changed in the meantime";
      TRY_ASSIGN(synced.issue, ports.store.issue(issue.repository_id, issue.id));
    }
    report.issues.push_back(std::move(synced));
  }
  return report;
}

Json to_json(const SyncReport& report) {
  Json issues = Json::array();
  for (const SyncedIssue& synced : report.issues) {
    const bool merged = synced.merge.has_value();
    issues.push_back({{"code", synced.issue.code},
                      {"status", to_string(synced.issue.status)},
                      {"proof", merged ? Json(to_string(synced.merge->proof)) : Json(nullptr)},
                      {"commit", merged ? Json(synced.merge->commit) : Json(nullptr)},
                      {"detail", clean_text(synced.detail)}});
  }
  return {{"branch", report.target.branch},
          {"ref", report.target.ref},
          {"tip", report.target.tip},
          {"merged", report.merged()},
          {"issues", std::move(issues)}};
}

} // namespace emend
