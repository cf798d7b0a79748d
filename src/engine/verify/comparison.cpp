#include "engine/verify/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/patch/notes.hpp"
#include "engine/verify/failure_words.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_owner.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

constexpr const char* kWhoseIsIt =
    ". So the fix reaches it and leaves it broken. Repair it, too; or, if another bug makes it fail, add to "
    "your answer \"left_failing\": [{\"test\": \"<its name>\", \"why\": \"<that bug>\"}]";

std::string describe(const CommandRun& run) {
  if (run.result == CommandResult::contradictory)
    return fmt::format("`{}` exited with 0, but its own summary says {} failed", run.name,
                       run.tests.own_failures);
  std::string text = fmt::format("`{}` {}", run.name, to_string(run.result));
  if (run.result == CommandResult::failed) text += fmt::format(" (exit {})", run.exit_code);
  if (run.runs > 1) text += fmt::format(", {} of {} runs passed", run.passes, run.runs);
  return text;
}

void add_failure(Comparison& comparison, const CommandRun& run, const std::string& why) {
  comparison.failures.push_back(describe(run) + ", " + why);
  if (comparison.first_failure == nullptr) comparison.first_failure = &run;
}

void add_lost(const std::vector<std::string>& lost, const CommandRun& now, Comparison& comparison) {
  for (const std::string& sentence : lost) comparison.lost_tests.push_back(now.name + ": " + sentence);
  if (!lost.empty() && comparison.first_failure == nullptr) comparison.first_failure = &now;
}

bool keeps_tests(const CommandRun& before, const CommandRun& now, Comparison& comparison) {
  const auto lost = lost_tests(before.tests, now.tests);
  add_lost(lost, now, comparison);
  return lost.empty();
}

// A runner that says itself that it ran nothing has nothing to say about the patch either.
bool ran_nothing(const CommandRun& run) {
  return run.tests.recognised && run.tests.passed + run.tests.failed == 0;
}

void compare_green(const CommandRun& before, const CommandRun& now, Comparison& comparison, bool& confirmed) {
  if (!now.passed()) return add_failure(comparison, now, "but it passed on the base");
  keeps_tests(before, now, comparison);
  if (ran_nothing(now))
    comparison.red_before.push_back(now.name + " (ran no tests)");
  else
    confirmed = true;
}

// By its name; what a command of the issue's own runs belongs to it anyway.
bool belongs_to(const About& about, const std::string& id) {
  return about.all || mentions_test(about.words, id) ||
         std::any_of(about.files.begin(), about.files.end(),
                     [&](const auto& file) { return names_file(id, file); });
}

bool fails_in(const Verification& runs, const TestOf& test) {
  const CommandRun* run = runs.find(test.command);
  if (run == nullptr) return false;
  const auto found = run->tests.by_id.find(test.id);
  return found != run->tests.by_id.end() && found->second == kTestFailed;
}

bool came_to_its_end(const CommandRun& run) {
  return run.result == CommandResult::failed || run.result == CommandResult::contradictory;
}

// The tests of a command that fails on the base, compared with the same with the patch.
class RedCommand {
public:
  RedCommand(const VerifyCommand& command, const CommandRun& before, const CommandRun& now,
             const About& about, Comparison& comparison)
      : scoped_(!command.paths.empty()), before_(before), now_(now), about_(about), comparison_(comparison) {
    const bool asked = !about.files.empty() && !about.together.contains(command.name);
    if (!scoped_ && !asked) return;
    if (!now.passed() && !came_to_its_end(now)) return;
    for (const std::string& id : repaired_tests(before.tests, now.tests, now.passed()))
      (scoped_ || belongs_to(about, id) ? own_ : foreign_).push_back(id);
  }

  // True: the command confirms the patch.
  bool compare() {
    if (!can_be_compared()) return not_comparable();
    bool kept = keeps_tests(before_, now_, comparison_);
    const auto fresh = new_failures(before_.tests, now_.tests);
    add_lost(fresh, now_, comparison_);
    kept = kept && fresh.empty();
    const bool ended_well = now_.passed() ? passes_now() : fails_still();
    if (!kept || !ended_well) return false;
    if (too_good()) return false;
    for (const std::string& id : own_) comparison_.repaired.push_back({now_.name, id});
    comparison_.foreign.insert(comparison_.foreign.end(), foreign_.begin(), foreign_.end());
    const bool reproduced = comparison_.reached.empty() && (!own_.empty() || (scoped_ && now_.passed()));
    if (reproduced) comparison_.reproducers.push_back(now_.name);
    if (reproduced || (can_confirm(before_) && passes_in_both(before_.tests, now_.tests))) return true;
    comparison_.red_before.push_back(now_.name);
    return false;
  }

private:
  // Only runs that came to their own end can be compared test by test.
  [[nodiscard]] bool can_be_compared() const {
    return scoped_ || ((came_to_its_end(before_) || can_confirm(before_)) &&
                       (now_.passed() || came_to_its_end(now_) || can_confirm(before_)));
  }

