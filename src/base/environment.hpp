// An environment as a list of "NAME=value", as programs are given it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Of that name; "" = it is not there, or empty.
[[nodiscard]] std::string variable(const std::vector<std::string>& environment, std::string_view name);

} // namespace emend
