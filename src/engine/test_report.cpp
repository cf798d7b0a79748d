#include "engine/test_report.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.hpp"

namespace emend {
namespace {

void put(TestReport& report, const char* runner, const std::string& id, const char* state) {
  report.recognised = true;
  report.runner = runner;
  report.by_id[id] = state;
}

// One line of one test. True when the line was understood.
bool read_test_line(const std::string& line, TestReport& report) {
  static const RE2 ctest(R"(^\s*\d+/\d+\s+Test\s+#\d+:\s+(\S.*?)\s+\.{2,}\s*(Passed|\*\*\*\w[\w ]*|Not Run).*$)");
  static const RE2 gtest(R"(^\[\s+(OK|FAILED|SKIPPED)\s+\]\s+([\w/]+\.[\w/]+)(\s+\(\d+ ms\))?$)");
  static const RE2 pytest(R"(^(\S+::\S.*?)\s+(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b)");
  static const RE2 unittest_line(R"(^(\w+ \([\w.]+\)).*\.\.\.\s+(ok|FAIL|ERROR|skipped.*|expected failure)$)");
  static const RE2 go(R"(^\s*--- (PASS|FAIL|SKIP): (\S+) \()");
  static const RE2 cargo(R"(^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b)");
  static const RE2 tap(R"(^(ok|not ok) \d+(?: -)? ([^#]*?)\s*(#\s*(?i:skip|todo).*)?$)");
  std::string name, state, extra;
  if (RE2::FullMatch(line, ctest, &name, &state)) {
    put(report, "ctest", name, state == "Passed" ? "passed" : contains(state, "Skip") || state == "Not Run" ? "skipped" : "failed");
    return true;
  }
  if (RE2::PartialMatch(line, gtest, &state, &name)) {
    put(report, "gtest", name, state == "OK" ? "passed" : state == "SKIPPED" ? "skipped" : "failed");
    return true;
  }
  if (RE2::PartialMatch(line, pytest, &name, &state)) {
    const bool good = state == "PASSED" || state == "XPASS";
    put(report, "pytest", name, good ? "passed" : state == "SKIPPED" || state == "XFAIL" ? "skipped" : "failed");
    return true;
  }
  if (RE2::FullMatch(line, unittest_line, &name, &state)) {
    put(report, "unittest", name, state == "ok" ? "passed" : state.starts_with("skipped") || state == "expected failure" ? "skipped" : "failed");
    return true;
  }
  if (RE2::PartialMatch(line, go, &state, &name)) {
    put(report, "go", name, state == "PASS" ? "passed" : state == "SKIP" ? "skipped" : "failed");
    return true;
  }
  if (RE2::PartialMatch(line, cargo, &name, &state)) {
    put(report, "cargo", name, state == "ok" ? "passed" : state == "ignored" ? "skipped" : "failed");
    return true;
  }
  if (RE2::FullMatch(line, tap, &state, &name, &extra)) {
    put(report, "tap", name, !extra.empty() ? "skipped" : state == "ok" ? "passed" : "failed");
    return true;
  }
  return false;
}

int number_before(const std::string& line, const char* words) {
  const RE2 pattern(fmt::format(R"((\d+)\s+(?:{}))", words));
  std::string digits;
  return RE2::PartialMatch(line, pattern, &digits) ? static_cast<int>(parse_unsigned(digits).value_or(0)) : 0;
}

// Totals, for runners that print no ids. Several lines (several programs) add up.
void read_summary_line(const std::string& line, TestReport& totals) {
  static const RE2 unittest_ran(R"(^Ran (\d+) tests? in )");
  static const RE2 unittest_end(R"(^(OK|FAILED) ?\((.*)\)$)");
  static const RE2 summary(R"(^(=+ |Tests:|Tests\s|test result:|\S+: )?.*\b\d+ (passed|passing)\b)");
  static const RE2 node(R"(^# (pass|fail|skipped|todo) (\d+)$)");
  static const RE2 none_ran(R"(^=+ no tests ran|^No tests were found|^collected 0 items)");
  std::string word, digits;
  if (RE2::PartialMatch(line, unittest_ran, &digits)) {
    totals.recognised = true;
    totals.runner = "unittest";
    totals.passed += static_cast<int>(parse_unsigned(digits).value_or(0));
  } else if (totals.runner == "unittest" && RE2::FullMatch(line, unittest_end, &word, &digits)) {
    const auto value = [&](const char* key) {
      std::string n;
      return RE2::PartialMatch(digits, RE2(fmt::format(R"(\b{}=(\d+))", key)), &n) ? static_cast<int>(parse_unsigned(n).value_or(0)) : 0;
    };
    const int bad = value("failures") + value("errors");
    totals.failed += bad;
    totals.skipped += value("skipped");
    totals.passed -= bad + value("skipped");
  } else if (RE2::FullMatch(line, node, &word, &digits)) {
    totals.recognised = true;
    totals.runner = "tap";
    const int n = static_cast<int>(parse_unsigned(digits).value_or(0));
    (word == "pass" ? totals.passed : word == "fail" ? totals.failed : totals.skipped) += n;
  } else if (RE2::PartialMatch(line, summary)) {
    totals.recognised = true;
    totals.runner = "summary";
    totals.passed += number_before(line, "passed|passing");
    totals.failed += number_before(line, "failed|failing|errors?");
    totals.skipped += number_before(line, "skipped|pending|ignored|todo|deselected");
  } else if (RE2::PartialMatch(line, none_ran)) {
    totals.recognised = true;
    totals.runner = "summary";
  }
}

} // namespace

TestReport parse_test_report(std::string_view output) {
  TestReport report, totals;
  for (const std::string_view raw : lines_of(output)) {
    if (raw.size() > 2'000) continue;
    const std::string line(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (!read_test_line(line, report)) read_summary_line(line, totals);
  }
  for (const auto& [id, state] : report.by_id) ++(state == "passed" ? report.passed : state == "failed" ? report.failed : report.skipped);
  if (!report.recognised) return totals;
  return report;
}

std::vector<std::string> lost_tests(const TestReport& base, const TestReport& patched) {
  std::vector<std::string> lost;
  if (!base.recognised) return lost;
  if (!patched.recognised) {
    if (base.passed + base.failed + base.skipped > 0) lost.push_back("the base reported tests, the patched tree reports none");
    return lost;
  }
  for (const auto& [id, state] : base.by_id) {
    if (state != "passed" || patched.by_id.empty()) continue;
    const auto now = patched.by_id.find(id);
    if (now == patched.by_id.end()) lost.push_back("test vanished: " + id);
    else if (now->second != "passed") lost.push_back("test is " + now->second + " now: " + id);
  }
  if (patched.passed < base.passed) lost.push_back(fmt::format("{} tests passed on the base, {} with the patch", base.passed, patched.passed));
  if (patched.skipped > base.skipped) lost.push_back(fmt::format("{} tests were skipped on the base, {} with the patch", base.skipped, patched.skipped));
  return lost;
}

} // namespace emend
