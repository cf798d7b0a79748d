// The checks of the repository at hand, as a command sees them: see service/project_setup.hpp.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "service/project_setup.hpp"

namespace emend {

[[nodiscard]] Result<Detected> guess_commands(CommandContext& context);
[[nodiscard]] std::optional<std::string> output_of(CommandContext& context, std::vector<std::string> argv);

} // namespace emend
