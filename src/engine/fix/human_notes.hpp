// What people said about an issue and its earlier fixes, as the next prompt of its fixer shows it.
#pragma once

#include <string>

#include "engine/context/run_context.hpp"

namespace emend {

// The newest words are kept when there are too many. Redacted, fenced; empty = nobody said anything.
[[nodiscard]] Result<std::string> person_words(const RunContext& context, const Issue& issue);

} // namespace emend
