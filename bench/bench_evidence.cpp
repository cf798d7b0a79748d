// What the experiments cost: every run of an issue's own check beside the two that any gate needs, for fixes
// of several shapes; runs that a session makes once for all its fixes; and the trees in which inputs near
// that of a hidden check are tried. Each figure stands beside its goal. bench_workspace says what the look of
// one run costs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.hpp"

#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr int kIssues = 10;
constexpr double kMostExtraRuns = 2.6; // an issue, on average over the shapes
constexpr int kMostProbeRuns = 1; // a session whose fixes are checked alone: with values that nobody answers
constexpr int kMostProbeRunsTogether =
    2;                         // one whose fixes are only probed together: also with what the base answers
constexpr int kMostLooks = 1;  // a session, elsewhere: with other values on both sides
constexpr int kMostTrees = 4;  // an issue with a hidden check
constexpr int kNearInTree = 4; // near inputs that share a tree

std::string name_of(int i) { return fmt::format("f{:03}", i); }

// What a fix looks like that makes f double.
struct Shape {
  const char* title;
  const char* change; // of shell; $f is the name of the file
  bool shown = true;  // a test of the issue's own check fails without it
};

const Shape kShapes[] = {
    {"a fix in one place", "sed -i 's/k(n) + 1/n * 2/' src/$f.py"},
    {"a fix of two files that needs both",
     "sed -i 's/k(n) + 1/k(n)/' src/$f.py; sed -i 's/n + 1/n * 2/' src/k_$f.py"},
    {"a fix with a test of its own",
     "sed -i 's/k(n) + 1/n * 2/' src/$f.py; printf '\\n    def test_nine(self):\\n        "
     "self.assertEqual(f(9), "
     "18)\\n' >> tests/test_$f.py"},
    {"a fix of what no test shows", "sed -i 's/k(n) + 1/n * 2/' src/$f.py", false},
};

// Each file adds two where it should double; another test of it passes.
World make_world(bool shown) {
  Files files{{"src/__init__.py", ""}, {"tests/__init__.py", ""}};
  for (int i = 1; i <= kIssues; ++i) {
    const std::string name = name_of(i);
    files["src/k_" + name + ".py"] = "def k(n):\n    return n + 1\n";
    files["src/" + name + ".py"] = "from src.k_" + name + " import k\n\n\ndef f(n):\n    return k(n) + 1\n";
    files["tests/test_" + name + ".py"] = fmt::format(
        "import unittest\nfrom src.{} import f\n\n\nclass Test{}(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual(f(2), 4)\n{}",
        name, i, shown ? "\n    def test_five(self):\n        self.assertEqual(f(5), 10)\n" : "");
  }
  return World(files);
}

struct Seen {
  int resolved = 0;
  std::map<VerificationKind, int> runs; // of an issue's own checks
  std::map<VerificationKind, double> ms;
  std::map<VerificationKind, int> shared; // runs made for all issues together
  int inputs = 0, trees = 0;              // near those of hidden checks
};

// Of the command that was run most: those before it share its trees.
int runs_of(const Verification& run) {
  int most = 0;
  for (const CommandRun& command : run.commands) most = std::max(most, command.runs + command.spent);
  return most;
}

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

Seen session(const std::function<void(World&)>& set_up, const Shape& shape = kShapes[0],
             bool hidden = false) {
  World world = make_world(shape.shown);
  set_up(world);
  world.fixer(std::string("cat > /dev/null; f=f${2#BE-}; ") + shape.change +
              "; echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  std::vector<Finding> findings;
  for (int i = 1; i <= kIssues; ++i)
    findings.push_back(World::finding("src/" + name_of(i) + ".py", 5, "f does not double, in " + name_of(i)));
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
    // What the final tree showed is its own baseline, without another run.
    if (run.kind == VerificationKind::baseline && run.base != report.session.base) continue;
    if (run.issue_id.empty()) seen.shared[run.kind] += runs_of(run);
    seen.inputs += is_near(run.kind) ? static_cast<int>(run.commands.size()) : 0;
    seen.trees +=
        is_near(run.kind) ? static_cast<int>((run.commands.size() + kNearInTree - 1) / kNearInTree) : 0;
    if (run.issue_id.empty() && run.kind != VerificationKind::baseline) continue;
    for (const CommandRun& command : run.commands) {
      seen.runs[run.kind] += command.runs + command.spent;
      seen.ms[run.kind] += static_cast<double>(command.duration_ms);
    }
  }
  return seen;
}

