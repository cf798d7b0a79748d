// What starting one child costs in each kind of sandbox, against a plain one.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

constexpr int kRounds = 60;

double median_ms(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Of this process and all it has waited for: says the same on a busy machine.
double processor_ms() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  }
  return sum;
}

// As a workspace of a small project is run in: its tree mounted, a layer over the home, some secrets.
OverlayMount workspace_in(const fs::path& place, bool mounted) {
  for (const char* name : {"area/mine/tree", "lower", "upper", "work", "user/.ssh", "user/.aws", "user/.kube",
                           "layer/upper", "layer/work", "checkout"})
    fs::create_directories(place / name);
  OverlayMount mount;
  mount.target = place / "area/mine/tree";
  mount.masked = place / "area";
  mount.own = place / "area/mine";
  mount.hidden = {place / "user/.ssh", place / "user/.aws", place / "user/.kube"};
  mount.read_only = {place / "checkout"};
  if (!mounted) return mount;
  mount.lower = place / "lower";
  mount.upper = place / "upper";
  mount.work = place / "work";
  mount.layers = {{place / "user", place / "layer/upper", place / "layer/work"}};
  return mount;
}

struct Way {
  const char* name;
  bool namespaces, supervise, mounted, contained;
  NetworkAccess network;
};

} // namespace

int run() {
  SupervisedRunner best(EMEND_EXEC_BINARY), tree(EMEND_EXEC_BINARY, SupervisedRunner::Namespaces::never);
  const auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-bench-");
  if (!place) throw std::runtime_error(place.error().message);
  const Way ways[] = {{"plain", true, false, false, false, NetworkAccess::all},
                      {"guarded tree", false, true, false, false, NetworkAccess::all},
                      {"landlock", false, true, false, true, NetworkAccess::all},
                      {"namespaces, open", true, true, true, false, NetworkAccess::all},
                      {"full", true, true, true, true, NetworkAccess::all},
                      {"full, own loopback", true, true, true, true, NetworkAccess::loopback}};
  double floor = 0;
  fmt::print("starting /bin/true and seeing it end\n");
  for (const Way& way : ways) {
    ProcessSpec spec;
    spec.argv = {"/bin/true"};
    spec.cwd = "/";
    spec.supervise = way.supervise;
    if (way.contained || way.mounted) spec.overlay = workspace_in(place->path(), way.mounted);
    spec.overlay.contained = way.contained;
    spec.network = way.network;
    if (way.supervise) spec.limits = {1'000'000'000, 1000, 1'000'000'000, 0, 1};
    SupervisedRunner& runner = way.namespaces ? best : tree;
    const double before = processor_ms();
    const double time = median_ms([&] {
      const auto result = runner.run(spec, {});
      if (!result || !result->ok()) throw std::runtime_error(std::string(way.name) + " does not work here");
    });
    const double processor = (processor_ms() - before) / kRounds;
    if (floor == 0) floor = processor;
    fmt::print("  {:20} {:6.1f} ms   {:5.1f} ms of processor, {:4.1f} times a plain one\n", way.name, time,
               processor, processor / floor);
  }
  return 0;
}

} // namespace emend

int main() { return emend::run(); }
