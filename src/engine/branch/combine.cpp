#include "engine/branch/combine.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>

#include "base/strings.hpp"
#include "engine/branch/culprits.hpp"
#include "engine/patch/scope.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/elsewhere.hpp"

namespace emend {
namespace {

// The commands that count for at least one of the fixes or for one that is committed already, and all that
// pass on the base: whatever its paths say, a fix of another file must not break them.
std::vector<VerifyCommand> commands_of(const Policy& policy, const std::vector<AcceptedFix>& fixes,
                                       const std::vector<Issue>& settled, const Verification& baseline) {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : policy.commands) {
    const CommandRun* before = baseline.find(command.name);
    const bool wanted =
        (before != nullptr && before->passed()) ||
        std::any_of(fixes.begin(), fixes.end(),
                    [&](const AcceptedFix& fix) { return command.applies_to(fix.issue.finding.file); }) ||
        std::any_of(settled.begin(), settled.end(),
                    [&](const Issue& issue) { return command.applies_to(issue.finding.file); });
    if (wanted) chosen.push_back(command);
  }
  return chosen;
}

std::vector<VerifyCommand> commands_in(const Policy& policy, const Verification& run) {
  std::vector<VerifyCommand> chosen = policy.commands;
  std::erase_if(chosen, [&](const VerifyCommand& command) { return run.find(command.name) == nullptr; });
  return chosen;
}

// Tries some of a list of fixes whose combination fails one of its checks.
class Bisection {
public:
  Bisection(RunContext& context, Verifier& verifier, Rescanner& rescanner, Reproduction& reproduction,
            const CombineOrder& order, std::stop_token stop)
      : context_(context),
        verifier_(verifier),
        rescanner_(rescanner),
        reproduction_(reproduction),
        order_(order),
        stop_(stop) {}

  struct Outcome {
    bool passed = false;
    bool cancelled = false;
    std::string detail, failure;
    bool elsewhere = false;                       // it passes here
    std::optional<Verification> run = {};         // what the outcome was read from
    std::optional<Verification> product_run = {}; // the same without the tests the fixes bring along
  };
  using Check = Result<Outcome> (Bisection::*)(const std::vector<AcceptedFix>& fixes, std::size_t n);

  // Merged patch of the first n fixes. Conflicts were sorted out before, so merging succeeds.
  Result<Patch> merged(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    Patch patch;
    for (std::size_t i = 0; i < n; ++i) {
      TRY_ASSIGN(std::optional<Patch> next, context_.ports.repository.merge(patch, fixes[i].attempt.patch));
      if (!next) return fail(ErrorCode::internal, "a combination that merged before does not merge now");
      patch = *std::move(next);
    }
    return patch;
  }

  // A merged patch of these fixes without the tests they bring along.
  Result<Patch> product_of(const std::vector<AcceptedFix>& fixes, const Patch& patch) {
    TRY_ASSIGN(const std::vector<OpenedTest> opened, opened_for(fixes));
    return product_side(patch, issue_files(fixes), opened);
  }

  // The checks on the first n fixes together, here and elsewhere.
  Result<Outcome> verify(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    TRY_ASSIGN(Outcome outcome, verify_here(fixes, n));
    if (!outcome.passed || !outcome.run) return outcome;
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    TRY_ASSIGN(const Verification there,
               run_elsewhere(context_, verifier_, {order_.base, patch, *outcome.run},
                             commands_in(context_.policy(), *outcome.run), stop_));
    if (was_cancelled(there)) return Outcome{false, true, {}, {}};
    const std::vector<std::string> red = fails_elsewhere(*outcome.run, there);
    if (red.empty()) return outcome;
    outcome.passed = false;
    outcome.elsewhere = true;
    outcome.detail = join(red, "; ");
    for (const CommandRun& run : there.commands)
      if (!run.passed() && outcome.failure.empty()) outcome.failure = run.output;
    return outcome;
  }

