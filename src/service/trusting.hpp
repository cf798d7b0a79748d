// Allows files of a repository to run commands, or takes that back; both are in the audit log.
#pragma once

#include <vector>

#include "config/config.hpp"
#include "engine/context/ports.hpp"

namespace emend {

[[nodiscard]] Status allow_files(const Ports& ports, const std::vector<CommandFile>& files);
[[nodiscard]] Status forbid_files(const Ports& ports, const std::vector<CommandFile>& files);

} // namespace emend
