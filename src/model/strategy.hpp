// How issues are cut into units of work, and how much one unit may hold.
#pragma once

#include <optional>
#include <string_view>

namespace emend {

enum class Strategy {
  per_issue, // one agent process an issue
  batched,   // several small issues an agent process, one batch after the other
  one_call,  // one agent process for everything, step by step with agents of its own
};
[[nodiscard]] std::string_view to_string(Strategy strategy);
[[nodiscard]] std::optional<Strategy> parse_strategy(std::string_view text);

struct BatchLimits {
  int max_points = 15;
  int max_issues = 5;
};

} // namespace emend
