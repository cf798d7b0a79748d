#include "cli/command_tree.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

void add(std::vector<CommandPlace>& places, const std::string& above, const Command& command) {
  const std::string path = above.empty() ? command.name : above + " " + command.name;
  CommandPlace place{path, command.summary, &command, {}};
  for (const Command& child : command.subcommands)
    if (!is_hidden(child)) place.children.push_back(&child);
  places.push_back(std::move(place));
  for (const Command& child : command.subcommands)
    if (!is_hidden(child)) add(places, path, child);
}

} // namespace

bool is_hidden(const Command& command) { return command.name.starts_with("__"); }

std::vector<CommandPlace> command_places(const std::vector<Command>& commands) {
  std::vector<CommandPlace> places(1);
  for (const Command& command : commands)
    if (!is_hidden(command)) places.front().children.push_back(&command);
  for (const Command& command : commands)
    if (!is_hidden(command)) add(places, "", command);
  return places;
}

bool is_positional(const Option& option) { return option.names.front() != '-'; }
bool takes_value(const Option& option) { return !std::holds_alternative<bool*>(option.target); }
std::vector<std::string> names_of(const Option& option) { return split(option.names, ','); }

std::string value_text(const Option& option) {
  if (!takes_value(option)) return "";
  if (!option.choices.empty()) return join(option.choices, "|");
  if (std::holds_alternative<NumberTarget>(option.target) && option.value_name.empty()) return "N";
  return option.value_name.empty() ? "TEXT" : option.value_name;
}

ValueKind value_kind(const Option& option) {
  if (!option.choices.empty()) return ValueKind::choice;
  if (option.value_name == "DIR") return ValueKind::directory;
  return option.value_name == "FILE" || option.value_name == "PATH" ? ValueKind::file : ValueKind::anything;
}

} // namespace emend
