#include "engine/verify/test_lines.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

int badness(const std::string& state) { return state == kTestFailed ? 2 : state == kTestSkipped ? 1 : 0; }

const char* pytest_state(const std::string& word) {
  if (word == "PASSED" || word == "XPASS") return kTestPassed;
  return word == "SKIPPED" || word == "XFAIL" ? kTestSkipped : kTestFailed;
}

const char* unittest_state(const std::string& words) {
  if (words == "ok") return kTestPassed;
  return words.starts_with("skipped") || words == "expected failure" ? kTestSkipped : kTestFailed;
}

// The marks jest, vitest, mocha and node put before a test's name.
const char* marked_state(const std::string& mark) {
  if (mark == "✓" || mark == "✔" || mark == "√") return kTestPassed;
  return mark == "✕" || mark == "✖" || mark == "✗" || mark == "×" || mark.ends_with(')') ? kTestFailed
                                                                                         : kTestSkipped;
}

// A runner that names a file by its whole path names another one in every workspace.
std::string without_directories(const std::string& name) {
  return name.starts_with('/') ? name.substr(name.rfind('/') + 1) : name;
}

} // namespace

TestLines::TestLines(std::string_view output) {
  static const RE2 mocha_end(R"((?m)^\s+\d+ passing \(\S+\)$)");
  static const RE2 node_end(R"((?m)^\x{2139} pass \d+$)");
  static const RE2 automake_end(R"((?m)^# TOTAL:\s+\d+$)");
  static const RE2 deno_end(R"((?m)^(?:ok|FAILED) \| \d+ passed)");
  const re2::StringPiece text(output.data(), output.size());
  mocha_ = RE2::PartialMatch(text, mocha_end);
  node_spec_ = RE2::PartialMatch(text, node_end);
  automake_ = RE2::PartialMatch(text, automake_end);
  deno_ = RE2::PartialMatch(text, deno_end);
}

bool TestLines::read(const std::string& line) {
  return ctest(line) || gtest(line) || pytest(line) || pytest_summary(line) || unittest(line) || go(line) ||
         go_json(line) || cargo(line) || nextest(line) || tap(line) || vitest(line) || jest(line) ||
         mocha(line) || node_spec(line) || automake(line) || meson(line) || deno(line) || awaited(line);
}

void TestLines::finish() {
  for (const auto& [id, times] : running_)
    for (int i = 0; i < times; ++i) put_next("gtest", id, kTestFailed);
  running_.clear();
  finish_go();
  if (!report.by_id.empty() || !all_in_summary_) return; // without -rA the summary names only what went wrong
  for (const auto& [id, state] : at_end_) put("pytest", id, state.c_str());
}

// Some runners name a bad test again in their summary: the worst of what was said about it counts.
bool TestLines::put(const char* runner, const std::string& id, const char* state) {
  report.recognised = true;
  report.runner = runner;
  const auto [entry, is_new] = report.by_id.emplace(id, state);
  if (!is_new && badness(state) > badness(entry->second)) entry->second = state;
  return true;
}

// Runners of many packages print equal names without saying whose they are; their order does not change.
bool TestLines::put_next(const char* runner, const std::string& id, const char* state) {
  const int nth = ++seen_[id];
  return put(runner, nth == 1 ? id : fmt::format("{} ({})", id, nth), state);
}

// 2/3 Test #2: name .....***Failed 0.02 sec
bool TestLines::ctest(const std::string& line) {
  static const RE2 pattern(
      R"(^\s*\d+/\d+\s+Test\s+#\d+:\s+(\S.*?)\s+\.{2,}\s*(Passed|\*\*\*\w[\w ]*|Not Run).*$)");
  std::string name, state;
  if (!RE2::FullMatch(line, pattern, &name, &state)) return false;
  const bool skipped = contains(state, "Skip") || contains(state, "Not Run");
  put("ctest", name, kTestPassed);
  report.by_id[name] = state == "Passed" ? kTestPassed
                       : skipped         ? kTestSkipped
                                         : kTestFailed; // --repeat until-pass: the last try counts
  return true;
}

