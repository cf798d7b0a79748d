// An agent that is any command: prompt on stdin (and in a file, if asked for), answer on stdout.
#pragma once

#include <memory>
#include <string>

#include "ports/agent.hpp"

namespace emend {

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

} // namespace emend