  Result<Outcome> verify_here(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    const std::vector<AcceptedFix> subset(fixes.begin(), fixes.begin() + static_cast<std::ptrdiff_t>(n));
    if (context_.policy().commands.empty() || n == 0) return Outcome{true, false, {}, {}};
    auto baseline = verifier_.baseline(order_.base, stop_);
    if (!baseline && baseline.error().code == ErrorCode::cancelled) return Outcome{false, true, {}, {}};
    TRY(baseline);
    const auto commands = commands_of(context_.policy(), subset, order_.settled, **baseline);
    if (commands.empty()) return Outcome{true, false, {}, {}};
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    TRY_ASSIGN(const std::optional<Verification> run, run_on(patch, commands, subset));
    if (!run) return Outcome{false, true, {}, {}};
    TRY_ASSIGN(const auto checked, verifier_.baseline(order_.base, stop_)); // a check may waver since
    Outcome outcome = outcome_of(compare(commands, *checked, *run, about(subset)), "");
    outcome.run = run;
    if (!outcome.passed) return outcome;
    // The tests the fixes bring along must not be what makes the existing ones pass.
    TRY_ASSIGN(const Patch product, product_of(subset, patch));
    outcome.product_run = outcome.run;
    if (product.sha256() == patch.sha256()) return outcome;
    TRY_ASSIGN(const bool seen, run_own_tests(tests_side(patch, issue_files(subset)), commands, subset));
    if (!seen) return Outcome{false, true, {}, {}};
    if (product.empty()) return outcome;
    TRY_ASSIGN(const std::optional<Verification> without, run_on(product, commands, subset));
    if (!without) return Outcome{false, true, {}, {}};
    TRY_ASSIGN(const auto again, verifier_.baseline(order_.base, stop_));
    About left;
    left.left = about(subset).left;
    Outcome frozen = outcome_of(compare(commands, *again, *without, left), "without the tests it adds: ");
    frozen.run = std::move(outcome.run);
    frozen.product_run = without;
    return frozen;
  }

  // The analyzers on the whole: everything the session changes, against the base the findings were seen on.
  // Passed: nothing new counts against one of the fixes. Findings that stayed are named in the record.
  Result<Outcome> rescan(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    std::vector<const Issue*> issues;
    for (const Issue& issue : order_.settled)
      if (rescanner_.can_judge(issue)) issues.push_back(&issue);
    const std::size_t old = issues.size();
    for (std::size_t i = 0; i < n; ++i)
      if (rescanner_.can_judge(fixes[i].issue)) issues.push_back(&fixes[i].issue);
    if (issues.size() == old) return Outcome{true, false, {}, {}};
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    TRY_ASSIGN(std::optional<Verification> run,
               rescanner_.run(context_.session.base, compose(order_.before, patch), issues, nullptr, stop_));
    if (!run) return Outcome{false, true, {}, {}};
    Outcome outcome;
    outcome.passed = true;
    for (const Issue* issue : issues) {
      const std::vector<SeenFinding> fresh = fresh_against(*run->rescan, issue->finding.severity, patch);
      if (fresh.empty() || !touched(fixes, n, fresh.front().file)) continue;
      outcome.passed = false;
      outcome.detail = fmt::format("{} reports {} at {}:{}, which is new", fresh.front().analyzer,
                                   fresh.front().rule, fresh.front().file, fresh.front().line);
    }
    outcome.run = std::move(run);
    return outcome;
  }

  // Every reproducer of what is in the tree, the commits before included, must be green in it.
  Result<Outcome> reproduce(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    std::vector<const Issue*> issues;
    for (const Issue& issue : order_.settled) issues.push_back(&issue);
    for (std::size_t i = 0; i < n; ++i) issues.push_back(&fixes[i].issue);
    for (const Issue* issue : issues) {
      TRY_ASSIGN(const std::optional<bool> green,
                 reproduction_.stays_green(*issue, order_.base, patch, stop_));
      if (!green) return Outcome{false, true, {}, {}};
      if (!*green)
        return Outcome{
            false, false, "the reproducer of " + issue->code + " does not pass with all fixes together", {}};
    }
    return Outcome{true, false, {}, {}};
  }

  // The length of the shortest known prefix that fails while the one before it passes; all of `fixes` is
  // known to fail, and the first `good` to pass.
  Result<std::size_t> first_bad(const std::vector<AcceptedFix>& fixes, std::size_t good, Check check,
                                Outcome& outcome) {
    std::size_t bad = fixes.size();
    while (bad - good > 1) {
      const std::size_t middle = good + (bad - good) / 2;
      TRY_ASSIGN(Outcome tried, (this->*check)(fixes, middle));
      if (tried.cancelled) {
        outcome = std::move(tried);
        return bad;
      }
      if (tried.passed)
        good = middle;
      else {
        bad = middle;
        outcome = std::move(tried);
      }
    }
    return bad;
  }

