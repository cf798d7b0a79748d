// What is asked of a proof, and what was found when it was checked again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/gate/proof_bundle.hpp"

namespace emend {

// One thing that was looked at.
struct ProofCheck {
  std::string part; // "bundle", "proof row", "journal", "events", "issue", "seal", "commit", "gate", "rerun"
  bool holds = false;
  std::string detail; // one sentence
};

struct ProofReport {
  std::string code;
  std::string session_id;
  std::string commit;
  std::string evidence; // the level, in today's words
  Marks marks;
  std::string root;
  std::vector<ProofCheck> checks;

  [[nodiscard]] bool holds() const;
  [[nodiscard]] bool only_rerun_failed() const; // everything else holds
};

struct ProveOrder {
  std::string ref;    // the commit must be reachable from here; empty = the session's branch, or where such a
                      // branch usually is after a merge
  bool rerun = false; // run its commands again, on the base and on the patched tree
  std::optional<Policy>
      environment; // where the commands' environment comes from; nullopt = as the session had it
};

} // namespace emend
