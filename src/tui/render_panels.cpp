#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "tui/detail_text.hpp"
#include "tui/render.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

// The rows of a list with the cursor's in sight; `row` writes one of them.
template <typename WriteRow>
void put_rows(Grid& grid, const Rect& area, std::size_t count, std::size_t cursor, bool focused,
              WriteRow row) {
  const std::size_t first = first_shown(count, cursor, area.height);
  for (int y = 0; y < area.height && first + static_cast<std::size_t>(y) < count; ++y) {
    const std::size_t index = first + static_cast<std::size_t>(y);
    grid.put(area.x, area.y + y, index == cursor ? ">" : " ", focused ? Shade::focus : Shade::dim, 1);
    row(index, area.x + 1, area.y + y, area.width - 1);
    if (index == cursor && focused) grid.light(area.x, area.y + y, area.width);
  }
}

Line place_in(std::size_t count, std::size_t cursor, int rows) {
  if (count <= static_cast<std::size_t>(std::max(rows, 0))) return {};
  return {{fmt::format("{} of {}", cursor + 1, count), Shade::dim}};
}

void put_sentences(Grid& grid, const Rect& area, std::initializer_list<std::string_view> sentences) {
  int y = area.y;
  for (const std::string_view sentence : sentences)
    for (const std::string& line : wrapped(sentence, std::max(area.width - 2, 1))) {
      if (y >= area.y + area.height) return;
      grid.put(area.x + 1, y++, line, Shade::dim, area.width - 1);
    }
}

Shade role_of(Need need) {
  switch (need) {
    case Need::question:
    case Need::approval: return Shade::warn;
    case Need::interrupted:
    case Need::failed: return Shade::bad;
    case Need::ready:
    case Need::taken: return Shade::good;
    case Need::running: break;
  }
  return Shade::busy;
}

void render_inbox(Grid& grid, const Model& model, const Layout& layout) {
  if (layout.inbox.empty()) return;
  const Rect area = inside(layout.inbox);
  render_frame(grid, model, layout, Panel::inbox,
               place_in(model.inbox.size(), model.inbox_cursor, area.height));
  if (model.inbox.empty()) put_sentences(grid, area, {"Nothing needs you."});
  put_rows(grid, area, model.inbox.size(), model.inbox_cursor, model.focus == Panel::inbox,
           [&](std::size_t i, int x, int y, int width) {
             const InboxEntry& entry = model.inbox[i];
             Line line = {{std::string(sign_of(entry.need)) + " ", role_of(entry.need)}};
             if (!entry.code.empty()) line.push_back({entry.code + " ", Shade::strong});
             line.push_back({entry.text, Shade::plain});
             grid.put(x, y, line, width);
           });
}

std::string status_sign(const Issue& issue) {
  switch (issue.status) {
    case IssueStatus::open: return "..";
    case IssueStatus::in_progress: return "~";
    case IssueStatus::resolved: return "ok";
    case IssueStatus::failed: return "x";
    case IssueStatus::merged: return "in";
    case IssueStatus::ignored: return "--";
    case IssueStatus::duplicate: return "=";
  }
  return "";
}

// What the places of the rows in sight need, so that titles get the rest.
int widest_place(const Model& model, int rows) {
  int widest = 14;
  const std::size_t size = model.list.size();
  const std::size_t first = first_shown(size, model.issue_cursor, rows);
  for (std::size_t i = first; i < std::min(first + static_cast<std::size_t>(std::max(rows, 0)), size); ++i)
    if (const Issue* issue = model.list.at(i)) widest = std::max(widest, text_width(place_of(*issue)));
  return widest;
}

void put_issue(Grid& grid, const Model& model, const Issue& issue, std::size_t index, int widest, int x,
               int y, int width) {
  const bool wide = width >= 60;
  const bool in_range = model.range && index >= std::min(*model.range, model.issue_cursor) &&
                        index <= std::max(*model.range, model.issue_cursor);
  const bool marked = in_range || model.marked.contains(issue.code);
  const int status_width = wide ? std::clamp(width / 5, 11, 24) : 2,
            code_width = std::clamp(text_width(issue.code), 6, 10);
  grid.put(x, y, marked ? "*" : " ", Shade::warn, 1);
  grid.put(x + 1, y, severity_mark(issue.finding.severity), role_of(issue.finding.severity), 2);
  grid.put(x + 4, y, issue.code, Shade::strong, code_width);
  const int from = x + 4 + code_width + 1, room = x + width - status_width - 1 - from;
  const bool titled = room >= 36;
  const int place = titled ? std::min(widest, room / 2) : room;
  grid.put(from, y, cut_begin(place_of(issue), place, grid.glyphs().ellipsis), Shade::plain, place);
  if (titled) grid.put(from + place + 1, y, flat(issue.finding.title), Shade::dim, room - place - 1);
  Line status;
  if (wide && status_width >= 13 && issue.status == IssueStatus::resolved)
    status = evidence_lamps(issue.evidence, grid.glyphs());
  if (!status.empty()) status.push_back({" ", Shade::plain});
  status.push_back({wide ? status_words(issue) : status_sign(issue), role_of(issue.status)});
  grid.put(x + width - status_width, y, status, status_width);
}

