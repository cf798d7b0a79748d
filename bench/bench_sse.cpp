// Ten thousand readers of one live event stream, a hundred of which do not read: our server beside a Node and
// a FastAPI one that do the same. Every server stores an event before it tells it. Prints what came in how
// much time, and what it cost.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "bench/sse_own.hpp"
#include "bench/sse_readers.hpp"

extern char** environ; // NOLINT: posix_spawn wants it

namespace emend::bench {

namespace {

constexpr std::uint64_t kBurst = 150, kPaced = 20, kPaceUs = 250'000;
constexpr auto kCutOff = std::chrono::seconds(22); // our server cuts off who has not read for 20 seconds

// A server process that is told what to do on its stdin.
class Peer {
public:
  explicit Peer(const std::vector<std::string>& argv) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    if (::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) pid_ = -1;
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = ::fdopen(out[0], "r");
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    if (to_ >= 0) ::close(to_);
    if (from_ != nullptr) std::fclose(from_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }

  // nullopt = it ended.
  [[nodiscard]] std::optional<std::string> line() const {
    char text[512];
    if (from_ == nullptr || std::fgets(text, sizeof text, from_) == nullptr) return std::nullopt;
    return std::string(trim(text));
  }
  void say(const std::string& text) const {
    if (::write(to_, text.data(), text.size()) < 0) fmt::print(stderr, "bench_sse: a server went away\n");
  }
  // Processor time of all its threads so far.
  [[nodiscard]] double cpu_seconds() const {
    std::ifstream file(fmt::format("/proc/{}/stat", pid_));
    std::string stat((std::istreambuf_iterator<char>(file)), {});
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos) return 0;
    const auto fields = split(trim(stat.substr(name_end + 1)), ' '); // the first one is the state, number 3
    constexpr std::size_t kUser = 14 - 3, kSystem = 15 - 3;
    if (fields.size() <= kSystem) return 0;
    const double ticks =
        std::strtod(fields[kUser].c_str(), nullptr) + std::strtod(fields[kSystem].c_str(), nullptr);
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  [[nodiscard]] double megabytes(std::string_view field) const {
    std::ifstream status(fmt::format("/proc/{}/status", pid_));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(field)) return std::strtod(line.c_str() + field.size() + 1, nullptr) / 1024;
    return 0;
  }

private:
  pid_t pid_ = -1;
  int to_ = -1;
  FILE* from_ = nullptr;
};

double percentile_ms(std::vector<std::uint32_t>& values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at / 1'000.0;
}

struct Measured {
  double rate = 0;   // the readers' frames a second in the burst; 0 = it did not get that far
  double p99_ms = 0; // paced
  double cpu_us = 0, paced_cpu_us = 0; // of the server, for a frame: over both, paced
};

Measured measure(const std::string& name, const std::vector<std::string>& argv, std::size_t readers,
                 std::size_t slow) {
  const Peer peer(argv);
  const auto hello = peer.line();
  if (!hello || !hello->starts_with("port ")) {
    fmt::print("{:<10} does not start here (make bench installs it)\n", name);
    return {};
  }
  const auto words = split(*hello, ' ');
  SseReaders all({std::atoi(words[1].c_str()), words.size() > 2 ? words[2] : "", readers, slow});
  const double before = peer.megabytes("VmRSS:");
  if (!all.connect()) {
    fmt::print("{:<10} did not let {} readers in\n", name, readers);
    return {};
  }
  const auto tell = [&](std::uint64_t count, std::uint64_t wait_us) {
    peer.say(fmt::format("emit {} {}\n", count, wait_us));
    Reading reading = all.read(count);
    if (!peer.line()) fmt::print(stderr, "bench_sse: {} ended\n", name);
    return reading;
  };
  const auto began = std::chrono::steady_clock::now();
  const double idle_cpu = peer.cpu_seconds();
  const Reading burst = tell(kBurst, 0);
  const double burst_cpu = peer.cpu_seconds();
  Reading paced = tell(kPaced, kPaceUs);
  const double all_cpu = peer.cpu_seconds();
  const auto each_us = [](double cpu_seconds, std::uint64_t frames) {
    return cpu_seconds * 1e6 / std::max(1.0, static_cast<double>(frames));
  };
  Measured sum;
  sum.cpu_us = each_us(all_cpu - idle_cpu, burst.frames + paced.frames);
  sum.paced_cpu_us = each_us(all_cpu - burst_cpu, paced.frames);
  std::this_thread::sleep_until(began + kCutOff);
  const std::size_t whole = all.drain_slow();
  sum.rate = static_cast<double>(burst.frames) / burst.seconds;
  sum.p99_ms = percentile_ms(paced.latencies_us, 0.99);
  fmt::print(
      "{:<10} {:>9.0f} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f} {:>9} {:>7} {:>9} {:>5}/{:<4} {:>8.0f} "
      "{:>10.1f}\n",
      name, sum.rate, sum.cpu_us, sum.paced_cpu_us, percentile_ms(paced.latencies_us, 0.5), sum.p99_ms,
      burst.missing + paced.missing, burst.twice + paced.twice, burst.cut_off + paced.cut_off, whole, slow,
      peer.megabytes("VmHWM:"), (peer.megabytes("VmHWM:") - before) * 1024 / static_cast<double>(readers));
  std::fflush(stdout);
  return sum;
}

void compare(const std::string& peer, const Measured& own, const Measured& other) {
  if (other.rate <= 0 || own.rate <= 0) return;
  fmt::print(
      "emend beside {:<8} {:.1f} x the frames a second, {:.1f} x those of a CPU second; p99 {:.0f} ms beside "
      "{:.0f} ms\n",
      peer + ":", own.rate / other.rate, other.cpu_us / own.cpu_us, own.p99_ms, other.p99_ms);
}

// Both sides of every connection need a descriptor, each side in a process of its own.
std::size_t affordable(std::size_t wanted) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return std::min<std::size_t>(wanted, limit.rlim_cur - 200);
}

