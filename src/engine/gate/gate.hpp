// The gate: the one place that may call an issue RESOLVED, from durable evidence, clause by clause, fail
// closed.
#pragma once

#include "engine/context/run_context.hpp"
#include "engine/gate/evidence.hpp"

namespace emend {

// Pure: the same input gives the same decision.
[[nodiscard]] GateDecision decide(const GateInput& input, const Redactor& redactor);

class ProofWriter;

// Gathers, decides, and moves the issue to RESOLVED with its proof in one transaction, or to FAILED with the
// clause's name. The unit is marked committed with it.
[[nodiscard]] Result<GateDecision> pass_gate(RunContext& context, const SessionEvidence& evidence,
                                             const ProofWriter& proofs, const Issue& issue, Unit& unit);

} // namespace emend
