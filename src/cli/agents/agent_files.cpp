#include "cli/agents/agent_files.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "cli/trust_check.hpp"
#include "config/config_files.hpp"
#include "engine/agents/agent_roles.hpp"
#include "service/project_config.hpp"

namespace emend {

Result<std::vector<RepositoryAgent>> agent_files_at(CommandContext& context, const std::string& ref) {
  std::vector<RepositoryAgent> none;
  if (context.global().isolated || find_repository_root(fs::current_path().string()).empty()) return none;
  TRY_ASSIGN(Repository * repository, context.repository());
  const auto commit = repository->resolve(ref);
  if (!commit && ref == "HEAD") return none; // no commit yet
  TRY(commit);
  TRY_ASSIGN(Store * store, context.store());
  return repository_agents(*repository, *store, *commit);
}

bool agents_fix(const Policy& policy) {
  return !policy.fixer.builtin() || (policy.challenger_enabled && !policy.challenger.builtin());
}

Result<Policy> policy_with_agent_files(CommandContext& context, const Config& config,
                                       const std::string& base_ref) {
  Policy policy = config.policy();
  TRY_ASSIGN(std::vector<RepositoryAgent> agents, agent_files_at(context, base_ref));
  for (const RepositoryAgent& agent : agents) TRY(check_agent_file(agent.path, agent.text));
  std::vector<CommandFile> untrusted = as_command_files(agents);
  std::erase_if(untrusted, [](const CommandFile& file) { return file.trusted; });
  if (!untrusted.empty()) {
    TRY(ask_for_trust(context, untrusted, "this repository has its own agent instructions"));
    TRY_ASSIGN(agents, agent_files_at(context, base_ref));
  }
  TRY_ASSIGN(policy.agent_files, allowed_agent_files(agents));
  return policy;
}

} // namespace emend
