// An agent: something that reads a prompt, may edit a workspace, and answers. Its answer is a claim, never evidence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"

namespace emend {

struct AgentRequest {
  std::string role;            // "fixer", "re_fixer", "fix_challenger"
  std::vector<std::string> issue_codes;
  int cycle = 1;
  std::string prompt;
  Workspace* workspace = nullptr;
  std::int64_t timeout_ms = 0;
  std::function<void(std::string_view line, bool is_stderr)> on_output; // cleaned and redacted by the caller before it is stored
  std::function<void(int pid, std::int64_t start_ticks)> on_start;
};

struct AgentRun {
  ProcessResult process;
  std::string answer;      // text in which the answer object is looked for (the last complete JSON object)
  std::string model;       // as reported by the agent; else the configured one
};

class Agent {
public:
  virtual ~Agent() = default;
  [[nodiscard]] virtual const AgentBinding& binding() const = 0;
  // A failing agent is a value (process.ending, exit_code); ErrorCode::agent only when it cannot be tried at all.
  [[nodiscard]] virtual Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) = 0;
};

class AgentFactory {
public:
  virtual ~AgentFactory() = default;
  // Checks the binding (command resolvable outside the repository, script readable) and makes the agent.
  [[nodiscard]] virtual Result<std::unique_ptr<Agent>> make(const AgentBinding& binding) = 0;
};

} // namespace emend
