#include "engine/test_report.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr const char* kPassed = "passed";
constexpr const char* kFailed = "failed";
constexpr const char* kSkipped = "skipped";

int number(const std::string& digits) { return static_cast<int>(std::min<std::uint64_t>(parse_unsigned(digits).value_or(0), 1'000'000'000)); }

// Reads the lines of single tests.
class TestLines {
public:
  // True when the line was understood.
  bool read(const std::string& line) { return ctest(line) || gtest(line) || pytest(line) || unittest(line) || go(line) || cargo(line) || tap(line); }

  TestReport report;

private:
  static int badness(const std::string& state) { return state == kFailed ? 2 : state == kSkipped ? 1 : 0; }

  // Some runners name a bad test again in their summary: the worst of what was said about it counts.
  bool put(const char* runner, const std::string& id, const char* state) {
    report.recognised = true;
    report.runner = runner;
    const auto [entry, is_new] = report.by_id.emplace(id, state);
    if (!is_new && badness(state) > badness(entry->second)) entry->second = state;
    return true;
  }

  // Runners of many packages print equal names without saying whose they are; their order does not change.
  bool put_next(const char* runner, const std::string& id, const char* state) {
    const int nth = ++seen_[id];
    return put(runner, nth == 1 ? id : fmt::format("{} ({})", id, nth), state);
  }

  // 2/3 Test #2: name .....***Failed 0.02 sec
  bool ctest(const std::string& line) {
    static const RE2 pattern(R"(^\s*\d+/\d+\s+Test\s+#\d+:\s+(\S.*?)\s+\.{2,}\s*(Passed|\*\*\*\w[\w ]*|Not Run).*$)");
    std::string name, state;
    if (!RE2::FullMatch(line, pattern, &name, &state)) return false;
    const bool skipped = contains(state, "Skip") || contains(state, "Not Run");
    return put("ctest", name, state == "Passed" ? kPassed : skipped ? kSkipped : kFailed);
  }

  // [       OK ] Suite.name (0 ms)
  bool gtest(const std::string& line) {
    static const RE2 pattern(R"(^\[\s+(OK|FAILED|SKIPPED)\s+\]\s+([\w/]+\.[\w/]+)(?:, where .*)?(?:\s+\(\d+ ms\))?$)");
    std::string name, state;
    if (!RE2::FullMatch(line, pattern, &state, &name)) return false;
    return put("gtest", name, state == "OK" ? kPassed : state == "SKIPPED" ? kSkipped : kFailed);
  }

  // tests/a.py::name PASSED [ 50%]   and with several workers   [gw0] [ 50%] PASSED tests/a.py::name
  bool pytest(const std::string& line) {
    static const RE2 plain(R"(^(\S+::\S.*?)\s+(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b)");
    static const RE2 worker(R"(^\[gw\d+\]\s+\[\s*\d+%\]\s+(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+(\S+::\S.*?)\s*$)");
    std::string name, state;
    if (!RE2::PartialMatch(line, plain, &name, &state) && !RE2::FullMatch(line, worker, &state, &name)) return false;
    const bool skipped = state == "SKIPPED" || state == "XFAIL";
    return put("pytest", name, state == "PASSED" || state == "XPASS" ? kPassed : skipped ? kSkipped : kFailed);
  }

  // name (module.Class.name) ... ok
  bool unittest(const std::string& line) {
    static const RE2 pattern(R"(^(\w+ \([\w.]+\)).*\.\.\.\s+(ok|FAIL|ERROR|skipped.*|expected failure|unexpected success)$)");
    std::string name, state;
    if (!RE2::FullMatch(line, pattern, &name, &state)) return false;
    const bool skipped = state.starts_with("skipped") || state == "expected failure";
    return put("unittest", name, state == "ok" ? kPassed : skipped ? kSkipped : kFailed);
  }

  // --- PASS: TestName/case (0.00s)
  bool go(const std::string& line) {
    static const RE2 pattern(R"(^\s*--- (PASS|FAIL|SKIP): (\S+) \()");
    std::string name, state;
    if (!RE2::PartialMatch(line, pattern, &state, &name)) return false;
    return put_next("go", name, state == "PASS" ? kPassed : state == "SKIP" ? kSkipped : kFailed);
  }

  // test module::name ... ok   and for documentation   test src/lib.rs - item (line 12) ... ok
  bool cargo(const std::string& line) {
    static const RE2 pattern(R"(^test (\S.*?)(?: \(line \d+\))?(?: - (?:should panic|compile(?: fail)?))? \.\.\. (ok|FAILED|ignored)\b)");
    std::string name, state;
    if (!RE2::PartialMatch(line, pattern, &name, &state)) return false;
    return put_next("cargo", name, state == "ok" ? kPassed : state == "ignored" ? kSkipped : kFailed);
  }

  // not ok 3 - name # TODO later
  bool tap(const std::string& line) {
    static const RE2 pattern(R"(^(ok|not ok) (\d+)(?:\s+-)?(?:\s+(.*?))??(?:\s+(#\s*(?i:skip|todo)\b.*))?\s*$)");
    std::string name, state, nth, directive;
    if (!RE2::FullMatch(line, pattern, &state, &nth, &name, &directive)) return false;
    return put_next("tap", name.empty() ? "test " + nth : name, !directive.empty() ? kSkipped : state == "ok" ? kPassed : kFailed);
  }

  std::map<std::string, int> seen_;
};

// Reads totals, for runners that print no ids. Several lines (several programs) add up.
class Totals {
public:
  void read(const std::string& line) { unittest(line) || node(line) || mocha(line) || counted(line) || nothing_ran(line); }

  TestReport report;

private:
  bool found(const char* runner) {
    report.recognised = true;
    report.runner = runner;
    return true;
  }

  // "Ran 3 tests in 0.1s", then "FAILED (failures=1, skipped=1)"
  bool unittest(const std::string& line) {
    static const RE2 ran(R"(^Ran (\d+) tests? in )");
    static const RE2 end(R"(^(?:OK|FAILED) ?\((.*)\)$)");
    std::string text;
    if (RE2::PartialMatch(line, ran, &text)) {
      report.passed += number(text);
      return found("unittest");
    }
    if (report.runner != "unittest" || !RE2::FullMatch(line, end, &text)) return false;
    const int bad = value(text, "failures") + value(text, "errors") + value(text, "unexpected successes");
    const int skipped = value(text, "skipped") + value(text, "expected failures");
    report.failed += bad;
    report.skipped += skipped;
    report.passed = std::max(0, report.passed - bad - skipped);
    return true;
  }
  static int value(const std::string& text, const char* key) {
    std::string digits;
    return RE2::PartialMatch(text, RE2(fmt::format(R"((?:^|, ){}=(\d+))", key)), &digits) ? number(digits) : 0;
  }

  // "# pass 3" in TAP, "ℹ pass 3" in the other format
  bool node(const std::string& line) {
    static const RE2 pattern(R"(^(?:#|\x{2139}) (pass|fail|cancelled|skipped|todo) (\d+)$)");
    std::string word, digits;
    if (!RE2::FullMatch(line, pattern, &word, &digits)) return false;
    (word == "pass" ? report.passed : word == "fail" || word == "cancelled" ? report.failed : report.skipped) += number(digits);
    return found("tap");
  }

  // "  3 passing (5ms)" and on lines of their own "  1 failing", "  2 pending"
  bool mocha(const std::string& line) {
    static const RE2 pattern(R"(^\s+(\d+) (passing|failing|pending)(?: \(\S+\))?$)");
    std::string word, digits;
    if (!RE2::FullMatch(line, pattern, &digits, &word)) return false;
    (word == "passing" ? report.passed : word == "failing" ? report.failed : report.skipped) += number(digits);
    return found("summary");
  }

  // "2 passed, 1 failed", "Tests:  1 failed, 2 skipped, 3 total", "test result: ok. 3 passed; 0 failed", "== 1 failed in 0.1s =="
  bool counted(const std::string& line) {
    static const RE2 other(R"(^\s*(?:Test Suites:|Test Files|Snapshots:))");
    static const RE2 any(R"(\b\d+ (?:passed|passing)\b)");
    static const RE2 bad(R"(^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|errors?|skipped|xfailed|deselected)(?:, \d+ \w+)* in [\d.]+s|^\s*Tests:?\s+\d+ (?:failed|skipped|todo)\b)");
    if (RE2::PartialMatch(line, other) || (!RE2::PartialMatch(line, any) && !RE2::PartialMatch(line, bad))) return false;
    report.passed += sum(line, "passed|passing");
    report.failed += sum(line, "failed|failing|errors?");
    report.skipped += sum(line, "skipped|pending|ignored|todo|deselected|xfailed");
    return found("summary");
  }
  static int sum(const std::string& line, const char* words) {
    const RE2 pattern(fmt::format(R"((\d+)\s+(?:{})\b)", words));
    re2::StringPiece rest(line);
    int total = 0;
    for (std::string digits; RE2::FindAndConsume(&rest, pattern, &digits);) total += number(digits);
    return total;
  }

  bool nothing_ran(const std::string& line) {
    static const RE2 pattern(R"(^(?:=+ )?no tests ran\b|^No tests were found|^No tests found|^collected 0 items|^NO TESTS RAN)");
    return RE2::PartialMatch(line, pattern) && found(report.runner.empty() ? "summary" : report.runner.c_str());
  }
};

} // namespace

TestReport parse_test_report(std::string_view output) {
  TestLines tests;
  Totals totals;
  for (const std::string_view raw : lines_of(output)) {
    if (raw.size() > 2'000) continue;
    const std::string line(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (!tests.read(line)) totals.read(line);
  }
  TestReport& report = tests.report;
  if (!report.recognised) return totals.report;
  for (const auto& [id, state] : report.by_id) ++(state == kPassed ? report.passed : state == kFailed ? report.failed : report.skipped);
  return report;
}

std::vector<std::string> lost_tests(const TestReport& base, const TestReport& patched) {
  constexpr std::size_t kNamed = 20;
  std::vector<std::string> lost;
  if (!base.recognised) return lost;
  const int before = base.passed + base.failed + base.skipped, now = patched.passed + patched.failed + patched.skipped;
  if (!patched.recognised) {
    if (before > 0) lost.push_back("the base reported tests, the patched tree reports none");
    return lost;
  }
  for (const auto& [id, state] : base.by_id) {
    if (state != kPassed || patched.by_id.empty()) continue;
    const auto found = patched.by_id.find(id);
    if (found == patched.by_id.end()) lost.push_back("test vanished: " + id);
    else if (found->second != kPassed) lost.push_back("test is " + found->second + " now: " + id);
  }
  if (lost.size() > kNamed) {
    const std::size_t more = lost.size() - kNamed;
    lost.resize(kNamed);
    lost.push_back(fmt::format("and {} more tests", more));
  }
  if (patched.passed < base.passed) lost.push_back(fmt::format("{} tests passed on the base, {} with the patch", base.passed, patched.passed));
  else if (now < before && !base.by_id.empty()) lost.push_back(fmt::format("{} tests ran on the base, {} with the patch", before, now));
  if (patched.skipped > base.skipped) lost.push_back(fmt::format("{} tests were skipped on the base, {} with the patch", base.skipped, patched.skipped));
  return lost;
}

} // namespace emend
