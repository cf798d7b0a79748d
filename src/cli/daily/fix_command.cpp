#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/ci/publish_action.hpp"
#include "cli/commands.hpp"
#include "cli/daily/apply_action.hpp"
#include "cli/daily/clarify_rounds.hpp"
#include "cli/daily/fix_output.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/daily/review_progress.hpp"
#include "cli/daily/review_text.hpp"
#include "cli/findings_input.hpp"
#include "cli/issue_choice.hpp"
#include "cli/live_progress.hpp"
#include "cli/report_text.hpp"
#include "cli/start/first_run.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "engine/agents/budget.hpp"
#include "engine/intake/uncommitted.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/plan_files.hpp"
#include "engine/plan/planner.hpp"
#include "engine/review/review.hpp"
#include "engine/session/strategy_choice.hpp"
#include "service/budgets.hpp"
#include "service/database_place.hpp"
#include "service/fix_options.hpp"

namespace emend {

namespace {

struct FixWords {
  FixOptions session; // what every face of the program takes
  std::vector<std::string> codes;
  std::string findings, plan, clarify = "auto";
  bool all_open = false, dry_run = false, diff = false, exit_zero = false, ascii = false, open_issues = false,
       queue = false, apply = false;
};

Status check_options(const FixWords& options, const GlobalOptions& global) {
  if (options.codes.empty() && options.findings.empty() && options.plan.empty() && !options.all_open &&
      !options.session.safe) {
    return fail(
        ErrorCode::usage, "nothing selected to fix",
        "  emend fix --safe                what analyzers can fix themselves, no AI agent needed\n"
        "  emend fix BE-001 BE-002         these issues\n  emend fix --all-open            every OPEN issue\n"
        "  emend fix --findings FILE       the findings in a JSON file (- for stdin)\n  emend issues         "
        "           lists the "
        "issues");
  }
  if (options.diff && global.json)
    return fail(ErrorCode::usage, "--diff and --json cannot be used together",
                "to print the patch afterwards: emend sessions diff ID");
  return {};
}

Result<ExitStatus> nothing_to_do(CommandContext& context, const std::string& why) {
  FixReport report;
  report.session.status = SessionStatus::passed;
  if (context.global().json) {
    context.hint(why);
    context.print_json("session", to_json(report));
  } else {
    context.print(why + "\n");
  }
  return context.finish(ExitStatus::done);
}

bool has_usable_fixit(const Issue& issue, bool unsafe_too) {
  return fixable_without_ai(issue) ||
         (unsafe_too && issue.finding.fixit && !issue.finding.fixit->edits.empty());
}

Result<PlanFiles> read_plan(const std::string& path) {
  std::error_code problem;
  const fs::path file =
      fs::is_directory(path, problem) ? fs::path(path) / "master_todo.json" : fs::path(path);
  auto plan = read_plan_files(file);
  if (!plan) return fail(std::move(plan).error().with_context("--plan"));
  return plan;
}

Result<std::vector<Issue>> chosen_issues(CommandContext& context, SessionManager& manager,
                                         const FixWords& options, const std::vector<Finding>& findings) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<Issue> chosen;
  std::vector<std::string> codes = options.codes;
  if (codes.empty() && !options.plan.empty()) {
    TRY_ASSIGN(const PlanFiles plan, read_plan(options.plan));
    for (const PlanStep& step : steps_of(plan.master))
      codes.insert(codes.end(), step.codes.begin(), step.codes.end());
  }
  for (const std::string& code : codes) {
    TRY_ASSIGN(Issue issue, store->issue(repository->id(), code));
    chosen.push_back(std::move(issue));
  }
  if (!findings.empty()) {
    TRY_ASSIGN(auto added, options.dry_run ? manager.preview_findings(findings, options.session.base)
                                           : manager.add_findings(findings, options.session.base));
    chosen.insert(chosen.end(), added.begin(), added.end());
  }
  if (options.all_open || (options.session.safe && options.codes.empty() && findings.empty())) {
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.statuses = {IssueStatus::open};
    TRY_ASSIGN(auto open, store->issues(filter));
    if (options.session.safe)
      std::erase_if(
          open, [&](const Issue& issue) { return !has_usable_fixit(issue, options.session.unsafe_fixes); });
    chosen.insert(chosen.end(), open.begin(), open.end());
  }
  return chosen;
}

Result<bool> was_reviewed(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  IssueFilter any;
  any.repository_id = repository->id();
  any.limit = 1;
  TRY_ASSIGN(const auto known, store->issues(any));
  return !known.empty();
}

Result<std::string> nothing_safe_text(CommandContext& context) {
  TRY_ASSIGN(const auto open, choose_issues(context, {}, true));
  return "No open issue has a safe automatic fix." +
         (open.empty() ? ""
                       : " " + plural(open.size(), "issue") + (open.size() == 1 ? " needs" : " need") +
                             " an agent: `emend fix --all-open`.");
}

// Of all open issues: nothing that a review found can be fixed safely. Known before anybody is asked
// anything.
Result<bool> nothing_is_safe(CommandContext& context, const FixWords& options) {
  TRY_ASSIGN(const bool reviewed, was_reviewed(context));
  if (!reviewed) return false;
  TRY_ASSIGN(const auto open, choose_issues(context, {}, true));
  return std::none_of(open.begin(), open.end(), [&](const Issue& issue) {
    return has_usable_fixit(issue, options.session.unsafe_fixes);
  });
}

// The very first command in a repository may be `fix --safe`.
Status review_first(CommandContext& context, SessionManager& manager, const FixWords& options) {
  TRY_ASSIGN(const bool reviewed, was_reviewed(context));
  if (reviewed) return {};
  context.hint("no review yet: reviewing the whole repository first");
  ReviewRequest request;
  request.scope = {ScopeKind::revision, options.session.base, {}};
  request.on_progress = review_progress(context);
  TRY_ASSIGN(const Config config, context.config());
  request.rules = config.review_rules();
  TRY_ASSIGN(Analyzers all, configured_analyzers(context, Kept::yes));
  TRY_ASSIGN(const Analyzers analyzers, chosen_analyzers(std::move(all), request.rules.analyzers));
  TRY_ASSIGN(const Review review, manager.review(analyzers, request, context.dependencies().stop));
  context.hint("found " + std::to_string(review.issues.size()) + " issues in " +
               std::to_string(review.files) + " files");
  return {};
}

Status say_what_is_stale(CommandContext& context, const FixRequest& request) {
  if (!request.plan) return {};
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string base, repository->resolve(request.base_ref));
  TRY_ASSIGN(const auto stale, stale_files(*repository, base, *request.plan));
  if (!stale.empty())
    context.hint("changed since the plan was made: " + one_line(join(stale, ", "), 300) +
                 " (to make a new plan: emend plan)");
  return {};
}

