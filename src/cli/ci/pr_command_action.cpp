// emend pr command: one comment, named by number, as a workflow or a webhook hands it over.
#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_orders.hpp"
#include "config/forge_config.hpp"

namespace emend {

namespace {

struct CommandOptions {
  std::string what, comment, remote, done;
  bool inline_comment = false, look_only = false, answer_only = false;
};

Result<NamedRemark> named(const CommandOptions& options) {
  const auto pull = parse_pull_name(options.what);
  const bool is_number = !options.comment.empty() && options.comment.size() <= 20 &&
                         std::all_of(options.comment.begin(), options.comment.end(),
                                     [](char c) { return c >= '0' && c <= '9'; });
  if (!pull || !is_number)
    return fail(ErrorCode::usage, "a pull request and the number of a comment are needed",
                "emend pr command 42 1234");
  return NamedRemark{pull->number,
                     options.inline_comment ? RemarkKind::inline_comment : RemarkKind::conversation,
                     options.comment};
}

// The first line of what was done elsewhere, which is text of that place and nothing else.
Result<ObeyManner> manner_of(const CommandOptions& options) {
  constexpr std::uint64_t kLargestAnswer = 1'000'000;
  ObeyManner manner{options.answer_only, ""};
  if (options.done.empty()) return manner;
  TRY_ASSIGN(const std::string text, read_file(options.done, kLargestAnswer));
  manner.done = first_line(clean_text(trim(text)), 400);
  if (manner.done.empty()) manner.done = "done, without a result";
  return manner;
}

Result<ExitStatus> run_command(CommandContext& context, const CommandOptions& options) {
  TRY_ASSIGN(const NamedRemark remark, named(options));
  const auto pull = parse_pull_name(options.what);
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, pull->at}));
  Obeyed obeyed;
  if (options.look_only) {
    TRY_ASSIGN(const Ports ports, context.ports());
    TRY_ASSIGN(const Config config, context.config());
    TRY_ASSIGN(obeyed.asked, admit(ports, *access.forge, {team_settings(config).allow_bots}, remark, true,
                                   context.dependencies().stop));
  } else {
    TRY(close_what_died(context, *access.forge));
    TRY_ASSIGN(const ObeyManner manner, manner_of(options));
    TRY_ASSIGN(obeyed, obey(context, access, remark, manner));
  }
  if (context.global().json)
    context.print_json("pr_command", to_json(obeyed));
  else
    context.print(line_of(obeyed) + "\n");
  const bool good = obeyed.asked.what != Admission::What::refused && obeyed.end.result != "failed";
  return context.finish(good ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command pr_command_action() {
  const auto options = std::make_shared<CommandOptions>();
  Command command = action(
      "command", "carry out the command in one comment of a pull request, if its author may give it",
      {{"PULL", &options->what, "its number or URL", "PULL", {}, true},
       {"COMMENT", &options->comment, "number of the comment", "COMMENT", {}, true},
       {"--inline", &options->inline_comment, "it is a comment on a line"},
       {"--look-only", &options->look_only, "say what it is and whether it may be done; do and note nothing"},
       {"--answer-only", &options->answer_only,
        "answer refusals, explain, dismiss, stop and help, where nothing is kept; do nothing else"},
       {"--done", &options->done,
        "it was carried out elsewhere: only answer, with the first line of this file", "FILE"},
       {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"}},
      [options](CommandContext& context) { return run_command(context, *options); });
  command.examples = "  emend pr command 42 2011223344 --look-only --json\n";
  command.storage = options;
  return command;
}

} // namespace emend
