// A check that got worse is run once more before it counts against a fix.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/test_report.hpp"
#include "engine/verify/test_side.hpp"
#include "engine/verify/verify.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

constexpr int kMoreBaseRuns = 2; // of a check whose runs with a patch disagree

// Something that passed on the base does not pass any more.
bool got_worse(const CommandRun& before, const CommandRun& now) {
  if (!can_confirm(before) || now.result == CommandResult::cancelled) return false;
  if (before.passed() != now.passed() && before.passed()) return true;
  Verification base, patched;
  base.commands = {before};
  patched.commands = {now};
  const Comparison comparison = compare({{before.name, before.run, {}, 0}}, base, patched);
  return !comparison.failures.empty() || !comparison.lost_tests.empty();
}

bool disagree(const CommandRun& one, const CommandRun& other) {
  return one.passed() != other.passed() || got_worse(one, other) || got_worse(other, one);
}

// The commands of a run that got worse, by their numbers.
std::vector<std::size_t> worse_than(const Verification& known, const Verification& run) {
  std::vector<std::size_t> worse;
  for (std::size_t i = 0; i < run.commands.size(); ++i) {
    const CommandRun* before = known.find(run.commands[i].name);
    if (before != nullptr && got_worse(*before, run.commands[i])) worse.push_back(i);
  }
  return worse;
}

// A check that failed on the base fails in this run, too.
bool fails_still(const Verification& known, const Verification& run) {
  return std::any_of(run.commands.begin(), run.commands.end(), [&](const CommandRun& now) {
    const CommandRun* before = known.find(now.name);
    return before != nullptr && !before->passed() && !now.passed();
  });
}

// What fails on the base fails in this run of it with the same tests, or with the same words where they have
// no names: so it does so for the same reason.
bool fails_alike(const Verification& known, const Verification& run) {
  return std::all_of(run.commands.begin(), run.commands.end(), [&](const CommandRun& now) {
    const CommandRun* before = known.find(now.name);
    if (before == nullptr || before->passed()) return true;
    if (before->result != now.result || before->exit_code != now.exit_code) return false;
    if (before->tests.by_id.empty()) return outline(before->output) == outline(now.output);
    return before->tests.by_id == now.tests.by_id && before->tests.failed == now.tests.failed;
  });
}

bool holds_all(const Patch& all, const Patch& part) {
  return std::all_of(part.changes.begin(), part.changes.end(), [&](const FileChange& change) {
    const FileChange* found = all.find(change.path);
    return found != nullptr && found->new_id == change.new_id;
  });
}

bool judges_fix(VerificationKind kind) {
  return kind == VerificationKind::alone || kind == VerificationKind::combined;
}

void add_run(CommandRun& total, const CommandRun& run) {
  total.runs += run.runs;
  total.passes += run.passes;
  total.duration_ms += run.duration_ms;
}

} // namespace

// Commands share a workspace in order, so those before the ones that got worse are run again, too.
Result<bool> Verifier::run_worse_again(Verification& verification, const Patch& patch,
                                       const std::vector<VerifyCommand>& commands, std::stop_token stop,
                                       const std::string& issue_code, const Patch& twist) {
  const std::shared_ptr<const Verification> known = known_baseline(verification.base);
  if (!known || !judges_fix(verification.kind)) return true;
  std::vector<std::size_t> wavering;
  const std::vector<std::size_t> worse = worse_than(*known, verification);
  if (worse.empty()) return true;
  const std::vector<VerifyCommand> needed(commands.begin(),
                                          commands.begin() + static_cast<std::ptrdiff_t>(worse.back() + 1));
  TRY_ASSIGN(const Verification again,
             execute(verification.kind, verification.base, patch, needed, stop, issue_code, 1, {twist}));
  if (was_cancelled(again)) return false;
  for (const std::size_t i : worse) {
    CommandRun& run = verification.commands[i];
    run.wavers = !got_worse(*known->find(run.name), again.commands[i]);
    add_run(run, again.commands[i]);
    if (run.wavers) wavering.push_back(i);
  }
  if (wavering.empty()) return true;
  std::vector<std::string> names;
  for (const std::size_t i : wavering) names.push_back(verification.commands[i].name);
  return run_base_again(verification.base, needed, names, stop);
}

