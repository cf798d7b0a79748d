// What a run says of one failing test: the values it saw, not where it stood. Two runs that fail for the same
// reason say the same. Pure.
#pragma once

#include <string>

#include "model/verification.hpp"

namespace emend {

// The lines said of this test, without source code, places, times and addresses, and with the sums of
// rephrased tests as their values. Empty = nothing that could be compared.
[[nodiscard]] std::string failure_words(const CommandRun& run, const std::string& id);

// The test fails in both runs, both say how, and they say something else.
[[nodiscard]] bool fails_otherwise(const CommandRun& before, const CommandRun& now, const std::string& id);

} // namespace emend
