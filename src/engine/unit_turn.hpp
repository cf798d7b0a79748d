// One turn of a unit's loop while it is judged: what is known of the attempt, and what comes of it. Only the
// loop's own files use it.
#pragma once

#include <string>
#include <utility>

#include "engine/turn_prompt.hpp"
#include "engine/unit_loop.hpp"

namespace emend {

struct UnitLoop::Turn {
  Unit& unit;
  const Issue& issue;
  const Scope& scope;
  const PathSet& called;
  Attempt attempt;
  std::string previous_sha; // patch the workspace began with
  Feedback next;
  int score = -1;
  bool stop_retrying = false;
  bool cancelled = false;
  std::string reason; // of the issue's failure, where the attempt's result does not say it

  void end(AttemptResult result, std::string detail) {
    attempt.result = result;
    attempt.detail = std::move(detail);
  }
};

} // namespace emend
