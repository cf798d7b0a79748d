// What the experiments cost: runs of an issue's own check beside the two that any gate needs, those with a
// coverage tool among them; probe runs of a session whose fixes are checked together; and the trees in which
// inputs near that of a hidden check are tried. bench_workspace says what the look of one run costs.
#include <fmt/format.h>

#include <map>

#include "base/hash.hpp"

#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr int kIssues = 10;
constexpr double kMostExtraRuns = 2.6; // an issue, in docs/evidence.md
constexpr int kNearInTree = 4;         // near inputs that share a tree

std::string name_of(int i) { return fmt::format("f{:03}", i); }

// Each file adds two where it should double; its own test fails because of that, another one passes.
World make_world() {
  Files files{{"src/__init__.py", ""}, {"tests/__init__.py", ""}};
  for (int i = 1; i <= kIssues; ++i) {
    const std::string name = name_of(i);
    files["src/" + name + ".py"] = "def f(n):\n    return n + 2\n";
    files["tests/test_" + name + ".py"] = fmt::format(
        "import unittest\nfrom src.{} import f\n\n\nclass Test{}(unittest.TestCase):\n"
        "    def test_five(self):\n        self.assertEqual(f(5), 10)\n\n"
        "    def test_two(self):\n        self.assertEqual(f(2), 4)\n",
        name, i);
  }
  return World(files);
}

struct Seen {
  int resolved = 0;
  std::map<VerificationKind, int> runs; // of an issue's own checks
  std::map<VerificationKind, double> ms;
  std::map<VerificationKind, int> shared; // made once for all issues
  int inputs = 0, trees = 0;              // near those of hidden checks
};

bool is_near(VerificationKind kind) {
  return kind == VerificationKind::near_base || kind == VerificationKind::near_patched;
}

// Prints what f answers; the right value is known outside only.
Reproducer hidden_check(const Issue& issue) {
  const std::string module = fs::path(issue.finding.file).stem().string();
  const std::string text = "import sys\nsys.path.insert(0, '.')\nfrom src." + module +
                           " import f\nprint(sys.argv[1], 'answer', f(7))\n";
  Reproducer check;
  check.id = new_uuid();
  check.issue_id = issue.id;
  check.command = "python3 checks/values.py \"$1\"";
  check.files.changes = {
      FileChange{"checks/values.py", 0, kModeFile, "", git_blob_id(text, "sha1"), "", text}};
  check.expected = {{"answer", "14", false, false}};
  return check;
}

Seen session(const std::function<void(World&)>& set_up, bool hidden = false) {
  World world = make_world();
  set_up(world);
  world.fixer(
      "cat > /dev/null; sed -i 's/n + 2/n * 2/' src/f${2#BE-}.py; echo "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  std::vector<Finding> findings;
  for (int i = 1; i <= kIssues; ++i)
    findings.push_back(World::finding("src/" + name_of(i) + ".py", 2, "f does not double, in " + name_of(i)));
  const std::vector<Issue> issues = world.add(findings);
  Change checks;
  for (const Issue& issue : issues)
    if (hidden) checks.reproducers.push_back(hidden_check(issue));
  if (hidden) must(world.store().apply(checks, 1));
  const FixReport report = world.must_fix(issues);
  Seen seen;
  for (const IssueOutcome& outcome : report.issues)
    seen.resolved += outcome.issue.status == IssueStatus::resolved ? 1 : 0;
  for (const Verification& run : must(world.store().verifications(report.session.id))) {
    if (run.issue_id.empty()) ++seen.shared[run.kind];
    seen.inputs += is_near(run.kind) ? static_cast<int>(run.commands.size()) : 0;
    seen.trees +=
        is_near(run.kind) ? static_cast<int>((run.commands.size() + kNearInTree - 1) / kNearInTree) : 0;
    const bool first_base = run.kind == VerificationKind::baseline && seen.shared[run.kind] == 1;
    if (run.issue_id.empty() && !first_base) continue;
    for (const CommandRun& command : run.commands) {
      seen.runs[run.kind] += command.runs;
      seen.ms[run.kind] += static_cast<double>(command.duration_ms);
    }
  }
  return seen;
}

// An issue's own check, with everything that is asked of it.
bool each_alone() {
  Seen seen = session([](World& world) {
    world.policy.verify_mode = VerifyMode::each;
    for (int i = 1; i <= kIssues; ++i)
      world.policy.commands.push_back(
          {name_of(i), "python3 -m unittest -v tests.test_" + name_of(i), {"src/" + name_of(i) + ".py"}, 0});
  });
  const auto total = [](const auto& by_kind, std::initializer_list<VerificationKind> kinds) {
    double sum = 0;
    for (const VerificationKind kind : kinds)
      if (const auto found = by_kind.find(kind); found != by_kind.end()) sum += found->second;
    return sum;
  };
  const auto needed = {VerificationKind::baseline, VerificationKind::alone};
  const auto added = {VerificationKind::without_patch, VerificationKind::probe,
                      VerificationKind::own_tests_base, VerificationKind::coverage};
  const double extra = total(seen.runs, added) / kIssues;
  fmt::print("evidence, {} issues, {} resolved, each checked alone\n", kIssues, seen.resolved);
  fmt::print("  runs of an issue's own check, base and fix       {:7.2f}\n",
             total(seen.runs, needed) / kIssues);
  fmt::print("  runs that the experiments add                    {:7.2f}  (at most {})\n", extra,
             kMostExtraRuns);
  fmt::print("  ratio of their time                              {:7.2f}\n",
             total(seen.ms, added) / std::max(1.0, total(seen.ms, needed)));
  fmt::print("  runs with probes, for the whole session          {:7}\n",
             seen.shared[VerificationKind::probe]);
  return seen.resolved == kIssues && extra <= kMostExtraRuns;
}

bool together() {
  Seen seen = session([](World& world) {
    world.policy.verify_mode = VerifyMode::batch;
    world.policy.commands = {{"all", "python3 -m unittest -v", {}, 0}};
  });
  fmt::print("evidence, {} issues, {} resolved, checked together\n", kIssues, seen.resolved);
  fmt::print("  runs with probes, for the whole session          {:7}\n",
             seen.shared[VerificationKind::probe]);
  return seen.resolved == kIssues;
}

// A hidden check an issue, with its near inputs on the base and with the fix.
bool with_near_inputs() {
  const Seen seen = session(
      [](World& world) {
        world.policy.verify_mode = VerifyMode::each;
        world.policy.commands = {{"all", "python3 -m unittest -v", {}, 0}};
      },
      true);
  fmt::print("evidence, {} issues, {} resolved, each with a hidden check\n", kIssues, seen.resolved);
  fmt::print("  near inputs tried, base and fix                  {:7.2f}  an issue\n",
             static_cast<double>(seen.inputs) / kIssues);
  fmt::print("  trees made for them                              {:7.2f}  an issue\n",
             static_cast<double>(seen.trees) / kIssues);
  return seen.resolved == kIssues && seen.trees <= 4 * kIssues;
}

} // namespace

int run() {
  const bool alone = each_alone();
  const bool batch = together();
  const bool near = with_near_inputs();
  return alone && batch && near ? 0 : 1;
}

} // namespace emend::testing_support

int main() { return emend::testing_support::run(); }
