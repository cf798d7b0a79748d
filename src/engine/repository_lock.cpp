#include "engine/repository_lock.hpp"

#include <unistd.h>

#include "base/mutant.hpp"

namespace emend {

Result<FileLock> lock_repository(const std::string& home, const Repository& repository) {
  const std::string own = without("R7") ? "." + std::to_string(::getpid()) : "";
  auto lock = FileLock::try_lock(fs::path(home) / "locks" / (repository.id() + own + ".lock"));
  if (!lock && lock.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, "another emend is working on this repository", "wait for it, or see `emend sessions list` and `emend sessions cancel ID`");
  return lock;
}

} // namespace emend