// [ RUN      ] Suite.name   then, perhaps behind what the test printed,   [       OK ] Suite.name (0 ms)
bool TestLines::gtest(const std::string& line) {
  static const RE2 begun(R"(\[ RUN\s+\]\s+([\w/]+\.[\w/]+)\s*$)");
  static const RE2 ended(
      R"(\[\s+(OK|FAILED|SKIPPED)\s+\]\s+([\w/]+\.[\w/]+)(?:, where .*?)?(?:\s+\(\d+ ms\))?\s*$)");
  std::string name, state;
  if (!contains(line, "[ ")) return false;
  if (RE2::PartialMatch(line, begun, &name)) return ++running_[name] > 0;
  if (!RE2::PartialMatch(line, ended, &state, &name)) return false;
  const char* what = state == "OK" ? kTestPassed : state == "SKIPPED" ? kTestSkipped : kTestFailed;
  if (const auto at = running_.find(name); at != running_.end()) {
    if (--at->second == 0) running_.erase(at);
    return put_next("gtest", name, what);
  }
  return put("gtest", name, what); // the list at the end, or a program that does not say RUN
}

// tests/a.py::name PASSED [ 50%]   and with several workers   [gw0] [ 50%] PASSED tests/a.py::name
bool TestLines::pytest(const std::string& line) {
  static const RE2 plain(R"(^(\S+::\S.*?)\s+(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b)");
  static const RE2 worker(
      R"(^\[gw\d+\]\s+\[\s*\d+%\]\s+(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+(\S+::\S.*?)\s*$)");
  static const RE2 begun(R"(^(\S+\.py::\S+)(?:\s|$))"); // -s: what the test prints follows
  std::string name, state;
  const bool others = contains(line, " --- "); // cargo test -q
  if ((!others && RE2::PartialMatch(line, plain, &name, &state)) ||
      RE2::FullMatch(line, worker, &state, &name)) {
    await_id_.clear();
    return put("pytest", name, pytest_state(state));
  }
  if (!RE2::PartialMatch(line, begun, &name)) return false;
  await_runner_ = "pytest";
  await_id_ = name;
  return false;
}

