// emend pr follow: our own threads on a pull request and the status of its head, brought up to date without a
// new review.
#include "cli/ci/head_anew.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_orders.hpp"
#include "cli/ci/pull_fix.hpp"

namespace emend {

namespace {

struct FollowWords {
  std::string what, remote;
};

Result<ExitStatus> run_follow(CommandContext& context, const FollowWords& words) {
  TRY_ASSIGN(const PullPlace place, fetch_pull(context, words.what, words.remote, ""));
  TRY(close_what_died(context, *place.at.forge));
  TRY(bring_up_to_date(context, place.at, place.pull));
  if (context.global().json)
    context.print_json("pr_follow", {{"pull_request", place.pull.number}, {"head", place.pull.head_sha}});
  return context.finish(ExitStatus::done);
}

} // namespace

Command pr_follow_action() {
  const auto words = std::make_shared<FollowWords>();
  Command command =
      action("follow", "bring emend's threads and the status of the head up to date, without a new review",
             {{"PULL", &words->what, "its number or URL", "PULL", {}, true},
              {"--remote", &words->remote, "remote of the pull request (default: origin)", "NAME"}},
             [words](CommandContext& context) { return run_follow(context, *words); });
  command.storage = words;
  return command;
}

} // namespace emend
