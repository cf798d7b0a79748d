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

#include "exec/containment.hpp"

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

// A file somebody wrote a moment ago may still be open for writing in a child that is about to exec; that ends by itself.
void exec_patiently(const char* program, char* const* arguments, char* const* variables) {
  const timespec pause{0, 10'000'000};
  for (int round = 0; round < 300; ++round) {
    ::execve(program, arguments, variables);
    if (errno != ETXTBSY) return;
    ::nanosleep(&pause, nullptr);
  }
  errno = ETXTBSY;
}

[[noreturn]] void become_leader(const Options& options, pid_t guardian, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guardian) ::_exit(127);
  ::setsid();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (!options.cwd.empty() && ::chdir(options.cwd.c_str()) != 0) give_up(pipe, Stage::cwd);
  std::vector<char*> arguments = pointers(options.arguments);
  std::vector<char*> variables = pointers(options.variables);
  if (options.wants_overlay()) Containment::drop_privileges();
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