// The codes of a plan are what is to be fixed; those that are settled by now leave it.
Status use_plan(const FixWords& options, const std::vector<Issue>& issues, FixRequest& request) {
  if (options.plan.empty()) return {};
  TRY_ASSIGN(PlanFiles plan, read_plan(options.plan));
  const auto chosen = [&](const std::string& code) {
    return std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) { return issue.code == code; });
  };
  for (MasterTodo::Step& step : plan.master.steps)
    std::erase_if(step.issues, [&](const MasterTodo::Item& item) { return !chosen(item.code); });
  std::erase_if(plan.master.steps, [](const MasterTodo::Step& step) { return step.issues.empty(); });
  std::erase_if(plan.todos, [&](const FixTodo& todo) { return !chosen(todo.issue_code); });
  request.plan = std::move(plan);
  return {};
}

// Issues of code that is in no commit yet are taken out of `issues`: they stay OPEN, and no agent is paid for
// them.
Result<std::vector<Issue>> take_uncommitted(CommandContext& context, std::vector<Issue>& issues) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto ids, uncommitted_issues(*repository, issues));
  std::vector<Issue> left;
  for (const Issue& issue : issues)
    if (ids.contains(issue.id)) left.push_back(issue);
  std::erase_if(issues, [&](const Issue& issue) { return ids.contains(issue.id); });
  return left;
}

void say_uncommitted(CommandContext& context, const std::vector<Issue>& left, bool safe) {
  std::string text;
  for (const Issue& issue : left)
    text += one_line(issue.code) + "  " + one_line(place_of(issue.finding), 200) + "  " +
            std::string(to_string(issue.status)) + "  " +
            not_committed_text(safe ? "emend fix --safe" : "emend fix " + one_line(issue.code)) + "\n";
  if (text.empty()) return;
  if (context.global().json)
    context.hint(text.substr(0, text.size() - 1));
  else
    context.print(text);
}

