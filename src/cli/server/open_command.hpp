// `emend open`: the way into the running server for a browser.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command open_command();

} // namespace emend
