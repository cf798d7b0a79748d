#include "engine/agents/budget.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

std::optional<std::string> over_budget(const Budget& budget, const Consumed& consumed) {
  if (budget.cost_usd > 0 && consumed.cost_usd >= budget.cost_usd)
    return fmt::format("the budget of ${:.2f} is used up (${:.2f})", budget.cost_usd, consumed.cost_usd);
  if (budget.tokens > 0 && consumed.tokens >= budget.tokens)
    return fmt::format("the budget of {} tokens is used up ({})", budget.tokens, consumed.tokens);
  if (budget.time_ms > 0 && consumed.time_ms >= budget.time_ms)
    return fmt::format("the time of {} is used up", format_duration_ms(budget.time_ms));
  return std::nullopt;
}

std::optional<std::string> nearly_over_budget(const Budget& budget, const Consumed& consumed) {
  const auto nearly = [](double used, double limit) { return limit > 0 && used >= kNearlyUsed * limit; };
  constexpr const char* kThen = "; when the rest is used, no further agent is started";
  if (nearly(consumed.cost_usd, budget.cost_usd))
    return fmt::format("${:.2f} of the budget of ${:.2f} are used{}", consumed.cost_usd, budget.cost_usd,
                       kThen);
  if (nearly(static_cast<double>(consumed.tokens), static_cast<double>(budget.tokens)))
    return fmt::format("{} tokens of the budget of {} are used{}", consumed.tokens, budget.tokens, kThen);
  if (nearly(static_cast<double>(consumed.time_ms), static_cast<double>(budget.time_ms)))
    return fmt::format("{} of the time of {} are used; then what runs is ended",
                       format_duration_ms(consumed.time_ms), format_duration_ms(budget.time_ms));
  return std::nullopt;
}

void Meter::add(const AgentRunRecord& run) {
  const std::lock_guard lock(mutex_);
  session_.add(run);
  for (const std::string& id : run.issue_ids)
    issues_[id].add(run, 1.0 / static_cast<double>(run.issue_ids.size()));
}

// The session's time is what passes outside, with agents side by side: the pipeline watches it with a clock.
std::optional<std::string> Meter::session_over() const {
  const std::lock_guard lock(mutex_);
  Budget limit = session_limit_;
  limit.time_ms = 0;
  return over_budget(limit, session_);
}

std::optional<std::string> Meter::take_warning() {
  const std::lock_guard lock(mutex_);
  Budget limit = session_limit_;
  limit.time_ms = 0;
  if (warned_ || over_budget(limit, session_)) return std::nullopt;
  auto warning = nearly_over_budget(limit, session_);
  warned_ = warning.has_value();
  return warning;
}

std::optional<std::string> Meter::issue_over(const std::string& issue_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = issues_.find(issue_id);
  return found == issues_.end() ? std::nullopt : over_budget(issue_limit_, found->second);
}

std::optional<double> Meter::mean_cost() const {
  const std::lock_guard lock(mutex_);
  if (!session_.priced || session_.runs == 0) return std::nullopt;
  return session_.cost_usd / session_.runs;
}

double Meter::cost_left(const std::vector<std::string>& issue_ids) const {
  const std::lock_guard lock(mutex_);
  double left = session_limit_.cost_usd > 0 ? session_limit_.cost_usd - session_.cost_usd : 0;
  if (issue_limit_.cost_usd > 0) {
    double sum = 0;
    for (const std::string& id : issue_ids) {
      const auto found = issues_.find(id);
      sum += issue_limit_.cost_usd - (found == issues_.end() ? 0 : found->second.cost_usd);
    }
    left = left > 0 ? std::min(left, sum) : sum;
  }
  return std::max(left, 0.0);
}

std::int64_t Meter::time_left_ms(const std::vector<std::string>& issue_ids) const {
  const std::lock_guard lock(mutex_);
  if (issue_limit_.time_ms <= 0) return 0;
  std::int64_t left = 0;
  for (const std::string& id : issue_ids) {
    const auto found = issues_.find(id);
    left += issue_limit_.time_ms - (found == issues_.end() ? 0 : found->second.time_ms);
  }
  return std::max<std::int64_t>(left, 1);
}

