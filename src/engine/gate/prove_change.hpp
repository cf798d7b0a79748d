// Checks the proof of a change that somebody else made again.
#pragma once

#include <stop_token>
#include <string>

#include "engine/context/ports.hpp"
#include "engine/gate/proof_report.hpp"

namespace emend {

// Against the repository alone: the bundle, whether its base is here and is what the change starts from, the
// decision made anew, where the change is by now, and with order.rerun its experiments.
[[nodiscard]] Result<ProofReport> prove_change(const Ports& ports, const std::string& home,
                                               const ProofBundle& bundle, const ProveOrder& order,
                                               std::stop_token stop);

} // namespace emend
