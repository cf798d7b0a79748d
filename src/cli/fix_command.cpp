#include <unistd.h>

#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/findings_input.hpp"
#include "cli/first_run.hpp"
#include "cli/fix_output.hpp"
#include "cli/report_text.hpp"
#include "cli/review_progress.hpp"
#include "cli/review_text.hpp"
#include "cli/trust_check.hpp"
#include "engine/review.hpp"

namespace emend {

namespace {

struct FixOptions {
  std::vector<std::string> codes;
  std::string findings, review_report, base = "HEAD", branch, agent, challenger, verify_mode;
  std::optional<int> threshold, max_fix_cycles, jobs;
  bool all_open = false, safe = false, unsafe_fixes = false, dry_run = false, diff = false, exit_zero = false;
};

std::vector<ConfigOverride> overrides_of(const FixOptions& options) {
  std::vector<ConfigOverride> list;
  const auto text = [&list](const std::string& key, const std::string& value, const char* flag) {
    if (!value.empty()) list.push_back({key, value, flag});
  };
  const auto number = [&list](const std::string& key, const std::optional<int>& value, const char* flag) {
    if (value) list.push_back({key, std::to_string(*value), flag});
  };
  text("fix.agent", options.agent, "--agent");
  text("fix_challenger.agent", options.challenger, "--challenger");
  text("verify.mode", options.verify_mode, "--verify-mode");
  if (options.safe) {
    if (options.agent.empty()) text("fix.agent", "builtin", "--safe");
    if (options.challenger.empty()) text("fix_challenger.agent", "builtin", "--safe");
    text("fix_challenger.enabled", "true", "--safe");
  }
  if (options.unsafe_fixes) text("fix.unsafe_fixes", "true", "--unsafe-fixes");
  number("fix_challenger.satisfaction_threshold", options.threshold, "--threshold");
  number("verify.max_fix_cycles", options.max_fix_cycles, "--max-fix-cycles");
  number("fix.parallel", options.jobs, "--jobs");
  return list;
}

Status check_options(const FixOptions& options, const GlobalOptions& global) {
  if (options.codes.empty() && options.findings.empty() && !options.all_open && !options.safe) {
    return fail(ErrorCode::usage, "say what to fix",
                "  emend fix --safe                what analyzers can fix themselves, no AI agent needed\n"
                "  emend fix BE-001 BE-002         these issues\n  emend fix --all-open            every OPEN issue\n"
                "  emend fix --findings FILE       the findings in a JSON file (- for stdin)\n  emend issues                    shows what "
                "there is");
  }
  if (options.diff && global.json)
    return fail(ErrorCode::usage, "--diff and --json exclude each other", "print the patch afterwards: emend sessions diff ID");
  return {};
}

Result<ExitStatus> nothing_to_do(CommandContext& context, const std::string& why) {
  FixReport report;
  report.session.status = SessionStatus::passed;
  if (context.global().json) {
    context.hint("nothing to do: " + why);
    context.print_json("session", to_json(report));
  } else {
    context.print("nothing to do: " + why + "\n");
  }
  return context.finish(ExitStatus::done);
}

bool is_settled(IssueStatus status) {
  return status == IssueStatus::resolved || status == IssueStatus::merged || status == IssueStatus::ignored ||
         status == IssueStatus::duplicate;
}

bool has_usable_fixit(const Issue& issue, bool unsafe_too) {
  return fixable_without_ai(issue) || (unsafe_too && issue.finding.fixit && !issue.finding.fixit->edits.empty());
}

Result<std::vector<Issue>> chosen_issues(CommandContext& context, SessionManager& manager, const FixOptions& options,
                                         const std::vector<Finding>& findings) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<Issue> chosen;
  for (const std::string& code : options.codes) {
    TRY_ASSIGN(Issue issue, store->issue(repository->id(), code));
    chosen.push_back(std::move(issue));
  }
  if (!findings.empty()) {
    TRY_ASSIGN(auto added, manager.add_findings(findings, options.base));
    chosen.insert(chosen.end(), added.begin(), added.end());
  }
  if (options.all_open || (options.safe && options.codes.empty() && findings.empty())) {
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.statuses = {IssueStatus::open};
    TRY_ASSIGN(auto open, store->issues(filter));
    if (options.safe) std::erase_if(open, [&](const Issue& issue) { return !has_usable_fixit(issue, options.unsafe_fixes); });
    chosen.insert(chosen.end(), open.begin(), open.end());
  }
  return chosen;
}

// The very first command in a repository may be `fix --safe`.
Status review_first(CommandContext& context, SessionManager& manager, const FixOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  IssueFilter any;
  any.repository_id = repository->id();
  any.limit = 1;
  TRY_ASSIGN(const auto known, store->issues(any));
  if (!known.empty()) return {};
  context.hint("no review yet: looking at the whole repository first");
  ReviewRequest request;
  request.scope = {ScopeKind::revision, options.base, {}};
  request.on_progress = review_progress(context);
  TRY_ASSIGN(const Review review, manager.review(context.dependencies().make_analyzers(), request, context.dependencies().stop));
  context.hint("found " + std::to_string(review.issues.size()) + " issues in " + std::to_string(review.files) + " files");
  return {};
}

// Each once, in order, without those that are settled already; says which were left out and why.
std::vector<std::string> ids_to_fix(CommandContext& context, const std::vector<Issue>& chosen) {
  std::vector<std::string> ids;
  std::set<std::string> seen;
  for (const Issue& issue : chosen) {
    if (!seen.insert(issue.id).second) {
      context.hint("one more finding says the same as " + one_line(issue.code) + ": it counts once");
      continue;
    }
    if (!is_settled(issue.status)) {
      ids.push_back(issue.id);
      continue;
    }
    const std::string why = why_text(issue);
    context.hint("skipped " + one_line(issue.code) + ": it is " + std::string(to_string(issue.status)) +
                 (why.empty() ? "" : " (" + one_line(why) + ")"));
  }
  return ids;
}

Result<ExitStatus> print_prompts(CommandContext& context, const std::vector<DryRunPrompt>& prompts) {
  if (context.global().json) {
    Json list = Json::array();
    for (const DryRunPrompt& prompt : prompts) {
      list.push_back({{"issue_code", prompt.issue_code}, {"role", prompt.role}, {"agent", prompt.agent}, {"prompt", prompt.prompt}});
    }
    context.print_json_list("prompts", std::move(list));
    return context.finish(ExitStatus::done);
  }
  for (const DryRunPrompt& prompt : prompts) {
    context.print("===== " + one_line(prompt.issue_code) + "  " + one_line(prompt.role) + "  " + one_line(prompt.agent) + "  " +
                  std::to_string(prompt.prompt.size()) + " bytes =====\n");
    context.print((context.output_is_terminal() ? harmless_text(prompt.prompt) : prompt.prompt) + "\n");
  }
  return context.finish(ExitStatus::done);
}

Result<std::string> review_report_text(const std::string& path) {
  if (path.empty()) return std::string();
  auto text = read_file(path, 10'000'000);
  if (!text) return fail(ErrorCode::usage, "--review-report: " + text.error().message);
  return text;
}

Result<ExitStatus> run_fix(CommandContext& context, const FixOptions& options) {
  TRY(check_options(options, context.global()));
  const std::vector<ConfigOverride> flags = overrides_of(options);
  TRY_ASSIGN(const auto findings, read_findings(options.findings));
  if (!options.findings.empty() && findings.empty() && options.codes.empty() && !options.all_open)
    return nothing_to_do(context, "no findings");
  TRY_ASSIGN(const Config plain, context.config(flags));
  if (plain.policy().max_fix_cycles == 0) return nothing_to_do(context, "verify.max_fix_cycles is 0, so fixing is skipped");

  if (!options.dry_run && plain.require_agents()) {
    TRY(offer_checks(context, flags));
  }
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  TRY(config.require_agents());
  if (const std::string choice = config.choice(); !choice.empty()) context.hint(choice);
  FixRequest request;
  request.base_ref = options.base;
  request.branch = options.branch;
  request.policy = config.policy();
  TRY_ASSIGN(request.review_report, review_report_text(options.review_report));
  TRY_ASSIGN(Repository * repository, context.repository());
  for (const std::string& warning : repository->warnings()) context.hint("note: " + one_line(warning, 300));
  TRY_ASSIGN(SessionManager * manager, context.manager(progress_printer(context)));
  if (options.safe && options.codes.empty() && findings.empty()) TRY(review_first(context, *manager, options));
  TRY_ASSIGN(const auto chosen, chosen_issues(context, *manager, options, findings));
  request.issue_ids = ids_to_fix(context, chosen);
  if (request.issue_ids.empty()) {
    const char* none = options.safe ? "no open issue has a fix-it its tool calls safe (emend review finds new ones)" : "no open issues";
    return nothing_to_do(context, chosen.empty() ? none : "no selected issue is open");
  }

  if (options.dry_run) {
    TRY_ASSIGN(const auto prompts, manager->dry_run(request));
    return print_prompts(context, prompts);
  }
  TRY_ASSIGN(const FixReport report, manager->fix(request, context.dependencies().stop));
  return present_fix_report(context, report, {options.diff, options.exit_zero});
}

} // namespace