  // Fixes that the failure speaks against: it names a file they change, or the check that fails is scoped to
  // it.
  [[nodiscard]] Group suspects(const std::vector<AcceptedFix>& fixes, const Outcome& outcome) const {
    const std::string text = outcome.detail + "\n" + outcome.failure;
    Group found;
    for (std::size_t i = 0; i < fixes.size(); ++i) {
      const auto& changes = fixes[i].attempt.patch.changes;
      if (std::any_of(changes.begin(), changes.end(), [&](const FileChange& change) {
            return contains(text, change.path) || fails_scoped(outcome, change.path);
          }))
        found.push_back(i);
    }
    return found;
  }

  [[nodiscard]] std::size_t slots() const {
    return static_cast<std::size_t>(std::max(1, context_.policy().parallel));
  }

  // Is there no commit of this session below the fixes?
  [[nodiscard]] bool begins_at_base() const { return order_.before.empty(); }

private:
  // What the fixes and the commits before them are about.
  [[nodiscard]] PathSet issue_files(const std::vector<AcceptedFix>& subset) const {
    PathSet files;
    for (const AcceptedFix& fix : subset) files.insert(fix.issue.finding.file);
    for (const Issue& issue : order_.settled) files.insert(issue.finding.file);
    return files;
  }

  Result<std::vector<OpenedTest>> opened_for(const std::vector<AcceptedFix>& subset) {
    std::vector<OpenedTest> opened;
    for (const AcceptedFix& fix : subset) {
      TRY_ASSIGN(const std::vector<OpenedTest> decisions, context_.ports.store.opened_tests(fix.issue.id));
      for (OpenedTest& one : open_for(decisions, fix.attempt.patch.sha256()))
        opened.push_back(std::move(one));
    }
    return opened;
  }

  // In a batch the tests the fixes bring along are seen on the base here, all of them in one run. false:
  // cancelled.
  Result<bool> run_own_tests(const Patch& tests, const std::vector<VerifyCommand>& commands,
                             const std::vector<AcceptedFix>& subset) {
    TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
    const bool known = std::any_of(runs.begin(), runs.end(), [&](const Verification& run) {
      const bool ours = run.issue_id.empty() || (subset.size() == 1 && run.issue_id == subset[0].issue.id);
      return run.kind == VerificationKind::own_tests_base && ours && run.base == order_.base &&
             run.patch_sha256 == tests.sha256();
    });
    const bool each = std::all_of(subset.begin(), subset.end(), [&](const AcceptedFix& fix) {
      const Patch own = apart(fix.issue.finding.file, fix.attempt.patch).own_tests;
      return own.empty() || std::any_of(runs.begin(), runs.end(), [&](const Verification& run) {
               return run.kind == VerificationKind::own_tests_base && run.issue_id == fix.issue.id &&
                      run.base == fix.attempt.base && run.patch_sha256 == own.sha256();
             });
    });
    if (known || each || tests.empty()) return true;
    TRY_ASSIGN(const Verification run,
               verifier_.run(VerificationKind::own_tests_base, order_.base, tests, commands, nullptr, stop_));
    return !was_cancelled(run);
  }

  [[nodiscard]] bool fails_scoped(const Outcome& outcome, const std::string& file) const {
    const auto& commands = context_.policy().commands;
    return std::any_of(commands.begin(), commands.end(), [&](const VerifyCommand& command) {
      const CommandRun* run = outcome.run ? outcome.run->find(command.name) : nullptr;
      return run != nullptr && !run->passed() && !command.paths.empty() && command.applies_to(file);
    });
  }

  static bool touched(const std::vector<AcceptedFix>& fixes, std::size_t n, const std::string& file) {
    return std::any_of(fixes.begin(), fixes.begin() + static_cast<std::ptrdiff_t>(n),
                       [&](const AcceptedFix& fix) { return fix.attempt.patch.find(file) != nullptr; });
  }

  // What all these fixes are about.
  static About about(const std::vector<AcceptedFix>& fixes) {
    About all;
    for (const AcceptedFix& fix : fixes) {
      const About one = about_fix(fix.issue, fix.attempt);
      all.files.insert(all.files.end(), one.files.begin(), one.files.end());
      all.words += one.words + "\n";
      all.left += one.left + "\n";
    }
    return all;
  }

