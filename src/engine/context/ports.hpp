// What the engine works with: the outside world behind interfaces, and what the program hands on for a whole
// session.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/redact.hpp"
#include "base/result.hpp"
#include "model/actor.hpp"
#include "ports/agent.hpp"
#include "ports/analyzer.hpp"
#include "ports/artifacts.hpp"
#include "ports/clock.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

class Presence;

// What the quotas and budgets that all work shares leave for the next run of an agent.
struct Allowance {
  std::string used_up = {}; // one sentence: no agent is started; empty = there is something left
  double cost_usd = 0;      // 0 = no limit
  std::int64_t time_ms = 0; // likewise
};

// The outside world as the engine sees it. References outlive whoever holds them.
struct Ports {
  Store& store;
  Repository& repository;
  ProcessRunner& processes;
  AgentFactory& agents;
  Clock& clock;
  const std::vector<std::unique_ptr<Analyzer>>* analyzers =
      nullptr;                       // to re-run what found an issue; null = none
  Actor actor = {};                  // who wants what is done with these
  std::string version = {};          // of this program, for proofs
  ArtifactSink* artifacts = nullptr; // told of what is kept in session folders; null = nobody is
  Presence* presence = nullptr;      // where work is shared with other machines; null = it is not
  // What counts as a secret here, read anew at each use because a server's configuration may change; empty =
  // the built-in patterns.
  std::function<Result<Redactor>()> make_redactor = {};
  std::function<Result<Allowance>()> allowance = {}; // asked before each run of an agent; empty = no limits
  [[nodiscard]] Result<Redactor> redactor() const { return make_redactor ? make_redactor() : Redactor(); }
};

} // namespace emend
