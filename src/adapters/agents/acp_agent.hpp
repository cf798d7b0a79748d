// An agent that speaks the Agent Client Protocol on its standard streams, whichever program that is.
#pragma once

#include <string>

#include "adapters/agents/driver.hpp"

namespace emend {

class AcpAgent : public Agent {
public:
  // binding.command[0] must already be an absolute path. runner must outlive the agent.
  AcpAgent(ProcessRunner& runner, AgentBinding binding, std::string user_home)
      : runner_(runner), binding_(std::move(binding)), user_home_(std::move(user_home)) {}

  [[nodiscard]] const AgentBinding& binding() const override { return binding_; }
  [[nodiscard]] Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) override;

private:
  ProcessRunner& runner_;
  AgentBinding binding_;
  std::string user_home_;
};

// The coding CLI behind a command such as ["gemini", "--acp"] or ["claude-agent-acp"], whose login it needs;
// nullptr = none we know.
[[nodiscard]] const Driver* driver_behind(const std::vector<std::string>& command);

} // namespace emend
