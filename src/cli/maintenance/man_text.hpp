// Manual pages in roff, from the tree of commands. Pure text.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace emend {

struct ManPage {
  std::string name; // "emend-fix.1"
  std::string text;
};

// One for the program and one for each command, which has its subcommands in it.
[[nodiscard]] std::vector<ManPage> man_pages(const std::vector<Command>& commands,
                                             const std::vector<Option>& global, const std::string& version);

} // namespace emend
