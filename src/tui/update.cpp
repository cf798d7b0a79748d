#include "tui/update.hpp"

#include <algorithm>
#include <functional>

#include "tui/detail_text.hpp"

namespace emend {

namespace {

struct Binding {
  std::vector<std::string> keys;
  std::string shown, what, group;
  std::function<void(Turn&)> run;
};

void focus_on(Turn& turn, Panel panel) { turn.model.focus = panel; }

void focus_next(Turn& turn, int by) {
  constexpr Panel kOrder[] = {Panel::inbox, Panel::issues, Panel::detail, Panel::steps};
  const auto at = std::find(std::begin(kOrder), std::end(kOrder), turn.model.focus) - std::begin(kOrder);
  turn.model.focus = kOrder[(at + by + 4) % 4];
}

void open_tab(Turn& turn, Tab tab) {
  Model& model = turn.model;
  if (const Issue* issue = issue_at_hand(model); issue != nullptr) (void)choose_issue(model, issue->code);
  model.tab = tab;
  model.tab_chosen = true;
  model.scroll = model.sideways = 0;
  model.follow = true;
  model.focus = Panel::detail;
}

void next_tab(Turn& turn, int by) {
  constexpr int kTabCount = static_cast<int>(std::size(kTabs));
  const int at = static_cast<int>(turn.model.tab);
  const Panel focus = turn.model.focus;
  open_tab(turn, kTabs[(at + by + kTabCount) % kTabCount]);
  turn.model.focus = focus;
}

void sideways(Turn& turn, int by) { turn.model.sideways = std::max(0, turn.model.sideways + by); }

void toggle_mark(Turn& turn) {
  Model& model = turn.model;
  if (model.range) {
    const auto [low, high] = std::minmax(*model.range, model.issue_cursor);
    for (std::size_t i = low; i <= high && i < model.list.size(); ++i)
      if (const Issue* issue = model.list.at(i)) model.marked.insert(issue->code);
    model.range.reset();
    return;
  }
  const Issue* issue = model.chosen();
  if (issue == nullptr) return;
  if (!model.marked.erase(issue->code)) model.marked.insert(issue->code);
  if (model.focus == Panel::issues) move_cursor(turn, 1);
}

void toggle_range(Turn& turn) {
  Model& model = turn.model;
  if (model.range)
    toggle_mark(turn);
  else if (model.chosen() != nullptr) {
    model.focus = Panel::issues;
    model.range = model.issue_cursor;
    say(model, "move to the other end, then space or V");
  }
}

void open_bottom_line(Turn& turn, char sign) {
  BottomLine bottom;
  bottom.sign = sign;
  const bool searches = turn.model.focus == Panel::detail;
  if (sign == '/') bottom.before = searches ? turn.model.search : turn.model.filter;
  if (sign == '/') bottom.line.set(bottom.before);
  turn.model.overlay = std::move(bottom);
}

void want_for_issue(Turn& turn, Deed deed) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return say(turn.model, why_no_issue(turn.model), true);
  turn.wanted.push_back({deed, {issue->code}});
}

void copy_prompt(Turn& turn) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return say(turn.model, why_no_issue(turn.model), true);
  Wanted wanted{Deed::copy, {issue->code}};
  wanted.text = as_prompt(*issue, issue->code == turn.model.detail.code ? turn.model.detail : Detail{});
  turn.wanted.push_back(std::move(wanted));
}

