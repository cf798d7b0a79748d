// emend pr fix: findings of a pull request, fixed on its head.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_head.hpp"
#include "cli/ci/pull_fix.hpp"
#include "cli/trust_check.hpp"
#include "config/forge_config.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

struct PrFixOptions {
  std::string what, remote, head, to, prepare, asked_by;
  std::vector<std::string> codes;
};

bool are_known(const Ports& ports, const std::vector<std::string>& codes) {
  return std::all_of(codes.begin(), codes.end(), [&](const std::string& code) {
    return ports.store.issue(ports.repository.id(), code).has_value();
  });
}

// Without codes: what our own open threads are about.
Result<std::vector<Issue>> chosen(CommandContext& context, const PullPlace& place,
                                  const PrFixOptions& options) {
  TRY_ASSIGN(const Ports ports, context.ports());
  std::vector<ReviewThread> threads;
  if (options.codes.empty() || !are_known(ports, options.codes)) {
    TRY_ASSIGN(threads, place.at.forge->threads(place.pull.number, context.dependencies().stop));
    TRY(learn_from_threads(context, threads, place.pull.head_sha));
  }
  std::vector<Issue> issues;
  for (const std::string& code : options.codes) {
    TRY_ASSIGN(Issue issue, ports.store.issue(ports.repository.id(), code));
    issues.push_back(std::move(issue));
  }
  if (!options.codes.empty()) return issues;
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  filter.statuses = {IssueStatus::open};
  TRY_ASSIGN(const std::vector<Issue> open, ports.store.issues(filter));
  for (const ReviewThread& thread : threads) {
    const bool ours = !thread.resolved && !thread.remarks.empty() && thread.remarks.front().own;
    const auto mark = ours ? mark_in(thread.remarks.front().body) : std::nullopt;
    for (const Issue& issue : open)
      if (mark && issue.fingerprint == mark->fingerprint) issues.push_back(issue);
  }
  return issues;
}

Status check_open(const std::vector<Issue>& issues) {
  for (const Issue& issue : issues)
    if (issue.status != IssueStatus::open)
      return fail(ErrorCode::usage, issue.code + " is " + std::string(to_string(issue.status)) + ", not open",
                  "to open it again: emend issues reopen " + issue.code);
  return {};
}

Result<ExitStatus> run_pr_fix(CommandContext& context, const PrFixOptions& options) {
  TRY_ASSIGN(const PullPlace place, fetch_pull(context, options.what, options.remote, options.head));
  if (to_lower(place.pull.head_project) != to_lower(place.at.forge->place().project))
    return fail(ErrorCode::usage, "the pull request comes from a fork: emend reviews it, and does not fix it",
                "fetch it and fix it here: emend fix");
  if (options.prepare.empty()) TRY(check_may_push(place.at));
  TRY(context.take_configuration_from(place.base, place.pull.head_sha));
  TRY_ASSIGN(const Config config, trusted_config(context));
  const LandingWish wish{options.to.empty() ? team_settings(config).to_branch : options.to == "branch",
                         options.asked_by};
  if (options.prepare.empty()) TRY(check_landing(context, place, wish));
  TRY_ASSIGN(const std::vector<Issue> issues, chosen(context, place, options));
  if (issues.empty())
    return fail(ErrorCode::usage, "no open finding of emend is on this pull request", "name one: BE-001");
  TRY(check_open(issues));
  context.hint(
      fmt::format("fixing {} on {}", plural(issues.size(), "issue"), place.pull.head_sha.substr(0, 12)));
  TRY_ASSIGN(const FixReport report, fix_on_head(context, place, config, issues));
  std::vector<std::string> resolved;
  for (const IssueOutcome& outcome : report.issues)
    if (outcome.issue.status == IssueStatus::resolved) resolved.push_back(outcome.issue.code);
  Landed landed{"prepared in " + options.prepare, 0, "", {}};
  if (options.prepare.empty()) {
    TRY_ASSIGN(landed, land_fix(context, place, report, wish));
  } else {
    TRY(prepare_landing(context, place, report, options.prepare));
  }
  const std::string line = fmt::format("{} of {} fixed, {}", resolved.size(), issues.size(), landed.line);
  if (context.global().json)
    context.print_json("pr_fix", {{"session_id", report.session.id},
                                  {"line", line},
                                  {"resolved", resolved.size()},
                                  {"codes", resolved},
                                  {"pull_request", landed.number},
                                  {"url", landed.url}});
  else
    context.print(one_line(line, 400) + "\n");
  return context.finish(resolved.size() == issues.size() ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command pr_fix_action() {
  const auto options = std::make_shared<PrFixOptions>();
  Command fix =
      action("fix", "fix findings on the head of a pull request, and propose the fix there",
             {{"PULL", &options->what, "its number or URL", "PULL", {}, true},
              {"CODE", &options->codes, "issues to fix (default: those of emend's open threads)", "CODE"},
              {"--head", &options->head, "do it only if this commit is the head", "COMMIT"},
              {"--to",
               &options->to,
               "where the fix goes: a pull request into its branch, or its branch (forge.fix_to)",
               "WHERE",
               {"stacked", "branch"}},
              {"--asked-by", &options->asked_by,
               "push to the branch only while this person may write in the project", "LOGIN"},
              {"--prepare", &options->prepare,
               "send nothing: write what `emend pr land` needs elsewhere into this directory", "DIR"},
              {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"}},
             [options](CommandContext& context) { return run_pr_fix(context, *options); });
  fix.examples = "Needs forge.allow_push.\n  emend pr fix 42 BE-001\n  emend pr fix 42 --to branch\n";
  fix.storage = options;
  return fix;
}

} // namespace emend
