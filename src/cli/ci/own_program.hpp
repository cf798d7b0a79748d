// emend, run by emend: what a comment asks for is done by the command a person would type.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace emend {

struct OwnRun {
  int exit_code = 0;
  Json data;           // of --json; null when there is none
  std::string problem; // one line; empty = it said of none
};

// With --json, without input, in this directory and with the same configuration. without: variables of the
// environment that are left out.
[[nodiscard]] Result<OwnRun> run_own_program(CommandContext& context, std::vector<std::string> words,
                                             const std::vector<std::string>& without = {});

} // namespace emend
