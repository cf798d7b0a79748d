// `emend issues sync`: looks whether fixes have been merged.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command sync_action();

} // namespace emend
