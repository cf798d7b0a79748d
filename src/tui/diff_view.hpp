// A patch as rows to be looked at: unified or side by side, with as much context as wanted, with or without
// changes of white space.
#pragma once

#include <string>
#include <vector>

#include "model/patch.hpp"
#include "tui/grid.hpp"

namespace emend {

struct DiffStyle {
  bool split = false;
  bool ignore_space = false;
  int context = 3; // lines around a change
  friend bool operator==(const DiffStyle&, const DiffStyle&) = default;
};

[[nodiscard]] std::vector<Line> diff_lines_of(const Patch& patch, const DiffStyle& style, int width,
                                              const Glyphs& glyphs);

} // namespace emend
