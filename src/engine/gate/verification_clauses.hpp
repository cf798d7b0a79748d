// The clauses of the gate that rest on runs of the project's commands and of checks (P4-P6). Pure.
#pragma once

#include "engine/gate/evidence.hpp"
#include "engine/verify/comparison.hpp"

namespace emend {

struct VerificationClauses {
  Clause p4, p5, p6;
  Support support; // by commands and checks
};

// in.attempt is there. Runs are looked at again: nothing rests on what was decided before.
[[nodiscard]] VerificationClauses verification_clauses(const GateInput& in);

} // namespace emend
