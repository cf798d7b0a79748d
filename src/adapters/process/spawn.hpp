// posix_spawn with everything a child must not inherit taken away: descriptors, signal mask, dispositions,
// session.
#pragma once

#include <string>
#include <vector>

#include "adapters/process/child.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"

namespace emend {

// The child's ends of the three standard streams and the engine's. in_child is absent for /dev/null.
struct StreamPipes {
  OwnedFd in_child, out_child, err_child;
  Streams engine;
};
[[nodiscard]] Result<StreamPipes> make_stream_pipes(bool with_stdin);
[[nodiscard]] inline bool wants_stdin(const ProcessSpec& spec) {
  return !spec.stdin_data.empty() || (spec.control != nullptr && spec.control->talk);
}

struct Spawn {
  const char* program;
  const std::vector<std::string>& arguments;
  const std::vector<std::string>& variables;
  const std::string& cwd; // empty = ours
  const StreamPipes& pipes;
  std::vector<int> further; // become descriptors 3, 4, ...
};
// 0 and a pid, or an errno. Retries while the program is still open for writing somewhere.
[[nodiscard]] int spawn(const Spawn& what, pid_t& pid);

// Readable when the process, a child of ours that nobody has waited for, has ended.
[[nodiscard]] Result<OwnedFd> open_pidfd(pid_t pid);

// The same file under a number the child's descriptors 0, 1, 2, ... do not collide with (an engine may be
// started with stdin closed).
[[nodiscard]] Result<OwnedFd> move_up(OwnedFd fd);

[[nodiscard]] Error system_error(const std::string& doing, int error_number);

} // namespace emend
