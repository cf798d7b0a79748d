// One question to an agent that only looks: a throw-away workspace, the prompt, and what it answered.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/prompts/prompt.hpp"
#include "model/patch.hpp"
#include "ports/agent.hpp"

namespace emend {

struct AgentQuestion {
  std::string role; // the agent file's name
  std::vector<Issue> issues;
  int cycle = 1;
  int ask = 1; // 2 = asked again because nothing usable came
  std::string prompt;
  std::string name = {};   // in the names of kept files where there is no issue's code: a voter, a reviewer
  std::string commit = {}; // of the tree it looks at; empty = the session's base
  Patch patch = {};        // laid over it
  Json schema = {};        // see AgentRequest
  Json sub_agents = {};    // same
  std::int64_t timeout_ms = 0; // for agents without a limit of their own; 0 = fix.timeout
  std::function<void(const AgentEvent&)> on_event = {}; // see AgentRequest
};

struct AskedRun {
  AgentRun run;
  bool changed_files = false; // although it was only to look
};

// The run as it ended, whatever that means; errors are those of the world around the agent. A fired stop
// token is ErrorCode::cancelled. Prompt and output are kept with the session. Several questions may be asked
// at the same time.
[[nodiscard]] Result<AskedRun> run_question(RunContext& context, Agent& agent, const AgentQuestion& question,
                                            std::stop_token stop);

// The issues as parts of a prompt: clean, redacted, with the code in question as the session's base has it.
[[nodiscard]] std::vector<FixPromptInput::Item> prompt_items(
    RunContext& context, const std::vector<Issue>& issues,
    const std::string& base = {}); // empty = the session's

// Whatever the agent does to its workspace is thrown away. An agent that fails may still have answered; one
// that cannot work now (login, quota, overload) is ErrorCode::auth or agent.
[[nodiscard]] Result<std::string> ask_agent(RunContext& context, Agent& agent, const AgentQuestion& question,
                                            std::stop_token stop);

} // namespace emend
