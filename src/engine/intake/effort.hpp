// How much work a fix is likely to be, where the reviewer did not say.
#pragma once

#include "model/finding.hpp"

namespace emend {

// Sets effort (1 trivial .. 5 major refactor) and files_count (1 or more) where they are 0.
void estimate_effort(Finding& finding);

} // namespace emend
