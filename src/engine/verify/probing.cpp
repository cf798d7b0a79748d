#include "engine/verify/probing.hpp"

#include <algorithm>
#include <cctype>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/patch/scope.hpp"
#include "engine/probe/sentinel.hpp"
#include "engine/verify/test_side.hpp"
#include "engine/verify/turning.hpp"

namespace emend {
namespace {

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
  return chosen;
}

// Tests whose names have a word of the issues first: such as that of a function.
std::vector<std::string> likeliest_first(std::vector<std::string> ids, const std::vector<ProbedFix>& fixes) {
  std::string said;
  for (const ProbedFix& fix : fixes)
    said += fix.issue.get().finding.title + " " + fix.issue.get().finding.description + " ";
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto likeness = [&](const std::string& id) {
    std::size_t longest = 0;
    for (std::size_t begin = 0, end = 0; begin < said.size(); begin = end + 1) {
      for (end = begin; end < said.size() && is_word(said[end]);) ++end;
      if (end - begin > longest && contains(id, std::string_view(said).substr(begin, end - begin)))
        longest = end - begin;
    }
    return longest;
  };
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (std::string& id : ids) ranked.emplace_back(likeness(id), std::move(id));
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::move(ranked[i].second);
  return ids;
}

// Whether this very place was turned for this command before.
bool was_turned(const std::vector<Verification>& runs, const Probe& probe) {
  return std::any_of(runs.begin(), runs.end(), [&](const Verification& run) {
    return std::any_of(run.probes.begin(), run.probes.end(), [&](const Probe& known) {
      return known.command == probe.command && known.file == probe.file && known.line == probe.line;
    });
  });
}

} // namespace

// Of the commands that show the issue, the first in which something can be turned around.
Result<std::optional<Probe>> Prober::turn_one(const ProbedTree& tree, const ProbedFix& fix, const Ask& ask,
                                              TwistedFiles& files) {
  TRY_ASSIGN(const std::vector<std::string> tests,
             test_side(context_.ports.repository, context_.policy(), tree.base, tree.product));
  std::vector<std::reference_wrapper<const VerifyCommand>> commands;
  for (const bool reproduces : {true, false}) {
    if (!reproduces && !ask.others) continue;
    const auto& own = fix.comparison.reproducers;
    for (const VerifyCommand& command : context_.policy().commands)
      if ((std::find(own.begin(), own.end(), command.name) != own.end()) == reproduces)
        commands.emplace_back(command);
  }
  for (const VerifyCommand& command : commands) {
    const CommandRun* before = tree.baseline.find(command.name);
    const CommandRun* now = tree.run.find(command.name);
    if (before == nullptr || now == nullptr || before->passed()) continue;
    TRY_ASSIGN(std::optional<Probe> probe,
               turn_repaired({*before, *now}, fix.comparison, near_tests(command, tree, tests),
                             fix.issue.get().finding.file, ask.turn, files));
    if (!probe) continue;
    probe->issue_id = fix.issue.get().id;
    probe->command = command.name;
    return probe;
  }
  return std::optional<Probe>{};
}

// Several fixes share what is turned for those that have nothing of their own, in a file where nothing is
// turned yet.
Status Prober::add_others(const ProbedTree& tree, const std::vector<ProbedFix>& fixes, const Ask& ask,
                          TwistedFiles& files, std::vector<Probe>& probes) {
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  PathSet taken, own;
  for (const Probe& probe : probes) {
    taken.insert(probe.file);
    own.insert(probe.issue_id);
  }
  std::optional<Probe> shared;
  for (const ProbedFix& fix : fixes) {
    if (own.contains(fix.issue.get().id)) continue;
    if (!shared) {
      TwistedFiles scratch(context_.ports.repository, tree.base);
      TRY_ASSIGN(shared, turn_one(tree, fix, ask, scratch));
      if (!shared || taken.contains(shared->file)) return {};
      if (ask.turn == Turn::other && !was_turned(runs, *shared)) return {};
      TRY_ASSIGN(shared, turn_one(tree, fix, ask, files));
      if (!shared) return {};
      const bool repair = shared->kind == kValue || shared->kind == kNegation;
      if (fixes.size() > 1 && repair) shared->kind = kOthers;
    }
    shared->issue_id = fix.issue.get().id;
    probes.push_back(*shared);
  }
  return {};
}

