#include "cli/start/project_guess.hpp"

namespace emend {

Result<Detected> guess_commands(CommandContext& context) {
  TRY_ASSIGN(Repository * repository, context.repository());
  const CliDependencies& dependencies = context.dependencies();
  return guess_commands({*repository, *dependencies.processes, context.environment(), dependencies.stop});
}

std::optional<std::string> output_of(CommandContext& context, std::vector<std::string> argv) {
  const CliDependencies& dependencies = context.dependencies();
  return output_of(*dependencies.processes, context.environment(), std::move(argv), dependencies.stop);
}

} // namespace emend
