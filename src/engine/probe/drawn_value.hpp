// Values that a right program does not give, in the place of one that a test expects. They are what a wrong
// program is likeliest to pass with: what it answered before, else a neighbour, else one of the same shape.
#pragma once

#include <string>
#include <string_view>

namespace emend::probe {

// What a draw is made of. The caller makes the digits random: at least five.
struct Draw {
  std::string_view digits;
  std::string_view said = {}; // by the runner, of the failure on the base; may be empty
  bool shorter = false; // of a text its last letter is left out: comparisons may look at a beginning only
};

// Another number for a literal, as source code; digits alone where the literal is no plain number.
[[nodiscard]] std::string other_number(std::string_view literal, const Draw& draw);

// Another text for what stands between quotes; empty where every other one might mean the same.
[[nodiscard]] std::string other_text(std::string_view content, const Draw& draw);

// "10 != 9", "got 10, want 9", "Received: 10": the number, or the quoted text, that was answered where
// `expected` was asked for. Empty = nothing says so.
[[nodiscard]] std::string answered_number(std::string_view said, std::string_view expected);
[[nodiscard]] std::string answered_text(std::string_view said, std::string_view expected);

} // namespace emend::probe
