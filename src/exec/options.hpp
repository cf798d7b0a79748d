// What the engine asks emend-exec to run, as read from the inherited options file.
#pragma once

#include <string>
#include <vector>

#include "adapters/process/exec_protocol.hpp"

namespace emend::exec {

// A private layer over a directory: the tree sees what is there, and what it writes is seen by nobody else.
struct Layer {
  std::string path, upper, work;
};

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
  std::vector<Layer> layers;
  std::vector<std::string> writable; // besides own

  [[nodiscard]] bool wants_overlay() const { return !overlay_lower.empty(); }
  // Two layers below, none to write to: the kernel lets any number of mounts share them.
  [[nodiscard]] bool frozen() const { return overlay_work.empty(); }
};

// False when the file is damaged or incomplete.
[[nodiscard]] bool read_options(int fd, Options& options);

} // namespace emend::exec
