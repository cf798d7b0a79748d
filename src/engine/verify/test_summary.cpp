#include "engine/verify/test_summary.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongest = 300;          // of a summary line
constexpr std::uint64_t kMost = 1'000'000'000; // no runner runs as many; output may claim anything

int number(const std::string& digits) {
  return static_cast<int>(std::min(parse_unsigned(digits).value_or(0), kMost));
}

// meaning: what each group of the pattern counts. t = all tests, p = passed, f = failed, s = skipped; a group
// that is not there counts 0.
// "!" before it: the runner prints the line only when something failed, so its absence says nothing. No
// group: something failed.
struct Summary {
  const char* runner;
  const char* pattern;
  const char* meaning;
};

constexpr Summary kSummaries[] = {
    {"ctest", R"(\d+% tests passed, (\d+) tests? failed out of (\d+))", "ft"},
    {"gtest", R"(\[  PASSED  \] (\d+) tests?\.)", "p"},
    {"gtest", R"(\s*(\d+) FAILED TESTS?)", "f"},
    {"automake", R"(# PASS:\s+(\d+))", "p"},
    {"automake", R"(# (?:FAIL|ERROR|XPASS):\s+(\d+))", "f"},
    {"automake", R"(# (?:SKIP|XFAIL):\s+(\d+))", "s"},
    {"automake", R"((\d+) of \d+ tests? failed.*)", "!f"},
    {"meson", R"((?:Ok|Expected Fail):\s+(\d+)\s*)", "p"},
    {"meson", R"((?:Fail|Timeout|Unexpected Pass):\s+(\d+)\s*)", "f"},
    {"prove", R"(Files=\d+, Tests=(\d+), .*)", "p"},
    {"prove", R"(Failed (\d+)/\d+ test programs?\..*)", "f"},
    {"rspec",
     R"((\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?)",
     "tfsf"},
    {"minitest",
     R"((\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, (\d+) (?:skips|pendings))?(?:, .*)?)",
     "tffs"},
    {"phpunit", R"(OK \((\d+) tests?, \d+ assertions?\))", "p"},
    {"phpunit",
     R"(Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?(?:, (?:PHPUnit )?(?:Warnings|Deprecations|Notices): \d+)*(?:, (?:Skipped|Incomplete): (\d+))*(?:, Risky: \d+)?\.)",
     "tffs"},
    {"bats", R"((\d+) tests?, (\d+) failures?(?:, (\d+) (?:skipped|excluded))?(?:, .*)?)", "tfs"},
    {"surefire",
     R"((?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+))",
     "tffs"},
    {"gradle", R"(\d+ tests? completed, (\d+) failed(?:, \d+ skipped)?)", "!f"},
    {"dotnet", R"((?:Passed|Failed)!\s+-\s+Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:.*)",
     "fps"},
    {"catch2",
     R"((?:\[doctest\] )?test cases:\s+\d+ \|\s+(\d+) passed(?: \|\s+(\d+) failed)?(?: \|\s+(\d+) (?:skipped|failed as expected))?.*)",
     "pfs"},
    {"catch2", R"((?:\[doctest\] )?test cases:\s+\d+ \|\s+(\d+) failed.*)", "f"},
    {"catch2", R"(All tests passed \(\d+ assertions? in (\d+) test cases?\))", "p"},
    {"criterion",
     R"(\[====\] Synthesis: Tested: \d+ \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+).*)", "pff"},
    {"check", R"(\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+))", "tff"},
    {"go", R"(FAIL\t\S+(?:\t[\d.]+s|\s+\[.*\]))", "!"},
    {"deno",
     R"((?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?.*)",
     "pfs"},
};

} // namespace

std::optional<SummaryCounts> read_summary(const std::string& line) {
  static const std::vector<std::unique_ptr<RE2>> patterns = [] {
    std::vector<std::unique_ptr<RE2>> made;
    for (const Summary& summary : kSummaries) made.push_back(std::make_unique<RE2>(summary.pattern));
    return made;
  }();
  if (line.size() > kLongest) return std::nullopt;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::string_view meaning = kSummaries[i].meaning;
    const bool only_bad = meaning.starts_with('!');
    if (only_bad) meaning.remove_prefix(1);
    std::vector<std::string> digits(meaning.size());
    std::vector<RE2::Arg> arguments;
    for (std::string& group : digits) arguments.emplace_back(&group);
    std::vector<const RE2::Arg*> pointers;
    for (const RE2::Arg& argument : arguments) pointers.push_back(&argument);
    if (!RE2::FullMatchN(line, *patterns[i], pointers.data(), static_cast<int>(pointers.size()))) continue;
    SummaryCounts counts;
    counts.runner = kSummaries[i].runner;
    counts.only_bad = only_bad;
    std::int64_t total = 0, passed = 0, failed = meaning.empty() ? 1 : 0, skipped = 0;
    for (std::size_t g = 0; g < digits.size(); ++g) {
      const int value = number(digits[g]);
      (meaning[g] == 't'   ? total
       : meaning[g] == 'p' ? passed
       : meaning[g] == 'f' ? failed
                           : skipped) += value;
    }
    if (contains(meaning, "t")) passed = std::max<std::int64_t>(0, total - failed - skipped);
    counts.passed = static_cast<int>(std::min<std::int64_t>(passed, kMost));
    counts.failed = static_cast<int>(std::min<std::int64_t>(failed, kMost));
    counts.skipped = static_cast<int>(std::min<std::int64_t>(skipped, kMost));
    return counts;
  }
  return std::nullopt;
}

int failures_in_plain_counts(const std::string& line) {
  static const RE2 whole(
      R"([^\d]{0,40}\d+ (?:tests? |checks? |cases? )?(?:passed|failed|failures?|errors?|ok|skipped|total)(?:[,;|/ ]+(?:and )?\d+ (?:tests? |checks? |cases? )?[a-z]+)*[\s.!)\]=*-]{0,20})");
  static const RE2 bad(R"((\d+) (?:tests? |checks? |cases? )?(?:failed|failures?|failing|errors?)\b)");
  if (line.size() > kLongest || !RE2::FullMatch(line, whole)) return 0;
  re2::StringPiece rest(line);
  std::int64_t failed = 0;
  for (std::string digits; RE2::FindAndConsume(&rest, bad, &digits);) failed += number(digits);
  return static_cast<int>(std::min<std::int64_t>(failed, kMost));
}

} // namespace emend
