// `emend completion`, and the command an installation writes completions and manual pages with.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command completion_command();
[[nodiscard]] Command pages_command();

} // namespace emend
