// `emend agents files`: the instructions of agents, where they come from, and whether they are valid.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace emend {

// All files with their origin, or, with a name, the text that would be used. ExitStatus::usage when one of
// the repository's own is broken.
[[nodiscard]] Result<ExitStatus> show_agent_files(CommandContext& context, const std::string& name);

} // namespace emend
