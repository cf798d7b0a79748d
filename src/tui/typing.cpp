#include <algorithm>

#include "base/strings.hpp"
#include "tui/commands.hpp"
#include "tui/filter.hpp"
#include "tui/update.hpp"

namespace emend {

namespace {

bool leaves(const std::string& key) { return key == "Esc" || key == "Ctrl+C"; }

void close(Turn& turn) { turn.model.overlay = std::monostate{}; }

// --- the bottom line
// --------------------------------------------------------------------------------------------------------

// What all of them begin with.
std::string shared_beginning(const std::vector<std::string>& all) {
  std::string shared = all.front();
  for (const std::string& one : all) {
    const auto differs = std::mismatch(shared.begin(), shared.end(), one.begin(), one.end()).first;
    shared.erase(differs, shared.end());
  }
  return shared;
}

void complete(Turn& turn, BottomLine& bottom) {
  constexpr std::size_t kMost = 30;
  const std::vector<std::string> found = completions(turn.model, bottom.line.text);
  bottom.offers.clear();
  if (found.empty()) return;
  if (found.size() == 1) return bottom.line.set(found.front() + (found.front().ends_with(':') ? "" : " "));
  if (const std::string shared = shared_beginning(found); shared.size() > bottom.line.text.size())
    bottom.line.set(shared);
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
    bottom.offers.push_back(found[i].substr(found[i].rfind(' ') + 1));
}

void go_through_history(Turn& turn, BottomLine& bottom, int by) {
  const std::vector<std::string>& history = turn.model.history;
  const auto wanted =
      std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(bottom.history) + by, 0, std::ssize(history));
  bottom.history = static_cast<std::size_t>(wanted);
  bottom.line.set(bottom.history == 0 ? std::string() : history[history.size() - bottom.history]);
}

// The list follows what is typed; a search waits for its end.
void narrow(Turn& turn, const BottomLine& bottom) {
  const bool filters = bottom.sign == '/' && turn.model.focus != Panel::detail;
  if (filters && !turn.input.more && turn.model.filter != bottom.line.text)
    apply_filter(turn.model, bottom.line.text);
}

void finish_line(Turn& turn, const BottomLine& bottom) {
  Model& model = turn.model;
  close(turn);
  if (bottom.sign == ':') {
    if (!trim(bottom.line.text).empty()) model.history.push_back(bottom.line.text);
    return run_command(turn, bottom.line.text);
  }
  if (model.focus == Panel::detail) {
    model.search = bottom.line.text;
    if (!model.search.empty()) find_match(turn, 1);
    return;
  }
  if (const std::string filter(trim(bottom.line.text)); filter != model.filter) apply_filter(model, filter);
  model.focus = Panel::issues;
  if (const std::string problem = Filter(model.filter).problem(); !problem.empty()) say(model, problem, true);
}

void press_in_line(Turn& turn) {
  BottomLine bottom = std::get<BottomLine>(turn.model.overlay);
  const std::string& key = turn.input.key;
  if (key == "Enter") return finish_line(turn, bottom);
  if (leaves(key) || (key == "Backspace" && bottom.line.text.empty())) {
    close(turn);
    if (bottom.sign == '/' && turn.model.focus != Panel::detail) apply_filter(turn.model, bottom.before);
    return;
  }
  if (key == "Tab") {
    if (bottom.sign == ':') complete(turn, bottom);
  } else if (key == "Up" || key == "Down") {
    if (bottom.sign == ':') go_through_history(turn, bottom, key == "Up" ? 1 : -1);
  } else {
    bottom.offers.clear();
    (void)bottom.line.take(key);
  }
  narrow(turn, bottom);
  turn.model.overlay = std::move(bottom);
}

// --- the others
// -------------------------------------------------------------------------------------------------------------

void hand_over(Turn& turn, AskText& ask) {
  const std::string text(trim(ask.line.text));
  if (text.empty() && !ask.may_be_empty) return say(turn.model, "nothing was typed; esc cancels", true);
  Wanted wanted = ask.wanted;
  wanted.text = wanted.deed == Deed::duplicate ? to_upper(text) : text;
  close(turn);
  turn.wanted.push_back(std::move(wanted));
}

void press_in_ask(Turn& turn) {
  AskText& ask = std::get<AskText>(turn.model.overlay);
  const std::string& key = turn.input.key;
  const std::size_t count = ask.suggestions.size();
  if (key == "Enter") return hand_over(turn, ask);
  if (leaves(key)) return close(turn);
  if (key == "Ctrl+D" && ask.may_skip) {
    Wanted wanted = ask.wanted;
    wanted.deed = Deed::skip;
    close(turn);
    turn.wanted.push_back(std::move(wanted));
    return;
  }
  if ((key == "Up" || key == "Down") && count > 0) {
    ask.suggestion = key == "Down"         ? ask.suggestion % count + 1
                     : ask.suggestion <= 1 ? count
                                           : ask.suggestion - 1;
    ask.line.set(ask.suggestions[ask.suggestion - 1]);
    return;
  }
  (void)ask.line.take(key);
}

void press_in_confirm(Turn& turn) {
  const std::string& key = turn.input.key;
  if (key == "y" || key == "Y") {
    turn.wanted.push_back(std::get<Confirm>(turn.model.overlay).wanted);
    turn.model.marked.clear();
    return close(turn);
  }
  if (leaves(key) || key == "n" || key == "N" || key == "q" || key == "Enter") close(turn);
}

void press_in_choice(Turn& turn) {
  const Choose choose = std::get<Choose>(turn.model.overlay);
  const auto number = parse_unsigned(turn.input.key);
  if (leaves(turn.input.key) || turn.input.key == "q") return close(turn);
  if (!number || *number == 0 || *number > choose.options.size()) return;
  const auto& [label, wanted] = choose.options[*number - 1];
  if (!choose.then_note) {
    close(turn);
    turn.wanted.push_back(wanted);
    return;
  }
  AskText note;
  note.title = label + ": a note (optional)";
  note.wanted = wanted;
  note.may_be_empty = true;
  turn.model.marked.clear();
  turn.model.overlay = std::move(note);
}

void press_in_sheet(Turn& turn) {
  Sheet& sheet = std::get<Sheet>(turn.model.overlay);
  const std::string& key = turn.input.key;
  const int rows = std::max(std::min(static_cast<int>(sheet.lines.size()), turn.size.rows - 4), 1);
  const int last = static_cast<int>(sheet.lines.size()) - rows;
  if (leaves(key) || key == "q" || key == "?" || key == "Enter") return close(turn);
  if (key == "j" || key == "Down" || key == "WheelDown")
    sheet.scroll += key == "WheelDown" ? 3 : 1;
  else if (key == "k" || key == "Up" || key == "WheelUp")
    sheet.scroll -= key == "WheelUp" ? 3 : 1;
  else if (key == "PgDn" || key == " ")
    sheet.scroll += rows;
  else if (key == "PgUp")
    sheet.scroll -= rows;
  else if (key == "g" || key == "Home")
    sheet.scroll = 0;
  else if (key == "G" || key == "End")
    sheet.scroll = last;
  sheet.scroll = std::clamp(sheet.scroll, 0, std::max(last, 0));
}

} // namespace

void press_in_overlay(Turn& turn) {
  const Overlay& overlay = turn.model.overlay;
  if (std::holds_alternative<BottomLine>(overlay))
    press_in_line(turn);
  else if (std::holds_alternative<AskText>(overlay))
    press_in_ask(turn);
  else if (std::holds_alternative<Confirm>(overlay))
    press_in_confirm(turn);
  else if (std::holds_alternative<Choose>(overlay))
    press_in_choice(turn);
  else if (std::holds_alternative<Sheet>(overlay))
    press_in_sheet(turn);
  else if (std::holds_alternative<Finder>(overlay))
    press_in_finder(turn);
}

} // namespace emend