Command fix_command() {
  const auto options = std::make_shared<FixOptions>();
  Command command;
  command.name = "fix";
  command.summary = "fix issues: agent, verification, independent judge, commit to a branch";
  command.examples =
      "  emend fix --safe\n  emend fix --findings review.json\n  emend fix BE-001 BE-002 --threshold 90\n  emend fix --all-open --dry-run | less\n";
  command.options = {
      {"CODE", &options->codes, "issues to fix", "CODE"},
      {"--findings", &options->findings, "fix the findings in this JSON file (- for stdin)", "FILE"},
      {"--all-open", &options->all_open, "fix every OPEN issue"},
      {"--safe", &options->safe, "apply what analyzers can fix themselves, judged by a fixed rubric: no AI agent, no key"},
      {"--unsafe-fixes", &options->unsafe_fixes, "apply fix-its too that their tool does not call safe (fix.unsafe_fixes)"},
      {"--review-report", &options->review_report, "give the agents this review as context", "FILE"},
      {"--base", &options->base, "commit to start from (default HEAD)", "REF"},
      {"--branch", &options->branch, "name of the branch to create (default fix.branch)", "NAME"},
      {"--agent", &options->agent, "agent that fixes (fix.agent)", "NAME"},
      {"--challenger", &options->challenger, "agent that judges (fix_challenger.agent)", "NAME"},
      {"--threshold", NumberTarget{&options->threshold, 0, 100}, "lowest score that is good enough", "N"},
      {"--max-fix-cycles,--max-cycles", NumberTarget{&options->max_fix_cycles, 0, 100},
       "attempts that may fail verification; 0 = do not fix", "N"},
      {"--jobs", NumberTarget{&options->jobs, 1, 64}, "issues at the same time (fix.parallel)", "N"},
      {"--verify-mode", &options->verify_mode, "verify each fix alone or several together", "MODE", {"auto", "each", "batch"}},
      {"--dry-run", &options->dry_run, "print the exact prompts, run nothing"},
      {"--diff", &options->diff, "print the combined patch after the result"},
      {"--exit-zero", &options->exit_zero, "exit 0 even if issues stay unresolved"},
  };
  command.run = [options](CommandContext& context) { return run_fix(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
