// `emend issues open-test`: a person lets the fix of one issue change one existing test, or takes that back.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engine/fix/wanted_tests.hpp"

namespace emend {

[[nodiscard]] Command open_test_action();

// Tests that are open for an issue, and those that wait for a decision; empty = there are none.
[[nodiscard]] std::string tests_text(const Issue& issue, const TestDecisions& tests);

} // namespace emend
