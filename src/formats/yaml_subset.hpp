// The part of YAML that clang-tidy's --export-fixes writes: block maps and lists, plain and quoted scalars,
// [] and {}.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

// Every document of the text; scalars are strings. Bounded depth. Anything outside of the subset is
// ErrorCode::usage that says the line.
[[nodiscard]] Result<std::vector<Json>> parse_yaml_subset(std::string_view text);

} // namespace emend
