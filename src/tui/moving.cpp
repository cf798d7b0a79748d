#include <algorithm>

#include "base/strings.hpp"
#include "tui/detail_text.hpp"
#include "tui/filter.hpp"
#include "tui/layout.hpp"
#include "tui/update.hpp"

namespace emend {

namespace {

struct DetailView {
  int lines = 0, rows = 0;
  std::vector<Line> body;
};

DetailView detail_view(const Turn& turn) {
  const Glyphs glyphs;
  Rect area = inside(layout_for(turn.model, turn.size).detail);
  if (area.empty()) area = {0, 0, turn.size.columns - 2, turn.size.rows - 4};
  DetailView view;
  view.rows = detail_rows(turn.model, area.width, area.height, glyphs).body;
  view.body = detail_body(turn.model, area.width, glyphs);
  view.lines = static_cast<int>(view.body.size());
  return view;
}

// Whoever goes up wants to stay there, even in a log that has not arrived yet.
void scroll_by(Turn& turn, long by) {
  const DetailView view = detail_view(turn);
  const int last = std::max(view.lines - view.rows, 0);
  const int from = turn.model.tab == Tab::log && turn.model.follow ? last : std::min(turn.model.scroll, last);
  turn.model.scroll = static_cast<int>(std::clamp<long>(from + by, 0, last));
  turn.model.follow = by >= 0 && turn.model.scroll == last;
}

std::size_t* list_cursor(Model& model) {
  switch (model.focus) {
    case Panel::inbox: return &model.inbox_cursor;
    case Panel::issues: return &model.issue_cursor;
    case Panel::steps: return &model.step_cursor;
    case Panel::detail: break;
  }
  return nullptr;
}

std::size_t list_size(const Model& model) {
  switch (model.focus) {
    case Panel::inbox: return model.inbox.size();
    case Panel::issues: return model.list.size();
    case Panel::steps: return model.session.steps.size();
    case Panel::detail: break;
  }
  return 0;
}

void open_step(Turn& turn) {
  Model& model = turn.model;
  if (model.step_cursor >= model.session.steps.size() || model.session.steps[model.step_cursor].codes.empty())
    return;
  if (choose_issue(model, model.session.steps[model.step_cursor].codes.front())) model.focus = Panel::detail;
}

void open_need(Turn& turn) {
  Model& model = turn.model;
  const InboxEntry* entry = model.chosen_need();
  if (entry == nullptr) return;
  if (!entry->session.empty()) model.wanted_session = entry->session;
  if (entry->code.empty()) {
    model.focus = Panel::steps;
    model.step_cursor = 0;
    return;
  }
  if (choose_issue(model, entry->code)) model.focus = Panel::detail;
}

} // namespace

int page_of(const Turn& turn) {
  const Rect frame =
      layout_for(turn.model, turn.size).of(turn.model.focus); // a copy: the layout is gone with this line
  return std::max(frame.height - 2 - (turn.model.focus == Panel::detail ? kDetailHead : 0), 1);
}

void move_cursor(Turn& turn, long by) {
  Model& model = turn.model;
  if (model.focus == Panel::detail) return scroll_by(turn, by);
  const auto count = static_cast<long>(list_size(model));
  std::size_t& cursor = *list_cursor(model);
  if (model.focus == Panel::issues) model.opened.clear();
  cursor = count == 0
               ? 0
               : static_cast<std::size_t>(std::clamp<long>(static_cast<long>(cursor) + by, 0, count - 1));
}

void move_to_end(Turn& turn, bool last) {
  constexpr long kFar = 1'000'000'000;
  move_cursor(turn, last ? kFar : -kFar);
}

void open_chosen(Turn& turn) {
  if (turn.model.focus == Panel::inbox)
    open_need(turn);
  else if (turn.model.focus == Panel::steps)
    open_step(turn);
  else if (turn.model.focus == Panel::issues && turn.model.chosen() != nullptr)
    turn.model.focus = Panel::detail;
}

void go_back(Turn& turn) {
  Model& model = turn.model;
  if (model.zoomed)
    model.zoomed = false;
  else if (model.range)
    model.range.reset();
  else if (model.focus == Panel::detail && !model.search.empty())
    model.search.clear();
  else if (model.focus != Panel::issues)
    model.focus = Panel::issues;
  else if (!model.marked.empty())
    model.marked.clear();
  else if (!model.filter.empty())
    apply_filter(model, without_last_word(model.filter));
  else if (!model.wanted_session.empty())
    model.wanted_session.clear();
}

void find_match(Turn& turn, int direction) {
  Model& model = turn.model;
  if (model.focus != Panel::detail) {
    if (model.filter.empty()) return say(model, "/ filters the list");
    model.focus = Panel::issues;
    return move_cursor(turn, direction);
  }
  if (model.search.empty()) return say(model, "/ searches this text");
  const DetailView view = detail_view(turn);
  const std::string wanted = to_lower(model.search);
  const int from = std::clamp(model.scroll, 0, std::max(view.lines - 1, 0));
  for (int i = 1; i <= view.lines; ++i) {
    const int line = ((from + direction * i) % view.lines + view.lines) % view.lines;
    if (!contains(to_lower(plain_text(view.body[static_cast<std::size_t>(line)])), wanted)) continue;
    model.follow = false;
    model.scroll = line;
    return;
  }
  say(model, "\"" + model.search + "\" is not in here", true);
}

void press_mouse(Turn& turn) {
  Model& model = turn.model;
  const Layout layout = layout_for(model, turn.size);
  for (const Panel panel : {Panel::inbox, Panel::issues, Panel::steps, Panel::detail}) {
    const Rect& frame = layout.of(panel);
    if (frame.empty() || !frame.contains(turn.input.column, turn.input.row)) continue;
    model.focus = panel;
    if (turn.input.key == "WheelUp") return move_cursor(turn, -3);
    if (turn.input.key == "WheelDown") return move_cursor(turn, 3);
    std::size_t* cursor = list_cursor(model);
    const Rect area = inside(frame);
    if (cursor == nullptr || !area.contains(turn.input.column, turn.input.row)) return;
    const std::size_t row = first_shown(list_size(model), *cursor, area.height) +
                            static_cast<std::size_t>(turn.input.row - area.y);
    if (row < list_size(model)) *cursor = row;
    if (panel == Panel::issues) model.opened.clear();
    return;
  }
}

} // namespace emend
