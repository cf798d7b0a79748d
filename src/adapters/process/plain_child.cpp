// A child without a guardian: the engine's own short calls. Its tree is its process group.
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>

#include "adapters/process/child.hpp"
#include "adapters/process/program_path.hpp"
#include "adapters/process/spawn.hpp"

namespace emend {

void set_ending(ProcessResult& result, int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    result.ending = Ending::signalled;
    result.signal = WTERMSIG(wait_status);
  } else {
    result.ending = Ending::exited;
    result.exit_code = WEXITSTATUS(wait_status);
  }
}

namespace {

class PlainChild final : public Child {
public:
  PlainChild(int pid, OwnedFd exit_fd) : Child(pid, std::move(exit_fd)) {}
  ~PlainChild() override {
    if (reaped_) return;
    kill();
    ::waitpid(pid_, nullptr, 0);
  }

  void terminate() override {
    ::kill(-pid_, SIGTERM);
    ::kill(-pid_, SIGCONT);
  }
  void kill() override { ::kill(-pid_, SIGKILL); }
  void force() override { kill(); }

  void reap(ProcessResult& result) override {
    siginfo_t info;
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
      continue;
    kill(); // while the zombie still keeps the group's number from being used again
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    reaped_ = true;
    set_ending(result, status);
  }

private:
  bool reaped_ = false;
};

// posix_spawn does not say whether the directory or the program was at fault.
exec_protocol::Stage stage_of_failure(const ProcessSpec& spec) {
  struct stat info;
  const bool cwd_fine = spec.cwd.empty() || (::stat(spec.cwd.c_str(), &info) == 0 && S_ISDIR(info.st_mode));
  return cwd_fine ? exec_protocol::Stage::exec : exec_protocol::Stage::cwd;
}

} // namespace

Result<StartedChild> start_plain(const ProcessSpec& spec, const std::string& program) {
  TRY_ASSIGN(StreamPipes pipes, make_stream_pipes(wants_stdin(spec)));
  pid_t pid = -1;
  const int problem = spawn({program.c_str(), spec.argv, spec.env, spec.cwd, pipes, {}}, pid);
  if (problem != 0)
    return StartedChild{nullptr, {}, describe_start_failure(spec, stage_of_failure(spec), problem)};
  auto pidfd = open_pidfd(pid);
  auto child = std::make_unique<PlainChild>(pid, pidfd ? std::move(*pidfd) : OwnedFd());
  if (!pidfd) return fail(std::move(pidfd).error());
  return StartedChild{std::move(child), std::move(pipes.engine), {}};
}

} // namespace emend
