// emend pr check: the project's checks on the change of a pull request, and the status "emend/check".
#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/checked_head.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/trust_check.hpp"
#include "config/forge_config.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestVerdict = 8'000'000;

struct PrCheckOptions {
  std::string what, remote, head, issue, status, gate, from;
};

std::vector<ConfigOverride> overrides_of(const PrCheckOptions& options) {
  std::vector<ConfigOverride> flags;
  if (!options.status.empty()) flags.push_back({"forge.status", options.status, "--status"});
  if (!options.gate.empty()) flags.push_back({"forge.gate", options.gate, "--gate"});
  return flags;
}

// As `emend check --json` wrote it in another place.
Result<HeadVerdict> verdict_in(const PrCheckOptions& options) {
  TRY_ASSIGN(const std::string text, read_file(options.from, kLargestVerdict));
  TRY_ASSIGN(const Json answer, parse_json(text));
  const Json* data = find_member(answer, "data");
  const std::string word = data == nullptr ? "" : string_or(*data, "verdict");
  if (word.empty())
    return fail(ErrorCode::usage, one_line(options.from, 200) + " is not what emend check --json writes");
  return head_verdict(word, string_or(*data, "reason"), options.issue);
}

Result<ExitStatus> run_pr_check(CommandContext& context, const PrCheckOptions& options) {
  TRY_ASSIGN(const PullPlace place, fetch_pull(context, options.what, options.remote, options.head));
  const PullRequest& pull = place.pull;
  const bool fork = to_lower(pull.head_project) != to_lower(place.at.forge->place().project);
  if (fork && options.head.empty())
    return fail(ErrorCode::usage,
                "the pull request comes from a fork: its code is run only for a commit that you name",
                "look at it, then: --head " + pull.head_sha);
  TRY(context.take_configuration_from(place.base, pull.head_sha));
  TRY_ASSIGN(const Config config, trusted_config(context, overrides_of(options)));
  CheckedHead head(context, *place.at.forge, pull, team_settings(config));
  TRY(head.begin());
  const auto verdict = options.from.empty() ? check_pull(context, place, options.issue) : verdict_in(options);
  if (!verdict) {
    head.fail(verdict.error());
    return fail(verdict.error());
  }
  if (const Status said = head.end(*verdict); !said) {
    head.fail(said.error());
    return fail(said.error());
  }
  if (context.global().json)
    context.print_json("pr_check", {{"pull_request", pull.number},
                                    {"head", pull.head_sha},
                                    {"verdict", verdict->word},
                                    {"reason", verdict->reason},
                                    {"status", head.to_json()}});
  else
    context.print(fmt::format("{}: {}\n", verdict->word, verdict->reason));
  const HeadState state = conclude_check(*verdict, GateMode::findings, "").state;
  const bool good = state == HeadState::success || verdict->word == "NOTHING TO CHECK";
  return context.finish(good ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command pr_check_action() {
  const auto options = std::make_shared<PrCheckOptions>();
  Command command = action(
      "check", "run the project's checks on a pull request: is it a fix, does it break anything?",
      {{"PULL", &options->what, "its number or URL", "PULL", {}, true},
       {"--issue", &options->issue, "the issue it should fix", "CODE"},
       {"--head", &options->head, "do it only if this commit is the head; needed where it comes from a fork",
        "COMMIT"},
       {"--status",
        &options->status,
        "say how its head stands, as emend/check (forge.status, off)",
        "WAY",
        {"off", "status", "check", "auto"}},
       {"--gate",
        &options->gate,
        "when that is a failure (forge.gate, never)",
        "MODE",
        {"never", "findings", "proof"}},
       {"--from", &options->from, "run nothing: say what `emend check --json` wrote elsewhere", "FILE"},
       {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"}},
      [options](CommandContext& context) { return run_pr_check(context, *options); });
  command.examples =
      "Exit 0: nothing that passed fails; 1: it breaks something, or nothing can tell.\n"
      "  emend pr check 42 --status status\n  emend pr check 42 --issue BE-001\n";
  command.storage = options;
  return command;
}

} // namespace emend
