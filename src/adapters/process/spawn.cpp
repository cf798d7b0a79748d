#include "adapters/process/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace emend {

namespace {

// Descriptors below this are targets in the child.
constexpr int first_free_fd = 10;

struct Pipe {
  OwnedFd read, write;
};

Result<Pipe> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return fail(system_error("cannot make a pipe", errno));
  OwnedFd read(fds[0]), write(fds[1]);
  Pipe pipe;
  TRY_ASSIGN(pipe.read, move_up(std::move(read)));
  TRY_ASSIGN(pipe.write, move_up(std::move(write)));
  return pipe;
}

void set_nonblocking(const OwnedFd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// What happens in the child between its making and execve.
class Actions {
public:
  explicit Actions(const Spawn& what) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    add_descriptors(what);
    if (!what.cwd.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, what.cwd.c_str());
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    // A new session is a new process group too, and has no terminal to ask for passwords on.
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }
  ~Actions() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
  void add_descriptors(const Spawn& what) {
    if (what.pipes.in_child)
      ::posix_spawn_file_actions_adddup2(&actions_, what.pipes.in_child.get(), 0);
    else
      ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, what.pipes.out_child.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions_, what.pipes.err_child.get(), 2);
    int target = 3;
    for (const int fd : what.further) ::posix_spawn_file_actions_adddup2(&actions_, fd, target++);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, target);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

} // namespace

Result<OwnedFd> move_up(OwnedFd fd) {
  if (fd.get() >= first_free_fd) return fd;
  OwnedFd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, first_free_fd));
  if (!moved) return fail(system_error("cannot duplicate a descriptor", errno));
  return moved;
}

Error system_error(const std::string& doing, int error_number) {
  return {ErrorCode::io, doing + ": " + std::generic_category().message(error_number), {}};
}

Result<StreamPipes> make_stream_pipes(bool with_stdin) {
  StreamPipes pipes;
  if (with_stdin) {
    TRY_ASSIGN(Pipe in, make_pipe());
    pipes.in_child = std::move(in.read);
    pipes.engine.in = std::move(in.write);
    set_nonblocking(pipes.engine.in);
  }
  TRY_ASSIGN(Pipe out, make_pipe());
  TRY_ASSIGN(Pipe err, make_pipe());
  pipes.engine.out = std::move(out.read);
  pipes.engine.err = std::move(err.read);
  pipes.out_child = std::move(out.write);
  pipes.err_child = std::move(err.write);
  set_nonblocking(pipes.engine.out);
  set_nonblocking(pipes.engine.err);
  return pipes;
}

int spawn(const Spawn& what, pid_t& pid) {
  const Actions actions(what);
  const std::vector<char*> arguments = pointers(what.arguments);
  const std::vector<char*> variables = pointers(what.variables);
  int problem = 0;
  for (int round = 0; round < 300; ++round) {
    problem = ::posix_spawn(&pid, what.program, actions.actions(), actions.attributes(), arguments.data(),
                            variables.data());
    if (problem != ETXTBSY) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return problem;
}

Result<OwnedFd> open_pidfd(pid_t pid) {
  OwnedFd fd(static_cast<int>(
      ::syscall(SYS_pidfd_open, pid, 0))); // glibc 2.36 declares pidfd_open without extern "C"
  if (!fd) return fail(system_error("cannot watch a process", errno));
  return fd;
}

} // namespace emend