int run(const std::string& self, std::size_t wanted) {
  const std::size_t readers = affordable(wanted), slow = readers / 100;
  const auto scratch = TemporaryDirectory::create(std::filesystem::temp_directory_path(), "bench-sse-");
  if (!scratch) return 1;
  const std::string directory = scratch->path();
  fmt::print("{} readers of one event stream on loopback, {} of which do not read; 1 KB an event\n", readers,
             slow);
  fmt::print(
      "burst: {} events at once. paced: {} events, one in {} ms. All three send together what happens within "
      "5 ms. "
      "p50, p99: since a paced event was due. CPU: of the server, a frame. slow: have everything after "
      "coming back. KB: of a reader\n\n",
      kBurst, kPaced, kPaceUs / 1'000);
  fmt::print("{:<10} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>7} {:>9} {:>10} {:>8} {:>10}\n", "", "frames/s",
             "CPU us", "paced", "p50 ms", "p99 ms", "missing", "twice", "cut off", "slow", "peak MB", "KB");
  const std::string peers = std::string(EMEND_SOURCES) + "/bench/peers/";
  const Measured own =
      measure("emend", {self, "--serve", directory, std::to_string(readers + 10)}, readers, slow);
  const Measured node =
      measure("Node", {"node", peers + "sse_node.mjs", directory + "/node.log"}, readers, slow);
  const Measured fastapi = measure(
      "FastAPI", {"/usr/bin/python3", peers + "sse_fastapi.py", directory + "/fastapi.log"}, readers, slow);
  compare("Node", own, node);
  compare("FastAPI", own, fastapi);
  return own.rate > 0 ? 0 : 1;
}

} // namespace

} // namespace emend::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  if (argc == 4 && std::strcmp(argv[1], "--serve") == 0)
    return emend::bench::serve_events(argv[2], std::strtoull(argv[3], nullptr, 10));          // NOLINT
  return emend::bench::run(argv[0], argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000); // NOLINT
}
