// Scripts that let a shell complete emend's commands, flags and choices. Pure text, from the tree of
// commands.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] std::string bash_completion(const std::vector<Command>& commands,
                                          const std::vector<Option>& global);
[[nodiscard]] std::string zsh_completion(const std::vector<Command>& commands,
                                         const std::vector<Option>& global);
[[nodiscard]] std::string fish_completion(const std::vector<Command>& commands,
                                          const std::vector<Option>& global);

} // namespace emend
