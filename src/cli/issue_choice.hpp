// Which issues a command is about: codes, or every open one.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/context.hpp"
#include "model/issue.hpp"

namespace emend {

// Each once, in the order given, without settled ones (RESOLVED, MERGED, IGNORED, DUPLICATE); says which were
// left out.
[[nodiscard]] Result<std::vector<Issue>> choose_issues(CommandContext& context,
                                                       const std::vector<std::string>& codes, bool all_open);

// The same for issues that are at hand.
[[nodiscard]] std::vector<Issue> without_settled(CommandContext& context, std::vector<Issue> issues);

} // namespace emend
