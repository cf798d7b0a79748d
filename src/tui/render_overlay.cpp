#include <fmt/format.h>

#include <algorithm>

#include "tui/detail_text.hpp"
#include "tui/render.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

using Cursor = std::optional<std::pair<int, int>>;

// In the middle, as large as its content wants and the screen allows.
Rect window(const Grid& grid, int width, int height) {
  const Size size = grid.size();
  const int w = std::min(width, size.columns - 2), h = std::min(height, size.rows - 2);
  return {(size.columns - w) / 2, (size.rows - h) / 2, w, h};
}

Rect open_window(Grid& grid, const std::string& title, const std::string& keys, int width, int height) {
  const Rect frame = window(grid, width, height);
  grid.clear(frame);
  grid.box(frame, Shade::focus);
  grid.put(frame.x + 2, frame.y, " " + title + " ", Shade::focus, frame.width - 4);
  const int shown = std::min(text_width(keys) + 2, frame.width - 4);
  grid.put(frame.x + frame.width - 2 - shown, frame.y + frame.height - 1, " " + keys + " ", Shade::dim,
           shown);
  return {frame.x + 2, frame.y + 1, frame.width - 4, frame.height - 2};
}

int window_width(const Grid& grid) { return std::min(grid.size().columns - 2, 90); }

std::vector<Line> wrapped_lines(const std::vector<Line>& lines, int width) {
  std::vector<Line> out;
  for (const Line& line : lines) {
    if (line.empty())
      out.push_back({});
    else
      for (std::string& part : wrapped(plain_text(line), width))
        out.push_back({{std::move(part), line.front().role}});
  }
  return out;
}

// What is typed, with the part around the cursor in sight.
Cursor put_typed(Grid& grid, const TypedLine& line, int x, int y, int width) {
  const std::string left = line.text.substr(0, line.cursor);
  const int before = text_width(left);
  if (before < width) {
    grid.put(x, y, line.text, Shade::plain, width);
    return std::pair(x + before, y);
  }
  const std::string tail = cut_begin(left, width - 1, grid.glyphs().ellipsis);
  const int end = grid.put(x, y, tail, Shade::plain, width);
  return std::pair(end, y);
}

Cursor put_bottom_line(Grid& grid, const Model& model, const BottomLine& bottom, const Rect& footer) {
  grid.clear(footer);
  const int x = grid.put(footer.x, footer.y, std::string(1, bottom.sign), Shade::key, 1);
  if (!bottom.offers.empty()) {
    std::string offers;
    for (const std::string& offer : bottom.offers) offers += offer + "  ";
    grid.clear({footer.x, footer.y - 1, footer.width, 1});
    grid.put(footer.x + 1, footer.y - 1, offers, Shade::dim, footer.width - 2);
  }
  const bool filters = bottom.sign == '/' && model.focus != Panel::detail;
  const std::string found = filters ? fmt::format("{} of {}", model.list.size(), model.list.total()) : "";
  grid.put(footer.x + footer.width - text_width(found) - 1, footer.y, found, Shade::dim, footer.width);
  return put_typed(grid, bottom.line, x, footer.y, footer.width - 2 - text_width(found));
}

Cursor put_ask(Grid& grid, const AskText& ask) {
  const int width = window_width(grid);
  std::vector<Line> about = wrapped_lines(ask.about, width - 4);
  for (std::size_t i = 0; i < ask.suggestions.size(); ++i)
    for (std::string& part :
         wrapped(fmt::format("{} {}", i + 1 == ask.suggestion ? ">" : "-", ask.suggestions[i]), width - 4))
      about.push_back({{std::move(part), Shade::dim}});
  std::string keys = "enter keep  esc leave";
  if (!ask.suggestions.empty()) keys += "  up/down suggestions";
  if (ask.may_skip) keys += "  ctrl-d let the fixer decide";
  const Rect area = open_window(grid, ask.title, keys, width, static_cast<int>(about.size()) + 4);
  const int room = std::max(area.height - 2, 0);
  for (int i = 0; i < std::min(room, static_cast<int>(about.size())); ++i)
    grid.put(area.x, area.y + i, about[static_cast<std::size_t>(i)], area.width);
  const int y = area.y + area.height - 1;
  grid.put(area.x, y, "> ", Shade::key, 2);
  return put_typed(grid, ask.line, area.x + 2, y, area.width - 2);
}