// -rA lists every test once more: PASSED tests/a.py::name   FAILED tests/a.py::name - assert 1 == 2   SKIPPED
// [1] tests/a.py:5: why
bool TestLines::pytest_summary(const std::string& line) {
  static const RE2 head(R"(^=+ short test summary info =+$)");
  static const RE2 named(R"(^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S+::\S.*?)(?: - .*)?\s*$)");
  static const RE2 passed(
      R"(^PASSED (\S+::\S.*?)\s*$)"); // nothing follows it, so a " - " belongs to the name
  static const RE2 skipped(R"(^SKIPPED \[(\d+)\] (\S+?):\d+: (.*)$)");
  if (RE2::FullMatch(line, head)) return summary_section_ = true;
  if (!summary_section_) return false;
  std::string state, name, count, reason;
  if (RE2::FullMatch(line, passed, &name)) {
    all_in_summary_ = true;
    at_end_.emplace(name, kTestPassed);
    return true;
  }
  if (RE2::FullMatch(line, named, &state, &name)) {
    at_end_[name] = pytest_state(state);
    return true;
  }
  if (!RE2::FullMatch(line, skipped, &count, &name, &reason)) return false;
  for (std::uint64_t i = std::min<std::uint64_t>(parse_unsigned(count).value_or(1), 10'000); i > 0; --i)
    at_end_.emplace(fmt::format("{}: {} ({})", name, reason, at_end_.size()), kTestSkipped);
  return true;
}

// name (module.Class.name) ... ok   the state may stand behind a first line of the description, or behind
// what the test printed
bool TestLines::unittest(const std::string& line) {
  static const RE2 whole(
      R"(^(\w+ \([\w.]+\))(?: [\[(].*[\])])? \.\.\. (ok|FAIL|ERROR|skipped.*|expected failure|unexpected success)$)");
  static const RE2 subtest(R"(^  (\w+ \([\w.]+\)) [\[(].*[\])] \.\.\. (FAIL|ERROR|skipped.*)$)");
  static const RE2 begun(R"(^(\w+ \([\w.]+\.[\w.]+\))(?: \.\.\. .*)?\s*$)");
  std::string name, state;
  if (RE2::FullMatch(line, whole, &name, &state)) {
    await_id_.clear();
    return put_next("unittest", name, unittest_state(state));
  }
  if (RE2::FullMatch(line, subtest, &name, &state)) {
    const bool first = await_id_ == name;
    if (first) await_id_.clear();
    return first ? put_next("unittest", name, unittest_state(state))
                 : put("unittest", name, unittest_state(state));
  }
  if (!RE2::FullMatch(line, begun, &name)) return false;
  await_runner_ = "unittest";
  await_id_ = name;
  return true;
}

// The result of a test that said something itself.
bool TestLines::awaited(const std::string& line) {
  static const RE2 python(
      R"(^(?:.* \.\.\. )?(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$)");
  static const RE2 pytest(
      R"(^(?:.*?)(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))?(?:\s+\[\s*\d+%\])?$)");
  static const RE2 cargo(R"(^(?:.*?)(ok|FAILED)$)");
  if (await_id_.empty()) return false;
  std::string state;
  const char* what = nullptr;
  if (await_runner_ == "unittest" && RE2::FullMatch(line, python, &state))
    what = unittest_state(state);
  else if (await_runner_ == "pytest" && RE2::FullMatch(line, pytest, &state))
    what = pytest_state(state);
  else if (await_runner_ == "cargo" && RE2::FullMatch(line, cargo, &state))
    what = state == "ok" ? kTestPassed : kTestFailed;
  if (what == nullptr) return false;
  const std::string id = std::exchange(await_id_, {});
  return await_runner_ == "pytest" ? put("pytest", id, what)
                                   : put_next(await_runner_ == "cargo" ? "cargo" : "unittest", id, what);
}

// --- PASS: TestName/case (0.00s)
bool TestLines::go(const std::string& line) {
  static const RE2 pattern(R"(^\s*--- (PASS|FAIL|SKIP): (\S+) \()");
  std::string name, state;
  if (!RE2::PartialMatch(line, pattern, &state, &name)) return go_package(line);
  go_named_ = go_named_ || state == "FAIL";
  return put_next("go", name, state == "PASS" ? kTestPassed : state == "SKIP" ? kTestSkipped : kTestFailed);
}

// ok  	example.com/a	0.01s      FAIL	example.com/b	0.02s      FAIL	example.com/c [build failed]
bool TestLines::go_package(const std::string& line) {
  static const RE2 pattern(R"(^(ok  |FAIL)\t(\S+)(?:\t\S.*|\s+\[.*\])$)");
  static const RE2 begun(R"(^=== (?:RUN|PAUSE|CONT|NAME)\b)");
  std::string state, name;
  if (RE2::PartialMatch(line, begun)) return go_verbose_ = true;
  if (!RE2::FullMatch(line, pattern, &state, &name)) return false;
  go_packages_[name] = state == "ok  " ? kTestPassed : go_named_ ? "" : kTestFailed;
  go_named_ = false;
  return state == "ok  "; // failures are counted, too
}

// Without -v a test is named only if it fails, and of the others it is known which packages passed.
void TestLines::finish_go() {
  if (go_verbose_ || go_packages_.empty() || report.names(kTestPassed)) return;
  for (const auto& [package, state] : go_packages_)
    if (!state.empty()) put("go", "package " + package, state.c_str());
  for (const auto& [package, state] : go_packages_) ++(state == kTestPassed ? report.passed : report.failed);
  report.passes_unnamed = true;
}

// {"Action":"pass","Package":"example.com/a","Test":"TestOpen","Elapsed":0}
bool TestLines::go_json(const std::string& line) {
  if (!line.starts_with('{') || !contains(line, "\"Action\"") || !contains(line, "\"Package\"")) return false;
  const auto event = parse_json(line);
  if (!event || !event->is_object()) return false;
  const std::string action = string_or(*event, "Action"), test = string_or(*event, "Test");
  if (test.empty() || (action != "pass" && action != "fail" && action != "skip")) return true;
  return put("go", string_or(*event, "Package") + "." + test,
             action == "pass"   ? kTestPassed
             : action == "skip" ? kTestSkipped
                                : kTestFailed);
}

// test module::name ... ok   and for documentation   test src/lib.rs - item (line 12) ... ok
bool TestLines::cargo(const std::string& line) {
  static const RE2 whole(
      R"(^test (\S.*?)(?: \(line \d+\))?(?: - (?:should panic|compile(?: fail)?))? \.\.\. (ok|FAILED|ignored)(?:,.*| \(.*\)| <.*>)?$)");
  static const RE2 begun(
      R"(^test (\S.*?)(?: \(line \d+\))?(?: - (?:should panic|compile(?: fail)?))? \.\.\. )"); // --nocapture
  std::string name, state;
  if (RE2::FullMatch(line, whole, &name, &state)) {
    await_id_.clear();
    return put_next("cargo", name,
                    state == "ok"        ? kTestPassed
                    : state == "ignored" ? kTestSkipped
                                         : kTestFailed);
  }
  if (!RE2::PartialMatch(line, begun, &name)) return false;
  await_runner_ = "cargo";
  await_id_ = name;
  return true;
}

// PASS [   0.005s] (1/3) crate::binary tests::adds
bool TestLines::nextest(const std::string& line) {
  static const RE2 pattern(
      R"(^\s+(?:TRY \d+ )?(PASS|LEAK|FLAKY \d+/\d+|FAIL|ABORT|TIMEOUT|SIG[A-Z]+|SKIP) \[[ >\d.s]*\] (?:\(\s*\d+/\d+\) )?(\S+ \S.*?)\s*$)");
  std::string name, state;
  if (!RE2::FullMatch(line, pattern, &state, &name)) return false;
  const bool passed = state == "PASS" || state == "LEAK" || state.starts_with("FLAKY");
  if (passed && state.starts_with("FLAKY")) report.by_id.erase(name); // its first try had failed
  return put("nextest", name, passed ? kTestPassed : state == "SKIP" ? kTestSkipped : kTestFailed);
}

// not ok 3 - name # TODO later      below   # Subtest: outer   four columns further in for every level
bool TestLines::tap(const std::string& line) {
  static const RE2 subtest(R"(^( *)# Subtest: (.*)$)");
  static const RE2 pattern(
      R"(^( *)(ok|not ok) (\d+)(?:\s+-)?(?:\s+(.*?))??(?:\s+(#\s*(?i:skip|todo)\b.*))?\s*$)");
  std::string spaces, name, state, nth, directive;
  if (RE2::FullMatch(line, subtest, &spaces, &name)) {
    const int depth = static_cast<int>(spaces.size()) / 4;
    subtests_.erase(subtests_.lower_bound(depth), subtests_.end());
    subtests_[depth] = without_directories(name);
    return true;
  }
  if (!RE2::FullMatch(line, pattern, &spaces, &state, &nth, &name, &directive)) return false;
  const int depth = static_cast<int>(spaces.size()) / 4;
  if (spaces.size() % 4 != 0 || (depth > 0 && !subtests_.contains(depth - 1))) return false;
  subtests_.erase(subtests_.lower_bound(depth), subtests_.end());
  std::string id;
  for (const auto& [level, outer] : subtests_) id += outer + " > ";
  id += name.empty() ? "test " + nth : without_directories(name);
  return put_next("tap", id, !directive.empty() ? kTestSkipped : state == "ok" ? kTestPassed : kTestFailed);
}

// PASS src/a.test.js   then, for one file or with --verbose, its tests:   ✓ adds (2 ms)   ○ skipped later
bool TestLines::jest(const std::string& line) {
  static const RE2 head(R"(^(?:PASS|FAIL)\s+(?:\S+ )?(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$)");
  static const RE2 test(R"(^\s+(✓|✕|○|✎|√|×) (?:skipped |todo )?(.+?)(?: \([\d.]+ m?s\))?$)");
  std::string mark, name;
  if (RE2::FullMatch(line, head, &name)) {
    jest_file_ = name;
    return true;
  }
  if (trim(line).empty() || jest_file_.empty()) {
    jest_file_.clear();
    return false;
  }
  return RE2::FullMatch(line, test, &mark, &name) &&
         put_next("jest", jest_file_ + " > " + name, marked_state(mark));
}

// --reporter=verbose:   ✓ src/a.test.ts > adder > adds 1ms      Without it only failing files are taken
// apart: no ids.
bool TestLines::vitest(const std::string& line) {
  static const RE2 pattern(R"(^\s+(✓|×|↓|□|✗) (\S.*?\.[cm]?[jt]sx? > .+?)(?: +[\d.]+m?s)?$)");
  std::string mark, name;
  return RE2::FullMatch(line, pattern, &mark, &name) && put_next("vitest", name, marked_state(mark));
}

//     ✔ adds   1) fails   - later      until   3 passing (5ms)
bool TestLines::mocha(const std::string& line) {
  static const RE2 end(R"(^\s+\d+ passing \(\S+\)$)");
  static const RE2 test(R"(^\s{2,}(✔|✓|\d+\)|-) (.+?)(?: \([\d.]+m?s\))?$)");
  if (!mocha_) return false;
  if (RE2::FullMatch(line, end)) return mocha_ = false;
  std::string mark, name;
  return RE2::FullMatch(line, test, &mark, &name) && put_next("mocha", name, marked_state(mark));
}

// ✔ adds (0.5ms)   ﹣ later (0.1ms) # SKIP      until   ℹ pass 3
bool TestLines::node_spec(const std::string& line) {
  static const RE2 end(R"(^\x{2139} (?:tests|pass) \d+$)");
  static const RE2 test(R"(^\s*(✔|✖|﹣|⚠) (.+?) \([\d.]+ms\)(?: (#.*))?$)");
  if (!node_spec_) return false;
  if (RE2::FullMatch(line, end)) return node_spec_ = false;
  std::string mark, name, directive;
  if (!RE2::FullMatch(line, test, &mark, &name, &directive)) return false;
  const bool skipped = contains(directive, "SKIP") || contains(directive, "TODO");
  return put_next("node", without_directories(name), skipped ? kTestSkipped : marked_state(mark));
}

// PASS: name      FAIL: name.tap 3 - what      until   # TOTAL: 4
bool TestLines::automake(const std::string& line) {
  static const RE2 pattern(R"(^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (\S.*?)(?: # SKIP.*)?$)");
  std::string state, name;
  if (!automake_ || !RE2::FullMatch(line, pattern, &state, &name)) return false;
  return put("automake", name,
             state == "PASS"                       ? kTestPassed
             : state == "SKIP" || state == "XFAIL" ? kTestSkipped
                                                   : kTestFailed);
}

// 2/3 project:suite / name        FAIL            0.02s   exit status 1
bool TestLines::meson(const std::string& line) {
  static const RE2 pattern(
      R"(^\s*\d+/\d+ (\S.*?)\s+(OK|FAIL|SKIP|TIMEOUT|ERROR|EXPECTEDFAIL|UNEXPECTEDPASS)\s+[\d.]+s.*$)");
  std::string state, name;
  if (!RE2::FullMatch(line, pattern, &name, &state)) return false;
  return put("meson", name,
             state == "OK" || state == "EXPECTEDFAIL" ? kTestPassed
             : state == "SKIP"                        ? kTestSkipped
                                                      : kTestFailed);
}

// adds ... ok (5ms)      until   ok | 1 passed | 0 failed (12ms)
bool TestLines::deno(const std::string& line) {
  static const RE2 pattern(R"(^(\S.*?) \.\.\. (ok|FAILED|ignored)(?: \(.*\))?$)");
  std::string state, name;
  if (!deno_ || !RE2::FullMatch(line, pattern, &name, &state)) return false;
  return put_next("deno", name, state == "ok" ? kTestPassed : state == "FAILED" ? kTestFailed : kTestSkipped);
}

} // namespace emend
