#include "engine/claims/repository_lock.hpp"

namespace emend {
namespace {

constexpr const char* kHere = "another emend is working on this repository";
constexpr const char* kElsewhere = "an emend on another machine is working on this repository";
constexpr const char* kRemedy = "wait for it, or see `emend sessions list` and `emend sessions cancel ID`";

Result<FileLock> lock_here(const std::string& home, const RepositoryPlace& repository) {
  auto lock = FileLock::try_lock(fs::path(home) / "locks" / (repository.id() + ".lock"));
  if (!lock && lock.error().code == ErrorCode::conflict) return fail(ErrorCode::conflict, kHere, kRemedy);
  return lock;
}

Result<std::unique_ptr<HeldClaim>> claim_everywhere(Presence& presence, const std::string& repository_id) {
  SharedJob job;
  job.id = "repository/" + repository_id;
  job.kind = "repository";
  job.repository_id = repository_id;
  TRY(presence.board().offer(job));
  ClaimQuery this_one;
  this_one.id = job.id;
  TRY_ASSIGN(std::unique_ptr<HeldClaim> claim, presence.claim(this_one));
  if (!claim) { // its holder may be dead; or it is ours by a claim whose answer or return was lost
    TRY(bury_neighbours(presence.board()));
    TRY(presence.beat());
    TRY_ASSIGN(claim, presence.claim(this_one));
  }
  if (!claim) return fail(ErrorCode::conflict, kElsewhere, kRemedy);
  return claim;
}

} // namespace

Result<RepositoryLock> lock_repository(const std::string& home, const Ports& ports) {
  TRY_ASSIGN(FileLock file, lock_here(home, ports.repository));
  std::unique_ptr<HeldClaim> claim;
  if (ports.presence != nullptr) {
    TRY_ASSIGN(claim, claim_everywhere(*ports.presence, ports.repository.id()));
  }
  return RepositoryLock(std::move(file), std::move(claim));
}

bool is_held_by_another(const Error& error) {
  return error.code == ErrorCode::conflict &&
         (error.message.ends_with(kHere) || error.message.ends_with(kElsewhere));
}

} // namespace emend
