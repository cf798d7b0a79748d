// P6 by a check that was written for the issue: red on the base, green with the patch, red again without it.
// Pure.
#pragma once

#include "engine/gate/evidence.hpp"

namespace emend {

// in.reproducer and in.attempt are there.
[[nodiscard]] Clause reproducer_clause(const GateInput& in);

} // namespace emend
