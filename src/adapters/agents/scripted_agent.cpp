#include "adapters/agents/scripted_agent.hpp"

#include "adapters/agents/agent_process.hpp"
#include "base/strings.hpp"

namespace emend {

Result<AgentRun> ScriptedAgent::run(const AgentRequest& request, std::stop_token stop) {
  std::vector<std::string> argv{self_binary_,
                                "__play",
                                binding_.script,
                                request.role,
                                join(request.issue_codes, ","),
                                std::to_string(request.cycle)};
  AgentRun run;
  TRY_ASSIGN(run.process, runner_.run(agent_process(binding_, request, std::move(argv)), std::move(stop)));
  run.state = state_by_exit(run.process);
  run.answer = run.process.out;
  run.model = script_model_.empty() ? binding_.model : script_model_;
  return run;
}

} // namespace emend
