// The part of a check's output that somebody who has to fix it needs.
#pragma once

#include <string>

#include "model/verification.hpp"

namespace emend {

// The command, how it ended, and of a long output only what is said about tests that fail now and did not
// before, and its last lines; where the tests have no names, beginning and end. before: the same check on the
// base; may be null.
[[nodiscard]] std::string failure_text(const CommandRun& now, const CommandRun* before);

} // namespace emend
