// Assertions of test files and their negations: a test and its negation cannot both pass.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/probe/twist.hpp"

namespace emend {

// Negates the assertion whose statement covers this line (1-based). No line is added or removed. Empty when
// there is no assertion, or when it is not certain that the result fails wherever the original passes.
[[nodiscard]] std::optional<Twist> negate_at(std::string_view path, std::string_view text, int line);

// The same negation in front of the assertion itself, on one line: one of the two fails, whatever is
// computed. The negation comes first, so that what a value is computed from may be used up by it. Empty where
// the assertion takes more than its line.
[[nodiscard]] std::optional<Twist> contradict_at(std::string_view path, std::string_view text, int line);

// The lines on which an assertion begins that negate_at understands, ascending, each once.
[[nodiscard]] std::vector<int> assertion_lines(std::string_view path, std::string_view text);

} // namespace emend
