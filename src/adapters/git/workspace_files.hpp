// Writing into a workspace before any agent sees it: laying a patch over the base, copying the base, putting
// a used copy right again.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// Into a whole tree: files written, removed, directories that became empty removed.
[[nodiscard]] Status lay_patch_over_copy(const std::string& directory, const Patch& patch);
// Into an overlay's upper directory above `base`: removals become whiteouts. ErrorCode::limit when this
// system cannot make those.
[[nodiscard]] Status lay_patch_over_layer(const std::string& upper, const Tree& base, const Patch& patch);

// A full copy of a base checkout; blocks are shared where the file system can. `target` is an existing empty
// directory.
[[nodiscard]] Status copy_base(const std::string& base_directory, const Tree& base,
                               const std::string& target);
// Makes a copy that was worked in equal to the base again, by hashing every file.
[[nodiscard]] Status restore_copy(const std::string& base_directory, const Tree& base,
                                  const std::string& algorithm, const std::string& target);

} // namespace emend
