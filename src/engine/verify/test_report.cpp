#include "engine/verify/test_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/verify/test_heads.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_totals.hpp"

namespace emend {
namespace {

constexpr std::size_t kNamed = 20;

void keep_few(std::vector<std::string>& sentences) {
  if (sentences.size() <= kNamed) return;
  const std::size_t more = sentences.size() - kNamed;
  sentences.resize(kNamed);
  sentences.push_back(fmt::format("and {} more tests", more));
}

std::int64_t total(const TestReport& report) {
  return std::int64_t{report.passed} + report.failed + report.skipped;
}

void count(TestReport& report) {
  for (const auto& [id, state] : report.by_id)
    ++(state == kTestPassed ? report.passed : state == kTestFailed ? report.failed : report.skipped);
}

// Of a runner that named tests.
TestReport with_counts(TestReport report, const TestTotals& totals) {
  if (report.passes_unnamed) {
    report.own_failures = std::max(report.failed, totals.own_failures(false));
    return report;
  }
  count(report);
  if (!report.names(kTestPassed) && totals.report.passed > 0) { // it names only what fails
    report.passed = totals.report.passed;
    report.skipped = std::max(report.skipped, totals.report.skipped);
    report.passes_unnamed = true;
  }
  // A runner that counts fewer than were named did not run them all: whoever printed the other names was not
  // the runner.
  if (const auto counted = totals.passed(report.runner)) report.passed = std::min(report.passed, *counted);
  report.own_failures = std::max(report.failed, totals.own_failures(false));
  report.failed = report.own_failures;
  return report;
}

// Of a runner that counts all its tests: the names of the failing ones, if every one of them has a name.
void name_failing(TestReport& report, const TestHeads& heads) {
  std::map<std::string, std::string> names = heads.failed();
  if (report.runner == "prove") { // it counts all its tests, and fails whole programs
    names = heads.failed_by_runner();
    report.failed = std::max(report.failed, static_cast<int>(names.size()));
    report.own_failures = std::max(report.own_failures, report.failed);
    report.passed = std::max(0, report.passed - report.failed);
  }
  const auto named = static_cast<int>(names.size());
  if (report.failed == 0 || names.empty()) return;
  if (report.runner == "unittest" && named < report.failed) { // it counts every subtest that fails
    report.passed = static_cast<int>(total(report)) - report.skipped - named;
    report.failed = named;
  }
  if (named < report.failed) return;
  report.by_id = std::move(names);
  report.passes_unnamed = true;
}

// Output of a runner that is not known, with names of both kinds.
bool names_both(const TestReport& report) { return report.names(kTestPassed) && report.names(kTestFailed); }

// Names that some output says passed on the base, and failed now. What else it says may be anything.
std::vector<std::string> said_to_fail(const TestReport& base, const TestReport& patched) {
  std::vector<std::string> failing;
  for (const auto& [id, state] : base.by_id)
    if (const auto found = patched.by_id.find(id);
        state == kTestPassed && found != patched.by_id.end() && found->second == kTestFailed)
      failing.push_back("test is failed now: " + id);
  keep_few(failing);
  return failing;
}

// Everything that failed on the base is still said to fail.
bool says_the_same(const TestReport& base, const TestReport& patched) {
  return base.names(kTestFailed) && std::all_of(base.by_id.begin(), base.by_id.end(), [&](const auto& entry) {
           const auto found = patched.by_id.find(entry.first);
           return entry.second != kTestFailed ||
                  (found != patched.by_id.end() && found->second == kTestFailed);
         });
}

} // namespace

TestReport parse_test_report(std::string_view output) {
  TestLines tests(output);
  TestTotals totals;
  TestHeads heads;
  for (const std::string_view raw : lines_of(output)) {
    if (raw.size() > 2'000) continue;
    const std::string line(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (!tests.read(line) && !totals.read(line)) heads.read(line);
  }
  tests.finish();
  if (tests.report.recognised) return with_counts(std::move(tests.report), totals);
  for (const auto& [id, state] : tests.at_end())
    if (state == kTestFailed) heads.add_failed(id);
  totals.report.own_failures = totals.own_failures(true);
  if (totals.report.recognised)
    name_failing(totals.report, heads);
  else if (!heads.all().empty()) {
    totals.report.by_id = heads.all();
    totals.report.passes_unnamed = true;
  }
  return totals.report;
}

std::string still_failing(const TestReport& base, const TestReport& patched) {
  if (!base.recognised && says_the_same(base, patched))
    return "what failed on the base is still said to fail: " + base.by_id.begin()->first;
  if (!base.recognised || base.own_failures == 0) return {};
  if (!patched.recognised) return "the tests that failed on the base are no longer reported";
  if (patched.own_failures >= base.own_failures)
    return fmt::format("{} tests failed on the base, {} still do", base.own_failures, patched.own_failures);
  const std::int64_t before = total(base), now = total(patched);
  const bool more_pass = patched.passed > base.passed;
  if (base.by_id.empty())
    return more_pass && now >= before ? std::string()
                                      : fmt::format("{} of {} tests passed on the base, {} of {} do now",
                                                    base.passed, before, patched.passed, now);
  for (const auto& [id, state] : base.by_id) {
    if (state != kTestFailed) continue;
    const auto found = patched.by_id.find(id);
    // A runner's word for a file it could not load goes away with the fault, and the tests of that file come
    // instead. One that names only what fails says by its silence that a test passes, if no fewer ran.
    const bool may_be_silent = more_pass || (base.passes_unnamed && now >= before);
    if (found == patched.by_id.end() ? !may_be_silent : found->second != kTestPassed)
      return "the test that failed on the base does not pass now: " + id;
  }
  return {};
}

std::vector<std::string> lost_tests(const TestReport& base, const TestReport& patched) {
  std::vector<std::string> lost;
  if (!base.recognised && !names_both(base)) return said_to_fail(base, patched);
  const std::int64_t before = total(base), now = total(patched);
  if (base.recognised && !patched.recognised) {
    if (before > 0) lost.push_back("the base reported tests, the patched tree reports none");
    return lost;
  }
  if (patched.by_id.empty() && base.names(kTestPassed))
    lost.push_back("the base named its tests, the patched tree names none");
  for (const auto& [id, state] : base.by_id) {
    if (state == kTestSkipped || patched.by_id.empty()) continue;
    const auto found = patched.by_id.find(id);
    if (found == patched.by_id.end()) { // a failing one may be a runner's word for a file it could not load
      if (state == kTestPassed) lost.push_back("test vanished: " + id);
    } else if (found->second == kTestSkipped || (state == kTestPassed && found->second != kTestPassed)) {
      lost.push_back("test is " + found->second + " now: " + id);
    }
  }
  keep_few(lost);
  if (patched.passed < base.passed)
    lost.push_back(
        fmt::format("{} tests passed on the base, {} with the patch", base.passed, patched.passed));
  else if (now < before)
    lost.push_back(fmt::format("{} tests ran on the base, {} with the patch", before, now));
  if (patched.skipped > base.skipped)
    lost.push_back(
        fmt::format("{} tests were skipped on the base, {} with the patch", base.skipped, patched.skipped));
  return lost;
}

std::vector<std::string> new_failures(const TestReport& base, const TestReport& patched) {
  std::vector<std::string> found;
  if (base.names(kTestFailed) || base.names(kTestPassed)) {
    for (const auto& [id, state] : patched.by_id)
      if (state == kTestFailed && !base.by_id.contains(id))
        found.push_back("test fails now, but not on the base: " + id);
  } else if (base.recognised && patched.failed > base.failed && patched.passed >= base.passed) {
    found.push_back(
        fmt::format("{} tests failed on the base, {} with the patch", base.failed, patched.failed));
  }
  keep_few(found);
  return found;
}

std::vector<std::string> repaired_tests(const TestReport& base, const TestReport& patched, bool green) {
  const bool unnamed_passes =
      base.passes_unnamed ? green || patched.names(kTestFailed) : patched.passed > base.passed;
  std::vector<std::string> repaired;
  for (const auto& [id, state] : base.by_id) {
    if (state != kTestFailed) continue;
    const auto found = patched.by_id.find(id);
    if (found == patched.by_id.end() ? unnamed_passes : found->second == kTestPassed) repaired.push_back(id);
  }
  return repaired;
}

bool passes_in_both(const TestReport& base, const TestReport& patched) {
  if (!base.names(kTestPassed)) return base.passed > 0 && patched.passed > 0;
  return std::any_of(base.by_id.begin(), base.by_id.end(), [&](const auto& entry) {
    const auto found = patched.by_id.find(entry.first);
    return entry.second == kTestPassed && found != patched.by_id.end() && found->second == kTestPassed;
  });
}

std::string what_it_tells(const TestReport& report) {
  const std::int64_t tests = total(report);
  if (report.names(kTestPassed) && (report.recognised || report.names(kTestFailed)))
    return fmt::format("tests by name ({})", report.by_id.size());
  if (report.names(kTestFailed))
    return report.recognised ? fmt::format("names of failing tests ({}), and how many pass ({})",
                                           report.by_id.size(), report.passed)
                             : fmt::format("names of what fails ({})", report.by_id.size());
  return report.recognised ? fmt::format("how many tests pass and fail ({})", tests) : "exit status only";
}

} // namespace emend
