// The guardian: the process directly above the leader. Init of the PID namespace where there is one, else a
// subreaper.
#pragma once

#include "exec/options.hpp"

namespace emend::exec {

// Reports to the engine; silently gives up when the engine is gone.
void report_failure(exec_protocol::Stage stage, int problem);

// Sets up the mounts, starts the leader, and returns when no process of the tree is left (or none that can be
// ended). parent_life: a pipe that becomes readable when the helper's first process is gone.
void guard(const Options& options, int parent_life);

// Ends whatever is left below the calling process, within a bounded time; how many could not be ended.
int sweep_descendants();

} // namespace emend::exec
