// Checks a proof again, without any agent: the bundle, the journal, the commit, and the gate's decision made
// anew from the bundle.
#pragma once

#include <stop_token>
#include <string_view>

#include "engine/context/ports.hpp"
#include "engine/gate/proof_report.hpp"

namespace emend {

// A bundle from anywhere, against the repository alone.
[[nodiscard]] Result<ProofReport> prove_bundle(const Ports& ports, const std::string& home,
                                               std::string_view bytes, const ProveOrder& order,
                                               std::stop_token stop);
// A resolved issue of this repository: its bundle, and whether the database still says what it said.
// not_found: it has no proof.
[[nodiscard]] Result<ProofReport> prove_issue(const Ports& ports, const std::string& home, const Issue& issue,
                                              const ProveOrder& order, std::stop_token stop);

} // namespace emend
