// Turns argv into a chosen command with its targets filled in. The only place that knows the argument parsing
// library.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace emend {

struct ParsedCommandLine {
  const Command* command = nullptr; // nullptr: help_text is the answer
  std::string help_text;
  bool bare = false; // no command was named
};

// Accepted everywhere; their values go into `global`.
[[nodiscard]] std::vector<Option> global_options(GlobalOptions& global);

// A mistake is ErrorCode::usage with the nearest known spelling.
[[nodiscard]] Result<ParsedCommandLine> parse_command_line(const std::vector<Command>& commands,
                                                           GlobalOptions& global,
                                                           const std::vector<std::string>& arguments);

} // namespace emend
