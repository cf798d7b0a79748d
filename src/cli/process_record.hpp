// This process as a file of ours names it, so that whoever reads the file later can tell whether it still
// runs: an id alone may be another program's by then.
#pragma once

#include <string>

#include "base/json.hpp"

namespace emend {

[[nodiscard]] Json process_record(); // pid, ticks, boot
// False also for records that say less.
[[nodiscard]] bool still_runs(const Json& record);

// What the server of this state directory wrote down about itself; null = none runs.
[[nodiscard]] Json running_server(const std::string& home);

} // namespace emend
