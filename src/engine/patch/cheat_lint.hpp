// Looks at added and removed lines for the ways a patch silences its judges instead of fixing anything.
#pragma once

#include <string>
#include <vector>

#include "base/redact.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// One sentence per hit with file and line; empty = clause P3 holds. A construct that was merely moved
// (removed elsewhere in the same file as often as added) is no hit. Tests that a patch changes must ask as
// much as before, see weakening.hpp.
[[nodiscard]] std::vector<std::string> cheat_hits(const Patch& patch, const Redactor& redactor,
                                                  const Finding& finding = {});

} // namespace emend
