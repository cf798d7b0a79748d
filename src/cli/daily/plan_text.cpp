#include "cli/daily/plan_text.hpp"

#include <fmt/format.h>

#include <map>

#include "base/strings.hpp"

namespace emend {

namespace {

struct Planned {
  const Work* work = nullptr;
  const FixTodo* todo = nullptr; // may be missing
};
using ByCode = std::map<std::string, Planned>;

ByCode by_code(const Plan& plan) {
  ByCode found;
  for (const Work& work : plan.works) found[work.code].work = &work;
  for (const FixTodo& todo : plan.files.todos) found[todo.issue_code].todo = &todo;
  return found;
}

std::string files_text(const Work& work) {
  if (work.files.empty()) return "any file";
  return work.files.front() +
         (work.files.size() == 1 ? "" : fmt::format(" and {} more", work.files.size() - 1));
}

double ratio(const Makespan& makespan) {
  return makespan.lower_bound == 0 ? 1.0 : static_cast<double>(makespan.free_schedule) / makespan.lower_bound;
}

std::string step_text(const ByCode& planned, const PlanStep& step, std::size_t number,
                      const Palette& palette) {
  TextTable table({});
  for (const std::string& code : step.codes) {
    const auto& [work, todo] = planned.at(code);
    table.add({{code, Tone::strong},
               {plural(static_cast<std::size_t>(work->points), "point")},
               {files_text(*work)},
               {todo == nullptr ? "" : one_line(todo->title, 80)}});
  }
  return palette.paint(fmt::format("step {}", number), Tone::strong) + "  " + one_line(step.reason, 200) +
         "\n" + table.render(palette, "  ");
}

std::string units_text(const Plan& plan) {
  if (plan.strategy == Strategy::per_issue) return {};
  std::string text = "\n";
  for (const Batch& unit : plan.units)
    text += fmt::format("{}  {}  {}\n", unit.label, plural(static_cast<std::size_t>(unit.points), "point"),
                        one_line(join(unit.codes, ", "), 200));
  return text;
}

std::string time_text(const Plan& plan) {
  const Makespan& makespan = plan.makespan;
  if (plan.strategy == Strategy::batched)
    return fmt::format("{} points, one batch after another", makespan.total);
  if (plan.strategy == Strategy::one_call)
    return fmt::format("{} points with {} at a time and a barrier after each step", makespan.with_barriers,
                       plan.slots);
  return fmt::format(
      "{} points with {} at a time; no schedule takes less than {} ({:.2f} times that); step by step, as "
      "`fix --plan` works, {}",
      makespan.free_schedule, plan.slots, makespan.lower_bound, ratio(makespan), makespan.with_barriers);
}

} // namespace

std::string plan_text(const Plan& plan, const Palette& palette) {
  std::string text =
      fmt::format("plan {}: {} in {}, {}, strategy {}\n", plan.session_id, plural(plan.works.size(), "issue"),
                  plural(plan.steps.size(), "step"),
                  plural(static_cast<std::size_t>(plan.makespan.total), "point"), to_string(plan.strategy));
  const ByCode planned = by_code(plan);
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    text += "\n" + step_text(planned, plan.steps[i], i + 1, palette);
  text += units_text(plan);
  text += "\nmakespan  " + time_text(plan) + "\n";
  if (!plan.skipped.empty()) text += "skipped   " + one_line(join(plan.skipped, ", "), 300) + "\n";
  return text;
}

Json plan_json(const Plan& plan) {
  Json steps = Json::array(), units = Json::array();
  const ByCode planned = by_code(plan);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    Json issues = Json::array();
    for (const std::string& code : plan.steps[i].codes) {
      const Work& work = *planned.at(code).work;
      issues.push_back({{"code", code},
                        {"files", work.files},
                        {"points", work.points},
                        {"todo_file", (plan.directory / fix_todo_name(code)).string()}});
    }
    steps.push_back({{"step", i + 1}, {"reason", plan.steps[i].reason}, {"issues", std::move(issues)}});
  }
  for (const Batch& unit : plan.units)
    units.push_back({{"label", unit.label}, {"points", unit.points}, {"issues", unit.codes}});
  const Makespan& makespan = plan.makespan;
  return {
      {"session_id", plan.session_id},
      {"branch_name", plan.branch},
      {"strategy", to_string(plan.strategy)},
      {"master_todo_path", (plan.directory / "master_todo.json").string()},
      {"execution_steps", std::move(steps)},
      {"units", std::move(units)},
      {"skipped", plan.skipped},
      {"summary",
       {{"total_issues", plan.works.size()}, {"total_steps", plan.steps.size()}, {"points", makespan.total}}},
      {"makespan",
       {{"slots", plan.slots},
        {"points", makespan.free_schedule},
        {"lower_bound", makespan.lower_bound},
        {"with_barriers", makespan.with_barriers}}}};
}

} // namespace emend
