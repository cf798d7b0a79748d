// One name for a rule that several tools report under names of their own.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// Only what is known to be the same rule; any other name is its own.
[[nodiscard]] std::string canonical_rule(std::string_view rule);

} // namespace emend
