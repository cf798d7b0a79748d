// Whether this machine lets us mount a private overlay for a child, found out by doing it.
#pragma once

#include <string>

#include "ports/process.hpp"

namespace emend {

// Runs a real child in a real overlay below scratch_dir (which must exist, on the file system that will hold
// the workspaces) and looks at what it left. Cleans up after itself.
[[nodiscard]] bool overlay_supported(const std::string& helper_path, const std::string& scratch_dir);
// The same with a runner that exists already.
[[nodiscard]] bool overlay_supported(ProcessRunner& runner, const std::string& scratch_dir);

} // namespace emend
