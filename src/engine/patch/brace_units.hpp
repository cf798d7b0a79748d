// Units of languages whose blocks stand in braces; see test_units.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/patch/test_unit.hpp"

namespace emend {

// masked: code_mask() of the text.
[[nodiscard]] std::vector<TestUnit> brace_units(std::string_view path, std::string_view text,
                                                const std::string& masked);

} // namespace emend
