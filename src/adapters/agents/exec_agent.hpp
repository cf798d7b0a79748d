// Agents that are commands without an event stream: the answer is what they print.
#pragma once

#include <memory>
#include <string>

#include "ports/agent.hpp"

namespace emend {

// Any command: prompt on stdin (and in a file, if asked for), answer on stdout.
class ExecAgent : public Agent {
public:
  // binding.command[0] must already be an absolute path. runner must outlive the agent.
  ExecAgent(ProcessRunner& runner, AgentBinding binding) : runner_(runner), binding_(std::move(binding)) {}

  [[nodiscard]] const AgentBinding& binding() const override { return binding_; }
  [[nodiscard]] Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) override;

private:
  ProcessRunner& runner_;
  AgentBinding binding_;
};

// Replays a script: the whole product without a model or money. It runs as a child process like any other
// agent.
class ScriptedAgent : public Agent {
public:
  // binding.script is an absolute path; self_binary is the program whose hidden command __play plays it
  // (scripted_player.hpp).
  ScriptedAgent(ProcessRunner& runner, AgentBinding binding, std::string self_binary,
                std::string script_model)
      : runner_(runner),
        binding_(std::move(binding)),
        self_binary_(std::move(self_binary)),
        script_model_(std::move(script_model)) {}

  [[nodiscard]] const AgentBinding& binding() const override { return binding_; }
  [[nodiscard]] Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) override;

private:
  ProcessRunner& runner_;
  AgentBinding binding_;
  std::string self_binary_;
  std::string script_model_; // what the script says it is; may be empty
};

} // namespace emend
