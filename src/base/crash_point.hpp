// Named places where a test may end the process as a power cut would. Counts calls; the EMEND_TEST_CRASH_AT=n-th one raises SIGKILL.
#pragma once

namespace emend {

// Costs one relaxed atomic load when the variable is not set.
void crash_point(const char* name);

} // namespace emend
