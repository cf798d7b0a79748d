// Did a check execute the lines that a patch added? Asked of a coverage report; never a reason to refuse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/patch.hpp"
#include "model/verification.hpp"

namespace emend {

// Of all reports together: a line that one of them saw is executed. Empty when none is in a format we know.
// The reports have to be made on the tree with the patch. Their paths may be absolute, relative, URLs or
// begin with the name of a module.
[[nodiscard]] std::optional<ExecutedLines> executed_lines(const std::vector<std::string>& reports,
                                                          const Patch& patch);

// One run of neighbouring lines of one file, replaced by another.
[[nodiscard]] bool is_in_one_place(const Patch& patch);

} // namespace emend
