// Another expected value: no right program gives it.
#pragma once

#include <optional>
#include <string_view>

#include "engine/probe/drawn_value.hpp"
#include "engine/probe/twist.hpp"

namespace emend {

// Where the assertion that covers this line (1-based) says that something equals a number or a string written
// there, that value is replaced by another one, see drawn_value.hpp. Stronger than a negation: what equals
// everything, or reads its answer from the test, passes this as well. Empty when there is no such value, or
// when it is not certain which side of the comparison it is.
[[nodiscard]] std::optional<Twist> other_value_at(std::string_view path, std::string_view text, int line,
                                                  const probe::Draw& draw);

} // namespace emend
