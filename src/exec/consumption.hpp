// What the tree takes of the machine, looked at every now and then by its guardian.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/options.hpp"

namespace emend::exec {

class Consumption {
public:
  explicit Consumption(const Options& options);

  [[nodiscard]] bool watched() const { return limits_.watched(); }
  // The first limit the calling process's descendants are over. Memory is what they have for themselves and
  // what they share, once: mapped, in segments and queues of their namespace, in their /dev/shm, in files of
  // memory they hold open.
  [[nodiscard]] std::optional<exec_protocol::Limit> over();

private:
  [[nodiscard]] bool over_memory(const std::vector<pid_t>& living);

  Limits limits_;
  bool own_ipc_, own_shared_memory_; // of the tree's namespace
  std::int64_t held_files_ = 0;      // of memory, as last looked at
  int looks_ = 0;
  std::string place_; // on the file system that must not fill up
};

} // namespace emend::exec