// Issues that wait for a person's answer are left out; the others are fixed meanwhile.
Result<std::vector<Issue>> clarified(CommandContext& context, const FixWords& options, const Policy& policy,
                                     std::vector<Issue> issues, Clarity& waiting) {
  if (options.clarify == "never" || policy.fixer.builtin()) return issues;
  if (options.clarify == "always") {
    ClarifyRounds how;
    how.policy = [&](const std::vector<Issue>&) -> Result<Policy> { return policy; };
    context.hint("asking for open questions: " + one_line(policy.fixer.name) + " ...");
    TRY(clarify_rounds(context, how, issues));
  }
  std::vector<Issue> ready;
  TRY_ASSIGN(Store * store, context.store());
  for (const Issue& known : issues) {
    TRY_ASSIGN(Issue issue, store->issue(known.repository_id, known.id));
    (has_open_questions(issue) ? waiting.issues : ready).push_back(std::move(issue));
  }
  for (const Issue& issue : waiting.issues)
    context.hint(one_line(issue.code) + " is left out: it waits for your answer. To answer: emend clarify " +
                 one_line(issue.code));
  return ready;
}

// Exit 7 wins over what became of the others, unless the work itself was stopped.
Result<ExitStatus> present_waiting(CommandContext& context, const Clarity& waiting, ExitStatus status) {
  if (waiting.issues.empty()) return status;
  if (is_unattended(context)) write_stderr(dump_json(to_json(waiting)) + "\n");
  context.hint(
      "answer with `emend clarify`, or fill in \"answer\" of each question and: emend clarify --answers "
      "FILE");
  const bool ended = status == ExitStatus::done || status == ExitStatus::unresolved;
  return ended ? context.finish(ExitStatus::needs_input) : status;
}

std::string steps_text(const PlanFiles& plan) {
  std::string text;
  for (const PlanStep& step : steps_of(plan.master))
    text += "  " + one_line(join(step.codes, ", "), 300) +
            (step.reason.empty() ? "" : "  (" + one_line(step.reason, 100) + ")") + "\n";
  return text;
}

// A person looks at the plan before anything is done. Without one the session waits.
Result<ExitStatus> ask_for_approval(CommandContext& context, SessionManager& manager, const Session& session,
                                    const FixPresentation& how) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const PlanFiles plan,
             read_plan_files(fs::path(home) / "sessions" / session.id / "master_todo.json"));
  if (context.global().json)
    context.print_json("plan", to_json(plan.master));
  else
    context.print("plan of session " + session.id + ", for branch " + one_line(session.branch) + ":\n" +
                  steps_text(plan));
  if (!context.may_ask()) {
    context.hint("nothing starts before you approve it: emend sessions approve " + session.id +
                 "  (or drop it: emend sessions cancel " + session.id + ")");
    return context.finish(ExitStatus::needs_input);
  }
  TRY_ASSIGN(const bool begin, ask_yes_no("Begin? [y/N] ", context.dependencies().stop));
  if (!begin) {
    context.hint("the session waits: emend sessions approve " + session.id + ", or emend sessions cancel " +
                 session.id);
    return context.finish(ExitStatus::needs_input);
  }
  TRY_ASSIGN(const FixReport report, manager.approve(session.id, context.dependencies().stop));
  return present_fix_report(context, report, how);
}

Status say_estimate(CommandContext& context, const FixRequest& request, const std::vector<Issue>& issues) {
  if (request.policy.fixer.builtin()) return {};
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto earlier, store->latest_agent_runs(repository->id(), 500));
  Policy policy = request.policy;
  TRY(settle_strategy(*store, repository->id(), policy));
  const std::size_t units = work_units(work_of(issues), policy.strategy, policy.batch).size();
  const Estimate guess = estimate(policy, issues.size(), units, earlier);
  context.hint("estimate: " + to_text(guess));
  const double limit = request.policy.session_budget.cost_usd;
  if (limit > 0 && guess.cost_usd && *guess.cost_usd > limit)
    context.hint(fmt::format(
        "that is more than the budget of ${:.2f}: the session will stop at the budget and keep finished work",
        limit));
  return {};
}

