// The runs a person wants to see before believing a fix: the check that tells before the fix, with it,
// without it again, and with its expectation turned around. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/gate/evidence.hpp"

namespace emend {

struct TellingRun {
  std::string step;  // before, with, without, turned
  std::string check; // the command's name, or whose hidden check it is
  bool passes = false;
  std::string base;               // the commit the tree is made from
  bool patched = false;           // with the fix
  std::vector<std::string> tests; // that failed before and pass with the fix; empty = tests have no names
  std::string output;             // its last lines
  std::int64_t duration_ms = 0;
  std::optional<Probe> probe; // what was turned around
};

// At most one a step, in this order, all of the same check: one that failed on the base and passes with the
// fix, unless only the issue's own check was run without it again, else the issue's own check, else the tests
// the fix brings along, else the first of the project. Empty when there is no attempt.
[[nodiscard]] std::vector<TellingRun> telling_runs(const GateInput& in);

[[nodiscard]] Json to_json(const TellingRun& run);

} // namespace emend
