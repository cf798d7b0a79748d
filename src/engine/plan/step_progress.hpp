// Tells of the plan's steps while their issues are worked on: a step begins with its first issue and is over
// with its last one. The steps of somebody's own plan run one after the other; those of the planner may
// overlap, since issues start as soon as their files are free.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/context/run_context.hpp"
#include "engine/plan/planner.hpp"
#include "model/session.hpp"

namespace emend {

// Safe to use from many threads.
class StepProgress {
public:
  StepProgress(const RunContext& context, std::vector<PlanStep> steps);

  // Over before this run: a step of nothing else is not told of.
  void skip(const std::string& code, UnitStatus status);
  [[nodiscard]] Status begin(const std::string& code);
  // Only accepted and finished units are over; another status is one that will be taken up again.
  [[nodiscard]] Status end(const std::string& code, UnitStatus status);

private:
  struct Step {
    PlanStep plan;
    bool begun = false;
    std::map<std::string, UnitStatus> ended;
  };
  [[nodiscard]] std::size_t step_of(const std::string& code) const; // steps_.size() = none

  const RunContext& context_;
  std::mutex mutex_;
  std::vector<Step> steps_;
};

} // namespace emend
