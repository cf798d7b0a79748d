// Do the checks execute the lines that a patch changes? Asked of a coverage tool, in one more run whose
// result counts for nothing: a note for the judge and the person, and a mark; never a refusal.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/verify/verify.hpp"
#include "model/issue.hpp"

namespace emend {

// What a stored run with a coverage tool saw on this tree; null = there is none.
[[nodiscard]] const ExecutedLines* executed_by(const std::vector<Verification>& runs, const std::string& base,
                                               const std::string& patch_sha256);

// A change whose lines are asked for.
struct MeasuredChange {
  const Issue& issue;
  const std::string& base;
  const Patch& patch;   // what the tree holds
  const Patch& product; // of it, what is measured
};

// V8 of node, coverage.py, gcov where the build asks for it, `go test`: the run is made if the product side
// changes a file in a language whose tool is there. nullopt = nothing was measured, or cancelled.
[[nodiscard]] Result<std::optional<ExecutedLines>> measure_coverage(
    RunContext& context, Verifier& verifier, const MeasuredChange& change,
    const std::vector<VerifyCommand>& commands, std::stop_token stop);

} // namespace emend
