// "\uXXXX" in JSON: a unit of UTF-16.
#pragma once

#include <cstddef>
#include <string_view>

namespace emend {

// The value of the escape at `at`; -1 when there is none, or a part of one.
[[nodiscard]] int unicode_escape(std::string_view text, std::size_t at);

} // namespace emend
