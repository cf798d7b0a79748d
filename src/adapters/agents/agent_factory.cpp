#include "adapters/agents/agent_factory.hpp"

#include <cstdlib>

#include "adapters/agents/command_path.hpp"
#include "adapters/agents/exec_agent.hpp"
#include "adapters/agents/scripted_agent.hpp"
#include "adapters/agents/scripted_player.hpp"

namespace emend {

Result<std::unique_ptr<Agent>> LocalAgentFactory::make(const AgentBinding& binding) {
  auto agent = make_checked(binding);
  if (!agent) return fail(std::move(agent).error().with_context("agent " + binding.name));
  return agent;
}

Result<std::unique_ptr<Agent>> LocalAgentFactory::make_checked(const AgentBinding& binding) {
  if (binding.engine == "exec") return make_exec(binding);
  if (binding.engine == "scripted") return make_scripted(binding);
  return fail(ErrorCode::config, "unknown engine \"" + binding.engine + "\"", "use \"exec\" or \"scripted\"");
}

Result<std::unique_ptr<Agent>> LocalAgentFactory::make_exec(AgentBinding binding) {
  if (binding.command.empty() || binding.command.front().empty())
    return fail(ErrorCode::config, "no command given", "set command = [\"program\", \"argument\", ...]");
  const char* path = std::getenv("PATH");
  TRY_ASSIGN(binding.command.front(), resolve_command(binding.command.front(), path != nullptr ? path : "", repository_root_));
  return std::make_unique<ExecAgent>(runner_, std::move(binding));
}

Result<std::unique_ptr<Agent>> LocalAgentFactory::make_scripted(AgentBinding binding) {
  if (!binding.script.starts_with('/'))
    return fail(ErrorCode::config, "the script path \"" + binding.script + "\" is not absolute",
                "name the script file in the configuration");
  auto script = load_script(binding.script);
  if (!script) {
    Error error = std::move(script).error();
    if (error.code == ErrorCode::config) return fail(std::move(error));
    return fail(ErrorCode::agent, error.message, "correct the script's path or its contents");
  }
  std::string model = string_or(*script, "model");
  return std::make_unique<ScriptedAgent>(runner_, std::move(binding), self_binary_, std::move(model));
}

} // namespace emend
