// Does what a branch holds still stand when one of its fixes is undone?
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"

namespace emend {

// `tip`: the branch without the fix; `issues`: those that stay RESOLVED. Says what speaks against it, in one
// sentence; empty = nothing does. ErrorCode::cancelled when the stop token fired. What was run is stored.
[[nodiscard]] Result<std::string> problem_of_remaining(RunContext& context, const std::string& tip,
                                                       const std::vector<Issue>& issues,
                                                       std::stop_token stop);

} // namespace emend
