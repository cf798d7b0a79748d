// The command line (":fix BE-001", ":set diff split"): what it means, and what its last word could become.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tui/update.hpp"

namespace emend {

// Does it, or says what is wrong with it. Questions are asked the same way as for keys.
void run_command(Turn& turn, const std::string& line);

// The whole line for every way to go on with its last word.
[[nodiscard]] std::vector<std::string> completions(const Model& model, const std::string& line);

struct CommandHelp {
  std::string usage, what;
};
[[nodiscard]] std::vector<CommandHelp> command_help();

} // namespace emend
