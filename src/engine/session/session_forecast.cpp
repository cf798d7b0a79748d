#include "engine/session/session_forecast.hpp"

#include <algorithm>

#include "engine/agents/budget.hpp"
#include "engine/plan/planner.hpp"

namespace emend {
namespace {

constexpr std::size_t kRuns = 500;

} // namespace

Result<std::optional<FixForecast>> forecast_of(Store& store, const Session& session) {
  if (session.policy.fixer.builtin()) return std::optional<FixForecast>();
  std::vector<Issue> issues;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(Issue issue, store.issue(session.repository_id, id));
    issues.push_back(std::move(issue));
  }
  const std::size_t units = work_units(work_of(issues), session.policy.strategy, session.policy.batch).size();
  TRY_ASSIGN(const auto earlier, store.latest_agent_runs(session.repository_id, kRuns));
  const Estimate made = estimate(session.policy, issues.size(), units, earlier);
  if (!made.tokens) return std::optional<FixForecast>();
  return std::optional(FixForecast{made.runs_at_least, std::max(made.runs_at_least, made.runs_at_most),
                                   made.known_runs, *made.tokens, made.cost_usd, made.time_ms.value_or(0)});
}

} // namespace emend
