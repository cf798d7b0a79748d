#include "engine/plan/plan_agent.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/context/event_log.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxText = 2'000, kMaxItems = 20;

std::string words(const Json& value) {
  return value.is_string() ? trim_middle(clean_text(value.get_ref<const std::string&>()), kMaxText) : "";
}

std::string member_words(const Json& object, const char* key) {
  const Json* value = find_member(object, key);
  return value == nullptr ? "" : words(*value);
}

std::vector<std::string> member_list(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const Json* list = find_member(object, key);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& item : *list)
    if (std::string text = words(item); !text.empty() && texts.size() < kMaxItems)
      texts.push_back(std::move(text));
  return texts;
}

bool stays_inside(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return !path.empty() && normal.is_relative() && (normal.empty() || *normal.begin() != "..");
}

FixTodo read_notes(const Json& row) {
  FixTodo notes;
  notes.approach.clear();
  if (const Json* context = find_member(row, "context"); context != nullptr && context->is_object()) {
    notes.existing_patterns = member_list(*context, "existing_patterns");
    if (const Json* related = find_member(*context, "related_files");
        related != nullptr && related->is_array())
      for (const Json& file : *related) {
        FixTodo::Related made{member_words(file, "path"), member_words(file, "reason")};
        if (stays_inside(made.path) && notes.related_files.size() < kMaxItems)
          notes.related_files.push_back(std::move(made));
      }
  }
  if (const Json* plan = find_member(row, "plan"); plan != nullptr && plan->is_object()) {
    notes.approach = first_line(member_words(*plan, "approach"), 80);
    notes.steps = member_list(*plan, "steps");
    notes.risks = member_list(*plan, "risks");
    notes.verification = member_words(*plan, "verification");
    const Json* lines = find_member(*plan, "estimated_lines_changed");
    notes.estimated_lines_changed =
        lines == nullptr ? 0 : static_cast<int>(exact_int(*lines, 0, 1'000'000).value_or(0));
  }
  return notes;
}

PlanStep read_step(const Json& row) {
  PlanStep step;
  step.reason = first_line(member_words(row, "reason"), 200);
  const Json* issues = find_member(row, "issues");
  if (issues == nullptr || !issues->is_array()) return step;
  for (const Json& item : *issues)
    step.codes.push_back(item.is_string() ? words(item) : member_words(item, "code"));
  return step;
}

std::string steps_text(const std::vector<PlanStep>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += "- step " + std::to_string(i + 1) + ": " + join(steps[i].codes, ", ") + " (" + steps[i].reason +
            ")\n";
  return text;
}

Result<std::string> ask_planner(RunContext& context, const PlanRequest& request, const Plan& plan,
                                std::stop_token stop) {
  TRY_ASSIGN(const AgentFile file, agent_file(request.policy, "fix_planner"));
  IssuesPromptInput input;
  input.template_body = file.body;
  input.items = prompt_items(context, request.issues);
  input.values = {{"plan", fenced(steps_text(plan.steps), "text")}};
  input.max_bytes = static_cast<std::size_t>(request.policy.prompt_max_bytes);
  TRY_ASSIGN(Prompt prompt, build_issues_prompt(input));
  TRY_ASSIGN(const std::unique_ptr<Agent> agent, context.ports.agents.make(request.policy.fixer));
  return ask_agent(context, *agent, {"fix_planner", request.issues, 1, 1, std::move(prompt.text)},
                   std::move(stop));
}

template <typename T>
void take(std::vector<T>& own, const std::vector<T>& other) {
  if (!other.empty()) own = other;
}

void redact_notes(PlanProposal& proposal, const RunContext& context) {
  for (auto& [code, notes] : proposal.notes) {
    for (auto* list : {&notes.steps, &notes.risks, &notes.existing_patterns})
      for (std::string& text : *list) text = context.safe(text);
    for (FixTodo::Related& file : notes.related_files) file.reason = context.safe(file.reason);
    notes.verification = context.safe(notes.verification);
  }
}

} // namespace

Result<PlanProposal> parse_planner_answer(std::string_view text) {
  TRY_ASSIGN(const Json json, last_json_object(text));
  const Json* steps = find_member(json, "execution_steps");
  if (steps == nullptr || !steps->is_array())
    return fail(ErrorCode::agent, "the answer has no list \"execution_steps\"");
  PlanProposal proposal;
  for (const Json& row : *steps) proposal.steps.push_back(read_step(row));
  if (const Json* todos = find_member(json, "todos"); todos != nullptr && todos->is_object())
    for (const auto& [code, row] : todos->items()) proposal.notes[code] = read_notes(row);
  return proposal;
}

void take_notes(PlanFiles& files, const PlanProposal& proposal) {
  for (FixTodo& todo : files.todos) {
    const auto found = proposal.notes.find(todo.issue_code);
    if (found == proposal.notes.end()) continue;
    const FixTodo& notes = found->second;
    take(todo.steps, notes.steps);
    take(todo.risks, notes.risks);
    take(todo.existing_patterns, notes.existing_patterns);
    take(todo.related_files, notes.related_files);
    if (!notes.approach.empty()) todo.approach = notes.approach;
    if (!notes.verification.empty()) todo.verification = notes.verification;
    if (notes.estimated_lines_changed > 0) todo.estimated_lines_changed = notes.estimated_lines_changed;
  }
}

Result<RefinedPlan> refine_plan(const Ports& ports, const std::string& home, const PlanRequest& request,
                                std::stop_token stop) {
  RefinedPlan refined;
  TRY_ASSIGN(refined.plan, make_plan(ports, home, request));
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  Session session;
  session.id = refined.plan.session_id;
  session.repository_id = ports.repository.id();
  session.policy = request.policy;
  TRY_ASSIGN(session.base, ports.repository.resolve(request.base_ref));
  EventLog log(ports.store, ports.clock, {});
  RunContext context(ports, log, home, std::move(session), std::move(redactor));
  TRY_ASSIGN(const std::string text, ask_planner(context, request, refined.plan, stop));
  auto proposal = parse_planner_answer(text);
  if (!proposal) {
    refined.refusals = {"nothing usable was answered: " + proposal.error().message};
    return refined;
  }
  redact_notes(*proposal, context);
  refined.refusals = plan_problems(work_of(request.issues), proposal->steps, request.skipped);
  if (refined.refusals.empty()) {
    PlanRequest with_steps = request;
    with_steps.session_id = refined.plan.session_id;
    with_steps.steps = proposal->steps;
    TRY_ASSIGN(refined.plan, make_plan(ports, home, with_steps));
    refined.refined = true;
  }
  take_notes(refined.plan.files, *proposal);
  return refined;
}

} // namespace emend