Result<ExitStatus> present_queued(CommandContext& context, const Session& session) {
  if (context.global().json) {
    context.print_json("session", {{"session_id", session.id},
                                   {"status", "queued"},
                                   {"branch_name", session.branch},
                                   {"issues", session.issue_ids.size()}});
  } else {
    context.print(fmt::format("session {} waits for a worker: {}\nfollow it: emend sessions show {}\n",
                              session.id, plural(session.issue_ids.size(), "issue"), session.id));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> print_prompts(CommandContext& context, const std::vector<DryRunPrompt>& prompts) {
  if (context.global().json) {
    Json list = Json::array();
    for (const DryRunPrompt& prompt : prompts) {
      list.push_back({{"issue_code", prompt.issue_code},
                      {"role", prompt.role},
                      {"agent", prompt.agent},
                      {"prompt", prompt.prompt}});
    }
    context.print_json_list("prompts", std::move(list));
    return context.finish(ExitStatus::done);
  }
  for (const DryRunPrompt& prompt : prompts) {
    context.print("===== " + one_line(prompt.issue_code) + "  " + one_line(prompt.role) + "  " +
                  one_line(prompt.agent) + "  " + std::to_string(prompt.prompt.size()) + " bytes =====\n");
    context.print((context.output_is_terminal() ? harmless_text(prompt.prompt) : prompt.prompt) + "\n");
  }
  return context.finish(ExitStatus::done);
}

Status keep_to_own_quota(CommandContext& context, const Config& config, Repository& repository,
                         Policy& policy) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const auto ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  TRY_ASSIGN(const auto limits,
             limits_of(config, *ledger, *store, repository.id(), context.dependencies().clock->wall_ms()));
  std::string warning;
  TRY(keep_to_quota(policy, limits, warning));
  if (!warning.empty()) context.hint("warning: " + warning);
  return {};
}

Result<ExitStatus> run_fix(const std::shared_ptr<FixWords>& words, CommandContext& context) {
  FixWords options = *words;
  TRY(check_options(options, context.global()));
  const std::vector<ConfigOverride> flags = overrides_of(options.session, "");
  TRY_ASSIGN(const auto findings, read_findings(options.findings));
  if (!options.findings.empty() && findings.empty() && options.codes.empty() && !options.all_open)
    return nothing_to_do(context, "No findings: nothing to do.");
  TRY_ASSIGN(const Config plain, context.config(flags));
  if (plain.policy().max_fix_cycles == 0)
    return nothing_to_do(context, "verify.max_fix_cycles is 0: nothing is fixed.");

  const bool all_safe = options.session.safe && options.codes.empty() && findings.empty();
  if (all_safe && !options.dry_run && options.plan.empty()) {
    TRY_ASSIGN(const bool nothing, nothing_is_safe(context, options));
    TRY_ASSIGN(const std::string why, nothing_safe_text(context));
    if (nothing) return nothing_to_do(context, why);
  }
  if (!options.dry_run && plain.require_agents()) {
    TRY(offer_checks(context, flags));
  }
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  TRY(config.require_agents());
  TRY(config.artifacts(context.environment())); // a wrong address is said now, not after the work
  if (const std::string choice = config.choice(); !choice.empty()) context.hint(choice);
  for (const std::string& remark : config.remarks()) context.hint("warning: " + remark);
  FixRequest request;
  TRY(read_review_report(options.session));
  apply(options.session, request);
  request.policy = config.policy();
  if (agents_fix(request.policy)) {
    TRY_ASSIGN(request.policy, policy_with_agent_files(context, config, options.session.base));
  }
  TRY_ASSIGN(Repository * repository, context.repository());
  if (!options.dry_run) TRY(keep_to_own_quota(context, config, *repository, request.policy));
  for (const std::string& warning : repository->warnings()) context.hint("note: " + one_line(warning, 300));
  const LiveProgress live(context, options.ascii);
  TRY_ASSIGN(SessionManager * manager, context.manager(live.listener()));
  if (all_safe && !options.dry_run) TRY(review_first(context, *manager, options));
  TRY_ASSIGN(const auto chosen, chosen_issues(context, *manager, options, findings));
  std::vector<Issue> issues = without_settled(context, chosen);
  if (issues.empty()) {
    if (!chosen.empty()) return nothing_to_do(context, "None of the selected issues is open.");
    if (!options.session.safe) return nothing_to_do(context, "No open issues: nothing to do.");
    TRY_ASSIGN(const std::string why, nothing_safe_text(context));
    return nothing_to_do(context, why);
  }
  TRY_ASSIGN(const std::vector<Issue> left, take_uncommitted(context, issues));
  if (issues.empty()) {
    say_uncommitted(context, left, options.session.safe);
    return nothing_to_do(context,
                         left.size() == 1
                             ? "The issue is in code that is not committed yet: nothing to do."
                             : "All of the issues are in code that is not committed yet: nothing to do.");
  }

  Clarity waiting;
  if (!options.dry_run) {
    TRY_ASSIGN(issues, clarified(context, options, request.policy, std::move(issues), waiting));
  }
  if (issues.empty()) return present_waiting(context, waiting, ExitStatus::done);
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  TRY(use_plan(options, issues, request));
  TRY(say_what_is_stale(context, request));
  if (options.dry_run) {
    TRY_ASSIGN(const auto prompts, manager->dry_run(request, issues));
    return print_prompts(context, prompts);
  }
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY(note_feedback(options.session, ports, request.policy, {}, issues));
  TRY(say_estimate(context, request, issues));
  request.for_workers = options.queue;
  if (options.queue && request.wait_for_approval)
    return fail(ErrorCode::usage, "--queue and --approve plan cannot be used together",
                "approve first: emend sessions approve ID");
  TRY_ASSIGN(const FixReport report, manager->fix(request, context.dependencies().stop));
  if (options.queue) return present_queued(context, report.session);
  const FixPresentation how{options.diff, options.exit_zero};
  TRY_ASSIGN(const ExitStatus status, report.session.status == SessionStatus::planned
                                          ? ask_for_approval(context, *manager, report.session, how)
                                          : present_fix_report(context, report, how));
  if (options.apply && !report.session.tip.empty()) TRY(apply_session(context, report.session, false));
  say_uncommitted(context, left, options.session.safe);
  if (options.open_issues) TRY(publish_unresolved(context, {{}, report.session.id, "", false}));
  return present_waiting(context, waiting, status);
}

Option flag_of(const FixOption& row, FixOptions& options) {
  Option option;
  option.names = row.flag() + (row.name == "max_fix_cycles" ? ",--max-cycles" : "");
  if (const auto* text = std::get_if<std::string FixOptions::*>(&row.field))
    option.target = &(options.**text);
  else if (const auto* number = std::get_if<std::optional<int> FixOptions::*>(&row.field))
    option.target = NumberTarget{&(options.**number), row.low, row.high};
  else
    option.target = &(options.*std::get<bool FixOptions::*>(row.field));
  option.help = row.help;
  option.value_name = row.value_name;
  option.choices = row.words;
  return option;
}

} // namespace

