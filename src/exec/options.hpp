// What the engine asks emend-exec to run, as read from the inherited options file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adapters/process/exec_protocol.hpp"

namespace emend::exec {

// A private layer over a directory: the tree sees what is there, and what it writes is seen by nobody else.
struct Layer {
  std::string path, upper, work;
  std::vector<std::string> below; // what it shows; empty = what is at `path`
};

struct Alias {
  std::string from, to;
};

// 0 = none.
struct Limits {
  std::int64_t memory = 0, processes = 0, file = 0, cpu = 0, free_disk = 0;

  [[nodiscard]] bool watched() const {
    return memory > 0 || processes > 0 || free_disk > 0;
  } // by the guardian; the others by the kernel
};

struct Options {
  int engine_pid = 0;
  exec_protocol::Isolation isolation = exec_protocol::Isolation::tree;
  exec_protocol::Sandbox sandbox = exec_protocol::Sandbox::open;
  exec_protocol::Network network = exec_protocol::Network::all;
  Limits limits;
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> variables;
  std::string cwd;
  std::string overlay_lower, overlay_upper, overlay_work, overlay_target;
  std::vector<std::string> overlay_above; // over the lower one, the first on top
  std::vector<std::string> hidden, read_only;
  std::string masked, own;
  std::string home;               // empty to the tree, but for what is shown
  std::vector<std::string> shown; // below home, read-only; layers below home are shown, too
  std::vector<Layer> layers;
  std::vector<std::string> writable; // besides own
  // How a check sees the machine: see OverlayMount in ports/process.hpp.
  std::string tree_source, hosts, host_name;
  bool apart = false;
  std::vector<Alias> aliases;
  int first_process = 0;

  [[nodiscard]] bool wants_overlay() const { return !overlay_lower.empty(); }
  [[nodiscard]] bool contained() const { return sandbox == exec_protocol::Sandbox::full; }
  // The tree is mounted at overlay_target, however that is done.
  [[nodiscard]] bool moves_tree() const { return wants_overlay() || !tree_source.empty(); }
  [[nodiscard]] bool wants_mounts() const {
    return moves_tree() || contained() || (isolation != exec_protocol::Isolation::tree && !own.empty());
  }
  // Wherever there is any namespace there is one for shared memory and message queues.
  [[nodiscard]] bool own_ipc() const { return isolation != exec_protocol::Isolation::tree || wants_mounts(); }
  [[nodiscard]] bool own_network() const { return contained() && network != exec_protocol::Network::all; }
  // Two layers below, none to write to: the kernel lets any number of mounts share them.
  [[nodiscard]] bool frozen() const { return wants_overlay() && overlay_work.empty(); }
};

// False when the file is damaged or incomplete.
[[nodiscard]] bool read_options(int fd, Options& options);

} // namespace emend::exec
