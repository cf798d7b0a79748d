// The fix stage: one agent process on one or several issues in a private workspace; what comes back are
// patches the engine computed.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/agents/role_agents.hpp"
#include "engine/context/run_context.hpp"
#include "model/attempt.hpp"

namespace emend {

struct FixOrder {
  struct Member {
    const Unit& unit;
    const Issue& issue;
  };
  std::vector<Member> members; // all on the same base
  std::string role;            // "fixer" or "re_fixer"
  std::string prompt;
  std::string mark = {}; // of one candidate among several: part of its files' names, and it starts afresh
  Patch start = {};      // the workspace begins as base + this
  Json sub_agents = {};
  std::function<Status(Workspace&, AgentRequest&)> prepare = {}; // a last touch once the workspace is there

  [[nodiscard]] const Unit& unit() const { return members.front().unit; }
  [[nodiscard]] const Issue& issue() const { return members.front().issue; }
};

struct FixRun {
  RoleRun::End end = RoleRun::End::ran;
  std::vector<Attempt> attempts; // one a member; not judged yet
};

// Notes of an attempt that begin so hold the fixer's reason for a change in another file: "FILE: WHY".
inline constexpr std::string_view kOtherFileNote = "also needed: ";

// Attempt::ending of a fixer that is part of the engine.
inline constexpr const char* kNoProcess = "no process";
// Did the fixer come to an end of its own, so that what it says may be read?
[[nodiscard]] bool ended_well(const Attempt& attempt);

// An attempt that has not happened yet, with everything that is known before it.
[[nodiscard]] Attempt begin_attempt(const RunContext& context, const AgentBinding& fixer,
                                    const FixOrder::Member& member);

// The attempts are stored as interrupted before the agent starts, so a crash leaves a trace. Returned with
// claim, patch, notes and process facts; `result` is still interrupted: judging is the loop's. What several
// issues share is split by file and hunk.
[[nodiscard]] Result<FixRun> run_fixer(RunContext& context, RoleAgents& fixer, const FixOrder& order,
                                       std::stop_token stop);

} // namespace emend
