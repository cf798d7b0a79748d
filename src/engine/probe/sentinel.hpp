// A test that must fail, added to a test file in the file's own manner.
#pragma once

#include <optional>
#include <string_view>

#include "engine/probe/twist.hpp"

namespace emend {

// The file with one more test behind its last one, which fails through the file's own kind of assertion. A
// runner that names failures prints `name` (letters, digits and underscores, starting with a letter; the
// caller makes it random). Empty when the manner of the file is not understood.
[[nodiscard]] std::optional<Twist> add_sentinel(std::string_view path, std::string_view text,
                                                std::string_view name);

} // namespace emend
