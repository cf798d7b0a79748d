// Starting the leader: fork, new session, working directory, execve.
#pragma once

#include <sys/types.h>

#include "exec/options.hpp"

namespace emend::exec {

struct LeaderStart {
  pid_t pid = -1; // -1: not started, see below
  exec_protocol::Stage stage = exec_protocol::Stage::fork;
  int problem = 0;
};

// Returns once the leader has passed execve or failed to.
[[nodiscard]] LeaderStart start_leader(const Options& options);

} // namespace emend::exec
