// Repeats the experiments a proof rests on, in fresh trees, and compares them with what is stored.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/gate/evidence.hpp"

namespace emend {

struct Repeated {
  bool holds = false; // everything came out as it is stored
  std::string detail; // one sentence
};

// The checks on the base, with the patch, and again without it where that was done; the probes; then the
// issue's reproducer. environment: where the commands' environment comes from; nullopt = as the session had
// it. Nothing is stored.
[[nodiscard]] Result<std::vector<Repeated>> rerun_experiments(const Ports& ports, const std::string& home,
                                                              const GateInput& in, Evidence level,
                                                              const std::optional<Policy>& environment,
                                                              std::stop_token stop);

// In what a run of the same commands on the same tree differs from a stored one, one sentence a command;
// empty = it came out the same. Tests are compared by name where both runs name them.
[[nodiscard]] std::vector<std::string> differences(const Verification& stored, const Verification& now);

} // namespace emend
