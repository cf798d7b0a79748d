// Allows files of a repository to run commands, or takes that back; both are in the audit log.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "engine/context/ports.hpp"

namespace emend {

[[nodiscard]] Status allow_files(const Ports& ports, const std::vector<CommandFile>& files);
[[nodiscard]] Status forbid_files(const Ports& ports, const std::vector<CommandFile>& files);

// The project's own tools, and tools that run its code, as something to allow. It is no file: it does not
// change with the project, as a person who installs packages runs their code anyway.
[[nodiscard]] CommandFile project_tools_of(const std::string& repository_root);
[[nodiscard]] bool project_tools_allowed(Store& store, const std::string& repository_root);

} // namespace emend
