// The checks and reviews that `emend mcp` begins: what the agent asked for, named in the audit log.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "service/checked_change.hpp"

namespace emend {

struct AgentCheck {
  CheckWords words;
  std::vector<std::string> paths; // only the change in these; empty = all of it
};
// id: what the audit log calls it.
[[nodiscard]] Result<std::string> check_for_agent(CommandContext& context, const AgentCheck& wanted,
                                                  const std::string& id, std::stop_token stop);

// arguments: of the tool `review`. What is found is stored, and listed.
[[nodiscard]] Result<std::string> review_for_agent(CommandContext& context, const Json& arguments,
                                                   const std::string& id, std::stop_token stop);

} // namespace emend
