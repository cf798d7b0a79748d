// One line of a compiler's or linter's output, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/finding.hpp"

namespace emend {

struct TextLine {
  std::string file;
  int line = 0;
  int column = 0; // 0 = not given
  std::optional<Severity> severity;
  bool is_note = false; // "note:", which may explain the line before
  std::string rule;
  std::string message;
};

// nullopt: not of the form file:line[:column]: message.
[[nodiscard]] std::optional<TextLine> parse_text_line(std::string_view line);

} // namespace emend
