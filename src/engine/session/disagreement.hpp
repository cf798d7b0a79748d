// Where two changes for one issue behave differently although every check passes with either.
#pragma once

#include <string>
#include <vector>

#include "model/reproducer.hpp"

namespace emend {

// A test that one of them brings along fails with the other; or the hidden check, or one with an
// input near its own, tells them apart.
struct Disagreement {
  std::string what;                // one sentence with a concrete example
  std::string output;              // of a run that failed; may be empty
  std::vector<Reproducer> answers; // one for each of the two: as a text for people, and as a check

  [[nodiscard]] bool any() const { return !answers.empty(); }
};

} // namespace emend
