// The prompt of a fixer's next run, from durable state alone: the same state gives the same prompt after a
// crash.
#pragma once

#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/fix/earlier_rounds.hpp"
#include "engine/plan/plan_files.hpp"
#include "model/verification.hpp"

namespace emend {

// The feedback for the next round, kept in Unit::feedback as JSON so that it survives a crash.
struct Feedback {
  std::string failure;  // failing command with its output
  std::string feedback; // the challenger's, or the engine's reason

  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static Feedback decode(const std::string& text);
};

struct TurnPrompt {
  std::string role;
  std::string text;
};

// One issue. Also what --dry-run prints. baseline: the checks on unit.base; null = not known yet.
[[nodiscard]] Result<TurnPrompt> turn_prompt(RunContext& context, const Unit& unit, const Issue& issue,
                                             const EarlierRounds& earlier, const Verification* baseline);

// Stands in a prompt for the directory of the plan's files, which is known only when the workspace is made.
inline constexpr const char* kPlanPlace = "@PLAN@";

// The first run on several issues. With `steps` the agent is to hand each step's issues to sub-agents that
// work at the same time.
[[nodiscard]] Result<TurnPrompt> group_prompt(RunContext& context, const std::vector<Issue>& issues,
                                              const std::string& base, const std::vector<PlanStep>& steps,
                                              const Verification* baseline);

// What a plan says about an issue beyond the issue itself; empty = nothing.
[[nodiscard]] std::string plan_notes(const PlanFiles& plan, const std::string& code);

} // namespace emend
