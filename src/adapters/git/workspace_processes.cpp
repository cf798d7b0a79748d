#include "adapters/git/workspace_processes.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/owned_fd.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

// The descriptor first: whatever takes the number over later is not what it speaks of.
bool end_if_started_with(std::uint64_t pid, const std::string& needle) {
  const OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
  if (!process) return false;
  const auto environment = read_file("/proc/" + std::to_string(pid) + "/environ");
  if (!environment || !contains(*environment, needle)) return false;
  return ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

} // namespace

void end_processes_of(const std::string& workspace) {
  const std::string needle = "=" + workspace + "/"; // HOME and TMPDIR
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const auto pid = parse_unsigned(entry.path().filename().string());
    if (!pid || *pid == static_cast<std::uint64_t>(::getpid())) continue;
    if (end_if_started_with(*pid, needle))
      log(LogLevel::info, "stopped a process left by an earlier run: pid " + std::to_string(*pid));
  }
}

} // namespace emend
