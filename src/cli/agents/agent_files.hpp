// The repository's own agent files on their way into a session: read from its base, shown to a person,
// allowed, taken.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "engine/agents/repository_agents.hpp"

namespace emend {

// Of a commit of the repository around the current directory; none outside of a repository, before its first
// commit and with --isolated.
[[nodiscard]] Result<std::vector<RepositoryAgent>> agent_files_at(CommandContext& context,
                                                                  const std::string& ref);

// Or does the engine play both roles itself?
[[nodiscard]] bool agents_fix(const Policy& policy);

// The configuration's policy with the agent files of `base_ref`. Asks at a terminal for those nobody has
// allowed yet, else ErrorCode::needs_input; a broken one is ErrorCode::config. Only for commands that run
// agents.
[[nodiscard]] Result<Policy> policy_with_agent_files(CommandContext& context, const Config& config,
                                                     const std::string& base_ref);

} // namespace emend
