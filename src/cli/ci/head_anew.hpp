// A head of which something was said before, as things are now: a finding was dismissed, a label put on, a
// check made.
#pragma once

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"
#include "model/posting.hpp"

namespace emend {

// What was said of this head, by review and check, judged by the label and the settings as they are now.
[[nodiscard]] Status judge_anew(CommandContext& context, Forge& forge, const PullRequest& pull,
                                const TeamSettings& settings);

// Our own threads and the status of the head, as things are now.
[[nodiscard]] Status bring_up_to_date(CommandContext& context, const ForgeAccess& access,
                                      const PullRequest& pull);

} // namespace emend
