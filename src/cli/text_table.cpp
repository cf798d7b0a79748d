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

constexpr std::size_t kGap = 2, kNarrowest = 16;

// The widest column gives way, until all fit or none can.
void narrow(std::vector<std::size_t>& widths, std::size_t columns, std::size_t indent) {
  const auto total = [&] {
    std::size_t sum = indent + kGap * (widths.empty() ? 0 : widths.size() - 1);
    for (const std::size_t width : widths) sum += width;
    return sum;
  };
  while (!widths.empty() && total() >= columns) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) return;
    --*widest;
  }
}

// Between words where possible.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::string word : split(text, ' ')) {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    while (lines.back().empty() && width_of(word) > width) {
      std::size_t end = 0, count = 0; // not inside a code point
      while (count < width || (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U))
        if ((static_cast<unsigned char>(word[end++]) & 0xC0U) != 0x80U) ++count;
      const auto slash = word.rfind('/', end - 1); // a path breaks between its folders, where there are some
      if (slash != std::string::npos && slash + 1 > end / 3) end = slash + 1;
      lines.back() = word.substr(0, end);
      word.erase(0, end);
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string rendered(const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                     const Palette& palette, std::string_view indent) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(width_of(row[i].text) > widths[i] ? wrapped(row[i].text, widths[i])
                                                      : std::vector<std::string>{row[i].text});
    height = std::max(height, cells.back().size());
  }
  std::string result;
  for (std::size_t at = 0; at < height; ++at) {
    std::string text(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string part = at < cells[i].size() ? cells[i][at] : "";
      text += palette.paint(part, row[i].tone);
      if (i + 1 < row.size()) text += std::string(widths[i] - width_of(part) + kGap, ' ');
    }
    result += strip_right(text) + "\n";
  }
  return result;
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
  if (palette.columns > 0) narrow(widths, palette.columns, indent.size());
  std::string result;
  for (const auto& line : lines) result += rendered(line, widths, palette, indent);
  return result;
}

} // namespace emend