  bool not_comparable() {
    comparison_.red_before.push_back(now_.name);
    return false;
  }

  bool refuse(const std::string& why) {
    add_failure(comparison_, now_, why);
    return false;
  }

  bool passes_now() {
    if (ran_nothing(now_) && scoped_) return refuse_always("the reproducer ran no tests");
    if (!scoped_ && !can_confirm(before_)) return true;
    const std::string why = still_failing(before_.tests, now_.tests);
    return why.empty() || refuse_always(why);
  }

  bool fails_still() {
    const bool speaks = can_confirm(before_);
    // A test that fails still may be another issue's, but not where none passes with and without the fix.
    const bool nothing_passed = before_.tests.recognised && before_.tests.passed == 0;
    if (scoped_ && !speaks && (own_.empty() || nothing_passed))
      return refuse("the reproducer failed on the base and still fails");
    if (now_.result == CommandResult::contradictory && before_.result != now_.result)
      return refuse("and on the base it failed");
    if (speaks && came_to_its_end(before_) && !came_to_its_end(now_))
      return refuse("but on the base it came to its end");
    if (speaks && before_.tests.names(kTestFailed) && !now_.tests.names(kTestFailed))
      return refuse("and it no longer names the tests that fail");
    if (!own_.empty()) return leaves_alone_or_says_so();
    if (!scoped_) return true;
    for (const auto& [id, state] : now_.tests.by_id)
      if (state == kTestFailed && belongs_to(about_, id))
        return refuse("a test of this issue failed on the base and still fails: " + id);
    return true;
  }

  // A test of the issue that fails still as it did may be another bug's. One that fails otherwise now was
  // reached by the fix, and is not repaired: the fixer must say whose it is, and then nobody has seen the
  // issue gone.
  bool leaves_alone_or_says_so() {
    for (const auto& [id, state] : now_.tests.by_id) {
      const bool ours = scoped_ || belongs_to({about_.files, "", "", {}, false}, id);
      if (state != kTestFailed || !ours || !fails_otherwise(before_, now_, id)) continue;
      if (!mentions_test(about_.left, id)) {
        comparison_.reached = {{now_.name, id}};
        return refuse("a test of this issue failed on the base and fails otherwise with the fix: " + id +
                      kWhoseIsIt);
      }
      comparison_.reached.push_back({now_.name, id});
    }
    return true;
  }

  bool refuse_always(const std::string& why) {
    add_failure(comparison_, now_, why);
    return false;
  }

  // A fix that makes most failing tests of other files pass, too, and does not say why.
  bool too_good() {
    constexpr std::size_t kFew = 3;
    std::size_t of_others = 0;
    for (const auto& [id, state] : before_.tests.by_id)
      if (state == kTestFailed && !belongs_to(about_, id)) ++of_others;
    if (foreign_.size() <= kFew || foreign_.size() * 2 <= of_others) return false;
    return !refuse(
        fmt::format("{} of {} failing tests of other files pass now (such as {}), and the fix does not "
                    "explain why. Name them in the explanation, or change only what the issue needs",
                    foreign_.size(), of_others, foreign_.front()));
  }

  const bool scoped_;
  const CommandRun& before_;
  const CommandRun& now_;
  const About& about_;
  Comparison& comparison_;
  std::vector<std::string> own_, foreign_; // tests that failed on the base and pass now
};

} // namespace

About about_fix(const Issue& issue, const Attempt& attempt) {
  About about;
  about.files = issue.finding.related_files;
  about.files.push_back(issue.finding.file);
  about.words = attempt.explanation;
  about.all = issue.finding.rule == kGivenRule && attempt.agent == kGivenBy;
  for (const std::string& note : attempt.notes) { // what was noted of it is not said by the fixer
    if (note.starts_with(kSeenNote)) continue;
    (note.starts_with(kLeftFailingNote) ? about.left : about.words) += "\n" + note;
  }
  return about;
}

