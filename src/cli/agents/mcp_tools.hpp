// What `emend mcp` offers to a coding agent. None of it approves, dismisses, trusts, pushes, posts, names
// another repository or chooses a command: the caller may have read hostile text.
#pragma once

#include "cli/agents/mcp_jobs.hpp"
#include "cli/context.hpp"
#include "mcp/server.hpp"

namespace emend {

struct McpPlace {
  GlobalOptions global;
  std::string directory; // in the repository
  std::string caller = "a coding agent";
  bool read_only = false; // without the tools that start or write something
  std::string key = {};   // seals calls that wait for a person; one for the life of a server
};
// dependencies and jobs outlive the offer.
[[nodiscard]] mcp::Offer mcp_offer(const CliDependencies& dependencies, McpPlace place, McpJobs& jobs);

} // namespace emend
