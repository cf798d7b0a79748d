#include "engine/verify/probing.hpp"

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/patch/scope.hpp"
#include "engine/probe/failure_places.hpp"
#include "engine/probe/negation.hpp"
#include "engine/probe/other_value.hpp"
#include "engine/probe/sentinel.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_side.hpp"

namespace emend {
namespace {

Probe probe_of(const Twist& twist, std::string_view kind, const std::string& issue_id,
               const std::string& command) {
  Probe probe;
  probe.issue_id = issue_id;
  probe.command = command;
  probe.kind = kind;
  probe.file = twist.file;
  probe.line = twist.line;
  probe.before = twist.before;
  probe.after = twist.after;
  probe.name = twist.name;
  return probe;
}

// Failed on the base and pass with the fix: those that are known to be its own, else all.
std::vector<std::string> turned_green(const Comparison& comparison, const CommandRun& before,
                                      const CommandRun& now) {
  std::vector<std::string> ids;
  for (const TestOf& test : comparison.repaired)
    if (test.command == now.name) ids.push_back(test.id);
  if (!ids.empty()) return ids;
  for (const auto& [id, state] : before.tests.by_id) {
    const auto found = now.tests.by_id.find(id);
    if (state == kTestFailed && found != now.tests.by_id.end() && found->second == kTestPassed)
      ids.push_back(id);
  }
  return ids;
}

// Where the base failed and the fixed tree does not: what fails in both is somebody else's.
std::vector<Place> repaired_places(const CommandRun& before, const CommandRun& now,
                                   const std::vector<std::string>& tests) {
  std::vector<Place> places = failure_places(before.output, tests);
  const std::vector<Place> still = failure_places(now.output, tests);
  std::erase_if(places, [&](const Place& place) {
    return std::find(still.begin(), still.end(), place) != still.end();
  });
  return places;
}

// Test files as they stand while probes are put into them, one after the other.
class TwistedFiles {
public:
  TwistedFiles(Repository& repository, const std::string& base) : repository_(repository), base_(base) {}

  Result<std::string> text(const std::string& path) {
    if (const auto found = texts_.find(path); found != texts_.end()) return found->second;
    return repository_.read(base_, path);
  }
  void put(const Twist& twist) { texts_[twist.file] = twist.text; }

