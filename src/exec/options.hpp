// What the engine asks emend-exec to run, as read from the inherited options file.
#pragma once

#include <string>
#include <vector>

#include "adapters/process/exec_protocol.hpp"

namespace emend::exec {

struct Options {
  int engine_pid = 0;
  exec_protocol::Isolation isolation = exec_protocol::Isolation::tree;
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> variables;
  std::string cwd;
  std::string overlay_lower, overlay_upper, overlay_work, overlay_target;
  std::vector<std::string> hidden, read_only;
  std::string masked, own;

  [[nodiscard]] bool wants_overlay() const { return !overlay_lower.empty(); }
};

// False when the file is damaged or incomplete.
[[nodiscard]] bool read_options(int fd, Options& options);

} // namespace emend::exec
