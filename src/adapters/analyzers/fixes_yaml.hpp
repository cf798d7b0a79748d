// Reads the YAML that clang-tidy --export-fixes writes: block mappings and sequences, plain and quoted
// scalars, nothing more.
#pragma once

#include <string_view>

#include "base/json.hpp"

namespace emend {

// Scalars become strings. A quoted scalar over several lines becomes null: older versions double its line
// breaks, newer ones do not, so its exact bytes are not known. Anything outside the subset is an error.
[[nodiscard]] Result<Json> parse_fixes_yaml(std::string_view text);

} // namespace emend
