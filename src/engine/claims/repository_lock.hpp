// One emend at a time works on a repository: on one machine by a lock on a file, on many by a claim on the
// work board.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/files.hpp"
#include "base/result.hpp"
#include "engine/claims/work_claim.hpp"
#include "engine/context/ports.hpp"

namespace emend {

// Held for as long as the value lives.
class RepositoryLock {
public:
  RepositoryLock(FileLock file, std::unique_ptr<HeldClaim> claim)
      : file_(std::move(file)), claim_(std::move(claim)) {}

  // What changes must carry; nullopt where no other machine could be at work.
  [[nodiscard]] std::optional<Fence> fence() const {
    return claim_ ? std::optional(claim_->fence()) : std::nullopt;
  }
  // Fires when another machine has taken over.
  [[nodiscard]] std::stop_token lost() const { return claim_ ? claim_->stop() : std::stop_token(); }

private:
  FileLock file_;
  std::unique_ptr<HeldClaim> claim_;
};

// home: EMEND_HOME. ErrorCode::conflict when another one holds it.
[[nodiscard]] Result<RepositoryLock> lock_repository(const std::string& home, const Ports& ports);
// Whether something failed for that reason alone: it may be tried again when the other one has ended.
[[nodiscard]] bool is_held_by_another(const Error& error);

} // namespace emend
