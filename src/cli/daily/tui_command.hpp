// `emend tui`, which is also what `emend` alone means at a terminal.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command tui_command();

} // namespace emend
