// The clauses of the gate that rest on runs of the project's commands and of checks (P4-P6). Pure.
#pragma once

#include "engine/gate.hpp"

namespace emend {

struct VerificationClauses {
  Clause p4, p5, p6;
  Evidence evidence = Evidence::judged;
  bool own_judge = false; // green, but by checks the patch itself changes
};

// in.attempt is there. Runs are looked at again: nothing rests on what was decided before.
[[nodiscard]] VerificationClauses verification_clauses(const GateInput& in);

} // namespace emend
