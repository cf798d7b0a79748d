// The tree of commands as a list of places, for what is written about all of them: completions and manual
// pages.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace emend {

struct CommandPlace {
  std::string path; // "sessions log"; empty = the program itself
  std::string summary;
  const Command* command = nullptr; // nullptr: the program itself
  std::vector<const Command*> children;
};

// For programs: no help and no completion speaks of it. Its name begins with "__".
[[nodiscard]] bool is_hidden(const Command& command);

// Every place, from the top down, each before its children. Hidden commands are left out. `commands` outlives
// it.
[[nodiscard]] std::vector<CommandPlace> command_places(const std::vector<Command>& commands);

[[nodiscard]] bool is_positional(const Option& option);
[[nodiscard]] bool takes_value(const Option& option);
// "-q,--quiet" -> {"-q", "--quiet"}
[[nodiscard]] std::vector<std::string> names_of(const Option& option);
// What stands for the value in texts: "FILE", "auto|always|never", "N".
[[nodiscard]] std::string value_text(const Option& option);

// What a value is, as far as a shell can help with it.
enum class ValueKind { anything, file, directory, choice };
[[nodiscard]] ValueKind value_kind(const Option& option);

} // namespace emend
