#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "service/budgets.hpp"

namespace emend {

namespace {

constexpr double kMost = 1'000'000'000;

// Those of everybody, and of what the caller may see.
bool is_shown(const Call& call, const SetBudget& budget, const TeamOfRepository& teams) {
  switch (budget.scope) {
    case BudgetScope::all: return true;
    case BudgetScope::repository: return sees(call, budget.name);
    case BudgetScope::team:
      for (const auto& [repository, team] : teams)
        if (team == budget.name && sees(call, repository)) return true;
      return call.caller.rights.may(Role::administer, kEverywhere);
  }
  return false;
}

Result<Json> shown(const ApiParts& parts, const SetBudget& budget, const TeamOfRepository& teams) {
  TRY_ASSIGN(const auto use, budget_use(budget, teams, parts.store, parts.now_ms()));
  Json rows = Json::array();
  for (const QuotaUse& one : use) rows.push_back(to_json(one));
  return Json{{"scope", to_string(budget.scope)},
              {"name", budget.name.empty() ? Json(nullptr) : Json(budget.name)},
              {"limits", to_json(budget.limits)},
              {"use", std::move(rows)}};
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto budgets, set_budgets(parts.ledger, parts.now_ms()));
  TRY_ASSIGN(const TeamOfRepository teams, parts.repositories.teams());
  Json data = Json::array();
  for (const SetBudget& budget : budgets) {
    if (!is_shown(call, budget, teams)) continue;
    TRY_ASSIGN(Json row, shown(parts, budget, teams));
    data.push_back(std::move(row));
  }
  return json_response(200, {{"data", std::move(data)}, {"next_cursor", nullptr}});
}

double amount(Fields& fields, const std::string& name) {
  const std::string text = fields.amount(name, 0, kMost);
  return text.empty() ? 0 : std::stod(text);
}

std::int64_t whole(Fields& fields, const std::string& name) {
  return fields.number(name, 0, static_cast<std::int64_t>(kMost)).value_or(0);
}

Result<HttpReply> set(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  SetBudget budget;
  const std::string scope = fields.word("scope", {"all", "team", "repository"}, "all");
  budget.scope = parse_budget_scope(scope).value_or(BudgetScope::all);
  budget.name = fields.text_or("name", "", 200);
  if (budget.name.empty() != (budget.scope == BudgetScope::all))
    fields.refuse("name", "is the team or the repository, and nothing for all");
  const Json* given = fields.object("limits");
  const Json none = Json::object();
  Fields limits(given == nullptr ? none : *given, "/limits");
  budget.limits = {amount(limits, "day_usd"),
                   amount(limits, "month_usd"),
                   whole(limits, "day_tokens"),
                   whole(limits, "month_tokens"),
                   whole(limits, "day_minutes"),
                   whole(limits, "month_minutes"),
                   static_cast<int>(limits.number("sessions", 0, 10'000).value_or(0))};
  if (auto problem = limits.problems()) return *problem;
  if (auto problem = fields.problems()) return *problem;
  if (budget.scope == BudgetScope::repository) {
    TRY_ASSIGN(const ServedRepository known, parts.repositories.find(budget.name));
    budget.name = known.id;
  }
  TRY(keep_budget(parts.ledger, parts.store, budget, call.caller.actor, parts.now_ms()));
  TRY(parts.queue.look_at_teams());
  TRY_ASSIGN(const TeamOfRepository teams, parts.repositories.teams());
  TRY_ASSIGN(Json row, shown(parts, budget, teams));
  return json_response(200, row);
}

} // namespace

std::vector<Operation> budget_operations(const ApiParts& parts) {
  return {{"GET", "/api/budgets", "listBudgets", [&parts](const Call& call) { return list(parts, call); }},
          {"PUT", "/api/budgets", "setBudget", [&parts](const Call& call) { return set(parts, call); },
           Admission::member, BodyKind::json}};
}

} // namespace emend
