#include "model/clarification.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<ClarificationState> kStates[] = {{ClarificationState::asked, "asked"},
                                                    {ClarificationState::answered, "answered"},
                                                    {ClarificationState::skipped, "skipped"}};

} // namespace

std::string_view to_string(ClarificationState state) { return name_of(kStates, state); }

std::optional<ClarificationState> parse_clarification_state(std::string_view text) {
  return value_of(kStates, text);
}

Json to_json(const Clarification& clarification) {
  const bool answered = clarification.state == ClarificationState::answered;
  return {{"question_id", clarification.question_id},
          {"question", clarification.question},
          {"context", clarification.context},
          {"suggestions", clarification.suggestions},
          {"state", to_string(clarification.state)},
          {"answer", answered ? Json(clarification.answer) : Json(nullptr)},
          {"round", clarification.round},
          {"asked_at", rfc3339_utc(clarification.asked_ms)},
          {"answered_at",
           clarification.answered_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(clarification.answered_ms))}};
}

} // namespace emend
