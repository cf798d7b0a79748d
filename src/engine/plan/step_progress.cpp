#include "engine/plan/step_progress.hpp"

#include <algorithm>
#include <utility>

#include "model/events.hpp"

namespace emend {

namespace {

bool is_over(UnitStatus status) {
  return status == UnitStatus::accepted || status == UnitStatus::committed || status == UnitStatus::finished;
}

} // namespace

StepProgress::StepProgress(const RunContext& context, std::vector<PlanStep> steps) : context_(context) {
  for (PlanStep& step : steps) steps_.push_back({std::move(step), false, {}});
}

std::size_t StepProgress::step_of(const std::string& code) const {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return std::find(step.plan.codes.begin(), step.plan.codes.end(), code) != step.plan.codes.end();
  });
  return static_cast<std::size_t>(found - steps_.begin());
}

void StepProgress::skip(const std::string& code, UnitStatus status) {
  const std::lock_guard lock(mutex_);
  const std::size_t at = step_of(code);
  if (at < steps_.size() && is_over(status)) steps_[at].ended[code] = status;
}

// Published under the lock, so that nothing is told of a step before its beginning.
Status StepProgress::begin(const std::string& code) {
  const std::lock_guard lock(mutex_);
  const std::size_t at = step_of(code);
  if (at == steps_.size() || std::exchange(steps_[at].begun, true)) return {};
  const PlanStep& plan = steps_[at].plan;
  return context_.publish("", FixStepStarted{at + 1, steps_.size(), plan.reason, plan.codes});
}

Status StepProgress::end(const std::string& code, UnitStatus status) {
  const std::lock_guard lock(mutex_);
  const std::size_t at = step_of(code);
  if (at == steps_.size() || !is_over(status)) return {};
  Step& step = steps_[at];
  if (!step.ended.emplace(code, status).second || step.ended.size() < step.plan.codes.size()) return {};
  FixStepCompleted completed{at + 1, steps_.size(), {}};
  for (const auto& [issue, ended] : step.ended)
    completed.results.push_back({issue, ended == UnitStatus::finished ? "failed" : "accepted"});
  return context_.publish("", completed);
}

} // namespace emend
