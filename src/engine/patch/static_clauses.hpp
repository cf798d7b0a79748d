// The clauses of the gate that can be decided from the patch alone (P1-P3). The loop uses them to refuse
// early, the gate to decide.
#pragma once

#include <string>
#include <vector>

#include "base/redact.hpp"
#include "engine/patch/scope.hpp"
#include "model/attempt.hpp"
#include "model/evidence.hpp"

namespace emend {

// Notes of an attempt that begin so are violations the workspace scan found (hard links, nested repositories,
// ...).
inline constexpr std::string_view kViolationNote = "violation: ";

[[nodiscard]] std::vector<Clause> static_clauses(const Issue& issue, const Attempt& attempt,
                                                 const Scope& scope, const Redactor& redactor);

// The first clause that did not pass; nullptr = all did.
[[nodiscard]] const Clause* first_failure(const std::vector<Clause>& clauses);

} // namespace emend
