#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/editor.hpp"
#include "cli/daily/plan_text.hpp"
#include "cli/daily/plan_todo.hpp"
#include "cli/issue_choice.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/plan_agent.hpp"

namespace emend {

namespace {

struct PlanOptions {
  std::vector<std::string> codes;
  std::string strategy = "per-issue", out;
  std::optional<int> max_points, max_issues, jobs;
  std::string agent;
  bool all_open = false, edit = false, refine = false;
};

Result<ExitStatus> nothing_to_plan(CommandContext& context, const std::string& why) {
  if (context.global().json) {
    context.hint("nothing to plan: " + why);
    context.print_json("plan", nullptr);
  } else {
    context.print("Nothing to plan: " + why + ".\n");
  }
  return context.finish(ExitStatus::done);
}

Result<EditedPlan> edited(const PlanRequest& request, const std::string& text) {
  TRY_ASSIGN(EditedPlan plan, parse_plan_todo(text));
  const std::vector<std::string> problems = plan_problems(work_of(request.issues), plan.steps, plan.skipped);
  if (problems.empty()) return plan;
  return fail(
      ErrorCode::usage, "this plan breaks the rules:\n  " + join(problems, "\n  "),
      "each file may be in a step once, and each issue must be in the list once; write `skip CODE` to leave "
      "one out");
}

// Edits until the plan holds or the person gives up; without a person one try is all there is.
Result<EditedPlan> edit_plan(CommandContext& context, const PlanRequest& request) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const TemporaryDirectory place, TemporaryDirectory::create(home, "plan-"));
  const fs::path file = place.path() / "emend-plan-todo";
  TRY(write_scratch_file(file, plan_todo_text(request.issues, plan_steps(work_of(request.issues)))));
  while (true) {
    TRY(edit_file(context, file));
    TRY_ASSIGN(const std::string text, read_file(file, 10'000'000));
    auto plan = edited(request, text);
    if (plan || !context.may_ask()) return plan;
    write_stderr("emend: " + harmless_text(plan.error().message) + "\n");
    TRY_ASSIGN(const bool again, ask_yes_no("edit it again?", context.dependencies().stop, Enter::yes));
    if (!again) return plan;
  }
}

Result<PlanRequest> plan_request(CommandContext& context, const PlanOptions& options) {
  PlanRequest request;
  request.strategy = *parse_strategy(options.strategy); // one of the choices
  std::vector<ConfigOverride> flags;
  if (options.jobs) flags.push_back({"fix.parallel", std::to_string(*options.jobs), "--jobs"});
  if (!options.agent.empty()) flags.push_back({"fix.agent", options.agent, "--agent"});
  // Only a plan that an agent refines runs anything.
  TRY_ASSIGN(const Config config, options.refine ? trusted_config(context, flags) : context.config(flags));
  if (options.refine && config.policy().fixer.name.empty()) TRY(config.require_agents());
  request.policy = config.policy();
  if (options.refine) {
    TRY_ASSIGN(request.policy, policy_with_agent_files(context, config, request.base_ref));
  }
  request.limits.max_points = options.max_points.value_or(request.limits.max_points);
  request.limits.max_issues = options.max_issues.value_or(request.limits.max_issues);
  request.directory = options.out;
  TRY_ASSIGN(request.issues, choose_issues(context, options.codes, options.all_open));
  return request;
}

Result<Plan> refined(CommandContext& context, const Ports& ports, const std::string& home,
                     const PlanRequest& request) {
  context.hint("refining the plan with " + one_line(request.policy.fixer.name) + " ...");
  TRY_ASSIGN(RefinedPlan made, refine_plan(ports, home, request, context.dependencies().stop));
  for (const std::string& refusal : made.refusals)
    context.hint("the agent's plan was not used: " + one_line(refusal, 300));
  return std::move(made.plan);
}

Result<ExitStatus> run_plan(CommandContext& context, const PlanOptions& options) {
  if (options.codes.empty() && !options.all_open)
    return fail(ErrorCode::usage, "nothing selected to plan",
                "  emend plan BE-001 BE-002   these issues\n  emend plan --all-open      every OPEN issue");
  TRY_ASSIGN(PlanRequest request, plan_request(context, options));
  if (options.edit && options.refine)
    return fail(ErrorCode::usage, "--edit and --refine cannot be used together");
  if (request.issues.empty())
    return nothing_to_plan(context, options.codes.empty() ? "no open issues" : "no selected issue is open");
  if (options.edit) {
    TRY_ASSIGN(EditedPlan plan, edit_plan(context, request));
    if (plan.steps.empty()) return nothing_to_plan(context, "every issue is skipped");
    request.steps = std::move(plan.steps);
    request.skipped = std::move(plan.skipped);
  }
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Plan plan,
             options.refine ? refined(context, ports, home, request) : make_plan(ports, home, request));
  TRY_ASSIGN(const fs::path master, keep_plan_files(ports, home, plan));
  if (context.global().json) {
    context.print_json("plan", plan_json(plan));
  } else {
    context.print(plan_text(plan, context.palette()) + "written   " + master.string() + "\n");
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Command plan_command() {
  const auto options = std::make_shared<PlanOptions>();
  Command command;
  command.name = "plan";
  command.summary = "plan which issues are fixed together, and in which order";
  command.examples =
      "  emend plan --all-open\n  emend plan BE-001 BE-002 BE-003 --edit\n  emend plan --all-open --strategy "
      "batched --out plan\n";
  command.options = {
      {"CODE", &options->codes, "issues to plan", "CODE"},
      {"--all-open", &options->all_open, "plan every OPEN issue"},
      {"--strategy",
       &options->strategy,
       "how issues are grouped into units of work",
       "NAME",
       {"per-issue", "batched", "one-call"}},
      {"--max-points", NumberTarget{&options->max_points, 1, 10'000},
       "batched: workload of a batch (default 15)", "N"},
      {"--max-issues", NumberTarget{&options->max_issues, 1, 1'000}, "batched: issues of a batch (default 5)",
       "N"},
      {"--jobs", NumberTarget{&options->jobs, 1, 64}, "issues at the same time (fix.parallel)", "N"},
      {"--refine", &options->refine,
       "let the fixer refine the plan; its answer is checked by the same rules"},
      {"--agent", &options->agent, "with --refine: the agent to ask (fix.agent)", "NAME"},
      {"--edit", &options->edit, "edit the plan in your editor, like git rebase -i"},
      {"--out", &options->out,
       "write master_todo.json and the fix_todo files to DIR instead of the session folder", "DIR"},
  };
  command.run = [options](CommandContext& context) { return run_plan(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
