// A plan refined by an agent: it may change the steps within the rules and add notes to the TODO files, and
// can break neither.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/plan.hpp"

namespace emend {

// What the agent answered, as far as it can be read.
struct PlanProposal {
  std::vector<PlanStep> steps;          // may break every rule
  std::map<std::string, FixTodo> notes; // by code: only context and plan are filled in
};

// {"execution_steps":[{"reason","issues":["CODE" or {"code"}]}],"todos":{CODE:{"context","plan"}}}. Texts are
// cleaned and bounded. No such object: ErrorCode::agent.
[[nodiscard]] Result<PlanProposal> parse_planner_answer(std::string_view text);

// Takes the proposal's notes for issues of the plan; whatever it does not say stays. Paths that leave the
// repository are dropped.
void take_notes(PlanFiles& files, const PlanProposal& proposal);

struct RefinedPlan {
  Plan plan;
  bool refined = false;              // the agent's steps are used
  std::vector<std::string> refusals; // why they are not, each reason
};

// Asks policy.fixer in the role fix_planner. Nothing it says can fail the plan: the planner's own steps stay
// when its are refused. An agent that cannot work at all is an error.
[[nodiscard]] Result<RefinedPlan> refine_plan(const Ports& ports, const std::string& home,
                                              const PlanRequest& request, std::stop_token stop);

} // namespace emend