Result<Prober::Plan> Prober::plan(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                  const Manner& manner) {
  TwistedFiles files(context_.ports.repository, tree.base);
  Plan plan;
  for (const ProbedFix& fix : fixes) {
    TRY_ASSIGN(std::optional<Probe> probe, turn_one(tree, fix, {manner.turn}, files));
    if (probe) plan.probes.push_back(*std::move(probe));
  }
  if (fixes.size() > 1) TRY(add_others(tree, fixes, {manner.turn, true}, files, plan.probes));
  PathSet watched;
  const std::size_t turned = plan.probes.size();
  for (std::size_t i = 0; manner.sentinels && i < turned; ++i) {
    const Probe probe = plan.probes[i];
    if (probe.tests.empty() || !watched.insert(probe.file).second) continue;
    TRY_ASSIGN(const std::string text, files.text(probe.file));
    const auto sentinel = add_sentinel(probe.file, text, "test_" + random_hex(6));
    if (!sentinel) continue;
    files.put(*sentinel);
    const bool shared = std::any_of(plan.probes.begin(), plan.probes.end(), [&](const Probe& other) {
      return other.file == probe.file && other.issue_id != probe.issue_id;
    });
    plan.probes.push_back(probe_of(*sentinel, kSentinel, shared ? "" : probe.issue_id, probe.command));
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
  for (const VerifyCommand& command : context_.policy().commands) {
    const CommandRun* before = tree.baseline.find(command.name);
    const CommandRun* now = tree.run.find(command.name);
    if (before == nullptr || now == nullptr) continue;
    const std::vector<std::string> near = near_tests(command, tree, tests);
    // What failed there before a fix alone speaks first, whoever it belongs to: it is likeliest to be made to
    // pass. Where the command goes on failing, what else it says is believed only of tests that passed since.
    std::optional<Probe> guard;
    const Comparison& seen = fixes.front().comparison;
    const auto& own = seen.reproducers; // these had their turn
    const bool unknown = fixes.size() == 1 && std::find(own.begin(), own.end(), command.name) == own.end();
    if (!before->passed() && (unknown || !now->passed())) {
      TwistedFiles scratch(context_.ports.repository, tree.base);
      TRY_ASSIGN(guard, turn_repaired({*before, *now}, seen, near, "", Turn::answered, scratch));
      if (guard && now->passed() && guard->kind == kSentinel) guard.reset(); // it says nothing of that test
      if (guard) {
        TRY_ASSIGN(guard, turn_repaired({*before, *now}, seen, near, "", Turn::answered, files));
      }
    }
    if (!guard && now->passed()) {
      TRY_ASSIGN(guard, turn_guard(*now, near, plan.probes, files));
    }
    for (const ProbedFix& fix : fixes) {
      if (!guard) continue;
      guard->issue_id = fix.issue.get().id;
      guard->command = command.name;
      plan.probes.push_back(*guard);
    }
  }
  TRY_ASSIGN(plan.twist, files.patch());
  plan.commands = commands_of(plan.probes, tree);
  return plan;
}

// Of the first command that has any: what a change reads, it reads for all of them.
Result<Prober::Plan> Prober::plan_data(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                       std::size_t most) {
  TRY_ASSIGN(const std::vector<std::string> tests,
             test_side(context_.ports.repository, context_.policy(), tree.base, tree.product));
  TwistedFiles files(context_.ports.repository, tree.base);
  Plan plan;
  for (const VerifyCommand& command : context_.policy().commands) {
    const CommandRun* now = tree.run.find(command.name);
    if (now == nullptr) continue;
    TRY_ASSIGN(std::vector<Probe> turned, turn_data_of(likeliest_first(passing_tests(*now), fixes),
                                                       near_tests(command, tree, tests), most, files));
    for (Probe& probe : turned) {
      probe.command = command.name;
      for (const ProbedFix& fix : fixes) {
        probe.issue_id = fix.issue.get().id;
        plan.probes.push_back(probe);
      }
    }
    if (!plan.probes.empty()) break;
  }
  TRY_ASSIGN(plan.twist, files.patch());
  plan.commands = commands_of(plan.probes, tree);
  return plan;
}

// A check that looks at the files of one fix says nothing of those of another: only for one alone.
Result<Prober::Plan> Prober::plan_breakage(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                           const std::set<std::string>& alive) {
  Plan plan;
  if (fixes.size() != 1) return plan;
  plan.twist = unreadable(tree.product);
  if (plan.twist.empty()) return plan;
  for (const VerifyCommand* command : passing_commands(context_.policy(), tree)) {
    const auto& own = fixes.front().comparison.reproducers;
    const bool needed = alive.empty() || std::find(own.begin(), own.end(), command->name) != own.end();
    const bool known = alive.contains(command->name);
    if (!needed || known || !is_silent(*tree.run.find(command->name))) continue;
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

Experiment Prober::experiment(const ProbedTree& tree, const Plan& plan) {
  Experiment plain{.twist = plan.twist};
  const bool breaks = std::any_of(plan.probes.begin(), plan.probes.end(),
                                  [](const Probe& probe) { return probe.kind == kBreakage; });
  if (tree.measured == nullptr || carried_ || breaks) return plain;
  carried_ = true;
  return tree.measured->carried_by(std::move(plain));
}

Result<bool> Prober::run(const ProbedTree& tree, const Patch& patch, const Plan& plan, const Issue* issue,
                         std::stop_token stop) {
  TRY_ASSIGN(const Verification run, verifier_.run_probes(tree.base, patch, experiment(tree, plan),
                                                          plan.probes, plan.commands, issue, stop));
  return !was_cancelled(run);
}

Result<std::vector<Verification>> Prober::runs_about(const ProbedTree& tree) const {
  const auto on = [&](const std::string& patch_sha256) {
    return context_.ports.store.verifications(context_.session.id, patch_sha256);
  };
  TRY_ASSIGN(std::vector<Verification> runs, on(tree.product.sha256()));
  TRY_ASSIGN(std::vector<Verification> controls, on(""));
  std::move(controls.begin(), controls.end(), std::back_inserter(runs));
  return runs;
}

Result<Probed> Prober::known(const ProbedTree& tree, const Issue& issue) const {
  TRY_ASSIGN(const std::vector<Verification> runs, runs_about(tree));
  return probed_by(runs, issue.id, tree.base, tree.product.sha256(), tree.run, tree.baseline);
}

// One run as a rule. A failure is held against the base, and seen twice, before it counts.
Result<bool> Prober::settle(const ProbedTree& tree, const std::vector<ProbedFix>& fixes, const Plan& plan,
                            std::stop_token stop) {
  const Issue* issue = fixes.size() == 1 ? &fixes.front().issue.get() : nullptr;
  TRY_ASSIGN(bool ran, run(tree, tree.product, plan, issue, stop));
  for (int rounds = 0; ran && rounds < 2; ++rounds) {
    bool control = false, repeat = false;
    TRY_ASSIGN(const std::vector<Verification> runs, runs_about(tree));
    const std::string product = tree.product.sha256();
    for (const ProbedFix& fix : fixes) {
      const Probed probed = probed_by(runs, fix.issue.get().id, tree.base, product, tree.run, tree.baseline);
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
  TRY_ASSIGN(const std::vector<Verification> runs, runs_about(tree));
  const std::string product = tree.product.sha256();
  std::vector<ProbedFix> open;
  for (const ProbedFix& fix : fixes) {
    const Probed probed = probed_by(runs, fix.issue.get().id, tree.base, product, tree.run, tree.baseline);
    if (probed.end == Probed::End::nothing) open.push_back(fix);
  }
  return open;
}

// One of several may spoil the run for the others: they are tried again by halves.
Result<bool> Prober::probe_repairs(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                   std::stop_token stop) {
  for (const Manner& manner :
       {Manner{Turn::answered, true}, Manner{Turn::negated, true}, Manner{Turn::negated, false}}) {
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
    const auto can_be_less = [](const Probe& probe) {
      return probe.kind == kValue || probe.kind == kSentinel;
    };
    if (std::none_of(plan.probes.begin(), plan.probes.end(), can_be_less)) return true;
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
  TRY_ASSIGN(const Plan guards, plan_guards(tree, open));
  if (!guards.probes.empty()) {
    TRY_ASSIGN(const bool settled, settle(tree, open, guards, stop));
    if (!settled) return false;
  }
  TRY_ASSIGN(const Probed seen, known(tree, open.front().issue));
  TRY_ASSIGN(const Plan breakage, plan_breakage(tree, open, seen.alive));
  return breakage.probes.empty() ? Result<bool>(true) : settle(tree, open, breakage, stop);
}

Result<bool> Prober::named_tests(const ProbedTree& tree, const Plan& plan) const {
  TRY_ASSIGN(const std::vector<Verification> runs, runs_about(tree));
  const std::string product = tree.product.sha256();
  return std::any_of(runs.begin(), runs.end(), [&](const Verification& run) {
    const CommandRun* probed = run.find(plan.probes.front().command);
    return run.patch_sha256 == product && run.probes == plan.probes && probed != nullptr &&
           !probed->tests.by_id.empty();
  });
}

// A program that stops at its first failure and names nothing says nothing of several: then of one.
Result<bool> Prober::probe_data(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                std::stop_token stop) {
  constexpr std::size_t kTests = 30;
  for (const std::size_t most : {kTests, std::size_t{1}}) {
    TRY_ASSIGN(const Plan data, plan_data(tree, fixes, most));
    if (data.probes.empty()) return true;
    TRY_ASSIGN(const bool ran, settle(tree, fixes, data, stop));
    if (!ran) return false;
    TRY_ASSIGN(const bool named, named_tests(tree, data));
    if (named) return true;
  }
  return true;
}

// Only where the first turn was: there the check is known to look. Another file may be none of its own.
Result<bool> Prober::probe_otherwise(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                     std::stop_token stop) {
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  TwistedFiles files(context_.ports.repository, tree.base);
  Plan plan;
  for (const ProbedFix& fix : fixes) {
    TwistedFiles scratch(context_.ports.repository, tree.base);
    TRY_ASSIGN(std::optional<Probe> probe, turn_one(tree, fix, {Turn::other}, scratch));
    if (!probe || !was_turned(runs, *probe)) continue;
    TRY_ASSIGN(probe, turn_one(tree, fix, {Turn::other}, files));
    if (probe) plan.probes.push_back(*std::move(probe));
  }
  TRY(add_others(tree, fixes, {Turn::other, true}, files, plan.probes));
  if (plan.probes.empty()) return true;
  TRY_ASSIGN(plan.twist, files.patch());
  plan.commands = commands_of(plan.probes, tree);
  return settle(tree, fixes, plan, stop);
}

Result<std::optional<Probed>> Prober::probe(const ProbedTree& tree, const ProbedFix& fix,
                                            std::stop_token stop) {
  TRY_ASSIGN(bool ran, probe(tree, std::vector{fix}, stop));
  if (ran) {
    TRY_ASSIGN(ran, probe_data(tree, {fix}, stop));
  }
  if (!ran) return std::optional<Probed>{};
  TRY_ASSIGN(Probed probed, known(tree, fix.issue));
  return std::optional<Probed>(std::move(probed));
}

} // namespace emend
