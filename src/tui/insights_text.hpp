// What became of the fixes, as a sheet of the terminal.
#pragma once

#include <string>
#include <vector>

#include "model/fix_outcome.hpp"
#include "tui/grid.hpp"

namespace emend {

// A row for each group and what it came to; `by` heads the first column.
[[nodiscard]] std::vector<Line> insights_lines(const std::vector<FixOutcome>& outcomes,
                                               const std::string& by);

} // namespace emend
