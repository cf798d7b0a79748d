#include "tui/render.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "tui/detail_text.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

std::string elapsed(const Model& model) {
  const ShownSession& session = model.session;
  const std::int64_t ms = session.status == SessionStatus::running && session.started_ms > 0
                              ? model.now_ms - session.started_ms
                              : session.duration_ms;
  const std::int64_t seconds = std::max<std::int64_t>(ms, 0) / 1000;
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string money(const ShownSession& session) {
  if (!session.priced && session.budget_usd <= 0) return {};
  return session.budget_usd > 0 ? fmt::format("  ${:.2f}/{:.2f}", session.cost_usd, session.budget_usd)
                                : fmt::format("  ${:.2f}", session.cost_usd);
}

std::string issues_title(const Model& model) {
  const std::size_t size = model.list.size(), total = model.list.total();
  const std::string count =
      model.filter.empty() ? fmt::format("{}", total) : fmt::format("{}/{}", size, total);
  return "[2] Issues " + count;
}

std::string detail_title(const Model& model) {
  const Issue* issue = model.find(model.detail.code);
  return issue == nullptr ? "[3] Issue" : "[3] " + issue->code + "  " + flat(issue->finding.title);
}

std::string title_of(const Model& model, Panel panel) {
  switch (panel) {
    case Panel::inbox: return fmt::format("[1] Inbox {}", model.waiting);
    case Panel::issues: return issues_title(model);
    case Panel::steps:
      return "[4] Steps" +
             (model.session.steps.empty() ? "" : fmt::format(" {}", model.session.steps.size()));
    case Panel::detail: break;
  }
  return detail_title(model);
}

// All the lists by their short names, where only one of them has room.
void put_names(Grid& grid, const Model& model, const Rect& frame, int end) {
  int x = frame.x + 1;
  for (const Panel panel : {Panel::inbox, Panel::issues, Panel::detail, Panel::steps}) {
    const bool here = panel == model.focus;
    std::string name = panel == Panel::detail
                           ? (model.detail.code.empty() ? "[3] Issue" : "[3] " + model.detail.code)
                           : title_of(model, panel);
    if (here) name = ">" + name + "<";
    if (x + text_width(name) >= end) break;
    x = grid.put(x, frame.y, name, here ? Shade::focus : Shade::dim, end - x) + 1;
  }
}

} // namespace

void render_frame(Grid& grid, const Model& model, const Layout& layout, Panel panel, const Line& right) {
  const Rect& frame = layout.of(panel);
  const bool focused = model.focus == panel;
  const Shade role = focused ? Shade::focus : Shade::border;
  grid.box(frame, role);
  const int width = frame.width - 2, right_width = std::min(text_width(plain_text(right)), width * 2 / 3);
  const int end = frame.x + 1 + width - (right_width > 0 ? right_width + 1 : 0);
  const bool alone = layout.detail.empty() || panel != Panel::detail;
  if (layout.tabs && alone)
    put_names(grid, model, frame, end);
  else
    grid.put(frame.x + 1, frame.y, title_of(model, panel), role, end - frame.x - 1);
  if (right_width > 0) grid.put(frame.x + 1 + width - right_width, frame.y, right, right_width);
}

void render_header(Grid& grid, const Model& model, const Rect& area) {
  const ShownSession& session = model.session;
  const std::string live = !model.trouble.empty() ? "offline: " + model.trouble
                           : model.paused         ? "PAUSED (. continues)"
                                                  : "live";
  const Shade live_role = !model.trouble.empty() ? Shade::bad : model.paused ? Shade::warn : Shade::good;
  const int live_width = std::min(text_width(live), area.width / 2);
  Line line = {{" emend  ", Shade::strong}, {model.project, Shade::plain}};
  if (!session.id.empty()) {
    line.push_back({"  " + (session.branch.empty() ? session.id : session.branch), Shade::plain});
    line.push_back({"  " + words_of(to_string(session.status)), role_of(session.status)});
    line.push_back(
        {fmt::format("  {}/{} done  {}{}", session.settled, session.issues, elapsed(model), money(session)),
         Shade::plain});
  }
  grid.put(area.x, area.y, line, std::max(area.width - live_width - 2, 0));
  grid.put(area.x + area.width - live_width - 1, area.y, live, live_role, live_width);
}

namespace {

using Hint = std::pair<const char*, const char*>;

std::vector<Hint> hints_for(const Model& model) {
  switch (model.focus) {
    case Panel::inbox:
      return {{"enter", "open"}, {"a", "answer"},  {"A", "approve"}, {"f", "fix"},
              {"?", "help"},     {":", "command"}, {"+", "zoom"},    {"q", "quit"}};
    case Panel::steps:
      return {{"enter", "open"}, {"A", "approve"}, {"X", "cancel"}, {"@", "commands"},
              {"?", "help"},     {":", "command"}, {"+", "zoom"},   {"q", "quit"}};
    case Panel::detail:
      return {{"esc", "back"},   {"P", "proof"},  {"v", "diff"}, {"l", "log"},
              {"t", "timeline"}, {"p", "prompt"}, {"f", "fix"},  {"/", "search"},
              {"?", "help"},     {"u", "split"},  {"+", "zoom"}};
    case Panel::issues: break;
  }
  return {{"enter", "open"}, {"f", "fix"},     {"a", "answer"},     {"v", "diff"},
          {"/", "filter"},   {"?", "help"},    {"space", "select"}, {"i", "ignore"},
          {"l", "log"},      {":", "command"}, {"+", "zoom"},       {"q", "quit"}};
}

} // namespace

void render_key_bar(Grid& grid, const Model& model, const Rect& area) {
  const std::string note = model.session.tip.empty() ? "" : "NOT PUSHED ";
  int end = area.x + area.width - text_width(note);
  grid.put(end, area.y, note, Shade::warn, area.width);
  if (!model.message.empty()) {
    grid.put(area.x + 1, area.y, model.message, model.bad_news ? Shade::bad : Shade::good, end - area.x - 2);
    return;
  }
  if (!model.marked.empty()) {
    const std::string marked = fmt::format("{} selected ", model.marked.size());
    end -= text_width(marked);
    grid.put(end, area.y, marked, Shade::strong, area.width);
  }
  int x = area.x + 1;
  for (const auto& [key, what] : hints_for(model)) {
    if (x + text_width(key) + 1 + text_width(what) > end - 1) break;
    x = grid.put(x, area.y, key, Shade::key, end - x);
    x = grid.put(x, area.y, std::string(" ") + what, Shade::dim, end - x) + 2;
  }
}

Painting render(const Model& model, Size size, const Glyphs& glyphs) {
  Painting painting{Grid(size, glyphs), {}};
  Grid& grid = painting.grid;
  if (size.columns < 20 || size.rows < 5) {
    grid.put(0, 0, "emend: too small", Shade::plain, size.columns);
    return painting;
  }
  const Layout layout = layout_for(model, size);
  render_header(grid, model, layout.header);
  render_lists(grid, model, layout);
  render_detail(grid, model, layout);
  render_key_bar(grid, model, layout.footer);
  painting.cursor = render_overlay(grid, model, layout);
  return painting;
}

} // namespace emend
