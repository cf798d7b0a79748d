// The agents of one role: the bound one and those that take over when it cannot work now. A limit, a missing
// login or an outage is never an attempt: wait, ask the next agent, or stop the queue.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/agents/agent_run.hpp"
#include "engine/agents/budget.hpp"
#include "engine/context/run_context.hpp"
#include "ports/agent.hpp"

namespace emend {

// What to do after a run in which the agent could not work. Pure.
struct NextMove {
  enum class Kind { wait, next_agent };
  Kind kind = Kind::next_agent;
  std::int64_t wait_ms = 0;
};
struct Hindrance {
  AgentState state;
  int tries = 0;              // of this agent in a row, this one included
  std::int64_t waited_ms = 0; // for this run so far
  std::int64_t now_ms = 0;    // unix time
  bool another = false;       // is there another agent that could be asked at once
};
[[nodiscard]] NextMove next_move(const Policy& policy, const Hindrance& hindrance);

struct RoleRequest {
  AgentRequest request; // without workspace, callbacks and conversation
  std::vector<std::string> issue_ids;
  std::function<Result<std::unique_ptr<Workspace>>()> workspace; // a new one for each try
  std::function<Status(Workspace&, AgentRequest&)> prepare = {}; // a last touch once it is there
  std::string stem;                                              // names the artifacts
  std::int64_t timeout_ms = 0;                                   // where the agent's binding has none
  bool conversations = false; // go on with an earlier one and keep this one
};

struct RoleRun {
  enum class End {
    ran,       // the run is what it is: a usable answer or not
    cancelled, // the stop token fired
    stopped,   // no agent can work now, or a budget is used up: the context's queue is stopped
  };
  End end = End::ran;
  AgentRun run;
  AgentBinding agent; // who ran
  std::string family; // vendor of the model that answered
  std::unique_ptr<Workspace> workspace;
  std::vector<std::string> notes; // waited, fell back, lost the conversation
};

// Shared by the threads of a session.
class RoleAgents {
public:
  // In order of preference; at least one.
  RoleAgents(RunContext& context, Meter& meter, std::vector<std::unique_ptr<Agent>> agents);

  [[nodiscard]] Agent& first_agent() { return *agents_.front(); }
  [[nodiscard]] const AgentBinding& first() const { return agents_.front()->binding(); }
  // Every run is recorded with what it consumed.
  [[nodiscard]] Result<RoleRun> run(const RoleRequest& request, std::stop_token stop);

private:
  struct Standing {
    bool gone = false; // for this session
    AgentState why;
  };
  [[nodiscard]] std::optional<std::size_t> first_usable() const;
  void give_up(std::size_t index, const AgentState& state);
  [[nodiscard]] Result<AgentRequest> request_to(const Agent& agent, const RoleRequest& order,
                                                Workspace& workspace, const Conversation* conversation);
  [[nodiscard]] bool wait(std::int64_t ms, const AgentBinding& agent, const AgentState& state,
                          std::stop_token stop);

  RunContext& context_;
  Meter& meter_;
  std::vector<std::unique_ptr<Agent>> agents_;
  mutable std::mutex mutex_;
  std::vector<Standing> standings_;
};

// The bound agent and those that may take over. A missing one of the latter is no reason not to start.
[[nodiscard]] Result<std::unique_ptr<RoleAgents>> make_role_agents(
    RunContext& context, Meter& meter, const AgentBinding& first, const std::vector<AgentBinding>& fallbacks);

} // namespace emend
