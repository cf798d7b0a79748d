#include "service/housekeeping.hpp"

#include "engine/claims/repository_lock.hpp"

namespace emend {
namespace {

Result<OldBranch> look_at(Repository& repository, const Session& session, const std::string& tip,
                          const std::string& target) {
  OldBranch branch{session.branch, tip, session.id, {}};
  const auto merged = repository.reachable(tip, target); // an error: there is no such branch here
  if (!merged || !*merged) {
    branch.kept_because = "its last commit is not in " + target;
    return branch;
  }
  TRY_ASSIGN(const auto used, repository.branch_in_use(session.branch));
  branch.kept_because = used.value_or("");
  return branch;
}

} // namespace

Result<std::vector<OldBranch>> old_branches(Store& store, Repository& repository, std::int64_t before_ms) {
  std::vector<OldBranch> found;
  TRY_ASSIGN(std::optional<std::string> target, repository.default_branch());
  if (!target) return found;
  if (target->starts_with("origin/")) target->erase(0, 7);
  TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository.id(), 0));
  for (const Session& session : sessions) {
    if (!is_final(session.status) || session.updated_ms >= before_ms || session.branch.empty()) continue;
    TRY_ASSIGN(const std::optional<std::string> tip, repository.branch_tip(session.branch));
    if (!tip || session.branch == *target) continue;
    TRY_ASSIGN(OldBranch branch, look_at(repository, session, *tip, *target));
    found.push_back(std::move(branch));
  }
  return found;
}

Status remove_branches(const std::string& home, const Ports& ports, std::vector<OldBranch>& branches) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home, ports));
  for (OldBranch& branch : branches) {
    if (!branch.kept_because.empty()) continue;
    if (auto gone = ports.repository.remove_branch(branch.name, branch.tip); !gone)
      branch.kept_because = gone.error().message;
  }
  ports.repository.clean_leftovers();
  return {};
}

} // namespace emend
