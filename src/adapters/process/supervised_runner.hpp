// The real ProcessRunner: one call runs one child tree to its end on the caller's thread, with limits,
// capture and cancellation.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "adapters/process/exec_protocol.hpp"
#include "ports/process.hpp"

namespace emend {

class SupervisedRunner : public ProcessRunner {
public:
  enum class Namespaces {
    automatic, // PID and mount namespaces where the kernel allows them (found out once), else the process
               // tree alone
    never,
  };

  enum class Landlock {
    automatic, // where there are no namespaces
    never,
  };

  // helper: absolute path of emend-exec.
  explicit SupervisedRunner(std::string helper, Namespaces namespaces = Namespaces::automatic,
                            Landlock landlock = Landlock::automatic);

  [[nodiscard]] Result<ProcessResult> run(const ProcessSpec& spec, std::stop_token stop) override;

  // How supervised trees are kept together on this machine: "pid namespace", "user and pid namespace",
  // "process tree".
  [[nodiscard]] Result<std::string_view> isolation();
  // How a child that is to be contained is, by what the kernel has; whether that holds, probe_sandbox() finds
  // out.
  [[nodiscard]] Result<SandboxKind> sandbox();

private:
  [[nodiscard]] Result<exec_protocol::Isolation> usable_isolation();
  [[nodiscard]] Result<bool> works(exec_protocol::Isolation isolation);
  [[nodiscard]] Result<ProcessResult> run_with(const ProcessSpec& spec, std::stop_token stop,
                                               exec_protocol::Isolation isolation);

  [[nodiscard]] exec_protocol::Sandbox sandbox_of(const ProcessSpec& spec,
                                                  exec_protocol::Isolation isolation) const;

  std::string helper_;
  bool landlock_;
  std::mutex mutex_;
  bool known_ = false; // guarded by mutex_, as is the next
  exec_protocol::Isolation isolation_ = exec_protocol::Isolation::tree;
};

} // namespace emend
