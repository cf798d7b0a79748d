// Findings about a file itself rather than about its text: whether it can be executed, how its lines end.
// Only then may a fix change that.
#pragma once

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// The finding is about the execute permission of its file, and the change gives it to a script or takes it
// from what is none.
[[nodiscard]] bool repairs_mode(const Finding& finding, const FileChange& change);

// The finding is about the line ends of its file, and afterwards all of them are of one kind.
[[nodiscard]] bool repairs_line_ends(const Finding& finding, const FileChange& change);

} // namespace emend
