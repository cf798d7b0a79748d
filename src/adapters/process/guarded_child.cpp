// A child under emend-exec, which keeps its whole tree together and reports over a socket the tree never
// sees.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "adapters/process/child.hpp"
#include "adapters/process/program_path.hpp"
#include "adapters/process/spawn.hpp"
#include "base/tool_root.hpp"

namespace emend {

using exec_protocol::Command;
using exec_protocol::Limit;
using exec_protocol::Report;
using exec_protocol::Tag;

namespace {

constexpr int orderly_end_ms = 15'000; // what the guardian may need at most to end a tree by itself

std::string megabytes(std::int64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

std::string describe_limit(const ResourceLimits& limits, Limit limit) {
  switch (limit) {
    case Limit::memory:
      return "ended: more than " + megabytes(limits.memory_bytes) + " of memory (limits.memory_mb)";
    case Limit::processes:
      return "ended: more than " + std::to_string(limits.processes) + " processes (limits.processes)";
    case Limit::free_disk:
      return "ended: the disk was filling up, " + megabytes(limits.free_disk_bytes) +
             " must stay free (limits.free_disk_mb)";
  }
  return "ended: a limit was reached";
}

class GuardedChild final : public Child {
public:
  GuardedChild(int pid, OwnedFd exit_fd, OwnedFd channel, const ProcessSpec& spec)
      : Child(pid, std::move(exit_fd)), channel_(std::move(channel)), spec_(spec) {}

  ~GuardedChild() override {
    if (reaped_) return;
    channel_ = {}; // the guardian takes that as the engine's end
    pollfd ended{exit_fd(), POLLIN, 0};
    if (exit_fd() < 0 || ::poll(&ended, 1, orderly_end_ms) != 1) force();
    wait();
  }

  [[nodiscard]] int report_fd() const override { return channel_.get(); }
  [[nodiscard]] bool leader_ended() const override { return wait_status_.has_value(); }
  [[nodiscard]] bool tried_to_leave() const override { return tried_to_leave_; }
  void go() override { tell(Command::go); }
  void terminate() override { tell(Command::terminate); }
  void kill() override { tell(Command::kill); }
  void force() override { ::kill(pid_, SIGKILL); }

  void read_reports() override {
    Report report;
    while (channel_) {
      const ssize_t n = ::recv(channel_.get(), &report, sizeof report, MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n == static_cast<ssize_t>(sizeof report))
        take(report);
      else
        channel_ = {};
    }
  }

  void reap(ProcessResult& result) override {
    wait();
    read_reports();
    result.killed_descendants = killed_;
    result.tried_to_leave = tried_to_leave_;
    if (!problem_.empty()) {
      result.ending = Ending::not_started;
    } else if (wait_status_) {
      set_ending(result, *wait_status_);
      explain_signal(result);
      if (left_ > 0) problem_ = std::to_string(left_) + " processes of the tree could not be ended";
    } else {
      result.ending = Ending::signalled;
      result.signal = SIGKILL;
      problem_ = "the process tree was killed together with its guardian";
    }
    if (limit_ && result.ending != Ending::not_started) {
      result.ending = Ending::resource_limit;
      problem_ = describe_limit(spec_.limits, *limit_);
    }
    result.problem = problem_;
  }

private:
  void tell(Command command) {
    if (channel_) ::send(channel_.get(), &command, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  // The kernel keeps these two limits, by a signal.
  void explain_signal(const ProcessResult& result) {
    if (result.ending != Ending::signalled) return;
    if (result.signal == SIGXFSZ && spec_.limits.file_bytes > 0)
      problem_ = "a file larger than " + megabytes(spec_.limits.file_bytes) + " (limits.file_mb)";
    if (result.signal == SIGXCPU && spec_.limits.cpu_seconds > 0)
      problem_ = "more than " + std::to_string(spec_.limits.cpu_seconds) +
                 " s of processor time (limits.cpu_seconds)";
  }

  void take(const Report& report) {
    switch (report.kind) {
      case Report::Kind::failed: problem_ = describe_start_failure(spec_, report.stage, report.code); return;
      case Report::Kind::started: return;
      case Report::Kind::ended: wait_status_ = report.code; return;
      case Report::Kind::limited: limit_ = static_cast<Limit>(report.code); return;
      case Report::Kind::offline: tried_to_leave_ = true; return;
      case Report::Kind::swept:
        killed_ = report.code;
        left_ = report.left;
        return;
    }
  }

  void wait() {
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
    reaped_ = true;
  }

  OwnedFd channel_;
  const ProcessSpec& spec_;
  bool reaped_ = false;
  std::string problem_;
  std::optional<int> wait_status_;
  std::optional<Limit> limit_;
  bool tried_to_leave_ = false;
  int killed_ = 0;
  int left_ = 0;
};

void put(std::string& bytes, Tag tag, const std::string& value) {
  const exec_protocol::RecordHeader header{tag, static_cast<std::uint32_t>(value.size())};
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(value);
}

template <typename Number>
void put_number(std::string& bytes, Tag tag, Number number) {
  put(bytes, tag, std::to_string(static_cast<std::int64_t>(number)));
}

void put_limits(std::string& bytes, const ResourceLimits& limits) {
  put_number(bytes, Tag::limit_memory, limits.memory_bytes);
  put_number(bytes, Tag::limit_processes, limits.processes);
  put_number(bytes, Tag::limit_file, limits.file_bytes);
  put_number(bytes, Tag::limit_cpu, limits.cpu_seconds);
  put_number(bytes, Tag::limit_free_disk, limits.free_disk_bytes);
}

exec_protocol::Network network_of(const ProcessSpec& spec) {
  switch (spec.network) {
    case NetworkAccess::all: return exec_protocol::Network::all;
    case NetworkAccess::loopback: return exec_protocol::Network::loopback;
    case NetworkAccess::none: break;
  }
  return exec_protocol::Network::none;
}

bool lies_in(const std::string& path, const std::string& directory) {
  return path == directory || path.starts_with(directory + "/");
}

// A program that lies in the hidden home, and the files it is started with (an agent's script), were named by
// the person.
std::vector<std::string> shown_for_command(const ProcessSpec& spec, const std::string& program) {
  const OverlayMount& mount = spec.overlay;
  const auto seen_anyway = [&](const std::string& path) {
    const auto holds = [&](const std::string& shown) { return lies_in(path, shown); };
    return path.empty() || lies_in(path, mount.own) ||
           std::any_of(mount.shown.begin(), mount.shown.end(), holds) ||
           std::any_of(mount.layers.begin(), mount.layers.end(), [&](const PrivateLayer& layer) {
             return layer.path != mount.home && holds(layer.path) && lies_in(layer.path, mount.home);
           });
  };
  std::vector<std::string> found;
  const auto add = [&](std::string path) {
    if (!seen_anyway(path)) found.push_back(std::move(path));
  };
  std::error_code problem;
  if (program.starts_with('/')) {
    add(tool_root(program, mount.home)); // a link's own name, too
    add(tool_root(std::filesystem::canonical(program, problem).string(), mount.home));
  }
  for (std::size_t i = 1; i < spec.argv.size(); ++i) {
    const std::string& argument = spec.argv[i];
    if (lies_in(argument, mount.home) && argument.size() < 4096 &&
        std::filesystem::is_regular_file(argument, problem))
      add(std::filesystem::canonical(argument, problem).string());
  }
  std::erase_if(found, [&](const std::string& path) { return !path.starts_with(mount.home + "/"); });
  return found;
}

// How a check sees the machine.
void put_look(std::string& bytes, const OverlayMount& mount) {
  if (!mount.source.empty()) {
    put(bytes, Tag::tree_source, mount.source);
    put(bytes, Tag::overlay_target, mount.target);
  }
  if (mount.apart) put(bytes, Tag::apart, "");
  for (const Alias& alias : mount.aliases) {
    put(bytes, Tag::alias_from, alias.from);
    put(bytes, Tag::alias_to, alias.to);
  }
  if (!mount.hosts.empty()) put(bytes, Tag::hosts, mount.hosts);
  if (!mount.host_name.empty()) put(bytes, Tag::host_name, mount.host_name);
  if (mount.first_process > 0) put_number(bytes, Tag::first_process, mount.first_process);
}

std::string encode(const ProcessSpec& spec, const std::string& program, Guard guard) {
  std::string bytes;
  put_number(bytes, Tag::engine_pid, ::getpid());
  put_number(bytes, Tag::isolation, guard.isolation);
  put_number(bytes, Tag::sandbox, guard.sandbox);
  put_number(bytes, Tag::network, network_of(spec));
  put_limits(bytes, spec.limits);
  put(bytes, Tag::program, program);
  for (const std::string& argument : spec.argv) put(bytes, Tag::argument, argument);
  for (const std::string& variable : spec.env) put(bytes, Tag::variable, variable);
  put(bytes, Tag::cwd, spec.cwd.empty() ? spec.overlay.target : spec.cwd);
  if (spec.overlay.mounted()) {
    put(bytes, Tag::overlay_lower, spec.overlay.lower);
    put(bytes, Tag::overlay_upper, spec.overlay.upper);
    put(bytes, Tag::overlay_work, spec.overlay.work);
    put(bytes, Tag::overlay_target, spec.overlay.target);
  }
  for (const std::string& path : spec.overlay.hidden) put(bytes, Tag::hidden, path);
  for (const std::string& path : spec.overlay.read_only) put(bytes, Tag::read_only, path);
  if (!spec.overlay.masked.empty()) put(bytes, Tag::masked, spec.overlay.masked);
  if (!spec.overlay.own.empty()) put(bytes, Tag::own, spec.overlay.own);
  for (const PrivateLayer& layer : spec.overlay.layers) {
    if (spec.overlay.mounted() && layer.path == spec.overlay.target && layer.upper.empty()) {
      for (const std::string& path : layer.below) put(bytes, Tag::overlay_above, path); // part of the tree
      continue;
    }
    put(bytes, Tag::layer, layer.path);
    put(bytes, Tag::layer_upper, layer.upper);
    put(bytes, Tag::layer_work, layer.work);
    for (const std::string& path : layer.below) put(bytes, Tag::layer_below, path);
  }
  put_look(bytes, spec.overlay);
  for (const std::string& path : spec.overlay.writable) put(bytes, Tag::writable, path);
  if (!spec.overlay.home.empty() && spec.overlay.contained) {
    put(bytes, Tag::home, spec.overlay.home);
    for (const std::string& path : spec.overlay.shown) put(bytes, Tag::shown, path);
    for (const std::string& path : shown_for_command(spec, program)) put(bytes, Tag::shown, path);
  }
  return bytes;
}

// A file in memory rather than the command line or the environment: those are readable to every process of
// the user.
Result<OwnedFd> options_file(const std::string& bytes) {
  OwnedFd fd(::memfd_create("emend-exec-options", MFD_CLOEXEC));
  if (!fd) return fail(system_error("cannot make a file in memory", errno));
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t n = ::write(fd.get(), bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR) return fail(system_error("cannot write a file in memory", errno));
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return fail(system_error("cannot rewind a file in memory", errno));
  return fd;
}

} // namespace

Result<StartedChild> start_guarded(const ProcessSpec& spec, const std::string& program,
                                   const std::string& helper, Guard guard) {
  static const std::vector<std::string> no_variables;
  static const std::string no_cwd;
  TRY_ASSIGN(OwnedFd options, options_file(encode(spec, program, guard)));
  TRY_ASSIGN(StreamPipes pipes, make_stream_pipes(wants_stdin(spec)));
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    return fail(system_error("cannot make a socket", errno));
  OwnedFd ours(sockets[0]);
  TRY_ASSIGN(OwnedFd theirs, move_up(OwnedFd(sockets[1])));
  TRY_ASSIGN(options, move_up(std::move(options)));
  pid_t pid = -1;
  const std::vector<std::string> arguments{helper};
  const int problem =
      spawn({helper.c_str(), arguments, no_variables, no_cwd, pipes, {theirs.get(), options.get()}}, pid);
  if (problem != 0) {
    Error error = system_error("the helper " + helper + " cannot be started", problem);
    error.remedy = "install emend completely: it needs emend-exec";
    return fail(std::move(error));
  }
  auto pidfd = open_pidfd(pid);
  auto child =
      std::make_unique<GuardedChild>(pid, pidfd ? std::move(*pidfd) : OwnedFd(), std::move(ours), spec);
  if (!pidfd) return fail(std::move(pidfd).error());
  return StartedChild{std::move(child), std::move(pipes.engine), {}};
}

} // namespace emend