Result<Patch> Verifier::rewording(VerificationKind kind, const std::string& base, const Patch& patch) {
  if (!judges_fix(kind)) return Patch{};
  const std::lock_guard lock(rewording_mutex_);
  Rewording& rewording = rewordings_[base];
  if (!rewording.patch) {
    TRY_ASSIGN(rewording.patch,
               reworded_tests(context_.ports.repository, context_.policy(), base, rewording.wording));
  }
  Patch twist = *rewording.patch;
  std::erase_if(twist.changes, [&](const FileChange& change) { return patch.find(change.path) != nullptr; });
  return twist;
}

Result<bool> Verifier::base_bears(Verification& run, const std::vector<VerifyCommand>& commands,
                                  const Patch& twist, std::stop_token stop) {
  const std::shared_ptr<const Verification> known = known_baseline(run.base);
  if (twist.empty() || !known || (worse_than(*known, run).empty() && !fails_still(*known, run))) return true;
  const std::lock_guard lock(rewording_mutex_); // whoever waits here needs the same answer
  Rewording& rewording = rewordings_[run.base];
  if (rewording.borne) return true;
  if (!rewording.patch || !holds_all(*rewording.patch, twist)) return false; // less was found to be too much
  TRY_ASSIGN(const Verification control, execute(VerificationKind::baseline, run.base, Patch{}, commands,
                                                 stop, {}, 1, {*rewording.patch}));
  if (was_cancelled(control)) return true;
  for (std::size_t i = 0; i < run.commands.size(); ++i) run.commands[i].spent += control.commands[i].runs;
  rewording.borne = worse_than(*known, control).empty() &&
                    (rewording.wording != Wording::rephrased || fails_alike(*known, control));
  if (rewording.borne) return true;
  rewording.wording = rewording.wording == Wording::rephrased ? Wording::commented : Wording::same;
  rewording.patch.reset();
  return false;
}

// Did the patch make the checks waver, or do they waver on the base, too? Then they are of no use.
Result<bool> Verifier::run_base_again(const std::string& base, const std::vector<VerifyCommand>& commands,
                                      const std::vector<std::string>& names, std::stop_token stop) {
  const auto whole = baseline(base, stop);
  if (!whole && whole.error().code == ErrorCode::cancelled) return false;
  TRY(whole);
  Verification updated = **whole;
  const auto find = [&](const std::string& name) {
    return std::find_if(updated.commands.begin(), updated.commands.end(),
                        [&](const CommandRun& run) { return run.name == name; });
  };
  const auto all_waver = [&] {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return find(name)->wavers; });
  };
  for (int n = 0; n < kMoreBaseRuns && !all_waver(); ++n) {
    TRY_ASSIGN(const Verification again, execute(VerificationKind::baseline, base, Patch{}, commands, stop));
    if (was_cancelled(again)) return false;
    for (const std::string& name : names) {
      CommandRun& run = *find(name);
      if (run.wavers) continue;
      run.wavers = disagree(run, *again.find(name));
      add_run(run, *again.find(name));
    }
  }
  for (const std::string& name : names)
    if (find(name)->wavers)
      context_.notice(
          fmt::format("`{}` passes and fails on the same tree: on the base commit {} of {} runs passed. Its "
                      "results are not used in this session. To use it, make it reliable.",
                      name, find(name)->passes, find(name)->runs));
  updated.id = new_uuid();
  updated.started_ms = context_.ports.clock.wall_ms();
  Change change;
  change.verifications.push_back(updated);
  TRY(context_.log.apply(std::move(change)));
  const std::lock_guard lock(baseline_mutex_);
  baselines_[base] = std::make_shared<const Verification>(std::move(updated));
  return true;
}

std::shared_ptr<const Verification> Verifier::known_baseline(const std::string& commit) {
  const std::lock_guard lock(baseline_mutex_);
  const auto found = baselines_.find(commit);
  if (found != baselines_.end()) return found->second;
  return base_run_ && base_run_->commit() == commit ? base_run_->seen() : nullptr;
}

// A session that is resumed knows what wavered before.
Result<std::shared_ptr<const Verification>> Verifier::wavering_baseline(const std::string& commit) {
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (run->kind == VerificationKind::baseline && run->base == commit &&
        std::any_of(run->commands.begin(), run->commands.end(), [](const CommandRun& c) { return c.wavers; }))
      return std::make_shared<const Verification>(*run);
  return std::shared_ptr<const Verification>();
}

} // namespace emend
