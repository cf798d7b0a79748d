// Values of a test that is found by its name, where its runner prints no line and its assertions have a
// form of their own.
#pragma once

#include <optional>
#include <string_view>

#include "engine/probe/twist.hpp"

namespace emend {

// The first line that has the test's name: the whole id, or as much of its end as is there. 0 = none.
[[nodiscard]] int line_of_test(std::string_view text, std::string_view id);

// The last plain number of that line, or of the next one that has any, replaced by `digits`. It may be what
// is expected or what goes in: a test that fails now can fail, one that does not has shown nothing.
[[nodiscard]] std::optional<Twist> other_number_of(std::string_view path, std::string_view text,
                                                   std::string_view id, std::string_view digits);

// In a table of data: the last plain number behind the name, in its line.
[[nodiscard]] std::optional<Twist> other_number_beside(std::string_view path, std::string_view text,
                                                       std::string_view name, std::string_view digits);

} // namespace emend