  static Outcome outcome_of(const Comparison& comparison, const std::string& where) {
    Outcome outcome;
    outcome.passed = comparison.failures.empty() && comparison.lost_tests.empty();
    if (!outcome.passed)
      outcome.detail = where + join(comparison.failures, "; ") + join(comparison.lost_tests, "; ");
    if (comparison.first_failure != nullptr) outcome.failure = comparison.first_failure->output;
    return outcome;
  }

  // Known, or run now and stored; nullopt = cancelled.
  Result<std::optional<Verification>> run_on(const Patch& patch, const std::vector<VerifyCommand>& commands,
                                             const std::vector<AcceptedFix>& subset) {
    TRY_ASSIGN(std::optional<Verification> run, known_run(patch, commands, subset));
    if (run) return run;
    TRY_ASSIGN(run, verifier_.run(VerificationKind::combined, order_.base, patch, commands, nullptr, stop_));
    if (was_cancelled(*run)) run.reset();
    return run;
  }

  // The same tree was verified before: by a run that was interrupted, or alone when there is only one fix.
  Result<std::optional<Verification>> known_run(const Patch& patch,
                                                const std::vector<VerifyCommand>& commands,
                                                const std::vector<AcceptedFix>& subset) {
    TRY_ASSIGN(const std::vector<Verification> runs,
               context_.ports.store.verifications(context_.session.id, patch.sha256()));
    for (const Verification& run : runs) {
      const bool alone =
          run.kind == VerificationKind::alone && subset.size() == 1 && run.issue_id == subset[0].issue.id;
      const bool ours = run.kind == VerificationKind::combined || alone;
      if (!ours || run.base != order_.base) continue;
      const bool complete = std::all_of(commands.begin(), commands.end(),
                                        [&](const VerifyCommand& c) { return run.find(c.name) != nullptr; });
      if (complete) return std::optional<Verification>(run);
    }
    return std::optional<Verification>{};
  }

