// One line of progress per event worth telling, as a pure function.
#pragma once

#include <optional>
#include <string>

#include "model/event.hpp"

namespace emend {

enum class ProgressDetail {
  results, // the end of each issue, warnings: for logs
  stages,  // and every stage: for a terminal
  all,     // and what agents say
};

// nullopt = nothing to say at this level of detail.
[[nodiscard]] std::optional<std::string> progress_line(const Event& event, ProgressDetail detail);

} // namespace emend
