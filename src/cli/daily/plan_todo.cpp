#include "cli/daily/plan_todo.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "cli/text_table.hpp"

namespace emend {

namespace {

constexpr const char* kHelp = R"(
# One line an issue. The issues of a step run at the same time, the steps one after the other.
#
#   fix CODE      work on it in this step
#   serial CODE   work on it in a step of its own
#   skip CODE     leave it out of the plan
#   step          the next step begins here
#
# Lines can be moved. What stands after a code is only for you. A file may be in a step once, and every issue must be in the list: to
# leave one out, write skip. Lines with # are ignored; a list with nothing else in it makes no plan.
)";

// The first word of a line, which is taken off it.
std::string_view next_word(std::string_view& line) {
  line = trim(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

tl::unexpected<Error> bad_line(std::size_t number, const std::string& what) {
  return fail(ErrorCode::usage, fmt::format("line {} of the plan: {}", number, what),
              "commands: fix, serial, skip, step");
}

class Reader {
public:
  Status take(std::size_t number, std::string_view line) {
    const std::string verb = to_lower(next_word(line));
    if (verb.empty() || verb.starts_with('#')) return {};
    if (verb == "step") {
      next_is_new_ = true;
      return {};
    }
    const std::vector<std::string> verbs = {"fix", "serial", "skip", "step"};
    if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) {
      const auto near = did_you_mean(verb, verbs);
      return bad_line(number, "unknown command \"" + first_line(clean_text(verb), 40) + "\"" +
                                  (near ? "; did you mean " + *near + "?" : ""));
    }
    const std::string code = to_upper(next_word(line));
    if (code.empty()) return bad_line(number, verb + " needs the code of an issue");
    if (verb == "skip") {
      plan_.skipped.push_back(code);
      return {};
    }
    if (next_is_new_ || verb == "serial") plan_.steps.emplace_back();
    plan_.steps.back().codes.push_back(code);
    next_is_new_ = verb == "serial";
    return {};
  }
  [[nodiscard]] EditedPlan take_plan() { return std::move(plan_); }

private:
  EditedPlan plan_;
  bool next_is_new_ = true; // the next issue begins a step
};

} // namespace

std::string plan_todo_text(const std::vector<Issue>& issues, const std::vector<PlanStep>& steps) {
  std::string text;
  for (const PlanStep& step : steps) {
    text += fmt::format("{}step  # {}\n", text.empty() ? "" : "\n", one_line(step.reason, 200));
    for (const std::string& code : step.codes) {
      const auto issue =
          std::find_if(issues.begin(), issues.end(), [&](const Issue& each) { return each.code == code; });
      text += "fix " + one_line(code);
      if (issue != issues.end())
        text += fmt::format("  {} points  {}  {}", workload_points(issue->finding),
                            one_line(place_of(issue->finding), 100), one_line(issue->finding.title));
      text += "\n";
    }
  }
  return text + kHelp;
}

Result<EditedPlan> parse_plan_todo(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) TRY(reader.take(++number, line));
  EditedPlan plan = reader.take_plan();
  if (plan.steps.empty() && plan.skipped.empty())
    return fail(ErrorCode::usage, "the list is empty, so no plan was created",
                "to accept the proposed plan, leave the list unchanged");
  return plan;
}

} // namespace emend
