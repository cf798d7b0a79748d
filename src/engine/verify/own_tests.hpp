// What the tests a fix brings along showed: they fail on the base and pass with the fix, or they show
// nothing. Pure: the loop and the gate ask the same stored runs.
#pragma once

#include <string>
#include <vector>

#include "model/verification.hpp"

namespace emend {

struct OwnTests {
  bool shown = false;            // something of them fails on the base and passes with the whole patch
  std::vector<std::string> ids;  // of the tests that did, where the runner names them
  std::vector<std::string> idle; // added tests that pass on the base too

  [[nodiscard]] std::string sentence() const; // for the judge, the gate and people
};

// base: the checks on the untouched base. with_tests: on the base with the own tests only. patched: with the
// whole patch. names: see added_tests(); only ids that name one of them count; empty = every id counts.
[[nodiscard]] OwnTests shown_by(const std::vector<VerifyCommand>& commands, const Verification& base,
                                const Verification& with_tests, const Verification& patched,
                                const std::vector<std::string>& names);

// Ids of tests that are not on the base and fail with the whole patch.
[[nodiscard]] std::vector<std::string> failing_own_tests(const std::vector<VerifyCommand>& commands,
                                                         const Verification& base,
                                                         const Verification& patched);

} // namespace emend
