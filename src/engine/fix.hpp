// The fix stage: one agent process on one issue in a private workspace; what comes back is the patch the engine computed.
#pragma once

#include <stop_token>
#include <string>

#include "engine/run_context.hpp"
#include "engine/scope.hpp"
#include "model/attempt.hpp"

namespace emend {

struct FixOrder {
  const Unit& unit;
  const Issue& issue;
  std::string role;    // "fixer" or "re_fixer"
  std::string prompt;
  Patch start;         // the workspace begins as base + this
};

// Attempt::ending of a fixer that is part of the engine.
inline constexpr const char* kNoProcess = "no process";

// An attempt that has not happened yet, with everything that is known before it.
[[nodiscard]] Attempt begin_attempt(const RunContext& context, const AgentBinding& fixer, const FixOrder& order);

// The attempt is stored as interrupted before the agent starts, so a crash leaves a trace. Returned with claim, patch, notes and
// process facts; `result` is still interrupted: judging is the loop's. A cancelled run says so in `ending`.
[[nodiscard]] Result<Attempt> run_fixer(RunContext& context, Agent& agent, const Scope& scope, const FixOrder& order, std::stop_token stop);

} // namespace emend
