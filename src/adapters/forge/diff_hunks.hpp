// The new side of a file's diff as a forge gives it: which lines can be commented on.
#pragma once

#include <string_view>
#include <vector>

#include "ports/forge.hpp"

namespace emend {

// Takes "@@ -1,3 +1,4 @@ ..." and the lines below; what is no hunk is passed over.
[[nodiscard]] std::vector<std::vector<DiffLine>> parse_hunks(std::string_view diff);

} // namespace emend
