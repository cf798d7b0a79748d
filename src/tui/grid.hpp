// A screen as a value: rows of cells, each with the text of one column and the role that text plays. Who
// paints it decides on colours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

struct Size {
  int columns = 0, rows = 0;
};

struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] bool contains(int column, int row) const {
    return column >= x && column < x + width && row >= y && row < y + height;
  }
};

enum class Shade { plain, dim, strong, border, focus, good, bad, warn, busy, added, removed, key, match };

struct Span {
  std::string text;
  Shade role = Shade::plain;
};
using Line = std::vector<Span>;

struct GridCell {
  std::string text = " "; // empty: the right half of the wide character before it
  Shade role = Shade::plain;
  bool lit = false; // the row the cursor is on
};

// What differs between a terminal with and without line-drawing characters.
struct Glyphs {
  std::string horizontal = "─", vertical = "│", top_left = "┌", top_right = "┐", bottom_left = "└",
              bottom_right = "┘", tee_left = "├", tee_right = "┤";
  std::string ellipsis = "…", full = "█", empty = "·", dot = "·";
  bool ascii = false;
};
[[nodiscard]] Glyphs glyphs_for(bool ascii);

class Grid {
public:
  Grid(Size size, Glyphs glyphs);

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] const Glyphs& glyphs() const { return glyphs_; }
  [[nodiscard]] const GridCell& at(int x, int y) const {
    return cells_[static_cast<std::size_t>(y * size_.columns + x)];
  }

  // Writes from x on, at most `width` columns and never past the edge; longer text is cut with an ellipsis.
  // Returns the next free column.
  int put(int x, int y, std::string_view text, Shade role, int width);
  // The spans one after the other within `width` columns.
  int put(int x, int y, const Line& line, int width);
  void clear(const Rect& area);
  void box(const Rect& area, Shade role);
  void light(int x, int y, int width); // the cursor's row

  // The characters alone, a line a row, without spaces at the ends.
  [[nodiscard]] std::string text() const;

private:
  [[nodiscard]] GridCell& cell(int x, int y) {
    return cells_[static_cast<std::size_t>(y * size_.columns + x)];
  }
  void set(int x, int y, std::string text, int width, Shade role);

  Size size_;
  Glyphs glyphs_;
  std::vector<GridCell> cells_;
};

} // namespace emend
