// The guesses about a repository's own checks, made at its last commit, and marked where this machine could
// not run them.
#pragma once

#include <string>

#include "base/files.hpp"
#include "cli/context.hpp"
#include "engine/project/detect.hpp"

namespace emend {

// A guess whose program is missing here has not_used set.
[[nodiscard]] Result<Detected> guess_commands(CommandContext& context);
[[nodiscard]] bool any_used(const Detected& found);
// The name of the configuration file the repository has at its root; empty = none. A dangling link is one,
// too.
[[nodiscard]] std::string existing_config(const fs::path& root);

// An absolute path in PATH; empty = not found. Relative entries are passed over: they would mean the tree
// being worked on.
[[nodiscard]] std::string program_in_path(const std::vector<std::string>& environment, std::string_view name);
// What `program arguments` prints when it is started away from the repository with a private home; nullopt
// when it does not end well.
[[nodiscard]] std::optional<std::string> output_of(CommandContext& context, std::vector<std::string> argv);

} // namespace emend
