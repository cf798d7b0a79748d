#include "engine/fix/fixer_prompt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/guidelines.hpp"
#include "engine/fix/human_notes.hpp"
#include "engine/fix/situation.hpp"
#include "engine/fix/standing_notes.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/conventions.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/verify/comparison.hpp"

namespace emend {
namespace {

// What the project asks for, and what people said about earlier fixes here.
Result<std::string> project_words(RunContext& context, const std::string& base) {
  TRY_ASSIGN(const std::string file,
             collect_standing_notes(context.ports, context.home, context.session.issue_ids));
  const std::string notes = context.safe(notes_for_prompt(file, kStandingNotes));
  std::string text = conventions_text(context, base, kFixerConventions - notes.size());
  if (!notes.empty()) text += "[what people said about earlier fixes in this repository]\n" + notes;
  return text;
}

Result<FixPromptInput> prompt_input(RunContext& context, const std::vector<Issue>& issues,
                                    const std::string& base, const Verification* baseline,
                                    const std::string& template_body) {
  FixPromptInput input;
  input.template_body = template_body;
  input.items = prompt_items(context, issues, base);
  for (FixPromptInput::Item& item : input.items) {
    TRY_ASSIGN(item.said, person_words(context, item.issue));
    TRY_ASSIGN(item.files, open_files(context, item.issue, base));
  }
  TRY_ASSIGN(input.conventions, project_words(context, base));
  std::vector<std::string> files;
  for (const Issue& issue : issues) files.push_back(issue.finding.file);
  TRY_ASSIGN(input.guidelines, guidelines_for_fixing(context.policy(), files));
  input.review_report = context.safe(context.session.review_report);
  for (const Issue& issue : issues)
    for (const VerifyCommand& command : commands_for(context.policy(), issue)) {
      const auto same = [&](const VerifyCommand& known) { return known.name == command.name; };
      if (std::none_of(input.commands.begin(), input.commands.end(), same)) input.commands.push_back(command);
    }
  TRY_ASSIGN(input.closed, closed_text(context, issues, base));
  if (baseline != nullptr) {
    for (const VerifyCommand& command : input.commands)
      if (const CommandRun* run = baseline->find(command.name))
        input.command_notes[command.name] = check_note(*run);
    input.red_before = context.safe(red_before_text(*baseline, input.commands));
  }
  if (context.plan)
    for (const Issue& issue : issues) input.plan += plan_notes(*context.plan, issue.code);
  input.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
  return input;
}

std::string steps_text(const std::vector<PlanStep>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += fmt::format("Step {} ({}):\n", i + 1, steps[i].reason);
    for (const std::string& code : steps[i].codes)
      text += fmt::format("- {}: {}/{}\n", code, kPlanPlace, fix_todo_name(code));
  }
  return text;
}

} // namespace

std::string Feedback::encode() const { return dump_json(Json{{"failure", failure}, {"feedback", feedback}}); }

Feedback Feedback::decode(const std::string& text) {
  auto json = text.empty() ? Result<Json>(Json::object()) : parse_json(text);
  return json ? Feedback{string_or(*json, "failure"), string_or(*json, "feedback")} : Feedback{};
}

std::string plan_notes(const PlanFiles& plan, const std::string& code) {
  const auto found = std::find_if(plan.todos.begin(), plan.todos.end(),
                                  [&](const FixTodo& todo) { return todo.issue_code == code; });
  if (found == plan.todos.end()) return {};
  std::string text;
  for (const std::string& step : found->steps) text += "- " + step + "\n";
  for (const FixTodo::Related& file : found->related_files)
    text += fmt::format("- see {}: {}\n", file.path, file.reason);
  for (const std::string& risk : found->risks) text += "- risk: " + risk + "\n";
  return text.empty() ? text : code + ":\n" + text;
}

Result<TurnPrompt> turn_prompt(RunContext& context, const Unit& unit, const Issue& issue,
                               const EarlierRounds& earlier, const Verification* baseline) {
  TurnPrompt turn;
  turn.role = unit.cycles == 0 ? "fixer" : "re_fixer";
  TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), turn.role));
  const Feedback feedback = Feedback::decode(unit.feedback);
  TRY_ASSIGN(FixPromptInput input, prompt_input(context, {issue}, unit.base, baseline, file.body));
  const Attempt* aside = earlier.set_aside();
  if (earlier.best) {
    input.previous_diff = context.redactor.redact(shown_diff(earlier.best->patch));
    input.previous_round = earlier.best->cycle;
    if (aside != nullptr)
      input.previous_said =
          context.safe(earlier.verdict ? verdict_words(*earlier.verdict) : earlier.best->detail);
    input.may_contest = earlier.verdict.has_value() && !earlier.contested;
  }
  if (aside != nullptr) input.set_aside_diff = context.redactor.redact(shown_diff(aside->patch));
  input.failure = context.safe(feedback.failure);
  input.feedback = context.safe(feedback.feedback);
  input.cycle = unit.cycles + 1;
  TRY_ASSIGN(Prompt prompt, build_fix_prompt(input));
  turn.text = std::move(prompt.text);
  return turn;
}

Result<TurnPrompt> group_prompt(RunContext& context, const std::vector<Issue>& issues,
                                const std::string& base, const std::vector<PlanStep>& steps,
                                const Verification* baseline) {
  TurnPrompt turn;
  turn.role = "fixer";
  TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), turn.role));
  TRY_ASSIGN(FixPromptInput input, prompt_input(context, issues, base, baseline, file.body));
  input.steps = steps_text(steps);
  TRY_ASSIGN(Prompt prompt, build_fix_prompt(input));
  turn.text = std::move(prompt.text);
  return turn;
}

} // namespace emend
