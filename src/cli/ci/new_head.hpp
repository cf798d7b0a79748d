// A head of a pull request that emend looks at by itself, because a look or a webhook found it.
#pragma once

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"

namespace emend {

struct NewHead {
  bool reviewed = false;
  std::string line; // for people
};

// Why nobody is to be bothered with a review that nobody asked for: it is not open, a draft, this head was
// reviewed before, or somebody wrote /emend stop. Empty = it may be reviewed.
[[nodiscard]] Result<std::string> reason_to_leave(const Ports& ports, const std::string& project,
                                                  const PullRequest& pull);
// Each head once, whatever came out.
[[nodiscard]] Result<NewHead> review_new_head(CommandContext& context, ForgeAccess& access, int number);

} // namespace emend
