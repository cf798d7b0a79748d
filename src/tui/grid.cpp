#include "tui/grid.hpp"

#include <algorithm>

#include "tui/text_cells.hpp"

namespace emend {

Glyphs glyphs_for(bool ascii) {
  if (!ascii) return {};
  return {"-", "|", "+", "+", "+", "+", "+", "+", "..", "#", ".", "-", true};
}

Grid::Grid(Size size, Glyphs glyphs)
    : size_{std::max(size.columns, 0), std::max(size.rows, 0)}, glyphs_(std::move(glyphs)) {
  cells_.resize(static_cast<std::size_t>(size_.columns) * static_cast<std::size_t>(size_.rows));
}

// Half a wide character cannot be shown: what is left of one becomes a space.
void Grid::set(int x, int y, std::string text, int width, Shade role) {
  if (cell(x, y).text.empty() && x > 0) cell(x - 1, y).text = " ";
  const int after = x + width;
  if (after < size_.columns && cell(after, y).text.empty()) cell(after, y).text = " ";
  cell(x, y) = {std::move(text), role, cell(x, y).lit};
  if (width == 2) cell(x + 1, y) = {"", role, cell(x + 1, y).lit};
}

int Grid::put(int x, int y, std::string_view text, Shade role, int width) {
  if (y < 0 || y >= size_.rows || x < 0) return x;
  const int room = std::min(width, size_.columns - x);
  if (room <= 0) return x;
  const std::string cut = cut_end(text, room, glyphs_.ellipsis);
  for (Cluster& cluster : clusters_of(cut, glyphs_.ascii)) {
    set(x, y, std::move(cluster.text), cluster.width, role);
    x += cluster.width;
  }
  return x;
}

int Grid::put(int x, int y, const Line& line, int width) {
  const int end = x + width;
  for (const Span& span : line) {
    if (x >= end) break;
    x = put(x, y, span.text, span.role, end - x);
  }
  return x;
}

void Grid::clear(const Rect& area) {
  for (int y = std::max(area.y, 0); y < std::min(area.y + area.height, size_.rows); ++y)
    for (int x = std::max(area.x, 0); x < std::min(area.x + area.width, size_.columns); ++x) {
      set(x, y, " ", 1, Shade::plain);
      cell(x, y).lit = false;
    }
}

void Grid::box(const Rect& area, Shade role) {
  if (area.width < 2 || area.height < 2) return;
  const int right = area.x + area.width - 1, bottom = area.y + area.height - 1;
  for (int x = area.x + 1; x < right; ++x) {
    put(x, area.y, glyphs_.horizontal, role, 1);
    put(x, bottom, glyphs_.horizontal, role, 1);
  }
  for (int y = area.y + 1; y < bottom; ++y) {
    put(area.x, y, glyphs_.vertical, role, 1);
    put(right, y, glyphs_.vertical, role, 1);
  }
  put(area.x, area.y, glyphs_.top_left, role, 1);
  put(right, area.y, glyphs_.top_right, role, 1);
  put(area.x, bottom, glyphs_.bottom_left, role, 1);
  put(right, bottom, glyphs_.bottom_right, role, 1);
}

void Grid::light(int x, int y, int width) {
  if (y < 0 || y >= size_.rows) return;
  for (int i = std::max(x, 0); i < std::min(x + width, size_.columns); ++i) cell(i, y).lit = true;
}

std::string Grid::text() const {
  std::string out;
  for (int y = 0; y < size_.rows; ++y) {
    std::string row;
    for (int x = 0; x < size_.columns; ++x) row += at(x, y).text;
    while (row.ends_with(' ')) row.pop_back();
    out += row + "\n";
  }
  return out;
}

} // namespace emend