template <typename Number>
double sum_of(const std::map<VerificationKind, Number>& by_kind) {
  double sum = 0;
  for (const auto& [kind, number] : by_kind) sum += static_cast<double>(number);
  return sum;
}

// False: it is not met.
bool print_goal(const std::string& what, double value, double most) {
  const bool met = value <= most;
  fmt::print("  {:48} {:7.2f}  goal {:<4} {}\n", what, value, most, met ? "met" : "NOT MET");
  return met;
}

bool print_session(const Seen& seen, int most_probe_runs) {
  bool met = true;
  for (const auto& [kind, count] : seen.shared) {
    if (kind == VerificationKind::baseline || kind == VerificationKind::combined) continue;
    const int most = kind == VerificationKind::probe       ? most_probe_runs
                     : kind == VerificationKind::elsewhere ? kMostLooks
                                                           : 0;
    met = print_goal(fmt::format("runs for the whole session, {}", to_string(kind)), count, most) && met;
  }
  return met;
}

// The runs of an issue's own check beside those on the base and with the fix, which any gate makes. good: all
// were resolved, and what the session shares is within its goals.
double each_alone(const Shape& shape, bool& good) {
  const Seen seen = session(
      [](World& world) {
        world.policy.verify_mode = VerifyMode::each;
        for (int i = 1; i <= kIssues; ++i)
          world.policy.commands.push_back({name_of(i),
                                           "python3 -m unittest -v tests.test_" + name_of(i),
                                           {"src/" + name_of(i) + ".py"},
                                           0});
      },
      shape);
  const auto ms = [&](VerificationKind kind) { return seen.ms.contains(kind) ? seen.ms.at(kind) : 0.0; };
  const double extra = sum_of(seen.runs) / kIssues - 2;
  const double needed = ms(VerificationKind::baseline) + ms(VerificationKind::alone);
  fmt::print("evidence, {}: {} issues, {} resolved, each checked alone\n", shape.title, kIssues,
             seen.resolved);
  fmt::print("  {:48} {:7.2f}\n", "runs of an issue's own check beside base and fix", extra);
  fmt::print("  ratio of their time                              {:7.2f}\n",
             (sum_of(seen.ms) - needed) / std::max(1.0, needed));
  good = print_session(seen, shape.shown ? kMostProbeRuns : kMostProbeRunsTogether) &&
         seen.resolved == kIssues && good;
  return extra;
}

bool together() {
  const Seen seen = session([](World& world) {
    world.policy.verify_mode = VerifyMode::batch;
    world.policy.commands = {{"all", "python3 -m unittest -v", {}, 0}};
  });
  fmt::print("evidence, {} issues, {} resolved, checked together\n", kIssues, seen.resolved);
  const bool shared = print_session(seen, kMostProbeRunsTogether);
  return seen.resolved == kIssues && shared;
}

// A hidden check an issue, with its near inputs on the base and with the fix.
bool with_near_inputs() {
  const Seen seen = session(
      [](World& world) {
        world.policy.verify_mode = VerifyMode::each;
        world.policy.commands = {{"all", "python3 -m unittest -v", {}, 0}};
      },
      kShapes[0], true);
  fmt::print("evidence, {} issues, {} resolved, each with a hidden check\n", kIssues, seen.resolved);
  fmt::print("  near inputs tried, base and fix                  {:7.2f}  an issue\n",
             static_cast<double>(seen.inputs) / kIssues);
  const bool few =
      print_goal("trees made for them, an issue", static_cast<double>(seen.trees) / kIssues, kMostTrees);
  return seen.resolved == kIssues && few;
}

} // namespace

int run() {
  bool good = true;
  double extra = 0;
  for (const Shape& shape : kShapes) extra += each_alone(shape, good);
  const bool few = print_goal("runs of an issue's own check, beside, on average",
                              extra / static_cast<double>(std::size(kShapes)), kMostExtraRuns);
  const bool batch = together();
  const bool near = with_near_inputs();
  return good && few && batch && near ? 0 : 1;
}

} // namespace emend::testing_support

int main() { return emend::testing_support::run(); }
