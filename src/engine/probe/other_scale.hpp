// Tests that compare other values: both sides of an equality are changed alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emend {

// The same tests: CHECK(f(3), 10) becomes CHECK(((f(3)) * 509 + 41), ((10) * 509 + 41)), and of
// texts both sides get the same ending. What is equal stays equal, and what differs differs, but by another
// value; so a comparison that forgives what this code is known to get wrong forgives it no longer. Only where
// one side is a plain literal and the other one is computed. Unchanged where the language is not known.
// `seed` is drawn by the caller; each place gets other numbers.
[[nodiscard]] std::string on_other_scale(std::string_view path, std::string_view text, std::size_t seed);

} // namespace emend
