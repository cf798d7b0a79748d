// What `emend mcp` offers to a coding agent. None of it approves, dismisses, trusts, pushes, posts, names
// another repository or chooses a command: the caller may have read hostile text.
#pragma once

#include "cli/agents/mcp_jobs.hpp"
#include "cli/context.hpp"
#include "mcp/server.hpp"

namespace emend {

// read_only: without the tools that start or write something. All of them outlive the offer.
[[nodiscard]] mcp::Offer mcp_offer(const CliDependencies& dependencies, const GlobalOptions& global,
                                   McpJobs& jobs, bool read_only);

} // namespace emend
