#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/daily/check_action.hpp"
#include "cli/findings_input.hpp"
#include "cli/start/first_run.hpp"

namespace emend {
namespace {

ExitStatus status_of(const ChangeCheck& check) {
  return check.holds() || check.verdict == CheckVerdict::nothing ? ExitStatus::done : ExitStatus::unresolved;
}

constexpr std::size_t kLargestDiff = 64'000'000;

struct CheckOptions {
  CheckWords words;
  std::string patch; // a file; "-" = stdin
  std::string export_to;
};

// For whoever reviews the change. Only what is proven has a proof.
Status export_proof(CommandContext& context, const ChangeCheck& check, const std::string& path) {
  if (path.empty()) return {};
  if (check.proof.empty()) {
    context.hint("no proof was written: only a PROVEN change has one");
    return {};
  }
  TRY(write_file(path, check.proof, 0644));
  context.hint("wrote " + one_line(path, 200) + "; to check it in a clone that has the base: emend prove " +
               one_line(shell_quote(path), 200));
  return {};
}

Result<ExitStatus> run_check(CommandContext& context, const CheckOptions& options) {
  CheckWords words = options.words;
  words.has_diff = !options.patch.empty();
  if (words.has_diff) {
    TRY_ASSIGN(words.diff, read_input(options.patch, kLargestDiff));
  }
  TRY_ASSIGN(CheckOrder order, order_of(context, words));
  order.proof = !options.export_to.empty();
  if (!order.patch.empty() && context.may_ask()) TRY(offer_checks(context, {}));
  TRY_ASSIGN(const ChangeCheck check, check_here(context, std::move(order), context.dependencies().stop));
  if (context.global().json) {
    context.print_json("check", to_json(check));
  } else {
    context.print(check_text(check, context.palette()));
  }
  TRY(export_proof(context, check, options.export_to));
  return context.finish(status_of(check));
}

} // namespace

Command check_command() {
  const auto options = std::make_shared<CheckOptions>();
  Command command;
  command.name = "check";
  command.summary = "check a change you or your agent made: does it fix something, does it break anything?";
  command.examples =
      "Default: what is not committed. Nothing is committed, and your checkout is not touched.\n"
      "  emend check                          before you say it is done\n"
      "  emend check --issue BE-001           is this issue fixed?\n"
      "  emend check --range main..feature\n"
      "  git diff | emend check --patch -\n";
  command.options = {
      {"--issue", &options->words.issue, "the issue the change should fix", "CODE"},
      {"--staged", &options->words.staged, "check what `git commit` would commit now"},
      {"--commit", &options->words.commit, "check what this commit changed", "SHA"},
      {"--range", &options->words.range, "check what these commits changed", "A..B"},
      {"--base", &options->words.base,
       "check what changed since the merge base with REF, committed or not; with --patch: what it applies to",
       "REF"},
      {"--patch", &options->patch, "check a unified diff; - reads it from stdin", "FILE"},
      {"--export", &options->export_to, "write the proof of a PROVEN change to FILE (see emend prove)",
       "FILE"},
      {"--judge", &options->words.judge, "ask the judge too (costs an agent run)"},
  };
  command.run = [options](CommandContext& context) { return run_check(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
