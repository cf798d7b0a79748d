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
};

[[nodiscard]] std::vector<Wanted> update(Model& model, const Input& input, Size size);

struct KeyHelp {
  std::string keys, what, group;
};
[[nodiscard]] std::vector<KeyHelp>
key_help(); // every key that does something, in the order of the help sheet

} // namespace emend
