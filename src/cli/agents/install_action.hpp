// `emend agents install`: coding CLIs learn that emend is there.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command install_action();

} // namespace emend
