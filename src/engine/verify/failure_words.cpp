#include "engine/verify/failure_words.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_name.hpp"
#include "engine/verify/test_totals.hpp"

namespace emend {
namespace {

// Of what a run says: more is not compared. What is longer than this is not stored whole.
constexpr std::size_t kMostBytes = 60'000, kMostWork = 500'000; // names times lines

// "(45 - 42)" as "3": how a rephrased test writes its numbers.
std::string with_values(std::string line) {
  static const RE2 shell(R"((\$\(\((\d{1,9}) - (\d{1,9})\)\)))"), plain(R"((\((\d{1,9}) - (\d{1,9})\)))"),
      bare(R"((\b(\d{1,9}) - (\d{1,9})\b))");
  std::string whole, left, right;
  for (const RE2* sum : {&shell, &plain, &bare})
    while (RE2::PartialMatch(line, *sum, &whole, &left, &right)) {
      const long value = std::stol(left) - std::stol(right);
      line.replace(line.find(whole), whole.size(), value < 0 ? "#" : std::to_string(value));
    }
  return line;
}

std::string settled(std::string line) {
  static const RE2 time(R"(\b\d+(?:\.\d+)?\s*(?:ms|s|sec|secs|seconds|µs|us)\b)");
  static const RE2 address(R"(\b0x[0-9a-fA-F]{4,}\b|\b[0-9a-f]{12,}\b|==\d+==)");
  static const RE2 clock(R"(\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b)");
  static const RE2 path(R"((?:/[\w.+-]+){2,})");
  static const RE2 place(R"(\b[\w./+-]+\.\w+(?::\d+(?::\d+)?|\(\d+\)))");
  static const RE2 number(R"(\bline \d+)");
  static const RE2 space(R"(\s+)");
  for (const RE2* pattern : {&time, &address, &clock, &place, &path, &number})
    RE2::GlobalReplace(&line, *pattern, "#");
  line = with_values(std::move(line));
  RE2::GlobalReplace(&line, space, " ");
  return std::string(trim(line));
}

// What runners draw between the parts of a report.
bool is_rule(std::string_view line) {
  return line.size() > 4 && line.find_first_not_of("=-_*~ ") == std::string_view::npos;
}

// Source code and stack frames: a fix may move them without changing what fails.
bool is_listing(std::string_view line) {
  static const RE2 numbered(R"(^\s*>?\s*\d*\s*\|.*)");
  const std::string_view text = trim(line);
  return text.starts_with("at ") || text.starts_with("File \"") || text.starts_with("stack:") ||
         text.starts_with("make:") || text.starts_with("make[") || RE2::FullMatch(line, numbered);
}

// "tests/test_a.py::test_b[1]" -> "test_b[1]"
std::string heading_of(const std::string& id) {
  const auto bracket = id.find('[');
  return short_test_name(id) +
         (bracket == std::string::npos ? "" : id.substr(bracket, id.find(']') + 1 - bracket));
}

// The lines from each that names the test to the next that names another one, or a runner's last words.
std::vector<std::string> story_of(const CommandRun& run, const std::string& id) {
  std::vector<std::string> others;
  const std::string own = heading_of(id);
  for (const auto& [other, state] : run.tests.by_id) {
    if (other == id) continue;
    others.push_back(heading_of(other));
    if (others.back() == own) return {}; // two tests of one name cannot be told apart
  }
  if (run.output.size() > kMostBytes) return {};
  const std::string plain = without_ansi(run.output);
  const auto lines = lines_of(plain);
  if (lines.size() * others.size() > kMostWork) return {};
  std::vector<std::string> story;
  bool ours = false;
  TestTotals totals;
  for (const std::string_view line : lines) {
    if (names_test(line, own)) {
      ours = true;
      if (contains(line, " - ")) story.emplace_back(line.substr(line.find(" - ")));
      continue;
    }
    const bool ends =
        std::any_of(others.begin(), others.end(), [&](const auto& name) { return names_test(line, name); });
    if (ends || totals.read(std::string(line))) ours = false;
    if (ours) story.emplace_back(line);
  }
  return story;
}

// A traceback says what went wrong in the lines that are not indented; pytest marks them.
void leave_out_code(std::vector<std::string>& story) {
  const auto begins = [](std::string_view lead) {
    return [lead](const std::string& line) { return line.starts_with(lead); };
  };
  const bool marked = std::any_of(story.begin(), story.end(), begins("E  "));
  const bool traced = std::any_of(story.begin(), story.end(), begins("Traceback (most recent"));
  std::erase_if(story, [&](const std::string& line) {
    if (marked && !line.starts_with("E  ") && !line.starts_with(" - ")) return true;
    return (traced && !marked && (line.starts_with("  ") || line.starts_with("Traceback"))) ||
           is_rule(line) || is_listing(line);
  });
}

} // namespace

std::string failure_words(const CommandRun& run, const std::string& id) {
  std::vector<std::string> story = story_of(run, id);
  leave_out_code(story);
  std::set<std::string> said; // order and repetition are the runner's
  for (const std::string& line : story)
    if (std::string words = settled(line); words.size() > 1) said.insert(std::move(words));
  return join({said.begin(), said.end()}, "\n");
}

bool fails_otherwise(const CommandRun& before, const CommandRun& now, const std::string& id) {
  const auto failed = [&](const CommandRun& run) {
    const auto found = run.tests.by_id.find(id);
    return found != run.tests.by_id.end() && found->second == kTestFailed;
  };
  if (!failed(before) || !failed(now)) return false;
  const std::string was = failure_words(before, id), is = failure_words(now, id);
  return !was.empty() && !is.empty() && was != is;
}

} // namespace emend