void change_context(Turn& turn, int by) {
  turn.model.diff.context = std::clamp(turn.model.diff.context + by, 0, 1'000);
}

std::string session_at_hand(const Model& model) {
  const InboxEntry* entry = inbox_row(model);
  return entry != nullptr && !entry->session.empty() && entry->code.empty() ? entry->session
                                                                            : model.session.id;
}

void fix_all(Turn& turn) {
  std::vector<std::string> codes = open_codes(turn.model);
  if (codes.empty()) return say(turn.model, "no issue is open", true);
  start_fix(turn, std::move(codes));
}

void show_help(Turn& turn) {
  Sheet sheet;
  sheet.title = "Keys";
  std::string group;
  for (const KeyHelp& help : key_help()) {
    if (help.group != group) {
      if (!group.empty()) sheet.lines.push_back({});
      sheet.lines.push_back({{help.group, Shade::strong}});
      group = help.group;
    }
    std::string keys = "  " + help.keys;
    keys.resize(std::max<std::size_t>(keys.size() + 2, 22), ' ');
    sheet.lines.push_back({{keys, Shade::key}, {help.what, Shade::plain}});
  }
  turn.model.overlay = std::move(sheet);
}

std::vector<Binding> moving_keys() {
  const std::string group = "Move";
  return {
      {{"1"}, "1 2 3 4", "go to a panel", group, [](Turn& t) { focus_on(t, Panel::inbox); }},
      {{"2"}, "", "", group, [](Turn& t) { focus_on(t, Panel::issues); }},
      {{"3"}, "", "", group, [](Turn& t) { focus_on(t, Panel::detail); }},
      {{"4"}, "", "", group, [](Turn& t) { focus_on(t, Panel::steps); }},
      {{"Tab"}, "tab, shift-tab", "next panel, previous panel", group, [](Turn& t) { focus_next(t, 1); }},
      {{"Shift+Tab"}, "", "", group, [](Turn& t) { focus_next(t, -1); }},
      {{"j", "Down"}, "j k, up down", "move, scroll", group, [](Turn& t) { move_cursor(t, 1); }},
      {{"k", "Up"}, "", "", group, [](Turn& t) { move_cursor(t, -1); }},
      {{"Left"}, "left right", "scroll sideways", group, [](Turn& t) { sideways(t, -8); }},
      {{"Right"}, "", "", group, [](Turn& t) { sideways(t, 8); }},
      {{"g", "Home"}, "g G", "to the top, to the end", group, [](Turn& t) { move_to_end(t, false); }},
      {{"G", "End"}, "", "", group, [](Turn& t) { move_to_end(t, true); }},
      {{"PgDn", "Ctrl+F"},
       "pgdn pgup",
       "page down, page up",
       group,
       [](Turn& t) { move_cursor(t, page_of(t)); }},
      {{"PgUp", "Ctrl+B"}, "", "", group, [](Turn& t) { move_cursor(t, -page_of(t)); }},
      {{"["}, "[ ]", "previous tab, next tab of the issue", group, [](Turn& t) { next_tab(t, -1); }},
      {{"]"}, "", "", group, [](Turn& t) { next_tab(t, 1); }},
      {{"Enter"}, "enter", "open", group, open_chosen},
      {{"Esc"}, "esc", "back; ends zoom, selection, search and filter, one after another", group, go_back},
      {{"+"},
       "+ _",
       "show one panel on the whole screen, or all panels",
       group,
       [](Turn& t) { t.model.zoomed = true; }},
      {{"_"}, "", "", group, [](Turn& t) { t.model.zoomed = false; }},
  };
}

std::vector<Binding> finding_keys() {
  const std::string group = "Find";
  return {
      {{"/"},
       "/",
       "filter the issues; in panel 3 search its text",
       group,
       [](Turn& t) { open_bottom_line(t, '/'); }},
      {{"n"}, "n N", "next match, previous match", group, [](Turn& t) { find_match(t, 1); }},
      {{"N"}, "", "", group, [](Turn& t) { find_match(t, -1); }},
      {{"Ctrl+K"},
       "ctrl-k",
       "find issues by their words, sessions, files, settings and commands",
       group,
       open_finder},
      {{":"},
       ":",
       "command line; tab completes, up and down show earlier commands",
       group,
       [](Turn& t) { open_bottom_line(t, ':'); }},
      {{" "}, "space", "select", group, toggle_mark},
      {{"V"}, "V", "select a range", group, toggle_range},
  };
}

std::vector<Binding> looking_keys() {
  const std::string group = "Look";
  return {
      {{"P"}, "P", "the proof of the fix", group, [](Turn& t) { open_tab(t, Tab::proof); }},
      {{"v"}, "v", "the change", group, [](Turn& t) { open_tab(t, Tab::diff); }},
      {{"l"}, "l", "output of the agents", group, [](Turn& t) { open_tab(t, Tab::log); }},
      {{"t"}, "t", "timeline", group, [](Turn& t) { open_tab(t, Tab::timeline); }},
      {{"p"}, "p", "prompt of the agent", group, [](Turn& t) { open_tab(t, Tab::prompt); }},
      {{"u"},
       "u",
       "diff: side by side or unified",
       group,
       [](Turn& t) { t.model.diff.split = !t.model.diff.split; }},
      {{"w"},
       "w",
       "diff: show or hide white space changes",
       group,
       [](Turn& t) { t.model.diff.ignore_space = !t.model.diff.ignore_space; }},
      {{"{"}, "{ }", "diff: less context, more context", group, [](Turn& t) { change_context(t, -3); }},
      {{"}"}, "", "", group, [](Turn& t) { change_context(t, 3); }},
      {{"@"},
       "@",
       "all commands of the session and their results",
       group,
       [](Turn& t) { t.wanted.push_back({Deed::commands}); }},
      {{"."}, ".", "pause, continue", group, [](Turn& t) { t.model.paused = !t.model.paused; }},
  };
}

std::vector<Binding> deciding_keys() {
  const std::string group = "Decide";
  return {
      {{"f"},
       "f",
       "fix the selected issues (asks)",
       group,
       [](Turn& t) { start_fix(t, chosen_codes(t.model)); }},
      {{"F"}, "F", "fix every open issue (asks)", group, fix_all},
      {{"a"},
       "a",
       "answer a question, accept the fix; on a branch of the inbox its proven fixes, on a plan approve it",
       group,
       start_answer},
      {{"r"},
       "r",
       "try again: fix a failed or rejected issue, reopen an ignored one, continue a session",
       group,
       start_retry},
      {{"c"}, "c", "add a comment that the next fixer sees", group, start_comment},
      {{"i"}, "i", "ignore", group, start_ignore},
      {{"d"}, "d", "mark it as a duplicate of another issue", group, start_duplicate},
      {{"x"}, "x", "reject the fix: revert it on the branch and open the issue again", group, start_reject},
      {{"T"}, "T", "let the fix change an existing test that asserts the bug", group, start_open_test},
      {{"A"},
       "A",
       "approve the plan of the session",
       group,
       [](Turn& t) { start_approval(t, session_at_hand(t.model)); }},
      {{"X"},
       "X",
       "cancel the session (asks first)",
       group,
       [](Turn& t) { start_cancel(t, session_at_hand(t.model)); }},
  };
}

std::vector<Binding> other_keys() {
  const std::string group = "Other";
  return {
      {{"y"},
       "y Y",
       "copy a link, copy the issue as a prompt",
       group,
       [](Turn& t) { want_for_issue(t, Deed::copy_link); }},
      {{"Y"}, "", "", group, copy_prompt},
      {{"e"}, "e", "open the file in your editor", group, [](Turn& t) { want_for_issue(t, Deed::edit); }},
      {{"o"},
       "o",
       "a link that opens the dashboard",
       group,
       [](Turn& t) { t.wanted.push_back({Deed::browse}); }},
      {{"?"}, "?", "this help", group, show_help},
      {{"Ctrl+Z"},
       "ctrl-z",
       "suspend, back to the shell",
       group,
       [](Turn& t) { t.wanted.push_back({Deed::suspend}); }},
      {{"q", "Ctrl+C"},
       "q, ctrl-c",
       "quit; running work continues",
       group,
       [](Turn& t) { t.wanted.push_back({Deed::quit}); }},
  };
}

const std::vector<Binding>& bindings() {
  static const std::vector<Binding> all = [] {
    std::vector<Binding> list;
    for (std::vector<Binding>& part : std::vector<std::vector<Binding>>{
             moving_keys(), finding_keys(), looking_keys(), deciding_keys(), other_keys()})
      for (Binding& binding : part) list.push_back(std::move(binding));
    return list;
  }();
  return all;
}

} // namespace

bool press_key(Turn& turn) {
  for (const Binding& binding : bindings())
    if (std::find(binding.keys.begin(), binding.keys.end(), turn.input.key) != binding.keys.end()) {
      binding.run(turn);
      return true;
    }
  return false;
}

std::vector<KeyHelp> key_help() {
  std::vector<KeyHelp> list;
  for (const Binding& binding : bindings())
    if (!binding.shown.empty()) list.push_back({binding.shown, binding.what, binding.group});
  return list;
}

std::vector<Wanted> update(Model& model, const Input& input, Size size) {
  Turn turn{model, input, size};
  model.message.clear();
  const bool mouse = input.key == "Click" || input.key.starts_with("Wheel");
  if (model.typing())
    press_in_overlay(turn);
  else if (mouse)
    press_mouse(turn);
  else if (!press_key(turn))
    say(model, "press ? for help");
  return std::move(turn.wanted);
}

} // namespace emend
