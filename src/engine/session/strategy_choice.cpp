#include "engine/session/strategy_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kSessions = 100, kRuns = 2'000;

double price_of(const StrategyCost& one, bool by_price) {
  return (by_price ? one.cost_usd : one.tokens) / one.resolved;
}

std::string price_text(const StrategyCost& one, bool by_price) {
  const double each = price_of(one, by_price);
  return fmt::format("{} {}", to_string(one.strategy),
                     by_price ? fmt::format("${:.4f}", each) : fmt::format("{:.0f} tokens", each));
}

StrategyCost& row_of(std::vector<StrategyCost>& rows, Strategy strategy) {
  for (StrategyCost& row : rows)
    if (row.strategy == strategy) return row;
  rows.push_back({strategy});
  return rows.back();
}

} // namespace

StrategyChoice cheapest(const std::vector<StrategyCost>& known) {
  std::vector<StrategyCost> measured;
  for (const StrategyCost& one : known)
    if (one.resolved >= kResolvedToCount && one.tokens + one.cost_usd > 0) measured.push_back(one);
  if (measured.empty())
    return {Strategy::per_issue,
            fmt::format("strategy per-issue: no strategy has resolved {} issues here yet", kResolvedToCount)};
  const bool by_price =
      std::all_of(measured.begin(), measured.end(), [](const auto& one) { return one.priced; });
  std::stable_sort(measured.begin(), measured.end(), [&](const auto& a, const auto& b) {
    return price_of(a, by_price) < price_of(b, by_price);
  });
  std::vector<std::string> prices;
  for (const StrategyCost& one : measured) prices.push_back(price_text(one, by_price));
  return {measured.front().strategy, fmt::format("strategy {}: a resolved issue cost least with it here ({})",
                                                 to_string(measured.front().strategy), join(prices, ", "))};
}

Result<StrategyChoice> choose_strategy(Store& store, const std::string& repository_id) {
  TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, kSessions));
  TRY_ASSIGN(const std::vector<AgentRunRecord> runs, store.latest_agent_runs(repository_id, kRuns));
  std::map<std::string, std::vector<const AgentRunRecord*>> of_session;
  for (const AgentRunRecord& run : runs) of_session[run.session_id].push_back(&run);
  std::vector<StrategyCost> rows;
  for (const Session& session : sessions) {
    const auto found = of_session.find(session.id);
    if (found == of_session.end() || !is_final(session.status)) continue;
    TRY_ASSIGN(const std::vector<CommitRecord> commits, store.commits(session.id));
    StrategyCost& row = row_of(rows, session.policy.strategy);
    for (const CommitRecord& commit : commits) row.resolved += static_cast<int>(commit.issue_ids.size());
    for (const AgentRunRecord* run : found->second) {
      row.tokens += static_cast<double>(run->usage.input_tokens + run->usage.output_tokens);
      row.priced = row.priced && run->usage.cost_usd.has_value();
      row.cost_usd += run->usage.cost_usd.value_or(0);
    }
  }
  return cheapest(rows);
}

Result<std::string> settle_strategy(Store& store, const std::string& repository_id, Policy& policy) {
  if (policy.strategy != Strategy::automatic) return std::string();
  TRY_ASSIGN(StrategyChoice choice, choose_strategy(store, repository_id));
  policy.strategy = choice.strategy;
  return std::move(choice.why);
}

} // namespace emend
