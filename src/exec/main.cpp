// emend-exec: starts one child tree for the engine and guards it, so that nothing of it outlives its leader
// or the engine.
//
// Two processes: this one, which the engine knows by pid, enters the namespaces; its child is the guardian.
// Killing either ends the tree: with a PID namespace by the kernel, without one by the survivor.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "exec/guardian.hpp"
#include "exec/isolation.hpp"
#include "exec/options.hpp"

using namespace emend::exec;
using emend::exec_protocol::channel_fd;
using emend::exec_protocol::Command;
using emend::exec_protocol::options_fd;
using emend::exec_protocol::Stage;

namespace {

// The engine first writes our pid into its journal.
bool wait_for_go() {
  char command = 0;
  ssize_t n;
  do n = ::recv(channel_fd, &command, 1, 0);
  while (n < 0 && errno == EINTR);
  return n == 1 && command == static_cast<char>(Command::go);
}

void wait_for(pid_t guardian) {
  int status = 0;
  while (::waitpid(guardian, &status, 0) < 0 && errno == EINTR) continue;
  // A guardian that was killed without a PID namespace leaves its tree to us.
  sweep_descendants();
}

// To the tree of a check its guardian is a process like any other machine's first one.
void rename_command(char** argv) {
  static constexpr char name[] = "init";
  const std::size_t room = std::strlen(argv[0]);
  std::memset(argv[0], 0, room);
  std::memcpy(argv[0], name, std::min(room, sizeof name - 1));
}

int run(const Options& options, char** argv) {
  if (const int problem = enter_namespaces(options)) return report_failure(Stage::isolation, problem), 1;
  int life[2]; // the read end hangs up when this process is gone
  if (::pipe2(life, O_CLOEXEC) != 0) return report_failure(Stage::fork, errno), 1;
  const pid_t guardian = ::fork();
  if (guardian < 0) return report_failure(Stage::fork, errno), 1;
  if (guardian == 0) {
    ::close(life[1]);
    if (options.apart) rename_command(argv);
    guard(options, life[0]);
    ::_exit(0);
  }
  for (const int fd : {0, 1, 2, channel_fd, life[0]}) ::close(fd);
  wait_for(guardian);
  return 0;
}

} // namespace

int main(int, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(channel_fd, F_SETFD, FD_CLOEXEC);
  Options options;
  if (!read_options(options_fd, options)) {
    static constexpr char message[] = "emend-exec is started by emend, not by hand\n";
    [[maybe_unused]] const ssize_t n = ::write(2, message, sizeof message - 1);
    report_failure(Stage::options, EINVAL);
    ::_exit(64);
  }
  ::close(options_fd);
  // The engine may have died before the death signal was armed.
  if (::getppid() != options.engine_pid || !wait_for_go()) ::_exit(1);
  ::_exit(run(options, argv));
}
