// What a key does: changes the model and says what else is wanted. Pure; no terminal, no store.
#pragma once

#include <string>
#include <vector>

#include "tui/model.hpp"

namespace emend {

// A key by its name: "j", "Enter", "Esc", "Up", "Ctrl+C", "Shift+Tab"; "Click", "WheelUp" and "WheelDown"
// have a place.
struct Input {
  std::string key;
  int column = 0, row = 0;
  bool more = false; // another key is there already: what costs time can wait for the last one
};

[[nodiscard]] std::vector<Wanted> update(Model& model, const Input& input, Size size);

struct KeyHelp {
  std::string keys, what, group;
};
[[nodiscard]] std::vector<KeyHelp>
key_help(); // every key that does something, in the order of the help sheet

// --- One key on its way through the model, and what the pieces of update() share.

struct Turn {
  Model& model;
  const Input& input;
  Size size;
  std::vector<Wanted> wanted = {};
};

// A key of the panels. False = it means nothing here.
bool press_key(Turn& turn);
// Whatever lies over the panels has the key.
void press_in_overlay(Turn& turn);
void press_mouse(Turn& turn);

// --- Ctrl-K: finds issues by their words, sessions, files, settings and commands while somebody types
void open_finder(Turn& turn);
void press_in_finder(Turn& turn);

// --- moving
void move_cursor(Turn& turn, long by);
void move_to_end(Turn& turn, bool last);
void open_chosen(Turn& turn);
void go_back(Turn& turn);
void find_match(Turn& turn, int direction);
[[nodiscard]] int page_of(const Turn& turn);

// --- deciding: each opens what it has to ask, or says why it cannot
void start_fix(Turn& turn, std::vector<std::string> codes, std::vector<std::string> options = {});
void start_answer(Turn& turn);
void start_ignore(Turn& turn);
void start_retry(Turn& turn);
void start_reject(Turn& turn);
void start_comment(Turn& turn);
void start_duplicate(Turn& turn);
void start_open_test(Turn& turn);
void start_approval(Turn& turn, const std::string& session);
void start_cancel(Turn& turn, const std::string& session);
[[nodiscard]] std::vector<std::string> chosen_codes(
    const Model& model); // selected ones, else the one under the cursor
[[nodiscard]] std::vector<std::string> open_codes(const Model& model);
[[nodiscard]] const Issue* issue_at_hand(const Model& model); // of the inbox, too
// The row of the inbox that keys are about; nullptr = they are about another panel.
[[nodiscard]] const InboxEntry* inbox_row(const Model& model);
// A row without an issue answers for its own session, never for what the list of issues has chosen.
void answer_row(Turn& turn, const InboxEntry& row);
[[nodiscard]] std::string why_no_issue(const Model& model);
void accept_proven(Turn& turn, const std::string& session);

} // namespace emend
