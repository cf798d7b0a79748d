// Another expected value: no right program gives a value that was drawn just now.
#pragma once

#include <optional>
#include <string_view>

#include "engine/probe/twist.hpp"

namespace emend {

// Where the assertion that covers this line (1-based) says that something equals a number or a string written
// there, that value is replaced by one with these digits. Stronger than a negation: what equals everything,
// or reads its answer from the test, passes this as well. Empty when there is no such value, or when it is
// not certain which side of the comparison it is.
[[nodiscard]] std::optional<Twist> other_value_at(std::string_view path, std::string_view text, int line,
                                                  std::string_view digits);

} // namespace emend
