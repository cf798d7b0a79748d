// How long a unit waits for its private workspace on a repository of 50,000 files, against a full checkout of
// the same tree.
#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr int kFiles = 50'000;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void fill(World& world) {
  for (int i = 0; i < kFiles; ++i) {
    const std::string path = fmt::format("{}/d{:03}/f{:05}.c", world.root, i / 100, i);
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "int value_" << i << " = " << i << ";\n" << std::string(200, '/') << "\n";
  }
  world.git({"add", "-A"});
  world.git({"commit", "-q", "-m", "many"});
}

} // namespace

int run() {
  World world(Files{{"README", "x\n"}});
  fill(world);
  const std::string base = must(world.repository().resolve("HEAD"));
  const double checkout = seconds([&] {
    world.git({"worktree", "add", "-q", "--detach", world.home + "/../full", "HEAD"});
  });
  const double first = seconds([&] { must(world.repository().make_workspace(base, {})); });
  std::string kind;
  double next = 0, scan = 0, place = 0, check = 0, plain = 0;
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds; ++i) {
    std::unique_ptr<Workspace> workspace;
    next += seconds([&] { workspace = must(world.repository().make_workspace(base, {})); });
    kind = workspace->kind();
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "echo 'int value_7 = 8;' > d000/f00007.c"};
    spec.cwd = workspace->path();
    spec.overlay = workspace->overlay();
    spec.env = {"PATH=/usr/bin:/bin"};
    plain += seconds([&] { must(world.runner().run(spec, {})); });
    scan += seconds([&] {
      if (must(workspace->snapshot()).patch.changes.size() != 1)
        throw std::runtime_error("the change was not seen");
    });
  }
  for (int i = 0; i < kRounds; ++i) {
    const std::unique_ptr<Workspace> workspace = must(world.repository().make_workspace(base, {}));
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "echo 'int value_7 = 8;' > d000/f00007.c"};
    spec.env = {"PATH=/usr/bin:/bin"};
    place += seconds([&] {
      const CheckPlace seen = must(workspace->check_place(i % 2 == 0 ? Look::first : Look::second));
      spec.cwd = seen.path;
      spec.overlay = seen.mount;
    });
    check += seconds([&] { must(world.runner().run(spec, {})); });
  }
  fmt::print("workspace on {} files, kind {}\n", kFiles, kind);
  fmt::print("  full checkout (git worktree add)  {:9.1f} ms\n", checkout * 1000);
  fmt::print("  first workspace of a base         {:9.1f} ms   ratio {:.3f}\n", first * 1000,
             first / checkout);
  fmt::print("  every further one                 {:9.1f} ms   ratio {:.4f}\n", next * 1000 / kRounds,
             next / kRounds / checkout);
  fmt::print("  patch from bytes                  {:9.1f} ms   ratio {:.4f}\n", scan * 1000 / kRounds,
             scan / kRounds / checkout);
  fmt::print("  one command in it                 {:9.1f} ms\n", plain * 1000 / kRounds);
  fmt::print("  a check's repository and look     {:9.1f} ms\n", place * 1000 / kRounds);
  fmt::print("  one command with that look        {:9.1f} ms\n", check * 1000 / kRounds);
  return 0;
}

} // namespace emend::testing_support

int main() { return emend::testing_support::run(); }