void render_issues(Grid& grid, const Model& model, const Layout& layout) {
  if (layout.issues.empty()) return;
  const Rect area = inside(layout.issues);
  Line right = place_in(model.list.size(), model.issue_cursor, area.height);
  if (!model.filter.empty()) right.insert(right.begin(), {"/" + model.filter + " ", Shade::match});
  render_frame(grid, model, layout, Panel::issues, right);
  if (model.list.total() == 0)
    put_sentences(
        grid, area,
        {"No issues yet.", "To find some: emend review. To import from other tools: emend import."});
  else if (model.list.empty())
    put_sentences(grid, area, {"No issue matches the filter.", "Esc removes the last word of the filter."});
  const int widest = widest_place(model, area.height);
  put_rows(grid, area, model.list.size(), model.issue_cursor, model.focus == Panel::issues,
           [&](std::size_t i, int x, int y, int width) {
             if (const Issue* issue = model.list.at(i))
               put_issue(grid, model, *issue, i, widest, x, y, width);
           });
}

Line step_line(const ShownSession::Step& step) {
  const auto [sign, role] = step.done
                                ? (step.failed ? std::pair("x ", Shade::bad) : std::pair("ok", Shade::good))
                            : step.begun ? std::pair(">>", Shade::busy)
                                         : std::pair("..", Shade::dim);
  Line line = {{fmt::format("{:>2} ", step.number), Shade::dim},
               {std::string(sign) + " ", role},
               {join(step.codes, " "), Shade::plain}};
  if (!step.reason.empty()) line.push_back({"  " + flat(step.reason), Shade::dim});
  return line;
}

// Who is at work, since when, on what, and what it said last; the steps keep at least half of the room.
int put_lanes(Grid& grid, const Model& model, const Rect& area) {
  const auto& lanes = model.session.lanes;
  const int shown = std::min(static_cast<int>(lanes.size()), area.height / 2);
  for (int i = 0; i < shown; ++i) {
    const ShownSession::Lane& lane = lanes[static_cast<std::size_t>(i)];
    const std::int64_t seconds = std::max<std::int64_t>(model.now_ms - lane.started_ms, 0) / 1000;
    const Line line = {{"~ ", Shade::busy},
                       {flat(lane.agent), Shade::strong},
                       {fmt::format(" {}:{:02} ", seconds / 60, seconds % 60), Shade::plain},
                       {lane.role + " " + join(lane.codes, " "), Shade::dim},
                       {lane.says.empty() ? "" : "  " + flat(lane.says), Shade::plain}};
    grid.put(area.x + 1, area.y + i, line, area.width - 1);
  }
  return shown;
}

void render_steps(Grid& grid, const Model& model, const Layout& layout) {
  if (layout.steps.empty()) return;
  const Rect area = inside(layout.steps);
  const ShownSession& session = model.session;
  Line right;
  if (!session.id.empty())
    right = {{session.id + " ", Shade::dim}, {words_of(to_string(session.status)), role_of(session.status)}};
  render_frame(grid, model, layout, Panel::steps, right);
  if (session.id.empty())
    put_sentences(grid, area, {"No session yet.", "f fixes the selected issue, F every open one."});
  else if (session.steps.empty())
    put_sentences(
        grid, area,
        {session.detail.empty() ? std::string_view("No steps yet.") : std::string_view(session.detail)});
  const int lanes = put_lanes(grid, model, area);
  put_rows(grid, {area.x, area.y + lanes, area.width, area.height - lanes}, session.steps.size(),
           model.step_cursor, model.focus == Panel::steps, [&](std::size_t i, int x, int y, int width) {
             grid.put(x, y, step_line(session.steps[i]), width);
           });
}

Line about_issue(const Issue& issue, const Detail& detail) {
  std::vector<std::string> finders = issue.finding.found_by;
  if (finders.empty() && !issue.finding.agent.empty()) finders.push_back(issue.finding.agent);
  Line line = {{place_of(issue), Shade::plain}};
  if (!finders.empty()) line.push_back({"   found by " + join(finders, ", "), Shade::dim});
  if (!issue.finding.rule.empty()) line.push_back({"   " + issue.finding.rule, Shade::dim});
  if (!detail.tries.empty())
    line.push_back({fmt::format("   attempt {}", detail.tries.back().cycle), Shade::dim});
  if (issue.last_score >= 0) line.push_back({fmt::format("   score {}", issue.last_score), Shade::dim});
  return line;
}

