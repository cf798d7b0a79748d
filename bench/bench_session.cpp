// What the engine itself costs: 100 issues in 100 files, agents and checks that answer at once, against the
// bare work of the same child processes and git calls done by hand in the same run.
#include <fmt/format.h>

#include <chrono>

#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr int kIssues = 100;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string file_of(int i) { return fmt::format("src/f{:03}.c", i); }

World make_world() {
  Files files;
  for (int i = 1; i <= kIssues; ++i) files[file_of(i)] = "int f = 1;\nint g = 2;\n";
  return World(files);
}

void bare_child(World& world, Workspace& workspace, std::vector<std::string> argv, const std::string& input) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = workspace.path();
  spec.overlay = workspace.overlay();
  spec.env = {"PATH=" + std::string(std::getenv("PATH"))};
  spec.stdin_data = input;
  must(world.runner().run(spec, {}));
}

// Per issue: a workspace and a supervised child for the fixer, the check and the challenger. Per session: the
// git calls without which no branch can appear (list the base, write all commits, read them back, move the
// pack, set the ref).
double floor_seconds(World& world) {
  const std::string base = must(world.repository().resolve("HEAD"));
  must(world.repository().make_workspace(base, {})); // the one checkout
  const std::string prompt(4'000, 'p');
  return seconds([&] {
    parallel_for(kIssues, 2, [&](std::size_t) {
      for (const char* script : {"/fixer", "", "/judge"}) {
        auto workspace = must(world.repository().make_workspace(base, {}));
        if (*script == '\0')
          bare_child(world, *workspace, {"/bin/sh", "-c", "true"}, "");
        else
          bare_child(world, *workspace, {world.scripts + script, "fixer", "BE-001"}, prompt);
      }
    });
    std::string stream;
    for (int i = 1; i <= kIssues; ++i)
      stream += fmt::format(
          "commit refs/heads/floor\ncommitter T <t@example.org> {} +0000\ndata 2\nx\n{}M 100644 inline "
          "{}\ndata 11\nint f = 2;\n\n",
          1'700'000'000 + i, i == 1 ? "from refs/heads/main^0\n" : "", file_of(i));
    const auto git = [&](std::vector<std::string> arguments, const std::string& input = {}) {
      ProcessSpec spec;
      spec.argv = {"git", "-C", world.root};
      spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
      spec.cwd = world.root;
      spec.env = {"PATH=" + std::string(std::getenv("PATH"))};
      spec.stdin_data = input;
      spec.supervise = false;
      return must(world.runner().run(spec, {})).out;
    };
    git({"ls-tree", "-r", "-z", "HEAD"});
    git({"fast-import", "--quiet"}, stream);
    git({"log", "-p", "--raw", "main..floor"});
    const std::string pack = git({"pack-objects", "--stdout", "--revs", "-q"}, "floor\n^main\n");
    git({"index-pack", "--stdin"}, pack);
    git({"update-ref", "refs/heads/floor2", "floor"});
  });
}

double session_seconds(World& world, int& resolved) {
  std::vector<Finding> findings;
  for (int i = 1; i <= kIssues; ++i)
    findings.push_back(World::finding(file_of(i), 1, fmt::format("f is wrong in file {}", i)));
  const auto issues = world.add(findings);
  FixReport report;
  const double time = seconds([&] { report = world.must_fix(issues); });
  for (const IssueOutcome& outcome : report.issues)
    resolved += outcome.issue.status == IssueStatus::resolved ? 1 : 0;
  return time;
}

} // namespace

int run() {
  World world = make_world();
  world.policy.parallel = 2;
  world.policy.verify_mode = VerifyMode::each;
  world.policy.commands = {{"check", "true", {}, 0}};
  world.fixer(
      "n=${2#BE-}; cat > /dev/null; echo 'int f = 2;' > src/f$n.c; echo "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const double floor = floor_seconds(world);
  int resolved = 0;
  const double session = session_seconds(world, resolved);
  fmt::print("session, {} issues, {} resolved, 2 at a time\n", kIssues, resolved);
  fmt::print("  floor (3 guarded children per issue + bare git)  {:7.3f} s  {:6.1f} ms per issue\n", floor,
             floor * 1000 / kIssues);
  fmt::print("  emend                                            {:7.3f} s  {:6.1f} ms per issue\n", session,
             session * 1000 / kIssues);
  fmt::print("  ratio emend / floor                              {:7.2f}\n", session / floor);
  return resolved == kIssues ? 0 : 1;
}

} // namespace emend::testing_support

int main() { return emend::testing_support::run(); }
