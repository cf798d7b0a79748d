// One question to an agent that only looks: a throw-away workspace, the prompt, and what it answered.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/prompt.hpp"
#include "engine/run_context.hpp"
#include "ports/agent.hpp"

namespace emend {

struct AgentQuestion {
  std::string role; // the agent file's name
  std::vector<Issue> issues;
  int cycle = 1;
  int ask = 1; // 2 = asked again because nothing usable came
  std::string prompt;
};

// The issues as parts of a prompt: clean, redacted, with the code in question as the session's base has it.
[[nodiscard]] std::vector<FixPromptInput::Item> prompt_items(RunContext& context, const std::vector<Issue>& issues);

// Whatever the agent does to its workspace is thrown away. An agent that fails may still have answered; one that cannot work now (login,
// quota, overload) is ErrorCode::auth or agent, a fired stop token ErrorCode::cancelled. Prompt and output are kept with the session.
[[nodiscard]] Result<std::string> ask_agent(RunContext& context, Agent& agent, const AgentQuestion& question, std::stop_token stop);

} // namespace emend
