// Telling people about what could not be fixed: issues at the forge, printed first.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/context.hpp"

namespace emend {

struct PublishOrder {
  std::vector<std::string> codes; // empty = all that ended so
  std::string session;            // only those this session worked on
  std::string remote;
  bool post = false; // although tracker.dry_run is true
};

[[nodiscard]] Result<ExitStatus> publish_unresolved(CommandContext& context, const PublishOrder& order);
[[nodiscard]] Command publish_action(); // emend issues publish

} // namespace emend
