// What lies over the panels and has the keyboard: a line to type, a question, a choice, a sheet of text, a
// list to find in.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tui/grid.hpp"
#include "tui/wanted.hpp"

namespace emend {

// One line of text under the person's hands. `cursor` is a byte offset between characters.
struct TypedLine {
  std::string text;
  std::size_t cursor = 0;

  void set(std::string all);
  void insert(std::string_view typed);
  // False when the key means nothing to a line of text.
  bool take(std::string_view key);
};

// The bottom line: ":" commands, "/" filter or search.
struct BottomLine {
  char sign = ':'; // ':' or '/'
  TypedLine line;
  std::string before;                   // the filter as it was
  std::size_t history = 0;              // how far back the person has gone
  std::vector<std::string> offers = {}; // completions of the last word, when there are several
};

// A text to be typed, with what it is about above it. Enter hands it over as wanted.text.
struct AskText {
  std::string title;
  std::vector<Line> about;
  std::vector<std::string> suggestions = {}; // Up and Down go through them
  TypedLine line = {};
  std::size_t suggestion = 0; // 0 = none, else its number
  Wanted wanted = {};
  bool may_skip = false; // Ctrl+D leaves the decision to the fixer
  bool may_be_empty = false;
};

struct Confirm {
  std::string title;
  std::vector<Line> about;
  Wanted wanted; // on y
};

struct Choose {
  std::string title;
  std::vector<std::pair<std::string, Wanted>> options; // chosen by their number
  bool then_note = false;                              // a note is asked for afterwards
};

struct Sheet {
  std::string title;
  std::vector<Line> lines;
  int scroll = 0;
};

// Everything that has the typed words in it.
struct Finder {
  struct Row {
    std::string group, text; // "Issue", "BE-001  Off by one"
    std::string command;     // that goes there
    bool asks_more = false;  // it stands on the command line first
  };
  TypedLine line;
  std::vector<Row> rows = {};
  std::size_t chosen = 0;
};

using Overlay = std::variant<std::monostate, BottomLine, AskText, Confirm, Choose, Sheet, Finder>;

} // namespace emend
