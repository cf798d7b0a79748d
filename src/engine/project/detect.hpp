// Guesses how a project checks itself, from its files alone. Nothing is run, and nothing guessed runs before
// a person trusts it.
#pragma once

#include <string>
#include <vector>

#include "engine/project/project_files.hpp"

namespace emend {

// `paths` are the project's files, relative to its root. `read` answers with a file's bytes, nullopt when it
// cannot be read.
[[nodiscard]] Detected detect_commands(const std::vector<std::string>& paths, const FileReader& read);

} // namespace emend
