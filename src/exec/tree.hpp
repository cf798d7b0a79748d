// The processes below this one, found through /proc, and signals to all of them.
#pragma once

#include <sys/types.h>

#include <vector>

namespace emend::exec {

// Living descendants of the calling process (zombies do not count). Orphans are included because the caller
// is a subreaper or the init of its PID namespace.
[[nodiscard]] std::vector<pid_t> living_descendants();

// To every descendant. As init of a PID namespace this is one atomic kill(-1); otherwise callers repeat it
// until nobody is left, because a process may fork while we look.
void signal_descendants(int signal);

} // namespace emend::exec
