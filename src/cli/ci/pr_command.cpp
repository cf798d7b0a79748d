#include "cli/ci/pr_actions.hpp"
#include "cli/commands.hpp"

namespace emend {

Command pr_command() {
  Command command;
  command.name = "pr";
  command.summary = "review pull requests, take commands there, propose fixes, follow their state";
  command.examples =
      "  emend pr review --range main..feature\n  emend pr review 42 --post both\n  emend pr create --push\n";
  command.subcommands = {pr_review_action(),   pr_check_action(),   pr_create_action(), pr_status_action(),
                         pr_comments_action(), pr_sync_action(),    pr_follow_action(), pr_fix_action(),
                         pr_watch_action(),    pr_command_action(), pr_press_action(),  pr_queue_action(),
                         pr_land_action(),     pr_tidy_action()};
  return command;
}

} // namespace emend