  Result<Patch> patch() {
    TRY_ASSIGN(const Tree* tree, repository_.tree(base_));
    Patch patch;
    for (const auto& [path, text] : texts_) {
      TRY_ASSIGN(std::string before, repository_.read(base_, path));
      patch.changes.push_back(changed_text(path, tree->find(path)->second, std::move(before), text));
    }
    return patch;
  }

private:
  Repository& repository_;
  const std::string& base_;
  std::map<std::string, std::string> texts_;
};

// Five digits that no program gives by chance.
std::string drawn_digits() {
  const std::string hex = random_hex(4);
  return std::to_string(10'000 + std::stoul(hex, nullptr, 16) % 90'000);
}

std::optional<Probe> turned_around(const Place& place, const std::string& text, bool values,
                                   TwistedFiles& files) {
  std::optional<Twist> twist =
      values ? other_value_at(place.file, text, place.line, drawn_digits()) : std::nullopt;
  const std::string_view kind = twist ? kValue : kNegation;
  if (!twist) twist = negate_at(place.file, text, place.line);
  if (!twist) return std::nullopt;
  files.put(*twist);
  return probe_of(*twist, kind, "", "");
}

// Turns around one place that the fix repaired; nullopt = nothing can be.
Result<std::optional<Probe>> turn_one(const ProbedTree& tree, const ProbedFix& fix,
                                      const std::vector<std::string>& tests, bool values,
                                      TwistedFiles& files) {
  for (const std::string& name : fix.comparison.reproducers) {
    const CommandRun* before = tree.baseline.find(name);
    const CommandRun* now = tree.run.find(name);
    if (before == nullptr || now == nullptr) continue;
    for (const Place& place : repaired_places(*before, *now, tests)) {
      TRY_ASSIGN(const std::string text, files.text(place.file));
      std::optional<Probe> probe = turned_around(place, text, values, files);
      if (!probe) continue;
      probe->issue_id = fix.issue.get().id;
      probe->command = name;
      probe->tests = turned_green(fix.comparison, *before, *now);
      return probe;
    }
  }
  return std::optional<Probe>{};
}

// It speaks by its exit status alone.
bool is_silent(const CommandRun& run) { return run.tests.by_id.empty() && run.tests.passed == 0; }

std::vector<const VerifyCommand*> passing_commands(const Policy& policy, const ProbedTree& tree) {
  std::vector<const VerifyCommand*> passing;
  for (const VerifyCommand& command : policy.commands) {
    const CommandRun* now = tree.run.find(command.name);
    if (now != nullptr && now->passed()) passing.push_back(&command);
  }
  return passing;
}

// The files a command's assertions are looked for in: what it names itself first, then what is called like a
// file of the fix, then any.
std::vector<std::string> near_tests(const VerifyCommand& command, const ProbedTree& tree,
                                    const std::vector<std::string>& tests) {
  constexpr std::size_t kFiles = 20;
  const std::vector<std::string> words = executed_words(command.run);
  std::vector<std::string> near[3];
  for (const std::string& test : tests) {
    const std::string name = fs::path(test).filename().string();
    const bool named = std::find(words.begin(), words.end(), test) != words.end();
    const bool like = std::any_of(
        tree.product.changes.begin(), tree.product.changes.end(),
        [&](const FileChange& change) { return contains(name, fs::path(change.path).stem().string()); });
    near[named ? 0 : like ? 1 : 2].push_back(test);
  }
  std::vector<std::string> chosen;
  for (const auto& paths : near) chosen.insert(chosen.end(), paths.begin(), paths.end());
  if (chosen.size() > kFiles) chosen.resize(kFiles);
  return chosen;
}

// An expectation of the command's own tests, turned around; one that another command has turned counts for
// this one, too.
Result<std::optional<Probe>> guard_one(const VerifyCommand& command, const ProbedTree& tree,
                                       const std::vector<std::string>& tests, TwistedFiles& files,
                                       const std::vector<Probe>& turned) {
  for (const std::string& path : near_tests(command, tree, tests)) {
    const auto known =
        std::find_if(turned.begin(), turned.end(), [&](const Probe& probe) { return probe.file == path; });
    std::optional<Probe> guard;
    if (known != turned.end()) guard = *known;
    TRY_ASSIGN(const std::string text, files.text(path));
    for (const int line : assertion_lines(path, text))
      if (!guard) guard = turned_around({path, line}, text, true, files);
    if (!guard) continue;
    guard->kind = kGuard;
    guard->command = command.name;
    return guard;
  }
  return std::optional<Probe>{};
}

} // namespace

Result<Prober::Plan> Prober::plan(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                  const Manner& manner) {
  TRY_ASSIGN(const std::vector<std::string> tests,
             test_side(context_.ports.repository, context_.policy(), tree.base, tree.product));
  TwistedFiles files(context_.ports.repository, tree.base);
  Plan plan;
  for (const ProbedFix& fix : fixes) {
    TRY_ASSIGN(std::optional<Probe> probe, turn_one(tree, fix, tests, manner.values, files));
    if (probe) plan.probes.push_back(*std::move(probe));
  }
  PathSet watched;
  const std::size_t turned = plan.probes.size();
  for (std::size_t i = 0; manner.sentinels && i < turned; ++i) {
    const Probe probe = plan.probes[i];
    if (probe.tests.empty() || !watched.insert(probe.file).second) continue;
    TRY_ASSIGN(const std::string text, files.text(probe.file));
    const auto sentinel = add_sentinel(probe.file, text, "test_" + random_hex(6));
    if (!sentinel) continue;
    files.put(*sentinel);
    plan.probes.push_back(
        probe_of(*sentinel, kSentinel, fixes.size() == 1 ? probe.issue_id : "", probe.command));
  }
  TRY_ASSIGN(plan.twist, files.patch());
  plan.commands = commands_of(plan.probes, tree);
  return plan;
}

Result<Prober::Plan> Prober::plan_guards(const ProbedTree& tree, const std::vector<ProbedFix>& fixes) {
  TRY_ASSIGN(const std::vector<std::string> tests,
             test_side(context_.ports.repository, context_.policy(), tree.base, tree.product));
  TwistedFiles files(context_.ports.repository, tree.base);
  Plan plan;
  for (const VerifyCommand* command : passing_commands(context_.policy(), tree)) {
    TRY_ASSIGN(std::optional<Probe> guard, guard_one(*command, tree, tests, files, plan.probes));
    for (const ProbedFix& fix : fixes) {
      if (guard) plan.probes.push_back(*guard);
      if (guard) plan.probes.back().issue_id = fix.issue.get().id;
    }
  }
  TRY_ASSIGN(plan.twist, files.patch());
  plan.commands = commands_of(plan.probes, tree);
  return plan;
}

// A check that looks at the files of one fix says nothing of those of another: only for one alone.
Result<Prober::Plan> Prober::plan_breakage(const ProbedTree& tree, const std::vector<ProbedFix>& fixes) {
  Plan plan;
  if (fixes.size() != 1) return plan;
  for (const FileChange& change : tree.product.changes) {
    if (change.deleted()) continue;
    FileChange broken = change;
    broken.old_mode = change.new_mode;
    broken.old_id = change.new_id;
    broken.old_content = change.new_content;
    broken.new_content = ")]} " + random_hex(8) + " <<< \"\n";
    broken.new_id = git_blob_id(broken.new_content, change.new_id.size() == 64 ? "sha256" : "sha1");
    plan.twist.changes.push_back(std::move(broken));
  }
  if (plan.twist.empty()) return plan;
  for (const VerifyCommand* command : passing_commands(context_.policy(), tree)) {
    if (!is_silent(*tree.run.find(command->name))) continue;
    Probe probe;
    probe.issue_id = fixes.front().issue.get().id;
    probe.command = command->name;
    probe.kind = kBreakage;
    probe.file = plan.twist.changes.front().path;
    plan.probes.push_back(std::move(probe));
  }
  plan.commands = commands_of(plan.probes, tree);
  return plan;
}

// Commands share a tree in their order, so those before a probed one belong to it.
std::vector<VerifyCommand> Prober::commands_of(const std::vector<Probe>& probes,
                                               const ProbedTree& tree) const {
  std::vector<VerifyCommand> chosen;
  std::size_t needed = 0;
  for (const VerifyCommand& command : context_.policy().commands) {
    if (tree.run.find(command.name) == nullptr) continue;
    chosen.push_back(command);
    if (std::any_of(probes.begin(), probes.end(),
                    [&](const Probe& probe) { return probe.command == command.name; }))
      needed = chosen.size();
  }
  chosen.resize(needed);
  return chosen;
}

Result<bool> Prober::run(const ProbedTree& tree, const Patch& patch, const Plan& plan, const Issue* issue,
                         std::stop_token stop) {
  TRY_ASSIGN(const Verification run,
             verifier_.run_probes(tree.base, patch, plan.twist, plan.probes, plan.commands, issue, stop));
  return !was_cancelled(run);
}

Result<Probed> Prober::known(const ProbedTree& tree, const Issue& issue) {
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  Probed probed = probed_by(runs, issue.id, tree.base, tree.product.sha256(), tree.run, tree.baseline);
  return probed;
}

// One run as a rule. A failure is held against the base, and seen twice, before it counts.
Result<bool> Prober::settle(const ProbedTree& tree, const std::vector<ProbedFix>& fixes, const Plan& plan,
                            std::stop_token stop) {
  const Issue* issue = fixes.size() == 1 ? &fixes.front().issue.get() : nullptr;
  TRY_ASSIGN(bool ran, run(tree, tree.product, plan, issue, stop));
  for (int rounds = 0; ran && rounds < 2; ++rounds) {
    bool control = false, repeat = false;
    for (const ProbedFix& fix : fixes) {
      TRY_ASSIGN(const Probed probed, known(tree, fix.issue));
      control = control || probed.needs_control;
      repeat = repeat || probed.needs_repeat;
    }
    if (!control && !repeat) return true;
    TRY_ASSIGN(ran, run(tree, control ? Patch{} : tree.product, plan, issue, stop));
  }
  return ran;
}

Result<std::vector<ProbedFix>> Prober::unanswered(const ProbedTree& tree,
                                                  const std::vector<ProbedFix>& fixes) {
  std::vector<ProbedFix> open;
  for (const ProbedFix& fix : fixes) {
    TRY_ASSIGN(const Probed probed, known(tree, fix.issue));
    if (probed.end == Probed::End::nothing) open.push_back(fix);
  }
  return open;
}

// One of several may spoil the run for the others: they are tried again by halves.
Result<bool> Prober::probe_repairs(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                   std::stop_token stop) {
  for (const Manner& manner : {Manner{true, true}, Manner{false, true}, Manner{false, false}}) {
    TRY_ASSIGN(const Plan plan, this->plan(tree, fixes, manner));
    if (plan.probes.empty()) return true;
    TRY_ASSIGN(const bool ran, settle(tree, fixes, plan, stop));
    if (!ran) return false;
    TRY_ASSIGN(const std::vector<ProbedFix> open, unanswered(tree, fixes));
    if (open.empty()) return true;
    if (fixes.size() > 1) {
      const auto middle = open.begin() + static_cast<std::ptrdiff_t>((open.size() + 1) / 2);
      TRY_ASSIGN(const bool first, probe_repairs(tree, {open.begin(), middle}, stop));
      if (!first || middle == open.end()) return first;
      return probe_repairs(tree, {middle, open.end()}, stop);
    }
    if (plan.probes.size() == 1 && plan.probes.front().kind == kNegation) return true; // no less can be asked
  }
  return true;
}

Result<bool> Prober::probe(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                           std::stop_token stop) {
  TRY_ASSIGN(std::vector<ProbedFix> open, unanswered(tree, fixes));
  if (open.empty()) return true;
  TRY_ASSIGN(const bool ran, probe_repairs(tree, open, stop));
  if (!ran) return false;
  TRY_ASSIGN(open, unanswered(tree, open));
  if (open.empty()) return true;
  for (const auto make : {&Prober::plan_guards, &Prober::plan_breakage}) {
    TRY_ASSIGN(const Plan plan, (this->*make)(tree, open));
    if (plan.probes.empty()) continue;
    TRY_ASSIGN(const bool settled, settle(tree, open, plan, stop));
    if (!settled) return false;
    TRY_ASSIGN(open, unanswered(tree, open));
    if (open.empty()) break;
  }
  return true;
}

Result<std::optional<Probed>> Prober::probe(const ProbedTree& tree, const ProbedFix& fix,
                                            std::stop_token stop) {
  TRY_ASSIGN(const bool ran, probe(tree, std::vector{fix}, stop));
  if (!ran) return std::optional<Probed>{};
  TRY_ASSIGN(Probed probed, known(tree, fix.issue));
  return std::optional<Probed>(std::move(probed));
}

} // namespace emend
