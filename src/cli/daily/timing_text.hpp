// Where a session's time went, as a picture in text.
#pragma once

#include <string>

#include "cli/text_table.hpp"
#include "model/session_timing.hpp"

namespace emend {

// A line for each issue: F the fixer, J the judge, A other agents, C checks, . nobody. Pure.
[[nodiscard]] std::string timing_text(const SessionTiming& timing, std::size_t slots, const Palette& palette);

} // namespace emend
