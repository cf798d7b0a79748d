// A text for a coding agent, cut between lines to what a tool may answer, with the way to read the rest.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emend {

// Most bytes of a tool's answer.
inline constexpr std::size_t kCheckBudget = 4'000, kReviewBudget = 6'000, kFindingsBudget = 6'000,
                             kShowBudget = 8'000, kWaitBudget = 3'000, kApplyBudget = 2'000,
                             kAnswerBudget = 1'000;

struct TextPage {
  std::size_t budget = kShowBudget;   // bytes, everything included
  std::size_t most_lines = 1'000'000; // between the first line and the last
  std::size_t page = 1;
  std::string rest = {}; // how to read on: "show id=chk_01"
  bool numbered = true;  // and " page=2" behind it; else what `rest` names begins from the start
};

// The first line (the verdict) and a last line that begins with "next: " are on every page. A page that is
// not there says how many there are.
[[nodiscard]] std::string page_of(std::string_view text, const TextPage& wanted);

} // namespace emend
