#include "cli/commands.hpp"
#include "cli/pr_actions.hpp"

namespace emend {

Command pr_command() {
  Command command;
  command.name = "pr";
  command.summary = "review pull requests with two votes, propose fixes as one, follow what becomes of it";
  command.examples =
      "  emend pr review --range main..feature\n  emend pr review 42 --post both\n  emend pr create --push\n";
  command.subcommands = {pr_review_action(), pr_create_action(), pr_status_action(), pr_comments_action(),
                         pr_sync_action()};
  return command;
}

} // namespace emend
