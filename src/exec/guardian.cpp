#include "exec/guardian.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <optional>

#include "exec/consumption.hpp"
#include "exec/containment.hpp"
#include "exec/isolation.hpp"
#include "exec/leader.hpp"
#include "exec/network.hpp"
#include "exec/tree.hpp"

namespace emend::exec {

using exec_protocol::channel_fd;
using exec_protocol::Command;
using exec_protocol::Isolation;
using exec_protocol::Report;
using exec_protocol::Stage;

namespace {

constexpr int sweep_limit_ms = 10'000;
constexpr int sweep_pause_ms = 5;
constexpr int limit_pause_ms = 100;
constexpr int leave_pause_ms = 1000;

void send(const Report& report) { ::send(channel_fd, &report, sizeof report, MSG_NOSIGNAL); }

std::int64_t now_ms() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// The streams belong to the tree alone, so that the engine sees EOF when the tree has ended.
void let_go_of_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    if (null < 0 || ::dup2(null, fd) < 0) ::close(fd);
  }
  if (null > 2) ::close(null);
}

// A workspace that lies there keeps the machine's own.
int mount_shared_memory_apart(const Options& options) {
  return lives_in_shared_memory(options) ? 0 : mount_shared_memory();
}

bool prepare_mounts(const Options& options) {
  OverlayDirectories directories(options); // and these too have to be opened before anything covers them
  Containment containment(options);
  const bool contained = options.contained();
  if (const int problem = contained ? containment.mount_layers() : 0)
    return report_failure(Stage::contain, problem), false;
  if (const int problem = mount_tree(options, directories))
    return report_failure(Stage::overlay, problem), false;
  if (const int problem = containment.mount_in_tree()) return report_failure(Stage::overlay, problem), false;
  if (const int problem = hide_paths(options)) return report_failure(Stage::hide, problem), false;
  if (const int problem = protect_paths(options)) return report_failure(Stage::hide, problem), false;
  if (const int problem = containment.mount_aliases()) return report_failure(Stage::hide, problem), false;
  const int unshared = contained ? containment.mount_devices() : mount_shared_memory_apart(options);
  if (const int problem = unshared) return report_failure(Stage::contain, problem), false;
  if (const int problem = contained ? containment.make_rest_read_only() : 0)
    return report_failure(Stage::contain, problem), false;
  return true;
}

bool prepare(const Options& options) {
  if (options.wants_mounts() && !prepare_mounts(options)) return false;
  if (options.isolation != Isolation::tree) {
    if (const int problem = mount_fresh_proc()) return report_failure(Stage::proc, problem), false;
    count_processes_from(options.first_process);
    const int problem = options.contained() ? Containment::protect_kernel_files() : 0;
    if (problem != 0) return report_failure(Stage::proc, problem), false;
  }
  return true;
}

// Watches one leader and everything below it until nobody is left.
class Watch {
public:
  Watch(const Options& options, pid_t leader, int signals, int parent_life)
      : consumption_(options),
        own_network_(options.own_network()),
        leader_(leader),
        signals_(signals),
        parent_life_(parent_life) {}

