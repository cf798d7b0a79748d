#include "tui/layout.hpp"

#include <algorithm>

namespace emend {

namespace {

// A list is as high as what is in it, within bounds; the frame has two rows.
int height_for(std::size_t rows, int least, int most) {
  return std::clamp(static_cast<int>(std::min<std::size_t>(rows, 1'000)) + 2, least, std::max(least, most));
}

void put_beside(Layout& layout, const Model& model, const Rect& room) {
  const int left = std::clamp(room.width * 3 / 10, 46, 72);
  const int inbox = height_for(model.inbox.size(), 4, room.height / 4),
            steps = height_for(model.session.steps.size(), 4, room.height / 4);
  layout.inbox = {room.x, room.y, left, inbox};
  layout.issues = {room.x, room.y + inbox, left, room.height - inbox - steps};
  layout.steps = {room.x, room.y + room.height - steps, left, steps};
  layout.detail = {room.x + left, room.y, room.width - left, room.height};
}

void put_above(Layout& layout, const Model& model, const Rect& room) {
  const int lists = std::clamp(room.height * 2 / 5, 10, 18), left = room.width * 3 / 5;
  const int inbox = height_for(model.inbox.size(), 4, lists - 4);
  layout.issues = {room.x, room.y, left, lists};
  layout.inbox = {room.x + left, room.y, room.width - left, inbox};
  layout.steps = {room.x + left, room.y + inbox, room.width - left, lists - inbox};
  layout.detail = {room.x, room.y + lists, room.width, room.height - lists};
}

void put_stacked(Layout& layout, const Model& model, const Rect& room) {
  const int lists = std::clamp(room.height * 2 / 5, 6, 14);
  const Rect list{room.x, room.y, room.width, lists};
  layout.tabs = true;
  (model.focus == Panel::inbox   ? layout.inbox
   : model.focus == Panel::steps ? layout.steps
                                 : layout.issues) = list;
  layout.detail = {room.x, room.y + lists, room.width, room.height - lists};
}

Rect& rect_of(Layout& layout, Panel panel) {
  switch (panel) {
    case Panel::inbox: return layout.inbox;
    case Panel::issues: return layout.issues;
    case Panel::steps: return layout.steps;
    case Panel::detail: break;
  }
  return layout.detail;
}

} // namespace

const Rect& Layout::of(Panel panel) const { return rect_of(const_cast<Layout&>(*this), panel); }

Layout layout_for(const Model& model, Size size) {
  Layout layout;
  layout.header = {0, 0, size.columns, 1};
  layout.footer = {0, std::max(size.rows - 1, 1), size.columns, 1};
  const Rect room{0, 1, size.columns, std::max(size.rows - 2, 0)};
  if (model.zoomed || size.columns < 80 || size.rows < 24) {
    rect_of(layout, model.focus) = room;
    layout.tabs = !model.zoomed;
  } else if (size.columns >= 140 && size.rows >= 36) {
    put_beside(layout, model, room);
  } else if (size.columns >= 100 && size.rows >= 32) {
    put_above(layout, model, room);
  } else {
    put_stacked(layout, model, room);
  }
  return layout;
}

std::size_t first_shown(std::size_t count, std::size_t cursor, int rows) {
  const auto room = static_cast<std::size_t>(std::max(rows, 1));
  if (count <= room) return 0;
  const std::size_t half = room / 2;
  return std::min(cursor > half ? cursor - half : 0, count - room);
}

} // namespace emend
