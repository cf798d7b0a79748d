#include "cli/ci/head_anew.hpp"

#include "cli/ci/checked_head.hpp"
#include "cli/ci/pr_head.hpp"
#include "config/forge_config.hpp"

namespace emend {

Status bring_up_to_date(CommandContext& context, const ForgeAccess& access, const PullRequest& pull) {
  TRY(follow_pull(context, access, pull, nullptr));
  TRY_ASSIGN(const Config config, context.config());
  return judge_anew(context, *access.forge, pull, team_settings(config));
}

Status judge_anew(CommandContext& context, Forge& forge, const PullRequest& pull,
                  const TeamSettings& settings) {
  TRY(CheckedHead(context, forge, pull, settings).again());
  return ReviewedHead(context, forge, pull, settings).again();
}

} // namespace emend
