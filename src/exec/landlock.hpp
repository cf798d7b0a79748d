// Rules of the kernel instead of mounts: where a machine gives a tree no namespaces, Landlock still keeps it
// from writing elsewhere.
#pragma once

#include "exec/options.hpp"

namespace emend::exec {

// Version of the kernel's interface; 0 = there is none, or it is switched off.
[[nodiscard]] int landlock_version();

// Where the tree shares the machine's network: sockets with names that are no files (X11, D-Bus, an
// accomplice) cannot be connected to, unless the tree made them. 0, also where the kernel cannot do it
// (before Linux 6.12), or an errno.
[[nodiscard]] int close_abstract_sockets();

// In the leader, before execve, for good: it and what it starts write to `own`, `writable` and a few devices,
// and read everything but what is hidden or masked. Names can still be listed everywhere. 0 or an errno.
[[nodiscard]] int restrict_by_landlock(const Options& options);

} // namespace emend::exec
