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

std::optional<ClauseState> parse_clause_state(std::string_view text) { return value_of(kStates, text); }

} // namespace

std::string_view to_string(Evidence level) { return name_of(kLevels, level); }

std::optional<Evidence> parse_evidence(std::string_view text) {
  return value_of(kLevels, std::string_view(to_lower(trim(text))));
}

std::string_view to_string(ClauseState state) { return name_of(kStates, state); }

template <typename Visitor, Of<Clause> Record>
void fields(Visitor& visit, Record& clause) {
  visit("id", clause.id);
  visit("name", clause.name);
  visit("state", clause.state, parse_clause_state);
  visit("detail", clause.detail);
}

template <typename Visitor, Of<GateDecision> Record>
void fields(Visitor& visit, Record& decision) {
  visit("resolved", decision.resolved);
  visit("evidence", decision.evidence, parse_evidence);
  visit.or_null("reason", decision.reason);
  visit("detail", decision.detail);
  visit("clauses", decision.clauses);
}

Json to_json(const GateDecision& decision) { return write_fields(decision); }
GateDecision gate_decision_from_json(const Json& json) { return read_fields<GateDecision>(json); }

} // namespace emend