  void run() {
    while (reap()) {
      if (leader_ended_ && !terminating_) start_killing();
      if (!killing_) keep_limits();
      look_for_leaving(leave_pause_ms);
      if (killing_ && !kill_again()) break;
      wait_for_news();
    }
    look_for_leaving(0);
    send({Report::Kind::swept, Stage::exec, killed_, left_});
  }

private:
  // False when there is no child left. Orphans become our children, so "no child" means "no descendant".
  bool reap() {
    while (true) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid == 0 || (pid < 0 && errno == EINTR)) return true;
      if (pid < 0) return false;
      if (pid != leader_) continue;
      leader_ended_ = true;
      send({Report::Kind::ended, Stage::exec, status, 0});
    }
  }

  // Said once, at once: whoever waits for an answer from nowhere need not be waited for.
  void look_for_leaving(int pause_ms) {
    if (!own_network_ || now_ms() < leave_look_at_ + pause_ms) return;
    leave_look_at_ = now_ms();
    if (!tried_to_leave()) return;
    own_network_ = false;
    send({Report::Kind::offline, Stage::exec, 0, 0});
  }

  void keep_limits() {
    if (!consumption_.watched() || now_ms() < look_at_) return;
    look_at_ = now_ms() + limit_pause_ms;
    const std::optional<exec_protocol::Limit> over = consumption_.over();
    if (!over) return;
    send({Report::Kind::limited, Stage::exec, static_cast<std::int32_t>(*over), 0});
    start_killing();
  }

  void start_killing() {
    if (killing_) return;
    killing_ = true;
    kill_until_ = now_ms() + sweep_limit_ms;
    const std::vector<pid_t> living = living_descendants();
    killed_ = static_cast<int>(std::count_if(living.begin(), living.end(),
                                             [this](pid_t pid) { return pid != leader_ || leader_ended_; }));
  }

  bool kill_again() {
    signal_descendants(SIGKILL);
    if (now_ms() < kill_until_) return true;
    left_ = static_cast<int>(living_descendants().size());
    return false;
  }

  void terminate() {
    terminating_ = true;
    signal_descendants(SIGTERM);
    signal_descendants(SIGCONT); // a stopped process could not act on it
  }

  // -1 = until something happens.
  [[nodiscard]] int pause() const {
    if (killing_) return sweep_pause_ms;
    if (consumption_.watched()) return limit_pause_ms;
    return own_network_ ? leave_pause_ms : -1;
  }

  void wait_for_news() {
    pollfd fds[] = {
        {signals_, POLLIN, 0}, {channel_open_ ? channel_fd : -1, POLLIN, 0}, {parent_life_, POLLIN, 0}};
    if (::poll(fds, 3, pause()) <= 0) return;
    if (fds[0].revents != 0) read_signals();
    if (fds[1].revents != 0) read_command();
    if (fds[2].revents != 0) {
      parent_life_ = -1;
      start_killing();
    }
  }

  void read_signals() {
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == sizeof info) {
      if (info.ssi_signo == SIGTERM) start_killing();
    }
  }

  void read_command() {
    char command = 0;
    const ssize_t n = ::recv(channel_fd, &command, 1, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n == 1 && command == static_cast<char>(Command::terminate)) return terminate();
    if (n != 1) channel_open_ = false; // the engine is gone
    start_killing();
  }

  Consumption consumption_;
  std::int64_t look_at_ = 0;
  bool own_network_; // and nobody was seen leaving it yet
  std::int64_t leave_look_at_ = 0;
  pid_t leader_;
  int signals_;
  int parent_life_;
  bool channel_open_ = true;
  bool leader_ended_ = false;
  bool terminating_ =
      false; // the engine asked for an orderly end: others may still tidy up until it says kill
  bool killing_ = false;
  std::int64_t kill_until_ = 0;
  int killed_ = 0;
  int left_ = 0;
};

} // namespace

void report_failure(Stage stage, int problem) { send({Report::Kind::failed, stage, problem, 0}); }

void guard(const Options& options, int parent_life) {
  if (options.apart) ::prctl(PR_SET_NAME, "init"); // what the tree sees as its first process
  if (options.isolation == Isolation::tree)
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  else
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t mask;
  ::sigemptyset(&mask);
  ::sigaddset(&mask, SIGCHLD);
  ::sigaddset(&mask, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &mask, nullptr);
  const int signals = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) return report_failure(Stage::fork, errno);
  if (!prepare(options)) return;
  ::prctl(PR_SET_DUMPABLE, 0); // the tree, which runs as the same user, may not debug its guardian
  const LeaderStart leader = start_leader(options);
  if (leader.pid < 0) return report_failure(leader.stage, leader.problem);
  let_go_of_streams();
  send({Report::Kind::started, Stage::exec, 0, 0});
  Watch(options, leader.pid, signals, parent_life).run();
}

int sweep_descendants() {
  const std::int64_t until = now_ms() + sweep_limit_ms;
  const timespec pause{0, sweep_pause_ms * 1'000'000};
  while (now_ms() < until) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
    if (errno == ECHILD) return 0;
    signal_descendants(SIGKILL);
    ::nanosleep(&pause, nullptr);
  }
  return static_cast<int>(living_descendants().size());
}

} // namespace emend::exec
