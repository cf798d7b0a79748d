#include "model/evidence.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<Evidence> kLevels[] = {{Evidence::none, "none"},
                                          {Evidence::judged, "judged"},
                                          {Evidence::verified, "verified"},
                                          {Evidence::rescanned, "rescanned"},
                                          {Evidence::proven, "proven"}};

constexpr EnumName<ClauseState> kStates[] = {{ClauseState::passed, "passed"},
                                             {ClauseState::failed, "failed"},
                                             {ClauseState::unknown, "unknown"},
                                             {ClauseState::not_required, "not_required"}};

Clause clause_from_json(const Json& json) {
  Clause clause{string_or(json, "id"), string_or(json, "name"), ClauseState::unknown,
                string_or(json, "detail")};
  clause.state = value_of(kStates, std::string_view(string_or(json, "state"))).value_or(ClauseState::unknown);
  return clause;
}

} // namespace

std::string_view to_string(Evidence level) { return name_of(kLevels, level); }

std::optional<Evidence> parse_evidence(std::string_view text) {
  return value_of(kLevels, std::string_view(to_lower(trim(text))));
}

std::string_view to_string(ClauseState state) { return name_of(kStates, state); }

Json to_json(const GateDecision& decision) {
  Json clauses = Json::array();
  for (const Clause& clause : decision.clauses) {
    clauses.push_back({{"id", clause.id},
                       {"name", clause.name},
                       {"state", to_string(clause.state)},
                       {"detail", clause.detail}});
  }
  return {{"resolved", decision.resolved},
          {"evidence", to_string(decision.evidence)},
          {"reason", null_if_empty(decision.reason)},
          {"detail", decision.detail},
          {"clauses", std::move(clauses)}};
}

GateDecision gate_decision_from_json(const Json& json) {
  GateDecision decision;
  decision.resolved = bool_field(json, "resolved");
  decision.evidence = parse_evidence(string_or(json, "evidence")).value_or(Evidence::none);
  decision.reason = string_or(json, "reason");
  decision.detail = string_or(json, "detail");
  for (const Json& clause : array_field(json, "clauses"))
    decision.clauses.push_back(clause_from_json(clause));
  return decision;
}

} // namespace emend
