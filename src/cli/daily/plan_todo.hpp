// A plan as a list for an editor, in the manner of `git rebase -i`, and back. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/plan/planner.hpp"
#include "model/issue.hpp"

namespace emend {

struct EditedPlan {
  std::vector<PlanStep> steps; // without reasons
  std::vector<std::string> skipped;
};

[[nodiscard]] std::string plan_todo_text(const std::vector<Issue>& issues,
                                         const std::vector<PlanStep>& steps);
// A line that cannot be understood is ErrorCode::usage with its number. Does not know which issues there are:
// see plan_problems().
[[nodiscard]] Result<EditedPlan> parse_plan_todo(std::string_view text);

} // namespace emend
