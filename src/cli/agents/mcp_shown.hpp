// What `show`, `findings` and the resources of `emend mcp` tell, as whole texts that are cut later.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace emend {

// The worst first, a line each.
[[nodiscard]] std::string issues_for_agent(std::vector<Issue> issues, const std::string& none);

// part: summary, diff, evidence, attempts or log of an issue (its code) or a session (its id). The last line
// is what to do next.
[[nodiscard]] Result<std::string> shown_part(CommandContext& context, const std::string& id,
                                             const std::string& part);

// What came of a session that is over; the first line is the verdict, the last one what to do next.
[[nodiscard]] std::string session_for_agent(const FixReport& report);

// What waits for a person here, and the command with which the person goes on; as in `emend inbox`.
[[nodiscard]] Result<std::string> needs_for_agent(CommandContext& context);

} // namespace emend
