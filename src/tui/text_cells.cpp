#include "tui/text_cells.hpp"

#include <locale.h>
#include <wchar.h>

#include <algorithm>

#include "base/code_points.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr unsigned kReplacement = 0xFFFD;
constexpr int kTab = 4;
constexpr int kMostMarks = 3; // on one character; terminals keep few

// The widths terminals go by, whatever the person's own language is.
int column_width(unsigned code) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (utf8 == nullptr) return 1;
  const locale_t before = ::uselocale(utf8);
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  ::uselocale(before);
  return width;
}

bool turns_direction(unsigned code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_control(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 || code == 0xFEFF;
}

// Joiners and variation selectors change widths behind the terminal's back.
bool is_invisible(unsigned code) {
  return (code >= 0x200B && code <= 0x200D) || code == 0x2060 || (code >= 0xFE00 && code <= 0xFE0F) ||
         code == 0xAD;
}

// Adds one code point; `marks` counts what stands on the last cluster.
void take(std::vector<Cluster>& out, unsigned code, bool ascii, int& marks) {
  if (is_invisible(code)) return;
  if (is_control(code) || turns_direction(code)) code = kReplacement;
  int width = column_width(code);
  if (width < 0) {
    code = kReplacement;
    width = 1;
  }
  if (ascii && code >= 0x80) {
    if (width > 0) out.push_back({"?", 1});
    return;
  }
  if (width == 0) {
    if (out.empty() || ++marks > kMostMarks) return;
    append_utf8(out.back().text, code);
    return;
  }
  marks = 0;
  Cluster cluster;
  append_utf8(cluster.text, code);
  cluster.width = width;
  out.push_back(std::move(cluster));
}

} // namespace

std::vector<Cluster> clusters_of(std::string_view text, bool ascii) {
  std::vector<Cluster> out;
  out.reserve(text.size());
  int column = 0, marks = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) { // by far the most
      out.push_back({std::string(1, text[at++]), 1});
      marks = 0;
      ++column;
      continue;
    }
    const unsigned code = next_code_point(text, at);
    if (code == '\t') {
      for (const int stop = (column / kTab + 1) * kTab; column < stop; ++column) out.push_back({" ", 1});
      marks = 0;
      continue;
    }
    const std::size_t before = out.size();
    take(out, code, ascii, marks);
    if (out.size() > before) column += out.back().width;
  }
  return out;
}

int text_width(std::string_view text) {
  int width = 0;
  for (const Cluster& cluster : clusters_of(text)) width += cluster.width;
  return width;
}

std::string cut_end(std::string_view text, int width, std::string_view ellipsis) {
  const std::vector<Cluster> clusters = clusters_of(text);
  int whole = 0;
  for (const Cluster& cluster : clusters) whole += cluster.width;
  const bool cut = whole > width;
  const int room = cut ? width - text_width(ellipsis) : width;
  std::string out;
  int used = 0;
  for (const Cluster& cluster : clusters) {
    if (used + cluster.width > room) break;
    out += cluster.text;
    used += cluster.width;
  }
  if (cut && room >= 0) out += ellipsis;
  return out;
}

std::string cut_begin(std::string_view text, int width, std::string_view ellipsis) {
  const std::vector<Cluster> clusters = clusters_of(text);
  int whole = 0;
  for (const Cluster& cluster : clusters) whole += cluster.width;
  if (whole <= width) return cut_end(text, width, ellipsis);
  const int room = width - text_width(ellipsis);
  if (room < 0) return {};
  std::size_t first = clusters.size();
  for (int used = 0; first > 0 && used + clusters[first - 1].width <= room; --first)
    used += clusters[first - 1].width;
  std::string out(ellipsis);
  for (; first < clusters.size(); ++first) out += clusters[first].text;
  return out;
}

namespace {

// One line of the text, which has no line end any more.
void wrap_line(std::string_view text, int width, std::vector<std::string>& out) {
  const std::vector<Cluster> clusters = clusters_of(text);
  std::size_t begin = 0;
  do {
    std::size_t end = begin, space = begin;
    for (int used = 0; end < clusters.size() && used + clusters[end].width <= width; ++end) {
      used += clusters[end].width;
      if (clusters[end].text == " ") space = end;
    }
    if (end < clusters.size() && clusters[end].text != " " && space > begin) end = space;
    if (end == begin && end < clusters.size()) ++end; // wider than the line: shown cut rather than for ever
    std::string line;
    for (std::size_t i = begin; i < end; ++i) line += clusters[i].text;
    out.push_back(std::move(line));
    begin = end;
    while (begin < clusters.size() && clusters[begin].text == " ") ++begin;
  } while (begin < clusters.size());
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, int width) {
  std::vector<std::string> out;
  for (std::string_view line : lines_of(text)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    wrap_line(line, std::max(width, 1), out);
  }
  return out;
}

std::string flat(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

} // namespace emend
