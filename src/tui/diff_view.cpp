#include "tui/diff_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "model/line_diff.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestShown = 2'000'000; // bytes of one side

struct Row {
  enum class Kind { same, removed, added, gap } kind = Kind::same;
  int old_number = 0, new_number = 0;
  std::string_view text;
};

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r') out += c;
  return out;
}

std::string_view without_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// All lines of both sides in the order they are read.
std::vector<Row> all_rows(const FileChange& change, bool ignore_space) {
  const LineDiff real = diff_lines(change.old_content, change.new_content);
  const std::string old_plain = ignore_space ? without_spaces(change.old_content) : std::string(),
                    new_plain = ignore_space ? without_spaces(change.new_content) : std::string();
  const LineDiff compared = ignore_space ? diff_lines(old_plain, new_plain) : real;
  std::vector<Row> rows;
  std::size_t o = 0, n = 0;
  while (o < real.old_lines.size() || n < real.new_lines.size()) {
    if (o < real.old_lines.size() && compared.removed[o]) {
      rows.push_back({Row::Kind::removed, static_cast<int>(o) + 1, 0, without_end(real.old_lines[o])});
      ++o;
    } else if (n < real.new_lines.size() && compared.added[n]) {
      rows.push_back({Row::Kind::added, 0, static_cast<int>(n) + 1, without_end(real.new_lines[n])});
      ++n;
    } else {
      rows.push_back({Row::Kind::same, static_cast<int>(o) + 1, static_cast<int>(n) + 1,
                      without_end(real.new_lines[n])});
      ++o;
      ++n;
    }
  }
  return rows;
}

// Only what is near a change; a gap stands for the rest.
std::vector<Row> near_changes(const std::vector<Row>& rows, int context) {
  std::vector<bool> near(rows.size(), false);
  const auto reach = static_cast<std::ptrdiff_t>(context);
  for (std::ptrdiff_t i = 0; i < std::ssize(rows); ++i) {
    if (rows[static_cast<std::size_t>(i)].kind == Row::Kind::same) continue;
    for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, i - reach);
         j < std::min<std::ptrdiff_t>(std::ssize(rows), i + reach + 1); ++j)
      near[static_cast<std::size_t>(j)] = true;
  }
  std::vector<Row> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (near[i])
      out.push_back(rows[i]);
    else if (!out.empty() && out.back().kind != Row::Kind::gap)
      out.push_back({Row::Kind::gap, 0, 0, {}});
  }
  if (!out.empty() && out.back().kind == Row::Kind::gap) out.pop_back();
  return out;
}

std::string number(int value) { return value > 0 ? fmt::format("{:>5}", value) : "     "; }

Line unified_row(const Row& row) {
  switch (row.kind) {
    case Row::Kind::removed:
      return {{number(row.old_number), Shade::dim}, {" - " + std::string(row.text), Shade::removed}};
    case Row::Kind::added:
      return {{number(row.new_number), Shade::dim}, {" + " + std::string(row.text), Shade::added}};
    default: return {{number(row.new_number), Shade::dim}, {"   " + std::string(row.text), Shade::plain}};
  }
}

// One side of a row, filled up to its width so that the other side stands straight.
void append_half(Line& line, int number_of_line, char sign, std::string_view text, Shade role, int width,
                 const Glyphs& glyphs) {
  std::string half = std::string(" ") + sign + " " + cut_end(text, std::max(width - 8, 0), glyphs.ellipsis);
  half.append(static_cast<std::size_t>(std::max(0, width - 5 - text_width(half))), ' ');
  line.push_back({number(number_of_line), Shade::dim});
  line.push_back({std::move(half), role});
}

std::vector<Line> split_rows(const std::vector<Row>& rows, int width, const Glyphs& glyphs) {
  const int half = (width - 1) / 2;
  std::vector<Line> out;
  for (std::size_t i = 0; i < rows.size();) {
    if (rows[i].kind == Row::Kind::gap) {
      out.push_back({{"     " + glyphs.ellipsis, Shade::dim}});
      ++i;
      continue;
    }
    std::size_t removed = i;
    while (removed < rows.size() && rows[removed].kind == Row::Kind::removed) ++removed;
    std::size_t added = removed;
    while (added < rows.size() && rows[added].kind == Row::Kind::added) ++added;
    const std::size_t lines =
        std::max<std::size_t>(std::max(removed - i, added - removed), added == i ? 1 : 0);
    for (std::size_t k = 0; k < lines; ++k) {
      Line line;
      const bool same = added == i;
      const Row* left = same ? &rows[i] : i + k < removed ? &rows[i + k] : nullptr;
      const Row* right = same ? &rows[i] : removed + k < added ? &rows[removed + k] : nullptr;
      append_half(line, left ? left->old_number : 0, left && !same ? '-' : ' ', left ? left->text : "",
                  same ? Shade::plain : Shade::removed, half, glyphs);
      line.push_back({glyphs.vertical, Shade::border});
      append_half(line, right ? right->new_number : 0, right && !same ? '+' : ' ', right ? right->text : "",
                  same ? Shade::plain : Shade::added, width - 1 - half, glyphs);
      out.push_back(std::move(line));
    }
    i = added == i ? i + 1 : added;
  }
  return out;
}

std::string what_happened(const FileChange& change) {
  if (change.added()) return "  new";
  if (change.deleted()) return "  gone";
  return change.mode_changed() ? fmt::format("  mode {:o} -> {:o}", change.old_mode, change.new_mode) : "";
}

void append_file(std::vector<Line>& out, const FileChange& change, const DiffStyle& style, int width,
                 const Glyphs& glyphs) {
  if (!out.empty()) out.push_back({});
  out.push_back({{change.path, Shade::strong}, {what_happened(change), Shade::warn}});
  if (change.binary()) {
    out.push_back({{"binary: not shown", Shade::dim}});
    return;
  }
  if (change.old_content.size() > kLargestShown || change.new_content.size() > kLargestShown) {
    out.push_back({{"too large to show here; to see it: emend sessions diff", Shade::dim}});
    return;
  }
  const std::vector<Row> rows = near_changes(all_rows(change, style.ignore_space), style.context);
  if (rows.empty())
    out.push_back(
        {{style.ignore_space ? "only white space changed" : "the content is the same", Shade::dim}});
  if (style.split) {
    for (Line& line : split_rows(rows, width, glyphs)) out.push_back(std::move(line));
    return;
  }
  for (const Row& row : rows)
    out.push_back(row.kind == Row::Kind::gap ? Line{{"     " + glyphs.ellipsis, Shade::dim}}
                                             : unified_row(row));
}

} // namespace

std::vector<Line> diff_lines_of(const Patch& patch, const DiffStyle& style, int width, const Glyphs& glyphs) {
  std::vector<Line> out;
  for (const FileChange& change : patch.changes) append_file(out, change, style, width, glyphs);
  return out;
}

} // namespace emend
