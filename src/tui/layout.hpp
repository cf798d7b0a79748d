// Where each panel is on a screen of a given size.
#pragma once

#include <vector>

#include "tui/model.hpp"

namespace emend {

struct Layout {
  Rect inbox, issues, detail, steps; // empty = not shown
  Rect header, footer;
  bool tabs = false; // the lists share one place, and its frame names all of them

  [[nodiscard]] const Rect& of(Panel panel) const;
};

// Below 80x24 one panel at a time; up to 140x36 the lists above the issue; from there on beside it.
[[nodiscard]] Layout layout_for(const Model& model, Size size);

// The rows of text a panel has inside its frame.
[[nodiscard]] inline Rect inside(const Rect& frame) {
  return {frame.x + 1, frame.y + 1, frame.width - 2, frame.height - 2};
}

// The part of a list of `count` that is shown in `rows`: the cursor's row is always in it.
[[nodiscard]] std::size_t first_shown(std::size_t count, std::size_t cursor, int rows);

} // namespace emend
