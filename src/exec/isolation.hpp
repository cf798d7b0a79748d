// Namespaces and mounts around the tree. Every function returns 0 or an errno and leaves nothing half done that matters: on failure
// the helper reports it and runs nothing.
#pragma once

#include "exec/options.hpp"

namespace emend::exec {

// In the helper's first process: PID, mount and, without privileges, user namespaces. The next child is the namespace's init.
[[nodiscard]] int enter_namespaces(const Options& options);

// In the namespace's init.
[[nodiscard]] int mount_fresh_proc();
[[nodiscard]] int mount_overlay(const Options& options);
[[nodiscard]] int hide_paths(const Options& options);
// After the overlay is there: read_only paths, and the mask around the workspace's own directory.
[[nodiscard]] int protect_paths(const Options& options);

} // namespace emend::exec
