// `emend issues reproducer`: a person gives, shows or takes back the check that tells whether an issue is
// there.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command reproducer_action();

} // namespace emend
