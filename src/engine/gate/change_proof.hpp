// The proof of a change that somebody else made and `emend check` called PROVEN, in one file. It is about a
// base and a patch: no issue, session or commit is in it.
#pragma once

#include <string>
#include <vector>

#include "engine/gate/evidence.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "model/verdict.hpp"

namespace emend {

// What was seen of a change. called_scripts and opened as the gate needs them.
struct SeenChange {
  Policy policy;
  Issue issue; // what it is about; made up where nobody named one
  Attempt attempt;
  std::vector<Verification> verifications;
  std::vector<OpenedTest> opened;
};

// As the gate reads it: the branch would be the base with this change alone. The tree and the called scripts
// of the base are left to the caller.
[[nodiscard]] GateInput gate_input(const SeenChange& seen);
// What of the gate needs neither judge nor commit: is it a change within its limits, and do the checks speak
// for it? Pure.
[[nodiscard]] GateDecision decide_change(const GateInput& in, const Redactor& redactor);

// The bundle; empty when the decision from these records is not at least `repaired` or `shown`.
[[nodiscard]] std::string change_proof(const GateInput& in, const std::vector<Verdict>& verdicts,
                                       const std::string& version, const Redactor& redactor);

} // namespace emend
