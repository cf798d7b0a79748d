// emend pr tidy: what an interrupted emend left open at the forge, closed.
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_orders.hpp"

namespace emend {

namespace {

struct TidyWords {
  std::string remote;
};

Result<ExitStatus> run_tidy(CommandContext& context, const TidyWords& words) {
  TRY_ASSIGN(const ForgeAccess access, access_forge(context, {words.remote, std::nullopt}));
  TRY_ASSIGN(const int closed, close_what_died(context, *access.forge));
  if (context.global().json)
    context.print_json("pr_tidy", {{"closed", closed}});
  else if (closed == 0)
    context.print("nothing was left open\n");
  return context.finish(ExitStatus::done);
}

} // namespace

Command pr_tidy_action() {
  const auto words = std::make_shared<TidyWords>();
  Command command = action("tidy", "close statuses and commands that an interrupted emend left open",
                           {{"--remote", &words->remote, "remote of the forge (default: origin)", "NAME"}},
                           [words](CommandContext& context) { return run_tidy(context, *words); });
  command.storage = words;
  return command;
}

} // namespace emend
