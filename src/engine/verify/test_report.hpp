// Reads the common test runners' output: which tests ran, and how they ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/verification.hpp"

namespace emend {

// Knows by id ctest, GoogleTest, pytest (-v, -rA, workers), unittest -v, go test (-v, -json), cargo test and
// nextest, TAP and node --test with their subtests, jest and vitest (verbose), mocha, automake, meson, deno;
// by their totals these without ids, and the plain line "N passed, N failed". Also by what they count at
// their end: prove, RSpec, minitest, PHPUnit, bats, Surefire, .NET, Catch2, doctest, Criterion, Check. Where
// only failing tests are named (pytest -q, unittest, go test, jest ...), these names go with the counts. Of
// other output the heads of lines that begin with a word for failing or passing: recognised = false, but ids.
[[nodiscard]] TestReport parse_test_report(std::string_view output);

// What the patch made worse, one sentence each: a test that was green and is not, vanished or is skipped now;
// fewer tests; more skipped. Nothing to compare on the base = nothing to say.
[[nodiscard]] std::vector<std::string> lost_tests(const TestReport& base, const TestReport& patched);

// Of a check that was red on the base and is to prove a fix: why its green does not show that what failed
// there passes now. Empty = it does, or the base told nothing about its tests.
[[nodiscard]] std::string still_failing(const TestReport& base, const TestReport& patched);

// Tests that fail with the patch and were not there on the base, one sentence each. For a check that fails on
// both.
[[nodiscard]] std::vector<std::string> new_failures(const TestReport& base, const TestReport& patched);

// Ids of tests that failed on the base and pass now. green: the patched run itself passed.
[[nodiscard]] std::vector<std::string> repaired_tests(const TestReport& base, const TestReport& patched,
                                                      bool green);

// At least one test is known to pass on both sides.
[[nodiscard]] bool passes_in_both(const TestReport& base, const TestReport& patched);

// What a run says about its tests, in words: "tests by name (276)".
[[nodiscard]] std::string what_it_tells(const TestReport& report);

} // namespace emend
