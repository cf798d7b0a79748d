#include "cli/text_table.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

// Columns a text takes, counting every code point as one: near enough for tables of code, names and numbers.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::plain: return "";
    case Tone::good: return "\x1b[32m";
    case Tone::bad: return "\x1b[31m";
    case Tone::warn: return "\x1b[33m";
    case Tone::dim: return "\x1b[2m";
    case Tone::strong: return "\x1b[1m";
  }
  return "";
}

std::string strip_right(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

} // namespace

std::string Palette::paint(std::string_view text, Tone tone) const {
  if (!on || tone == Tone::plain || text.empty()) return std::string(text);
  return std::string(code_of(tone)) + std::string(text) + "\x1b[0m";
}

std::string harmless_text(std::string_view text) { return replace_all(clean_text(text), "\r", ""); }

std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string cleaned = harmless_text(text);
  for (char& c : cleaned) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return first_line(trim(cleaned), max_bytes);
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  const std::string cleaned = harmless_text(text);
  for (const std::string_view line : lines_of(cleaned))
    result += strip_right(std::string(indent) + std::string(line)) + "\n";
  return result;
}

std::string plural(std::size_t count, std::string_view singular) {
  return std::to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::string TextTable::render(const Palette& palette, std::string_view indent) const {
  std::vector<std::vector<Cell>> lines;
  if (!header_.empty()) {
    auto& head = lines.emplace_back();
    for (const std::string& title : header_) head.push_back({title, Tone::dim});
  }
  for (const auto& row : rows_) {
    auto& line = lines.emplace_back();
    for (const Cell& cell : row) line.push_back({one_line(cell.text, 400), cell.tone});
  }
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i].text));
  }
  std::string result;
  for (const auto& line : lines) {
    std::string text(indent);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool last = i + 1 == line.size();
      text += palette.paint(line[i].text, line[i].tone);
      if (!last) text += std::string(widths[i] - width_of(line[i].text) + 2, ' ');
    }
    result += strip_right(text) + "\n";
  }
  return result;
}

} // namespace emend
