#include "service/budgets.hpp"

#include <fmt/format.h>

#include <array>

namespace emend {

namespace {

// What the ledger calls them.
constexpr const char* kBudget = "budget";
constexpr const char* kTeam = "team";
constexpr std::int64_t kForEverMs = 253'402'300'799'000; // the end of the year 9999

std::string key_of(const SetBudget& budget) {
  return budget.name.empty() ? std::string(to_string(budget.scope))
                             : std::string(to_string(budget.scope)) + " " + budget.name;
}

std::string words_of(const SetBudget& budget) {
  switch (budget.scope) {
    case BudgetScope::all: return "everybody";
    case BudgetScope::team: return "team " + budget.name;
    case BudgetScope::repository: return "this repository";
  }
  return "";
}

template <typename T>
T number(const Json& json, const char* name) {
  const Json* found = find_member(json, name);
  return found != nullptr && found->is_number() ? found->get<T>() : T{};
}

BudgetLimits limits_from(const Json& json) {
  return {number<double>(json, "day_usd"),
          number<double>(json, "month_usd"),
          number<std::int64_t>(json, "day_tokens"),
          number<std::int64_t>(json, "month_tokens"),
          number<std::int64_t>(json, "day_minutes"),
          number<std::int64_t>(json, "month_minutes"),
          number<int>(json, "sessions")};
}

bool holds_for(const SetBudget& budget, const TeamOfRepository& teams, const std::string& repository_id) {
  switch (budget.scope) {
    case BudgetScope::all: return true;
    case BudgetScope::repository: return budget.name == repository_id;
    case BudgetScope::team: {
      const auto team = teams.find(repository_id);
      return team != teams.end() && team->second == budget.name;
    }
  }
  return false;
}

} // namespace

std::string_view to_string(BudgetScope scope) {
  switch (scope) {
    case BudgetScope::all: return "all";
    case BudgetScope::team: return "team";
    case BudgetScope::repository: return "repository";
  }
  return "all";
}

std::optional<BudgetScope> parse_budget_scope(std::string_view text) {
  for (const BudgetScope scope : {BudgetScope::all, BudgetScope::team, BudgetScope::repository})
    if (text == to_string(scope)) return scope;
  return std::nullopt;
}

Json to_json(const BudgetLimits& limits) {
  return {{"day_usd", limits.day_usd},         {"month_usd", limits.month_usd},
          {"day_tokens", limits.day_tokens},   {"month_tokens", limits.month_tokens},
          {"day_minutes", limits.day_minutes}, {"month_minutes", limits.month_minutes},
          {"sessions", limits.sessions}};
}

Result<TeamOfRepository> teams_of_repositories(Ledger& ledger, std::int64_t now_ms) {
  TRY_ASSIGN(const auto known, ledger.all_remembered(kTeam, now_ms));
  TeamOfRepository teams;
  for (const Remembered& entry : known) teams[entry.key] = string_or(entry.value, "team");
  return teams;
}

Status keep_team(Ledger& ledger, const std::string& repository_id, const std::string& team) {
  if (team.empty()) return ledger.forget(kTeam, repository_id);
  return ledger.remember({kTeam, repository_id, Json{{"team", team}}, kForEverMs});
}

Result<std::vector<SetBudget>> set_budgets(Ledger& ledger, std::int64_t now_ms) {
  TRY_ASSIGN(const auto known, ledger.all_remembered(kBudget, now_ms));
  std::vector<SetBudget> budgets;
  for (const Remembered& entry : known) {
    const auto scope = parse_budget_scope(string_or(entry.value, "scope"));
    if (scope) budgets.push_back({*scope, string_or(entry.value, "name"), limits_from(entry.value)});
  }
  return budgets;
}

Status keep_budget(Ledger& ledger, Store& store, const SetBudget& budget, const Actor& by,
                   std::int64_t now_ms) {
  Json value = to_json(budget.limits);
  AuditEntry entry;
  entry.actor = by;
  entry.action = "budget.changed";
  if (budget.scope == BudgetScope::repository) entry.repository_id = budget.name;
  entry.subject = key_of(budget);
  entry.detail = value;
  Change change;
  change.audit.push_back(std::move(entry));
  // The word first: a change that nobody made is better than one that nobody is told of.
  TRY(store.apply(change, now_ms));
  if (budget.limits == BudgetLimits{}) return ledger.forget(kBudget, key_of(budget));
  value["scope"] = to_string(budget.scope);
  value["name"] = budget.name;
  return ledger.remember({kBudget, key_of(budget), std::move(value), kForEverMs});
}

Result<std::vector<QuotaUse>> budget_use(const SetBudget& budget, const TeamOfRepository& teams,
                                         AgentRunStore& runs, std::int64_t now_ms) {
  struct Row {
    std::string_view words;
    QuotaUnit unit;
    double limit;
    std::int64_t from_ms;
  };
  const BudgetLimits& limits = budget.limits;
  const std::int64_t day = start_of_day(now_ms), month = start_of_month(now_ms);
  const std::array<Row, 6> rows = {
      Row{"day", QuotaUnit::usd, limits.day_usd, day},
      Row{"month", QuotaUnit::usd, limits.month_usd, month},
      Row{"day", QuotaUnit::tokens, static_cast<double>(limits.day_tokens), day},
      Row{"month", QuotaUnit::tokens, static_cast<double>(limits.month_tokens), month},
      Row{"day", QuotaUnit::minutes, static_cast<double>(limits.day_minutes), day},
      Row{"month", QuotaUnit::minutes, static_cast<double>(limits.month_minutes), month}};
  std::vector<QuotaUse> use;
  std::vector<AgentRunRecord> all;
  for (const Row& row : rows) {
    if (row.limit <= 0) continue;
    if (use.empty()) {
      RunSearch search;
      search.from_ms = month;
      if (budget.scope == BudgetScope::repository) search.repository_id = budget.name;
      TRY_ASSIGN(all, runs.agent_runs(search));
    }
    Consumed sum;
    for (const AgentRunRecord& run : all)
      if (run.started_ms >= row.from_ms && holds_for(budget, teams, run.repository_id)) sum.add(run);
    use.push_back({fmt::format("the budget of the {} of {}", row.words, words_of(budget)), row.unit,
                   row.limit, used(sum, row.unit)});
  }
  return use;
}

Result<std::vector<QuotaUse>> limits_of(const Config& config, Ledger& ledger, AgentRunStore& runs,
                                        const std::string& repository_id, std::int64_t now_ms) {
  TRY_ASSIGN(std::vector<QuotaUse> use, quota_use(config, runs, repository_id, now_ms));
  TRY_ASSIGN(const auto budgets, set_budgets(ledger, now_ms));
  if (budgets.empty()) return use;
  TRY_ASSIGN(const TeamOfRepository teams, teams_of_repositories(ledger, now_ms));
  for (const SetBudget& budget : budgets) {
    if (!holds_for(budget, teams, repository_id)) continue;
    TRY_ASSIGN(const auto more, budget_use(budget, teams, runs, now_ms));
    use.insert(use.end(), more.begin(), more.end());
  }
  return use;
}

} // namespace emend