Line tab_names(const Model& model) {
  Line line;
  for (const Tab tab : kTabs) {
    const bool open = tab == model.tab;
    line.push_back({(open ? "[" : " ") + std::string(to_string(tab)) + (open ? "]" : " "),
                    open ? Shade::focus : Shade::dim});
  }
  const DiffStyle& style = model.diff;
  if (model.tab == Tab::diff && !(style == DiffStyle{}))
    line.push_back({fmt::format("   {}{}context {}", style.split ? "split, " : "",
                                style.ignore_space ? "without white space, " : "", style.context),
                    Shade::dim});
  if (!model.search.empty()) line.push_back({"   /" + model.search, Shade::match});
  return line;
}

// Sideways: text is moved to the left under the frame.
Line shifted(const Line& line, int columns) {
  if (columns <= 0) return line;
  Line out;
  int left = columns;
  for (const Span& span : line) {
    Span kept{"", span.role};
    for (const Cluster& cluster : clusters_of(span.text)) {
      if (left > 0)
        left -= cluster.width;
      else
        kept.text += cluster.text;
    }
    if (!kept.text.empty()) out.push_back(std::move(kept));
  }
  return out;
}

bool matches(const Model& model, const Line& line) {
  return !model.search.empty() && contains(to_lower(plain_text(line)), to_lower(model.search));
}

void put_body(Grid& grid, const Model& model, const Rect& area) {
  const std::vector<Line> body = detail_body(model, area.width, grid.glyphs());
  const int last = std::max(static_cast<int>(body.size()) - area.height, 0);
  const int first = model.tab == Tab::log && model.follow ? last : std::clamp(model.scroll, 0, last);
  for (int y = 0; y < area.height && first + y < static_cast<int>(body.size()); ++y) {
    const Line& line = body[static_cast<std::size_t>(first + y)];
    grid.put(area.x, area.y + y, shifted(line, model.sideways), area.width);
    if (matches(model, line)) grid.light(area.x, area.y + y, area.width);
  }
}

void put_divider(Grid& grid, const Rect& frame, int y, Shade role) {
  const Glyphs& glyphs = grid.glyphs();
  for (int x = frame.x + 1; x < frame.x + frame.width - 1; ++x) grid.put(x, y, glyphs.horizontal, role, 1);
  grid.put(frame.x, y, glyphs.tee_left, role, 1);
  grid.put(frame.x + frame.width - 1, y, glyphs.tee_right, role, 1);
}

} // namespace

void render_lists(Grid& grid, const Model& model, const Layout& layout) {
  render_inbox(grid, model, layout);
  render_issues(grid, model, layout);
  render_steps(grid, model, layout);
}

void render_detail(Grid& grid, const Model& model, const Layout& layout) {
  if (layout.detail.empty()) return;
  const Issue* issue = model.find(model.detail.code);
  Line right;
  if (issue != nullptr) {
    right = {{std::string(to_string(issue->finding.severity)) + " ", role_of(issue->finding.severity)},
             {status_words(*issue), role_of(issue->status)}};
    if (!model.detail.phase.empty()) right.push_back({" " + model.detail.phase, Shade::busy});
  }
  render_frame(grid, model, layout, Panel::detail, right);
  const Rect area = inside(layout.detail);
  if (issue == nullptr) {
    put_sentences(grid, area, {model.list.total() == 0 ? "No issues yet." : "No issue is selected."});
    return;
  }
  const Shade role = model.focus == Panel::detail ? Shade::focus : Shade::border;
  grid.put(area.x, area.y, about_issue(*issue, model.detail), area.width);
  grid.put(area.x, area.y + 1, tab_names(model), area.width);
  const DetailRows rows = detail_rows(model, area.width, area.height, grid.glyphs());
  put_body(grid, model, {area.x, area.y + kDetailHead, area.width, rows.body});
  if (model.tab == Tab::log && model.detail.log_live)
    grid.put(area.x + area.width - 11, area.y + 1, model.follow ? "[following]" : "[G follows]", Shade::busy,
             11);
  if (rows.footer == 0) return;
  const int below = area.y + kDetailHead + rows.body;
  put_divider(grid, layout.detail, below, role);
  const std::vector<Line> footer =
      detail_footer(model, area.width, grid.glyphs(), area.height - kDetailHead >= 20 ? 3 : 1);
  for (int i = 0; i < rows.footer - 1; ++i)
    grid.put(area.x, below + 1 + i, footer[static_cast<std::size_t>(i)], area.width);
}

} // namespace emend
