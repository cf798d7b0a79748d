// A started child tree, as the runner's loop sees it: what to watch, how to end it, what became of it.
#pragma once

#include <memory>
#include <string>

#include "adapters/process/exec_protocol.hpp"
#include "base/owned_fd.hpp"
#include "ports/process.hpp"

namespace emend {

// Used by one thread. Destroying a child that was not reaped ends it.
class Child {
public:
  virtual ~Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int pid() const { return pid_; }
  // Readable when there is nothing left to wait for but reap().
  [[nodiscard]] int exit_fd() const { return exit_fd_.get(); }
  // Readable when read_reports() has something to do; -1 = never.
  [[nodiscard]] virtual int report_fd() const { return -1; }
  virtual void read_reports() {}
  [[nodiscard]] virtual bool leader_ended() const { return false; }
  [[nodiscard]] virtual bool tried_to_leave() const { return false; } // the network it was given

  // Nothing of the child's work happens before this. (A plain child works at once.)
  virtual void go() {}
  virtual void terminate() = 0; // SIGTERM to the tree
  virtual void kill() = 0;      // SIGKILL to the tree
  virtual void force() = 0;     // when kill() was not enough
  // Blocks until exit_fd() is readable; fills in ending, exit_code, signal, killed_descendants, problem.
  virtual void reap(ProcessResult& result) = 0;

protected:
  Child(int pid, OwnedFd exit_fd) : pid_(pid), exit_fd_(std::move(exit_fd)) {}
  int pid_;
  OwnedFd exit_fd_; // a pidfd
};

// The engine's ends, nonblocking. `in` is absent when there is nothing to write.
struct Streams {
  OwnedFd in, out, err;
};

struct StartedChild {
  std::unique_ptr<Child> child; // null = see problem
  Streams streams;
  std::string problem;
};

// argv[0] is executed as `program`. Errors (ErrorCode::io) are ours: no descriptors, no helper.
[[nodiscard]] Result<StartedChild> start_plain(const ProcessSpec& spec, const std::string& program);
struct Guard {
  exec_protocol::Isolation isolation;
  exec_protocol::Sandbox sandbox;
};
[[nodiscard]] Result<StartedChild> start_guarded(const ProcessSpec& spec, const std::string& program,
                                                 const std::string& helper, Guard guard);

// Sets ending, exit_code and signal from a wait status.
void set_ending(ProcessResult& result, int wait_status);

} // namespace emend
