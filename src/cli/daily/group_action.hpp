// `emend sessions group`: a second branch of a session with fewer commits, made when a person asks for it.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "engine/branch/grouped_branch.hpp"

namespace emend {

// by: rule, file or one.
[[nodiscard]] Result<GroupedSession> group_here(CommandContext& context, const std::string& session,
                                                const std::string& by);
// "branch fix/k3f9-by-rule has the same files in 2 commits", or why there is none.
[[nodiscard]] std::string grouped_text(const GroupedSession& grouped);

[[nodiscard]] Result<ExitStatus> run_group(CommandContext& context, const std::string& session,
                                           const std::string& by);

} // namespace emend
