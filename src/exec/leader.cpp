#include "exec/leader.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <vector>

#include "exec/call_filter.hpp"
#include "exec/containment.hpp"
#include "exec/landlock.hpp"

namespace emend::exec {

using exec_protocol::Stage;

namespace {

struct Failure {
  Stage stage;
  int problem;
};

[[noreturn]] void give_up(int pipe, Stage stage) {
  const Failure failure{stage, errno};
  [[maybe_unused]] const ssize_t n = ::write(pipe, &failure, sizeof failure);
  ::_exit(127);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// A file somebody wrote a moment ago may still be open for writing in a child that is about to exec; that
// ends by itself.
void exec_patiently(const char* program, char* const* arguments, char* const* variables) {
  const timespec pause{0, 10'000'000};
  for (int round = 0; round < 300; ++round) {
    ::execve(program, arguments, variables);
    if (errno != ETXTBSY) return;
    ::nanosleep(&pause, nullptr);
  }
  errno = ETXTBSY;
}

// The kernel's own limits; what is counted over the whole tree the guardian watches.
void set_limits(const Limits& limits) {
  const auto set = [](int what, std::int64_t soft, std::int64_t hard) {
    const rlimit limit{static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
    ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
  };
  set(RLIMIT_CORE, 0, 0);
  if (limits.file > 0) set(RLIMIT_FSIZE, limits.file, limits.file);
  if (limits.cpu > 0) set(RLIMIT_CPU, limits.cpu, limits.cpu + 2);
}

// A machine that runs out of memory ends this tree rather than the engine.
void volunteer_for_the_oom_killer() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t n = ::write(fd, "500", 3);
  ::close(fd);
}

// Nothing of a workspace's run may wait for the next one in the kernel. Where no sandbox is promised, this is
// not either.
void leave_no_messages(const Options& options, int pipe) {
  if (options.own.empty()) return;
  leave_session_keyring();
  errno = refuse_lasting_calls(options);
  if (errno != 0 && options.sandbox != exec_protocol::Sandbox::open) give_up(pipe, Stage::contain);
}

void contain(const Options& options, int pipe) {
  if (options.sandbox == exec_protocol::Sandbox::landlock) errno = restrict_by_landlock(options);
  if (options.sandbox == exec_protocol::Sandbox::full)
    errno = options.own_network() ? 0 : close_abstract_sockets();
  if (options.sandbox != exec_protocol::Sandbox::open) {
    if (errno != 0) give_up(pipe, Stage::contain);
    Containment::drop_privileges();
  }
  leave_no_messages(options, pipe);
}

[[noreturn]] void become_leader(const Options& options, pid_t guardian, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guardian) ::_exit(127);
  ::setsid();
  set_limits(options.limits);
  volunteer_for_the_oom_killer();
  if (!options.cwd.empty() && ::chdir(options.cwd.c_str()) != 0) give_up(pipe, Stage::cwd);
  std::vector<char*> arguments = pointers(options.arguments);
  std::vector<char*> variables = pointers(options.variables);
  contain(options, pipe);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  exec_patiently(options.program.c_str(), arguments.data(), variables.data());
  give_up(pipe, Stage::exec);
}

} // namespace

LeaderStart start_leader(const Options& options) {
  LeaderStart result;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    result.problem = errno;
    return result;
  }
  const pid_t guardian = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become_leader(options, guardian, pipe[1]);
  const int fork_problem = errno;
  ::close(pipe[1]);
  Failure failure{Stage::fork, fork_problem};
  ssize_t n = sizeof failure;
  if (pid > 0) {
    do n = ::read(pipe[0], &failure, sizeof failure);
    while (n < 0 && errno == EINTR);
  }
  ::close(pipe[0]);
  if (n == 0) {
    result.pid = pid;
    return result;
  }
  if (pid > 0) ::waitpid(pid, nullptr, 0);
  result.stage = failure.stage;
  result.problem = failure.problem;
  return result;
}

} // namespace emend::exec
