// Aligned columns for people, coloured only when asked, with anything an agent wrote made harmless.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

enum class Tone { plain, good, bad, warn, dim, strong };

// Colour on or off; words carry the meaning either way.
struct Palette {
  bool on = false;
  std::size_t columns = 0; // of the terminal; 0 = none, lines may be of any length
  [[nodiscard]] std::string paint(std::string_view text, Tone tone) const;
};

// Untrusted text that cannot control a terminal or be shown in another order than it has: clean_text(), no
// carriage returns, and marks that turn the direction of writing become U+FFFD.
[[nodiscard]] std::string harmless_text(std::string_view text);
// Untrusted text as one harmless line of at most max_bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t max_bytes = 120);
// Untrusted text of several lines, each indented.
[[nodiscard]] std::string indented(std::string_view text, std::string_view indent);
[[nodiscard]] std::string plural(std::size_t count, std::string_view singular); // "1 issue", "3 issues"

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

class TextTable {
public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // Wraps the widest columns where the palette's terminal is too narrow.
  [[nodiscard]] std::string render(const Palette& palette, std::string_view indent = "") const;

private:
  std::vector<std::string> header_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace emend
