#include "engine/verify/test_heads.hpp"

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/strings.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongest = 300; // of a line that names a test
constexpr std::size_t kMost = 20'000; // names of one run

// How runners that name only the failing tests name one: whole lines, the name in the one group.
constexpr const char* kRunnersOwn[] = {
    R"((?:FAIL|ERROR): (\w+ \([\w.]+\))(?: [\[(].*)?)",          // unittest, subtests with their test
    R"(  ● (\S.*))",                                             // jest
    R"(rspec \S+(?::\d+|\[[\d:]+\])['"]? # (.+))",               // RSpec
    R"(\d+\) (\S+::\S.*))",                                      // PHPUnit
    R"(\s*(\w[\w:]*#\S.*?) \[\S+:\d+\]:?.*)",                    // minitest
    R"((?:Failure|Error): (\w+\(\w[\w:]*\)).*)",                 // test-unit
    R"((\S.* > \S.*?) FAILED)",                                  // Gradle
    R"(\s+Failed (\S.*?) \[[^\]]*\])",                           // .NET
    R"(TEST CASE:\s+(\S.*?))",                                   // doctest
    R"(\S+:\d+:[FE]:([^:]+:[^:]+:\d+): .*)",                     // Check
    R"((\S+)\s+\(Wstat: .*)",                                    // prove
    R"((\S+) --- FAILED)",                                       // cargo test -q
    R"(---- (\S+) stdout ----)",                                 // cargo test -q
    R"(\s+\d+ - (\S.*?) \((?:Failed|Timeout|[A-Z][\w ]*)\)\s*)", // the list ctest ends with
};

std::optional<std::string> by_its_runner(const std::string& line) {
  static const std::vector<std::unique_ptr<RE2>> patterns = [] {
    std::vector<std::unique_ptr<RE2>> made;
    for (const char* pattern : kRunnersOwn) made.push_back(std::make_unique<RE2>(pattern));
    return made;
  }();
  std::string name;
  for (const auto& pattern : patterns)
    if (RE2::FullMatch(line, *pattern, &name)) return name;
  return std::nullopt;
}

// What is said about a failure after the name, and what is different in every run.
std::string stable(std::string name) {
  static const RE2 date(R"(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d\S*)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?)");
  static const RE2 duration(
      R"([\[(]?\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|secs?|seconds?|min|minutes?)\b[\])]?)");
  static const RE2 address(R"(0x[0-9a-fA-F]+)");
  static const RE2 directory(R"((^|[\s"'(=])(?:/[\w.+@~-]+)+/([\w.+@~-]+))");
  static const RE2 line(R"(([\w)\]]):\d+(?::\d+)?)"), line_word(R"(\bline \d+)"), spaces(R"(\s+)");
  if (const auto detail = name.find(" - "); detail != std::string::npos) name.resize(detail);
  RE2::GlobalReplace(&name, date, "#");
  RE2::GlobalReplace(&name, duration, "");
  RE2::GlobalReplace(&name, address, "0x#");
  RE2::GlobalReplace(&name, directory, R"(\1\2)");
  RE2::GlobalReplace(&name, line, R"(\1:#)");
  RE2::GlobalReplace(&name, line_word, "line #");
  RE2::GlobalReplace(&name, spaces, " ");
  while (!name.empty() && std::string_view(" .:,;").find(name.back()) != std::string_view::npos)
    name.pop_back();
  return std::string(trim(name));
}

} // namespace

void TestHeads::read(const std::string& line) {
  // A count ("FAILED 3 of 7") is no name.
  static const RE2 failing(
      R"(\s{0,8}[\[(*]{0,3} ?(?:FAIL(?:ED|URE)?|ERROR|NOT OK|not ok|Assertion failed|✗|✘|✕|✖|×|❌)[\])*]{0,3}(?:\s*[:>]\s*|\s+)([^\s\d(\[=!.,:].*))");
  static const RE2 passing(
      R"(\s{0,8}[\[(*]{0,3} ?(?:PASS(?:ED)?|OK|ok|✓|✔|√)[\])*]{0,3}(?:\s*[:>]\s*|\s+)([^\s\d(\[=!.,:].*))");
  if (line.size() > kLongest) return;
  std::string name;
  if (const auto own = by_its_runner(line)) {
    add(*own, kTestFailed);
    if (own_.size() < kMost) own_.emplace(*own, kTestFailed);
  } else if (RE2::FullMatch(line, failing, &name))
    add(stable(name), kTestFailed);
  else if (RE2::FullMatch(line, passing, &name))
    add(stable(name), kTestPassed);
}

void TestHeads::add_failed(const std::string& name) { add(name, kTestFailed); }

void TestHeads::add(const std::string& name, const char* state) {
  if (name.empty() || names_.size() >= kMost) return;
  const auto [entry, is_new] = names_.emplace(name, state);
  if (!is_new && state == std::string(kTestFailed)) entry->second = state;
}

std::map<std::string, std::string> TestHeads::failed() const {
  std::map<std::string, std::string> found;
  for (const auto& [name, state] : names_)
    if (state == kTestFailed) found.emplace(name, state);
  return found;
}

} // namespace emend
