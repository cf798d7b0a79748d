#include "engine/verify/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

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

void compare_tests(const CommandRun& before, const CommandRun& now, Comparison& comparison) {
  const auto lost = without("P5") ? std::vector<std::string>{} : lost_tests(before.tests, now.tests);
  for (const std::string& sentence : lost) comparison.lost_tests.push_back(now.name + ": " + sentence);
  if (!lost.empty() && comparison.first_failure == nullptr) comparison.first_failure = &now;
}

// A runner that says itself that it ran nothing has nothing to say about the patch either.
bool ran_nothing(const CommandRun& run) {
  return run.tests.recognised && run.tests.passed + run.tests.failed == 0;
}

void compare_green(const CommandRun& before, const CommandRun& now, Comparison& comparison, bool& confirmed) {
  if (!now.passed() && !without("P4")) return add_failure(comparison, now, "but it passed on the base");
  compare_tests(before, now, comparison);
  if (ran_nothing(now) && !without("P5"))
    comparison.red_before.push_back(now.name + " (ran no tests)");
  else
    confirmed = true;
}

bool came_to_its_end(const CommandRun& run) {
  return run.result == CommandResult::failed || run.result == CommandResult::contradictory;
}

// A check that failed before confirms nothing, but its passing tests may not fail. Only runs that
// came to their own end can be compared test by test.
void compare_red(const CommandRun& before, const CommandRun& now, Comparison& comparison) {
  comparison.red_before.push_back(now.name);
  if (came_to_its_end(before) && (now.passed() || came_to_its_end(now)))
    compare_tests(before, now, comparison);
}

} // namespace

Evidence evidence_of(const Support& support) {
  if (support.own_judge) return Evidence::judged;
  if (support.reproduced) return support.probed ? Evidence::proven : Evidence::repaired;
  return support.confirmed && support.alive ? Evidence::unbroken : Evidence::judged;
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

bool names_tests(const std::vector<VerifyCommand>& commands, const Verification& run) {
  return std::any_of(commands.begin(), commands.end(), [&](const VerifyCommand& command) {
    const CommandRun* found = run.find(command.name);
    return found != nullptr && found->tests.recognised && found->tests.passed > 0;
  });
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

Comparison compare(const std::vector<VerifyCommand>& commands, const Verification& base,
                   const Verification& patched) {
  Comparison comparison;
  bool confirmed = false;
  for (const VerifyCommand& command : commands) {
    const CommandRun* before = base.find(command.name);
    const CommandRun* now = patched.find(command.name);
    if (before == nullptr || now == nullptr) {
      comparison.failures.push_back("`" + command.name + "` was not run");
      continue;
    }
    if (before->passed()) {
      compare_green(*before, *now, comparison, confirmed);
    } else if (command.paths.empty()) {
      compare_red(*before, *now, comparison);
    } else if (now->passed()) {
      compare_tests(*before, *now, comparison);
      if (ran_nothing(*now)) {
        add_failure(comparison, *now, "the reproducer ran no tests");
        continue;
      }
      if (const std::string why = without("P6") ? "" : still_failing(before->tests, now->tests);
          !why.empty()) {
        add_failure(comparison, *now, why);
        continue;
      }
      comparison.reproducers.push_back(command.name);
      confirmed = true;
    } else if (!without("P6")) {
      add_failure(comparison, *now, "the reproducer failed on the base and still fails");
    }
  }
  comparison.passed = comparison.failures.empty() && comparison.lost_tests.empty() && confirmed;
  return comparison;
}

} // namespace emend
