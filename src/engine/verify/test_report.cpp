#include "engine/verify/test_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
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

} // namespace

TestReport parse_test_report(std::string_view output) {
  TestLines tests(output);
  TestTotals totals;
  for (const std::string_view raw : lines_of(output)) {
    if (raw.size() > 2'000) continue;
    const std::string line(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (!tests.read(line)) totals.read(line);
  }
  tests.finish();
  TestReport& report = tests.report;
  if (!report.recognised) {
    totals.report.own_failures = totals.own_failures(true);
    return totals.report;
  }
  for (const auto& [id, state] : report.by_id)
    ++(state == kTestPassed ? report.passed : state == kTestFailed ? report.failed : report.skipped);
  // A runner that counts fewer than were named did not run them all: whoever printed the other names was not
  // the runner.
  if (const auto counted = totals.passed(report.runner)) report.passed = std::min(report.passed, *counted);
  report.own_failures = std::max(report.failed, totals.own_failures(false));
  report.failed = report.own_failures;
  return report;
}

std::string still_failing(const TestReport& base, const TestReport& patched) {
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
    // instead.
    if (found == patched.by_id.end() ? !more_pass : found->second != kTestPassed)
      return "the test that failed on the base does not pass now: " + id;
  }
  return {};
}

std::vector<std::string> lost_tests(const TestReport& base, const TestReport& patched) {
  std::vector<std::string> lost;
  if (!base.recognised) return lost;
  const std::int64_t before = total(base), now = total(patched);
  if (!patched.recognised) {
    if (before > 0) lost.push_back("the base reported tests, the patched tree reports none");
    return lost;
  }
  if (patched.by_id.empty() && base.passed > 0 && !base.by_id.empty())
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
  else if (now < before && !base.by_id.empty())
    lost.push_back(fmt::format("{} tests ran on the base, {} with the patch", before, now));
  if (patched.skipped > base.skipped)
    lost.push_back(
        fmt::format("{} tests were skipped on the base, {} with the patch", base.skipped, patched.skipped));
  return lost;
}

} // namespace emend
