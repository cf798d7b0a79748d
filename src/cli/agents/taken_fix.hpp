// The fix of a RESOLVED issue as a patch, and the one way agents have to get it into the working tree.
#pragma once

#include <string>

#include "base/result.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

struct TakenFix {
  std::string code, commit;
  Patch patch;
};
// ErrorCode::conflict when the gate has not taken a fix of this issue.
[[nodiscard]] Result<TakenFix> taken_fix(Store& store, Repository& repository, const std::string& code);

// Writes a patch over a working tree if every file is as the patch expects it; else ErrorCode::conflict with
// the remedy, and nothing is written. The answer names the files. dry: only says what would be written.
[[nodiscard]] Result<std::string> write_patch(const std::string& root, const Patch& patch,
                                              const std::string& remedy, bool dry);
// Writes the fix if every file is as the fix found it; else ErrorCode::conflict, and nothing is written. The
// answer names the files. dry: only says what would be written.
[[nodiscard]] Result<std::string> write_fix(const std::string& root, const TakenFix& fix, bool dry);

} // namespace emend
