// A head of a pull request that emend looks at by itself, because a look or a webhook found it.
#pragma once

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"

namespace emend {

struct NewHead {
  bool reviewed = false;
  std::string line; // for people
};

// A fix that emend proposed is not reviewed or repaired by emend on its own: it would never end.
[[nodiscard]] Result<bool> is_own_proposal(const Ports& ports, const std::string& project,
                                           const PullRequest& pull);
// Why nobody is to be bothered with a review that nobody asked for: it is not open, a draft, emend's own,
// this head was reviewed before, or somebody wrote /emend stop. Empty = it may be reviewed.
[[nodiscard]] Result<std::string> reason_to_leave(const Ports& ports, const std::string& project,
                                                  const PullRequest& pull);
// Each head once, whatever came out.
[[nodiscard]] Result<NewHead> review_new_head(CommandContext& context, ForgeAccess& access, int number);

} // namespace emend