Command fix_command() {
  const auto options = std::make_shared<FixWords>();
  Command command;
  command.name = "fix";
  command.summary = "fix issues, verify and judge each fix, and commit what passes to a branch";
  command.examples =
      "  emend fix --safe\n  emend fix --safe --apply\n  emend fix --findings review.json\n  emend fix "
      "BE-001 BE-002 --threshold 90\n  "
      "emend fix --all-open --dry-run | less\n";
  command.options = {
      {"CODE", &options->codes, "issues to fix", "CODE"},
      {"--findings", &options->findings, "fix the findings in this JSON file (- for stdin)", "FILE"},
      {"--all-open", &options->all_open, "fix every OPEN issue"},
      {"--plan", &options->plan, "follow this plan: its order and its notes (see `emend plan`)", "FILE"},
  };
  for (const FixOption& row : fix_options()) command.options.push_back(flag_of(row, options->session));
  const std::vector<Option> here = {
      {"--clarify",
       &options->clarify,
       "always: let the agent ask you first; auto: leave out issues with open questions; never: fix them too",
       "WHEN",
       {"auto", "always", "never"}},
      {"--queue", &options->queue,
       "queue the session for a worker that has this repository (docs/workers.md)"},
      {"--dry-run", &options->dry_run, "print the exact prompts, run nothing, store nothing"},
      {"--diff", &options->diff, "print the combined patch after the result"},
      {"--open-issues", &options->open_issues,
       "then print the forge issues to open for unresolved findings; with tracker.dry_run = false, open "
       "them"},
      {"--apply", &options->apply,
       "then put the fixes into your working tree, if its files are as the fixes found them"},
      {"--exit-zero", &options->exit_zero, "exit 0 even if some issues are not resolved"},
      {"--ascii", &options->ascii, "draw the progress with ASCII characters"},
  };
  command.options.insert(command.options.end(), here.begin(), here.end());
  command.run = std::bind_front(run_fix, options);
  command.storage = options;
  return command;
}

} // namespace emend
