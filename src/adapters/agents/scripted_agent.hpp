// An agent that replays a script: the whole product without a model or money. It runs as a child process like
// any other agent.
#pragma once

#include <string>

#include "ports/agent.hpp"

namespace emend {

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
