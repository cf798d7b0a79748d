// One emend at a time works on a repository.
#pragma once

#include <string>

#include "base/files.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// Held for as long as the value lives; home: EMEND_HOME. ErrorCode::conflict when another one holds it.
[[nodiscard]] Result<FileLock> lock_repository(const std::string& home, const Repository& repository);

} // namespace emend