namespace {

struct Average {
  double cost = 0, tokens = 0, time_ms = 0;
  int runs = 0, priced = 0;
};

// Of the roles' answers alone: a run that met a limit says nothing about what work costs.
Average average_of(const std::vector<AgentRunRecord>& earlier, const std::string& agent,
                   std::initializer_list<std::string_view> roles) {
  Average sum;
  for (const AgentRunRecord& run : earlier) {
    if (run.agent != agent || !run.state.ok() ||
        std::find(roles.begin(), roles.end(), run.role) == roles.end())
      continue;
    ++sum.runs;
    sum.tokens += static_cast<double>(run.usage.input_tokens + run.usage.output_tokens);
    sum.time_ms += static_cast<double>(run.duration_ms);
    if (!run.usage.cost_usd) continue;
    ++sum.priced;
    sum.cost += *run.usage.cost_usd;
  }
  if (sum.runs > 0) sum.tokens /= sum.runs, sum.time_ms /= sum.runs;
  if (sum.priced > 0) sum.cost /= sum.priced;
  return sum;
}

} // namespace

Estimate estimate(const Policy& policy, std::size_t issues, std::size_t units,
                  const std::vector<AgentRunRecord>& earlier) {
  Estimate made;
  const bool fixes = !policy.fixer.builtin(),
             judges = policy.challenger_enabled && !policy.challenger.builtin();
  const int candidates = std::max(1, policy.candidates);
  const int fix_runs = fixes ? static_cast<int>(units) * candidates : 0,
            judge_runs = judges ? static_cast<int>(issues) * candidates * policy.panel : 0;
  const int turns = policy.max_fix_cycles + policy.max_iterations + policy.deferred_retries;
  made.runs_at_least = fix_runs + judge_runs;
  made.runs_at_most =
      fix_runs +
      static_cast<int>(issues) *
          ((fixes ? (turns - 1) * std::max(candidates, policy.candidates == 0 ? 2 : 1) : 0) +
           (judges ? policy.max_iterations * (1 + policy.challenge_retries) * candidates * policy.panel : 0));
  const Average fix = average_of(earlier, policy.fixer.name, {"fixer", "re_fixer"});
  const Average judge = average_of(earlier, policy.challenger.name, {"fix_challenger"});
  made.known_runs = fix.runs + judge.runs;
  const bool complete = (!fixes || fix.runs > 0) && (!judges || judge.runs > 0);
  if (made.known_runs == 0 || !complete) return made;
  made.tokens = static_cast<std::int64_t>(fix.tokens * fix_runs + judge.tokens * judge_runs);
  made.time_ms = static_cast<std::int64_t>(fix.time_ms * fix_runs + judge.time_ms * judge_runs);
  if (fix.priced + judge.priced > 0) made.cost_usd = fix.cost * fix_runs + judge.cost * judge_runs;
  return made;
}

std::string to_text(const Estimate& estimate) {
  std::string text = fmt::format("{} to {} agent runs", estimate.runs_at_least,
                                 std::max(estimate.runs_at_least, estimate.runs_at_most));
  if (!estimate.tokens) return text + "; no earlier runs, so there is no cost estimate";
  std::vector<std::string> parts;
  if (estimate.cost_usd) parts.push_back(fmt::format("${:.2f}", *estimate.cost_usd));
  if (*estimate.tokens > 0) parts.push_back(fmt::format("{} tokens", *estimate.tokens));
  parts.push_back(format_duration_ms(*estimate.time_ms) + " of agent time");
  text += fmt::format(", about {} if the first attempts pass (from {} earlier {})", join(parts, ", "),
                      estimate.known_runs, estimate.known_runs == 1 ? "run" : "runs");
  return text;
}

} // namespace emend
