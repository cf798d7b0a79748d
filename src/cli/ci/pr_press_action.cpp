// emend pr press: a button in a check run of emend's that a person pressed, as a webhook hands it over.
#include <algorithm>

#include "base/strings.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_orders.hpp"

namespace emend {

namespace {

struct PressOptions {
  std::string run, by, remote;
};

Result<ExitStatus> run_press(CommandContext& context, const PressOptions& options) {
  const bool is_number =
      !options.run.empty() && options.run.size() <= 20 &&
      std::all_of(options.run.begin(), options.run.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || options.by.empty())
    return fail(ErrorCode::usage, "the number of a check run and a login are needed",
                "emend pr press 1234 --by alice");
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  TRY_ASSIGN(const Obeyed obeyed, obey_press(context, access, {options.run, options.by}));
  if (context.global().json)
    context.print_json("pr_press", to_json(obeyed));
  else
    context.print(line_of(obeyed) + "\n");
  const bool good = obeyed.asked.what != Admission::What::refused && obeyed.end.result != "failed";
  return context.finish(good ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command pr_press_action() {
  const auto options = std::make_shared<PressOptions>();
  Command command = action("press", "carry out the button of a check run that emend made, if this person may",
                           {{"RUN", &options->run, "number of the check run", "RUN", {}, true},
                            {"--by", &options->by, "login of who pressed it", "LOGIN"},
                            {"--remote", &options->remote, "remote of the forge (default: origin)", "NAME"}},
                           [options](CommandContext& context) { return run_press(context, *options); });
  command.examples = "  emend pr press 30433642031 --by alice\n";
  command.storage = options;
  return command;
}

} // namespace emend
