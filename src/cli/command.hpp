// A command of the program as a value: its flags, its words, what it does. One file per command makes one of
// these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "cli/exit_status.hpp"

namespace emend {

class CommandContext;

// A number flag's value: decimal, in range; nullopt = not given.
struct NumberTarget {
  std::optional<int>* value;
  int low, high;
};

struct Option {
  std::string names; // "-q,--quiet"; a name without dashes is a positional argument
  std::variant<bool*, std::string*, std::vector<std::string>*, NumberTarget> target;
  std::string help;
  std::string value_name = {};
  std::vector<std::string> choices = {};
  bool required = false;
};

struct Command {
  std::string name;
  std::string summary;
  std::string examples; // shown below the flags
  std::vector<Option> options;
  std::vector<Command> subcommands;
  std::function<Result<ExitStatus>(CommandContext&)> run; // empty: needs a subcommand
  std::shared_ptr<void> storage;                          // what the options' targets point into
  std::string group; // its heading in `emend --help`; only of top commands
};

// A command without words or flags of its own to explain: what subcommands mostly are.
[[nodiscard]] inline Command action(std::string name, std::string summary, std::vector<Option> options,
                                    std::function<Result<ExitStatus>(CommandContext&)> run) {
  Command command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.options = std::move(options);
  command.run = std::move(run);
  return command;
}

// Accepted everywhere, before and after the command.
struct GlobalOptions {
  std::string directory;
  std::string config_file;
  bool isolated = false;
  std::vector<std::string> set; // KEY=VALUE
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
  bool no_input = false;
  bool version = false;
};

} // namespace emend
