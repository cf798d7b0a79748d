// The screen for a model and a size. Pure: the same model gives the same grid.
#pragma once

#include <optional>

#include "tui/layout.hpp"
#include "tui/model.hpp"

namespace emend {

struct Painting {
  Grid grid;
  std::optional<std::pair<int, int>> cursor; // column and row, while something is typed
};

[[nodiscard]] Painting render(const Model& model, Size size, const Glyphs& glyphs);

// The parts of it.
void render_header(Grid& grid, const Model& model, const Rect& area);
void render_key_bar(Grid& grid, const Model& model, const Rect& area);
void render_lists(Grid& grid, const Model& model, const Layout& layout);
void render_detail(Grid& grid, const Model& model, const Layout& layout);
[[nodiscard]] std::optional<std::pair<int, int>> render_overlay(Grid& grid, const Model& model,
                                                                const Layout& layout);

// A frame with its title; all names of the lists where they share one place.
void render_frame(Grid& grid, const Model& model, const Layout& layout, Panel panel, const Line& right);

} // namespace emend