  RunContext& context_;
  Verifier& verifier_;
  Rescanner& rescanner_;
  Reproduction& reproduction_;
  const CombineOrder& order_;
  std::stop_token stop_;
};

struct Culprit {
  std::size_t number = 0; // of the fix
  Bisection::Outcome outcome;
  bool alone = false; // without any other fix
};

std::vector<AcceptedFix> members_of(const std::vector<AcceptedFix>& fixes, const Group& group) {
  std::vector<AcceptedFix> chosen;
  for (const std::size_t i : group) chosen.push_back(fixes[i]);
  return chosen;
}

// The fixes that fail `check`, which all of them together do; nullopt = cancelled. Where each passes alone,
// it is the one with which those before it begin to fail.
Result<std::optional<std::vector<Culprit>>> find_bad(Bisection& bisection, Bisection::Check check,
                                                     const std::vector<AcceptedFix>& fixes,
                                                     const Bisection::Outcome& seen) {
  if (check == &Bisection::verify && !seen.elsewhere) check = &Bisection::verify_here;
  std::mutex mutex;
  std::map<Group, Bisection::Outcome> outcomes = {{{0}, seen}}; // of all, if there is but one
  const auto run = [&](const Group& group) -> Result<GroupEnd> {
    TRY_ASSIGN(Bisection::Outcome tried, (bisection.*check)(members_of(fixes, group), group.size()));
    const GroupEnd end = tried.cancelled ? GroupEnd::stopped
                         : tried.passed  ? GroupEnd::passed
                                         : GroupEnd::failed;
    const std::lock_guard lock(mutex);
    if (end == GroupEnd::failed) outcomes[group] = std::move(tried);
    return end;
  };
  TRY_ASSIGN(const Culprits found,
             find_culprits(fixes.size(), bisection.suspects(fixes, seen), bisection.slots(), run));
  if (found.stopped) return std::optional<std::vector<Culprit>>();
  std::vector<Culprit> bad;
  for (const std::size_t i : found.alone) bad.push_back({i, outcomes[{i}], true});
  if (!bad.empty()) return std::optional(std::move(bad));
  const std::vector<AcceptedFix> together = members_of(fixes, found.together);
  Bisection::Outcome last = together.size() == fixes.size() ? seen : outcomes[found.together];
  TRY_ASSIGN(const std::size_t first, bisection.first_bad(together, found.passing, check, last));
  if (last.cancelled) return std::optional<std::vector<Culprit>>();
  bad.push_back({found.together[first - 1], std::move(last), first == 1});
  return std::optional(std::move(bad));
}

// Takes what makes the combination fail `check` out of it. True: it had to take something out, or was
// cancelled.
Result<bool> take_out_culprits(RunContext& context, Bisection& bisection, Bisection::Check check,
                               const Bisection::Outcome& outcome, Combination& result) {
  if (outcome.passed) return false;
  std::optional<std::vector<Culprit>> bad;
  if (!outcome.cancelled) {
    TRY_ASSIGN(bad, find_bad(bisection, check, result.kept, outcome));
  }
  result.cancelled = !bad;
  if (!bad) return true;
  std::set<std::string> out; // ids of units
  for (const Culprit& culprit : *bad) {
    const AcceptedFix& fix = result.kept[culprit.number];
    const bool alone = culprit.alone && bisection.begins_at_base();
    context.notice(fmt::format("{} {} and is left out{}", fix.issue.code,
                               alone ? "breaks a check" : "fails together with the other fixes",
                               result.kept.size() > bad->size() ? "; the others are kept" : ""));
    result.dropped.push_back({fix, culprit.outcome.detail, culprit.outcome.failure, alone});
    out.insert(fix.unit.id);
  }
  std::erase_if(result.kept, [&](const AcceptedFix& fix) { return out.contains(fix.unit.id); });
  return true;
}

// Those whose own finding is not shown to be gone are known by name; what is new has to be bisected.
bool take_out_unproven(Rescan rescan, Rescanner& rescanner, Combination& result) {
  rescan.fresh.clear();
  const auto unproven = [&](const AcceptedFix& fix) {
    return rescanner.can_judge(fix.issue) && !rescan_problem(rescan, fix.issue, fix.attempt.patch).empty();
  };
  const std::size_t before = result.kept.size();
  for (const AcceptedFix& fix : result.kept)
    if (unproven(fix))
      result.dropped.push_back({fix, rescan_problem(rescan, fix.issue, fix.attempt.patch), ""});
  std::erase_if(result.kept, unproven);
  return result.kept.size() != before;
}

} // namespace

Result<Combination> combine(RunContext& context, Verifier& verifier, Rescanner& rescanner,
                            Reproduction& reproduction, const CombineOrder& order, std::stop_token stop) {
  Combination result;
  for (const AcceptedFix& fix : order.fixes) {
    TRY_ASSIGN(std::optional<Patch> next, context.ports.repository.merge(result.patch, fix.attempt.patch));
    if (next) {
      result.patch = *std::move(next);
      result.kept.push_back(fix);
    } else {
      result.conflicting.push_back(fix);
    }
  }
  Bisection bisection(context, verifier, rescanner, reproduction, order, stop);
  while (!result.kept.empty()) { // until nothing had to be taken out
    TRY_ASSIGN(Bisection::Outcome seen, bisection.rescan(result.kept, result.kept.size()));
    result.rescan = seen.run;
    if (seen.run && take_out_unproven(*seen.run->rescan, rescanner, result)) continue;
    TRY_ASSIGN(const bool changed, take_out_culprits(context, bisection, &Bisection::rescan, seen, result));
    if (result.cancelled) return result;
    if (changed) continue;
    TRY_ASSIGN(Bisection::Outcome ran, bisection.verify(result.kept, result.kept.size()));
    result.verified = ran.run;
    result.product_verified = ran.product_run;
    TRY_ASSIGN(const bool broken, take_out_culprits(context, bisection, &Bisection::verify, ran, result));
    if (result.cancelled) return result;
    if (broken) continue;
    TRY_ASSIGN(Bisection::Outcome shown, bisection.reproduce(result.kept, result.kept.size()));
    TRY_ASSIGN(const bool found_again,
               take_out_culprits(context, bisection, &Bisection::reproduce, shown, result));
    if (result.cancelled) return result;
    if (!found_again) break;
  }
  TRY_ASSIGN(result.patch, bisection.merged(result.kept, result.kept.size()));
  TRY_ASSIGN(result.product, bisection.product_of(result.kept, result.patch));
  return result;
}

} // namespace emend
