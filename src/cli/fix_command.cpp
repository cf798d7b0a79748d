#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agent_files.hpp"
#include "cli/clarify_rounds.hpp"
#include "cli/commands.hpp"
#include "cli/findings_input.hpp"
#include "cli/first_run.hpp"
#include "cli/fix_output.hpp"
#include "cli/issue_choice.hpp"
#include "cli/live_progress.hpp"
#include "cli/publish_action.hpp"
#include "cli/report_text.hpp"
#include "cli/review_progress.hpp"
#include "cli/review_text.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "engine/budget.hpp"
#include "engine/comments.hpp"
#include "engine/plan.hpp"
#include "engine/plan_files.hpp"
#include "engine/planner.hpp"
#include "engine/review.hpp"
#include "engine/uncommitted.hpp"

namespace emend {

namespace {

struct FixOptions {
  std::vector<std::string> codes;
  std::string findings, review_report, base = "HEAD", branch, agent, challenger, verify_mode;
  std::optional<int> threshold, max_fix_cycles, jobs;
  std::string strategy, plan, clarify = "auto", max_cost_usd, feedback, approve = "none";
  std::optional<int> max_tokens, max_minutes;
  bool all_open = false, safe = false, unsafe_fixes = false, dry_run = false, diff = false, exit_zero = false,
       ascii = false, open_issues = false;
  bool queue = false;
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
  text("fix.strategy", options.strategy, "--strategy");
  text("budget.cost_usd", options.max_cost_usd, "--max-cost-usd");
  number("budget.tokens", options.max_tokens, "--max-tokens");
  if (options.max_minutes) text("budget.time", std::to_string(*options.max_minutes) + "m", "--max-minutes");
  return list;
}

Status check_options(const FixOptions& options, const GlobalOptions& global) {
  if (options.codes.empty() && options.findings.empty() && options.plan.empty() && !options.all_open &&
      !options.safe) {
    return fail(
        ErrorCode::usage, "say what to fix",
        "  emend fix --safe                what analyzers can fix themselves, no AI agent needed\n"
        "  emend fix BE-001 BE-002         these issues\n  emend fix --all-open            every OPEN issue\n"
        "  emend fix --findings FILE       the findings in a JSON file (- for stdin)\n  emend issues         "
        "           shows what "
        "there is");
  }
  if (options.diff && global.json)
    return fail(ErrorCode::usage, "--diff and --json exclude each other",
                "print the patch afterwards: emend sessions diff ID");
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
                                         const FixOptions& options, const std::vector<Finding>& findings) {
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
    TRY_ASSIGN(auto added, options.dry_run ? manager.preview_findings(findings, options.base)
                                           : manager.add_findings(findings, options.base));
    chosen.insert(chosen.end(), added.begin(), added.end());
  }
  if (options.all_open || (options.safe && options.codes.empty() && findings.empty())) {
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.statuses = {IssueStatus::open};
    TRY_ASSIGN(auto open, store->issues(filter));
    if (options.safe)
      std::erase_if(open, [&](const Issue& issue) { return !has_usable_fixit(issue, options.unsafe_fixes); });
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
  TRY_ASSIGN(const Review review,
             manager.review(context.dependencies().make_analyzers(), request, context.dependencies().stop));
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
                 " (emend plan makes a new one)");
  return {};
}

// The codes of a plan are what is to be fixed; those that are settled by now leave it.
Status use_plan(const FixOptions& options, const std::vector<Issue>& issues, FixRequest& request) {
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
Result<std::vector<Issue>> clarified(CommandContext& context, const FixOptions& options, const Policy& policy,
                                     std::vector<Issue> issues, Clarity& waiting) {
  if (options.clarify == "never" || policy.fixer.builtin()) return issues;
  if (options.clarify == "always") {
    ClarifyRounds how;
    how.policy = [&](const std::vector<Issue>&) -> Result<Policy> { return policy; };
    context.hint("looking for questions with " + one_line(policy.fixer.name) + " ...");
    TRY(clarify_rounds(context, how, issues));
  }
  std::vector<Issue> ready;
  TRY_ASSIGN(Store * store, context.store());
  for (const Issue& known : issues) {
    TRY_ASSIGN(Issue issue, store->issue(known.repository_id, known.id));
    (has_open_questions(issue) ? waiting.issues : ready).push_back(std::move(issue));
  }
  for (const Issue& issue : waiting.issues)
    context.hint(one_line(issue.code) + " waits for your answer and is left out: emend clarify " +
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

// What the person has to say goes with the issues, so that later sessions know it, too.
Status note_feedback(CommandContext& context, const FixOptions& options, const Policy& policy,
                     const std::vector<Issue>& issues) {
  if (options.feedback.empty()) return {};
  TRY_ASSIGN(const Ports ports, context.ports());
  for (const Issue& issue : issues)
    TRY(add_comment(ports, policy, {}, {issue.code, {}, options.feedback, {}, 0, {}}));
  return {};
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
    context.hint("nothing is done before you approve it: emend sessions approve " + session.id +
                 "  (or drop it: emend sessions cancel " + session.id + ")");
    return context.finish(ExitStatus::needs_input);
  }
  TRY_ASSIGN(const bool begin, ask_yes_no("Begin? [y/N] ", context.dependencies().stop));
  if (!begin) {
    context.hint("it waits: emend sessions approve " + session.id + ", or emend sessions cancel " +
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
  const std::size_t units = work_units(work_of(issues), request.policy.strategy, request.policy.batch).size();
  const Estimate guess = estimate(request.policy, issues.size(), units, earlier);
  context.hint("estimate: " + to_text(guess));
  const double limit = request.policy.session_budget.cost_usd;
  if (limit > 0 && guess.cost_usd && *guess.cost_usd > limit)
    context.hint(fmt::format(
        "that is more than the budget of ${:.2f}: it will stop there and keep what is done", limit));
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
  if (plain.policy().max_fix_cycles == 0)
    return nothing_to_do(context, "verify.max_fix_cycles is 0, so fixing is skipped");

  if (!options.dry_run && plain.require_agents()) {
    TRY(offer_checks(context, flags));
  }
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  TRY(config.require_agents());
  TRY(config.artifacts(context.environment())); // a wrong address is said now, not after the work
  if (const std::string choice = config.choice(); !choice.empty()) context.hint(choice);
  FixRequest request;
  request.base_ref = options.base;
  request.branch = options.branch;
  request.policy = config.policy();
  if (agents_fix(request.policy)) {
    TRY_ASSIGN(request.policy, policy_with_agent_files(context, config, options.base));
  }
  TRY_ASSIGN(request.review_report, review_report_text(options.review_report));
  TRY_ASSIGN(Repository * repository, context.repository());
  for (const std::string& warning : repository->warnings()) context.hint("note: " + one_line(warning, 300));
  const LiveProgress live(context, options.ascii);
  TRY_ASSIGN(SessionManager * manager, context.manager(live.listener()));
  if (options.safe && options.codes.empty() && findings.empty() && !options.dry_run)
    TRY(review_first(context, *manager, options));
  TRY_ASSIGN(const auto chosen, chosen_issues(context, *manager, options, findings));
  std::vector<Issue> issues = without_settled(context, chosen);
  if (issues.empty()) {
    const char* none = options.safe
                           ? "no open issue has a fix-it its tool calls safe (emend review finds new ones)"
                           : "no open issues";
    return nothing_to_do(context, chosen.empty() ? none : "no selected issue is open");
  }
  TRY_ASSIGN(const std::vector<Issue> left, take_uncommitted(context, issues));
  if (issues.empty()) {
    say_uncommitted(context, left, options.safe);
    return nothing_to_do(context, left.size() == 1
                                      ? "the issue is in code that is not committed yet"
                                      : "all of the issues are in code that is not committed yet");
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
  TRY(note_feedback(context, options, request.policy, issues));
  TRY(say_estimate(context, request, issues));
  request.wait_for_approval = options.approve == "plan";
  request.for_workers = options.queue;
  if (options.queue && request.wait_for_approval)
    return fail(ErrorCode::usage, "--queue and --approve plan exclude each other",
                "approve first: emend sessions approve ID");
  TRY_ASSIGN(const FixReport report, manager->fix(request, context.dependencies().stop));
  if (options.queue) return present_queued(context, report.session);
  const FixPresentation how{options.diff, options.exit_zero};
  TRY_ASSIGN(const ExitStatus status, request.wait_for_approval
                                          ? ask_for_approval(context, *manager, report.session, how)
                                          : present_fix_report(context, report, how));
  say_uncommitted(context, left, options.safe);
  if (options.open_issues) TRY(publish_unresolved(context, {{}, report.session.id, "", false}));
  return present_waiting(context, waiting, status);
}

} // namespace

Command fix_command() {
  const auto options = std::make_shared<FixOptions>();
  Command command;
  command.name = "fix";
  command.summary = "fix issues: agent, verification, independent judge, commit to a branch";
  command.examples =
      "  emend fix --safe\n  emend fix --findings review.json\n  emend fix BE-001 BE-002 --threshold 90\n  "
      "emend fix --all-open --dry-run | less\n";
  command.options = {
      {"CODE", &options->codes, "issues to fix", "CODE"},
      {"--findings", &options->findings, "fix the findings in this JSON file (- for stdin)", "FILE"},
      {"--all-open", &options->all_open, "fix every OPEN issue"},
      {"--safe", &options->safe,
       "apply what analyzers can fix themselves, judged by a fixed rubric: no AI agent, no key"},
      {"--unsafe-fixes", &options->unsafe_fixes,
       "apply fix-its too that their tool does not call safe (fix.unsafe_fixes)"},
      {"--review-report", &options->review_report, "give the agents this review as context", "FILE"},
      {"--base", &options->base, "commit to start from (default HEAD)", "REF"},
      {"--branch", &options->branch, "name of the branch to create (default fix.branch)", "NAME"},
      {"--agent", &options->agent, "agent that fixes (fix.agent)", "NAME"},
      {"--challenger", &options->challenger, "agent that judges (fix_challenger.agent)", "NAME"},
      {"--threshold", NumberTarget{&options->threshold, 0, 100}, "lowest score that is good enough", "N"},
      {"--max-fix-cycles,--max-cycles", NumberTarget{&options->max_fix_cycles, 0, 100},
       "attempts that may fail verification; 0 = do not fix", "N"},
      {"--jobs", NumberTarget{&options->jobs, 1, 64}, "issues at the same time (fix.parallel)", "N"},
      {"--strategy",
       &options->strategy,
       "how issues are cut into agent runs (fix.strategy)",
       "NAME",
       {"per-issue", "batched", "one-call"}},
      {"--plan", &options->plan, "fix what this plan says, in its order, with its notes (see `emend plan`)",
       "FILE"},
      {"--clarify",
       &options->clarify,
       "always: let the agent ask you first; auto: leave out issues with open questions; never: fix them too",
       "WHEN",
       {"auto", "always", "never"}},
      {"--queue", &options->queue,
       "leave the session to a worker that has this repository (docs/workers.md)"},
      {"--approve",
       &options->approve,
       "plan: show the plan and begin only when you say so; none: begin at once",
       "WHAT",
       {"plan", "none"}},
      {"--feedback", &options->feedback, "tell this to whoever fixes the issues; kept with them as a comment",
       "TEXT"},
      {"--max-cost-usd", &options->max_cost_usd, "stop when the agents have cost this much (budget.cost_usd)",
       "N"},
      {"--max-tokens", NumberTarget{&options->max_tokens, 1, 1'000'000'000},
       "stop at this many tokens (budget.tokens)", "N"},
      {"--max-minutes", NumberTarget{&options->max_minutes, 1, 10'000}, "stop after this time (budget.time)",
       "N"},
      {"--verify-mode",
       &options->verify_mode,
       "verify each fix alone or several together",
       "MODE",
       {"auto", "each", "batch"}},
      {"--dry-run", &options->dry_run, "print the exact prompts, run nothing, store nothing"},
      {"--diff", &options->diff, "print the combined patch after the result"},
      {"--open-issues", &options->open_issues,
       "then print the issues to open for what stays unresolved; with tracker.dry_run = false, open them"},
      {"--exit-zero", &options->exit_zero, "exit 0 even if issues stay unresolved"},
      {"--ascii", &options->ascii, "draw the progress on a terminal with plain characters"},
  };
  command.run = [options](CommandContext& context) { return run_fix(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
