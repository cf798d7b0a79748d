// Makes the agents that run on this machine: the coding CLIs it has drivers for, anything that speaks ACP,
// commands and scripts.
#pragma once

#include <memory>
#include <string>

#include "ports/agent.hpp"

namespace emend {

class LocalAgentFactory : public AgentFactory {
public:
  // runner must outlive the agents. self_binary: absolute path of the running program, which plays scripts.
  LocalAgentFactory(ProcessRunner& runner, std::string self_binary, std::string repository_root);

  [[nodiscard]] Result<std::unique_ptr<Agent>> make(const AgentBinding& binding) override;
  [[nodiscard]] std::vector<FoundAgent> found() const override;
  [[nodiscard]] Result<std::string> version(const AgentBinding& binding) override;
  [[nodiscard]] Result<AgentPlan> plan(const AgentBinding& binding, bool read_only) override;

private:
  [[nodiscard]] Result<std::unique_ptr<Agent>> make_checked(const AgentBinding& binding);
  // The binding with its program as an absolute path; a coding CLI's own name when it has no command.
  [[nodiscard]] Result<AgentBinding> resolved(AgentBinding binding) const;
  [[nodiscard]] Result<std::unique_ptr<Agent>> make_scripted(AgentBinding binding);

  ProcessRunner& runner_;
  std::string self_binary_;
  std::string repository_root_;
};

} // namespace emend
