#include "engine/verify/test_totals.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/verify/test_summary.hpp"

namespace emend {
namespace {

constexpr std::int64_t kMost = 1'000'000'000; // no runner runs as many; output may claim anything

int number(const std::string& digits) {
  return static_cast<int>(std::min<std::uint64_t>(parse_unsigned(digits).value_or(0), kMost));
}

void grow(int& total, int more) {
  total = static_cast<int>(std::min<std::int64_t>(std::int64_t{total} + more, kMost));
}

// of "failures=1, expected failures=2"
int value(const std::string& text, const char* key) {
  std::string digits;
  return RE2::PartialMatch(text, RE2(fmt::format(R"((?:^|, ){}=(\d+))", key)), &digits) ? number(digits) : 0;
}

int sum(const std::string& line, const char* words) {
  const RE2 pattern(fmt::format(R"((\d+)\s+(?:{})\b)", words));
  re2::StringPiece rest(line);
  int total = 0;
  for (std::string digits; RE2::FindAndConsume(&rest, pattern, &digits);) grow(total, number(digits));
  return total;
}

// Whose ids a counted line adds up; "" = nobody's in particular.
std::string counted_by(const std::string& line) {
  static const RE2 pytest(R"( in [\d.]+s(?: \(\S+\))?(?: =+)?$)");
  if (line.starts_with("test result: ")) return "cargo";
  static const RE2 vitest(R"(^\s+Tests\s+\d)");
  if (line.starts_with("Tests: ")) return "jest";
  if (RE2::PartialMatch(line, vitest)) return "vitest";
  if (contains(line, " tests run: ")) return "nextest";
  return RE2::PartialMatch(line, pytest) ? "pytest" : "";
}

} // namespace

bool TestTotals::read(const std::string& line) {
  return unittest(line) || node(line) || mocha(line) || summary(line) || counted(line) || nothing_ran(line);
}

std::optional<int> TestTotals::passed(const std::string& runner) const {
  const auto at = passed_.find(runner);
  return at == passed_.end() ? std::nullopt : std::optional(at->second);
}

int TestTotals::own_failures(bool plain) const {
  int all = own_failures_;
  if (plain) grow(all, plain_failures_);
  return all;
}

bool TestTotals::found(const char* runner) {
  report.recognised = true;
  report.runner = runner;
  return true;
}

// "Ran 3 tests in 0.1s", then "FAILED (failures=1, skipped=1)"
bool TestTotals::unittest(const std::string& line) {
  static const RE2 ran(R"(^Ran (\d+) tests? in )");
  static const RE2 end(R"(^(?:OK|FAILED) ?\((.*)\)$)");
  std::string text;
  if (RE2::PartialMatch(line, ran, &text)) {
    grow(report.passed, number(text));
    return found("unittest");
  }
  if (report.runner != "unittest" || !RE2::FullMatch(line, end, &text)) return false;
  const std::int64_t bad =
      std::int64_t{value(text, "failures")} + value(text, "errors") + value(text, "unexpected successes");
  const std::int64_t skipped = std::int64_t{value(text, "skipped")} + value(text, "expected failures");
  // Subtests are counted one by one where they fail, but a test is run once.
  grow(report.failed,
       static_cast<int>(std::min({bad, std::max<std::int64_t>(0, report.passed - skipped), kMost})));
  grow(own_failures_, static_cast<int>(std::min(bad, kMost)));
  grow(report.skipped, static_cast<int>(std::min(skipped, kMost)));
  report.passed = static_cast<int>(std::max<std::int64_t>(0, report.passed - bad - skipped));
  return true;
}

// "# pass 3" in TAP, "ℹ pass 3" in the other format
bool TestTotals::node(const std::string& line) {
  static const RE2 pattern(R"(^(#|\x{2139}) (pass|fail|cancelled|skipped|todo) (\d+)$)");
  std::string mark, word, digits;
  if (!RE2::FullMatch(line, pattern, &mark, &word, &digits)) return false;
  grow(word == "pass"                          ? report.passed
       : word == "fail" || word == "cancelled" ? report.failed
                                               : report.skipped,
       number(digits));
  if (word == "fail" || word == "cancelled") grow(own_failures_, number(digits));
  if (word == "pass") grow(passed_[mark == "#" ? "tap" : "node"], number(digits));
  return found("tap");
}

// "  3 passing (5ms)" and on lines of their own "  1 failing", "  2 pending"
bool TestTotals::mocha(const std::string& line) {
  static const RE2 pattern(R"(^\s+(\d+) (passing|failing|pending)(?: \(\S+\))?$)");
  std::string word, digits;
  if (!RE2::FullMatch(line, pattern, &digits, &word)) return false;
  grow(word == "passing"   ? report.passed
       : word == "failing" ? report.failed
                           : report.skipped,
       number(digits));
  if (word == "failing") grow(own_failures_, number(digits));
  if (word == "passing") grow(passed_["mocha"], number(digits));
  return found("summary");
}

bool TestTotals::summary(const std::string& line) {
  const auto counts = read_summary(line);
  if (!counts) return false;
  grow(own_failures_, counts->failed);
  if (counts->only_bad) return true;
  grow(report.passed, counts->passed);
  grow(report.failed, counts->failed);
  grow(report.skipped, counts->skipped);
  return found(counts->runner.c_str());
}

// "2 passed, 1 failed", "Tests:  1 failed, 2 skipped, 3 total", "test result: ok. 3 passed; 0 failed", "== 1
// failed in 0.1s =="
bool TestTotals::counted(const std::string& line) {
  static const RE2 other(R"(^\s*(?:Test Suites:|Test Files|Snapshots:))");
  static const RE2 any(R"(\b\d+ (?:passed|passing)\b)");
  static const RE2 bad(
      R"(^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|errors?|skipped|xfailed|deselected)(?:, \d+ \w+)* in [\d.]+s|^\s*Tests:?\s+\d+ (?:failed|skipped|todo)\b)");
  if (RE2::PartialMatch(line, other) || (!RE2::PartialMatch(line, any) && !RE2::PartialMatch(line, bad)))
    return false;
  const int passed = sum(line, "passed|passing");
  grow(report.passed, passed);
  const int failed = sum(line, "failed|failing|errors?");
  grow(report.failed, failed);
  grow(report.skipped, sum(line, "skipped|pending|ignored|todo|deselected|xfailed"));
  const std::string runner = counted_by(line);
  if (!runner.empty()) grow(passed_[runner], passed);
  grow(runner.empty() ? plain_failures_ : own_failures_,
       runner.empty() ? failures_in_plain_counts(line) : failed);
  return found("summary");
}

bool TestTotals::nothing_ran(const std::string& line) {
  static const RE2 pattern(
      R"(^(?:=+ )?no tests ran\b|^No tests were found|^No tests found|^collected 0 items|^NO TESTS RAN)");
  return RE2::PartialMatch(line, pattern) && found(report.runner.empty() ? "summary" : report.runner.c_str());
}

} // namespace emend
