// Calls of the kernel the tree does not get: those by which one run could leave a message for a later one,
// where no namespace keeps them apart.
#pragma once

#include "exec/options.hpp"

namespace emend::exec {

// In the leader, before execve, for good: kernel keys always, which no namespace keeps apart; shared memory,
// semaphores and message queues where the tree has no IPC namespace of its own. Refused calls fail with
// ENOSYS, as on a kernel built without them. 0 or an errno.
[[nodiscard]] int refuse_lasting_calls(const Options& options);

// A session keyring of its own, so that nothing the kernel does for the tree finds the person's keys.
void leave_session_keyring();

} // namespace emend::exec