About left_by_fix(const Issue& issue, const Attempt& attempt) {
  About about;
  about.left = about_fix(issue, attempt).left;
  return about;
}

Evidence evidence_of(const Support& support) {
  if (support.own_judge || !support.alive) return Evidence::judged;
  if (support.reproduced) return support.probed ? Evidence::proven : Evidence::repaired;
  return support.confirmed ? Evidence::unbroken : Evidence::judged;
}

Evidence old_evidence_of(const Support& support) {
  if (!support.confirmed) return support.reproduced ? Evidence::repaired : Evidence::judged;
  if (support.own_judge)
    return support.marks.rescanned && !support.own_analyzer ? Evidence::unbroken : Evidence::judged;
  return support.reproduced ? Evidence::repaired : Evidence::unbroken;
}

Support support_of(const Comparison& comparison) {
  Support support;
  support.confirmed = comparison.passed;
  support.alive = support.confirmed;
  support.reproduced = comparison.passed && !comparison.reproducers.empty();
  return support;
}

std::string unconfirmed(const Comparison& comparison) {
  const std::string names = join(comparison.red_before, ", ");
  return names.empty()
             ? "no check could confirm this fix"
             : "no check could confirm this fix: " + names +
                   (comparison.red_before.size() == 1 ? " already fails" : " already fail") +
                   " on the base (resolve.minimum_evidence = \"judged\" would let a judge alone decide)";
}

std::vector<VerifyCommand> commands_for(const Policy& policy, const Issue& issue) {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : policy.commands)
    if (command.applies_to(issue.finding.file)) chosen.push_back(command);
  return chosen;
}

bool can_confirm(const CommandRun& base) {
  if (base.wavers) return false;
  if (base.passed()) return true;
  if (!came_to_its_end(base) && base.result != CommandResult::crashed) return false;
  const TestReport& tests = base.tests;
  if (tests.names(kTestPassed)) return tests.recognised || tests.names(kTestFailed);
  return tests.recognised && tests.passed > 0 && tests.names(kTestFailed);
}

Comparison compare(const std::vector<VerifyCommand>& commands, const Verification& base,
                   const Verification& patched, const About& about) {
  Comparison comparison;
  bool confirmed = false;
  for (const VerifyCommand& command : commands) {
    const CommandRun* before = base.find(command.name);
    const CommandRun* now = patched.find(command.name);
    if (before == nullptr || now == nullptr)
      comparison.failures.push_back("`" + command.name + "` was not run");
    else if (before->wavers)
      comparison.red_before.push_back(command.name + " (its runs on the base disagree)");
    else if (before->passed())
      compare_green(*before, *now, comparison, confirmed);
    else if (RedCommand(command, *before, *now, about, comparison).compare())
      confirmed = true;
  }
  comparison.passed = comparison.failures.empty() && comparison.lost_tests.empty() && confirmed;
  return comparison;
}

FailsAgain fails_again(const std::vector<VerifyCommand>& commands, const Comparison& comparison,
                       const Verification& without) {
  FailsAgain again;
  const auto is_own = [&](const std::string& name) {
    return std::any_of(commands.begin(), commands.end(), [&](const VerifyCommand& command) {
      return command.name == name && !command.paths.empty();
    });
  };
  for (const std::string& name : comparison.reproducers) {
    const CommandRun* run = without.find(name);
    std::string passing = run == nullptr || run->passed() ? name : "";
    for (const TestOf& test : comparison.repaired)
      if (passing.empty() && test.command == name && !fails_in(without, test))
        passing = name + ": " + test.id;
    if (passing.empty())
      again.reproduced = true;
    else
      (is_own(name) ? again.refusal : again.detail) =
          passing + " does not fail without the patch, so it proves nothing";
  }
  again.reproduced = again.reproduced && again.refusal.empty();
  return again;
}

std::vector<std::string> broken_again(const Comparison& comparison, const Verification& run) {
  std::vector<std::string> broken;
  for (const TestOf& test : comparison.repaired) {
    if (fails_in(run, test))
      broken.push_back(test.command + ": " + test.id +
                       " passes with this fix alone, but not with the others");
  }
  return broken;
}

} // namespace emend
