// A question about an issue that only a person can settle, and what the person said. Kept with the issue,
// given to whoever fixes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

enum class ClarificationState {
  asked, // waits for the person
  answered,
  skipped, // the person leaves it to whoever fixes the issue
};
[[nodiscard]] std::string_view to_string(ClarificationState state);
[[nodiscard]] std::optional<ClarificationState> parse_clarification_state(std::string_view text);

struct Clarification {
  std::string issue_id;    // UUID
  std::string question_id; // "BE-001-q1", numbered through all rounds of an issue
  int round = 1;
  std::string question;
  std::string context;                  // why it is asked
  std::vector<std::string> suggestions; // answers to choose from; others are welcome
  ClarificationState state = ClarificationState::asked;
  std::string answer;
  std::int64_t asked_ms = 0;
  std::int64_t answered_ms = 0;
};

[[nodiscard]] Json to_json(const Clarification& clarification);

} // namespace emend
