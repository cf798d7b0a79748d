#include "adapters/process/supervised_runner.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "adapters/process/child.hpp"
#include "adapters/process/program_path.hpp"
#include "adapters/process/run_loop.hpp"

namespace emend {

using exec_protocol::Isolation;
using exec_protocol::Sandbox;

namespace {

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

bool lies_in(const std::string& path, const std::string& directory) {
  return path == directory ||
         (path.starts_with(directory) && (directory.ends_with('/') || path[directory.size()] == '/'));
}

// What is wrong with the order itself; empty = nothing.
std::string fault_of(const ProcessSpec& spec) {
  if (spec.argv.empty()) return "no command given";
  if (std::any_of(spec.argv.begin(), spec.argv.end(), has_nul))
    return spec.argv.front() + ": an argument contains a NUL byte";
  if (std::any_of(spec.env.begin(), spec.env.end(), has_nul))
    return spec.argv.front() + ": the environment contains a NUL byte";
  if (!spec.overlay.mounted()) return {};
  if (!spec.supervise) return "a private file tree needs a supervised process";
  for (const std::string& hidden : spec.overlay.hidden) {
    if (lies_in(spec.overlay.target, hidden))
      return "the private file tree " + spec.overlay.target + " lies in a hidden directory";
  }
  return {};
}

ProcessResult not_started(std::string problem) {
  ProcessResult result;
  result.problem = std::move(problem);
  return result;
}

} // namespace

namespace {

bool kernel_has_landlock() {
  constexpr long create_ruleset = 444;
  constexpr unsigned ask_version = 1;
  return ::syscall(create_ruleset, nullptr, 0UL, ask_version) >= exec_protocol::lowest_landlock;
}

} // namespace

SupervisedRunner::SupervisedRunner(std::string helper, Namespaces namespaces, Landlock landlock)
    : helper_(std::move(helper)),
      landlock_(landlock == Landlock::automatic && kernel_has_landlock()),
      known_(namespaces == Namespaces::never) {}

Sandbox SupervisedRunner::sandbox_of(const ProcessSpec& spec, Isolation isolation) const {
  if (!spec.overlay.confines()) return Sandbox::open;
  if (isolation != Isolation::tree || spec.overlay.mounted()) return Sandbox::full;
  return landlock_ ? Sandbox::landlock : Sandbox::open;
}

Result<SandboxKind> SupervisedRunner::sandbox() {
  TRY_ASSIGN(const Isolation isolation, usable_isolation());
  if (isolation != Isolation::tree) return SandboxKind::full;
  return landlock_ ? SandboxKind::landlock : SandboxKind::none;
}

Result<ProcessResult> SupervisedRunner::run(const ProcessSpec& spec, std::stop_token stop) {
  if (!spec.supervise) return run_with(spec, std::move(stop), Isolation::tree);
  TRY_ASSIGN(const Isolation isolation, usable_isolation());
  return run_with(spec, std::move(stop), isolation);
}

Result<ProcessResult> SupervisedRunner::run_with(const ProcessSpec& spec, std::stop_token stop,
                                                 Isolation isolation) {
  if (std::string fault = fault_of(spec); !fault.empty()) return not_started(std::move(fault));
  ProgramPath program = find_program(spec);
  if (program.path.empty()) return not_started(std::move(program.problem));
  if (stop.stop_requested()) {
    ProcessResult result;
    result.ending = Ending::cancelled;
    return result;
  }
  TRY_ASSIGN(StartedChild started, spec.supervise ? start_guarded(spec, program.path, helper_,
                                                                  {isolation, sandbox_of(spec, isolation)})
                                                  : start_plain(spec, program.path));
  if (!started.child) return not_started(std::move(started.problem));
  return RunLoop(spec, std::move(started), std::move(stop)).run();
}

Result<bool> SupervisedRunner::works(Isolation isolation) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "exit 0"};
  TRY_ASSIGN(const ProcessResult result, run_with(spec, {}, isolation));
  return result.ok();
}

Result<Isolation> SupervisedRunner::usable_isolation() {
  const std::lock_guard lock(mutex_);
  if (known_) return isolation_;
  for (const Isolation candidate : {Isolation::pid_namespace, Isolation::user_pid_namespace}) {
    TRY_ASSIGN(const bool usable, works(candidate));
    if (!usable) continue;
    isolation_ = candidate;
    break;
  }
  known_ = true;
  return isolation_;
}

Result<std::string_view> SupervisedRunner::isolation() {
  TRY_ASSIGN(const Isolation used, usable_isolation());
  switch (used) {
    case Isolation::pid_namespace: return "pid namespace";
    case Isolation::user_pid_namespace: return "user and pid namespace";
    case Isolation::tree: break;
  }
  return "process tree";
}

} // namespace emend