Cursor put_confirm(Grid& grid, const Confirm& confirm) {
  const int width = std::min(window_width(grid), 76);
  const std::vector<Line> about = wrapped_lines(confirm.about, width - 4);
  const Rect area =
      open_window(grid, confirm.title, "y yes  n no", width, static_cast<int>(about.size()) + 2);
  for (int i = 0; i < std::min(area.height, static_cast<int>(about.size())); ++i)
    grid.put(area.x, area.y + i, about[static_cast<std::size_t>(i)], area.width);
  return std::nullopt;
}

Cursor put_choice(Grid& grid, const Choose& choose) {
  const Rect area =
      open_window(grid, choose.title, "a number  esc leave", 60, static_cast<int>(choose.options.size()) + 2);
  for (int i = 0; i < std::min(area.height, static_cast<int>(choose.options.size())); ++i)
    grid.put(area.x, area.y + i,
             Line{{fmt::format("{}  ", i + 1), Shade::key},
                  {choose.options[static_cast<std::size_t>(i)].first, Shade::plain}},
             area.width);
  return std::nullopt;
}

Cursor put_sheet(Grid& grid, const Sheet& sheet) {
  int widest = text_width(sheet.title) + 8;
  for (const Line& line : sheet.lines) widest = std::max(widest, text_width(plain_text(line)) + 4);
  const bool scrolls = static_cast<int>(sheet.lines.size()) + 2 > grid.size().rows - 2;
  const Rect area = open_window(grid, sheet.title, scrolls ? "j/k scroll  esc leave" : "esc leave",
                                std::max(widest, 30), static_cast<int>(sheet.lines.size()) + 2);
  const int last = std::max(static_cast<int>(sheet.lines.size()) - area.height, 0),
            first = std::clamp(sheet.scroll, 0, last);
  for (int i = 0; i < area.height && first + i < static_cast<int>(sheet.lines.size()); ++i)
    grid.put(area.x, area.y + i, sheet.lines[static_cast<std::size_t>(first + i)], area.width);
  return std::nullopt;
}

Cursor put_finder(Grid& grid, const Finder& finder) {
  const Rect area = open_window(grid, "Find", "enter go  up/down choose  esc leave", window_width(grid),
                                std::max(grid.size().rows * 2 / 3, 8));
  const int room = std::max(area.height - 2, 1), chosen = static_cast<int>(finder.chosen);
  const int first = std::max(0, chosen - room + 1);
  for (int i = 0; i < room && first + i < static_cast<int>(finder.rows.size()); ++i) {
    const Finder::Row& row = finder.rows[static_cast<std::size_t>(first + i)];
    const bool here = first + i == chosen;
    grid.put(area.x, area.y + 2 + i,
             Line{{here ? "> " : "  ", Shade::key},
                  {fmt::format("{:<9}", row.group), Shade::dim},
                  {row.text, here ? Shade::strong : Shade::plain}},
             area.width);
  }
  if (finder.rows.empty()) grid.put(area.x, area.y + 2, "Nothing found.", Shade::dim, area.width);
  grid.put(area.x, area.y, "> ", Shade::key, 2);
  return put_typed(grid, finder.line, area.x + 2, area.y, area.width - 2);
}

} // namespace

Cursor render_overlay(Grid& grid, const Model& model, const Layout& layout) {
  if (const auto* bottom = std::get_if<BottomLine>(&model.overlay))
    return put_bottom_line(grid, model, *bottom, layout.footer);
  if (const auto* ask = std::get_if<AskText>(&model.overlay)) return put_ask(grid, *ask);
  if (const auto* confirm = std::get_if<Confirm>(&model.overlay)) return put_confirm(grid, *confirm);
  if (const auto* choose = std::get_if<Choose>(&model.overlay)) return put_choice(grid, *choose);
  if (const auto* sheet = std::get_if<Sheet>(&model.overlay)) return put_sheet(grid, *sheet);
  if (const auto* finder = std::get_if<Finder>(&model.overlay)) return put_finder(grid, *finder);
  return std::nullopt;
}

} // namespace emend
