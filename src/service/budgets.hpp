// Limits that people set while the server runs: for everybody, for a team, for a repository. They are kept in
// the database, hold beside those of the configuration (quota.*), and each change is in the audit log.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/actor.hpp"
#include "ports/ledger.hpp"
#include "ports/store.hpp"
#include "service/quota.hpp"

namespace emend {

// 0 = no limit.
struct BudgetLimits {
  double day_usd = 0, month_usd = 0;
  std::int64_t day_tokens = 0, month_tokens = 0;
  std::int64_t day_minutes = 0, month_minutes = 0; // of agents
  int sessions = 0;                                // at once
  bool operator==(const BudgetLimits&) const = default;
};

enum class BudgetScope { all, team, repository };
[[nodiscard]] std::string_view to_string(BudgetScope scope);
[[nodiscard]] std::optional<BudgetScope> parse_budget_scope(std::string_view text);

struct SetBudget {
  BudgetScope scope = BudgetScope::all;
  std::string name; // of the team, or the repository's id; empty for all
  BudgetLimits limits;
};
[[nodiscard]] Json to_json(const BudgetLimits& limits);

// Teams by repository; a repository without one is in none.
using TeamOfRepository = std::map<std::string, std::string>;
[[nodiscard]] Result<TeamOfRepository> teams_of_repositories(Ledger& ledger, std::int64_t now_ms);
[[nodiscard]] Status keep_team(Ledger& ledger, const std::string& repository_id, const std::string& team);

[[nodiscard]] Result<std::vector<SetBudget>> set_budgets(Ledger& ledger, std::int64_t now_ms);
// With its entry in the audit log; without any limit it is forgotten.
[[nodiscard]] Status keep_budget(Ledger& ledger, Store& store, const SetBudget& budget, const Actor& by,
                                 std::int64_t now_ms);

// How much of this budget is used now, limit by limit.
[[nodiscard]] Result<std::vector<QuotaUse>> budget_use(const SetBudget& budget, const TeamOfRepository& teams,
                                                       AgentRunStore& runs, std::int64_t now_ms);
// Of all budgets that hold for this repository, and of the configuration's quotas.
[[nodiscard]] Result<std::vector<QuotaUse>> limits_of(const Config& config, Ledger& ledger,
                                                      AgentRunStore& runs, const std::string& repository_id,
                                                      std::int64_t now_ms);

} // namespace emend
