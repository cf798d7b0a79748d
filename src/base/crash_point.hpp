// Named places where a test may end the process as a power cut would: with EMEND_TEST_CRASH_AT=n the n-th
// call raises SIGKILL, with EMEND_TEST_CRASH_AT=name the first one of that name.
#pragma once

namespace emend {

// Costs one relaxed atomic load when the variable is not set.
void crash_point(const char* name);

} // namespace emend
