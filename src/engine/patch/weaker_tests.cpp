#include "engine/patch/weaker_tests.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/strings.hpp"
#include "engine/patch/scope.hpp"

namespace emend {
namespace {

enum class Strength { always_true, any_error, loose, approximate, one_error, exact };

using Statements = std::map<std::string, int>; // without white space -> how often

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

bool is_comment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with("//") || text.starts_with("/*") || text.starts_with("* ") ||
         text.starts_with("--") ||
         (text.starts_with('#') && !text.starts_with("#[") && !text.starts_with("#if"));
}

bool is_shell(std::string_view path) {
  return path.ends_with(".sh") || path.ends_with(".bash") || path.ends_with(".bats");
}

// The part of a file that tests: all of a test file; in Rust the module that is only built for tests.
std::string_view test_text(std::string_view path, std::string_view content) {
  if (is_test_path(path)) return content;
  const auto module = path.ends_with(".rs") ? content.find("#[cfg(test)]") : std::string_view::npos;
  return module == std::string_view::npos ? std::string_view{} : content.substr(module);
}

bool begins_assertion(std::string_view path, std::string_view line) {
  static const RE2 common(
      R"((?:^|[^\w.])(?:self\.)?assert\w*\b\s*[!(.\s]|\bself\.(?:assert|fail)\w*\s*\(|\b(?:ASSERT|EXPECT)_\w+\s*\(|(?:^|[^\w.])expect\s*[({]|)"
      R"(\b(?:REQUIRE|CHECK)(?:_\w+)?\s*\(|\bpytest\.(?:raises|approx|warns)\b|\.(?:must|wont)_\w+|\.should(?:_not)?[.\s(]|#\[should_panic|)"
      R"(\b(?:t|tb|b)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\brequire\.\w+\(\s*t\b|\bt\.(?:is|not|deepEqual|true|false|throws|like)\s*\()");
  static const RE2 shell(R"(^\s*(?:\[\[? |test |assert\w*\b|diff |cmp |grep -\w*q))");
  static const RE2 go(R"(^\s*(?:\} else )?if .*(?:!=|DeepEqual|Equal\().*\{)");
  static const RE2 declares(
      R"(^\s*(?:import|from|#\s*include|use|using|require|const .*require\(|def |func |function )\b)");
  if (is_comment(line) || RE2::PartialMatch(piece(line), declares)) return false;
  if (is_shell(path)) return RE2::PartialMatch(piece(line), shell);
  return RE2::PartialMatch(piece(line), common) ||
         (path.ends_with(".go") && RE2::PartialMatch(piece(line), go));
}

// Brackets that are still open at the end of a line; quotes hide theirs.
int open_brackets(std::string_view line) {
  int open = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++open;
    } else if (c == ')' || c == ']') {
      --open;
    }
  }
  return open;
}

std::string without_space(std::string_view text) {
  std::string kept;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r') kept += c;
  return kept;
}

// Every assertion of a test, from its first line to where its brackets are closed, however it is laid out.
Statements assertions(std::string_view path, std::string_view text) {
  constexpr std::size_t kMostLines = 30;
  Statements found;
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].size() > 2'000 || !begins_assertion(path, lines[i])) continue;
    std::string statement = without_space(lines[i]);
    int open = open_brackets(lines[i]);
    for (std::size_t n = 0; open > 0 && n < kMostLines && i + 1 < lines.size(); ++n) {
      ++i;
      statement += without_space(lines[i]);
      open += open_brackets(lines[i]);
    }
    for (auto at = statement.find(",)"); at != std::string::npos; at = statement.find(",)"))
      statement.erase(at, 1);
    ++found[statement];
  }
  return found;
}

// Of a statement without white space.
Strength strength_of(const std::string& statement) {
  static const RE2 always(
      R"(^assert\(?(?:True|true|1)\)?(?:,.*)?;?$|\b(?:assertTrue|assert_true|assert!|EXPECT_TRUE|ASSERT_TRUE|CHECK|REQUIRE|assert\.ok|assert)\((?:true|True|1)\)|)"
      R"(\bexpect\((?:true|1)\)\.to|\bassert\.True\(t,true\b|orTrue\)*(?:,.*)?$|\|\|true\))");
  static const RE2 any_error(
      R"(\b(?:assertRaises|raises|assert_raises|raise_error|assertThrows|expectThrows|assert_raise)(?:\(|:)?(?:Exception|BaseException|StandardError|Throwable\.class|Exception\.class|RuntimeException\.class)\b|)"
      R"(EXPECT_ANY_THROW|ASSERT_ANY_THROW|\.toThrow(?:Error)?\(\)|\braise_error(?:$|\))|#\[should_panic\]|\b(?:require|assert)\.(?:Error|throws|rejects)\((?:t,)?[^,]*\)$|REQUIRE_THROWS\(|CHECK_THROWS\()");
  static const RE2 one_error(
      R"(\b(?:assertRaises|raises|assert_raises|raise_error|assertThrows|expectThrows)|_THROW\(|_THROWS_AS\(|_THROWS_WITH\(|\.toThrow(?:Error)?\(|#\[should_panic\(|\.(?:ErrorIs|ErrorAs|ErrorContains|throws|rejects)\()");
  static const RE2 approximate(
      R"(approx|AlmostEqual|toBeCloseTo|_NEAR\(|InDelta|InEpsilon|in_delta|in_epsilon|relative_eq|isclose|closeTo|Approx\(|WithinAbs|WithinRel)");
  static const RE2 plain_value(
      R"((?:==|===|\bis|,|toBe\(|toEqual\(|toStrictEqual\(|-eq)(?:True|False|None|true|false|null|nullptr|NULL|nil|undefined)\b|len\(.*(?:==|,)0\)*$|\.length(?:\(\))?\)?(?:===?|,|\.toBe\()0)");
  static const RE2 exact(
      R"(==|assertEquals?\(|assert(?:List|Dict|Set|Tuple|Sequence|MultiLine|Array)\w*Equals?\(|assert_equal|assert_eq!|_EQ\(|_STREQ\(|\.toBe\(|\.to(?:Strict)?Equal\(|\.toMatchInlineSnapshot\(|)"
      R"(\.(?:Equal|Equals|EqualValues|JSONEq|strictEqual|deepEqual|deepStrictEqual|equal|eql?|is)\(|must_equal|-eq|^(?:\}else)?if.*!=|DeepEqual|\beq\(|\.toeql?\b|\[.*[^!=]=[^~].*\]|test.*[^!=]=)");
  if (RE2::PartialMatch(statement, always)) return Strength::always_true;
  if (RE2::PartialMatch(statement, any_error)) return Strength::any_error;
  if (RE2::PartialMatch(statement, one_error)) return Strength::one_error;
  if (RE2::PartialMatch(statement, approximate)) return Strength::approximate;
  if (RE2::PartialMatch(statement, plain_value)) return Strength::loose;
  return RE2::PartialMatch(statement, exact) ? Strength::exact : Strength::loose;
}

Statements minus(const Statements& from, const Statements& what) {
  Statements rest;
  for (const auto& [text, times] : from) {
    const auto other = what.find(text);
    const int more = times - (other == what.end() ? 0 : other->second);
    if (more > 0) rest[text] = more;
  }
  return rest;
}

struct Asked {
  Statements statements;
  std::map<Strength, int> strengths;

  int operator[](Strength strength) const {
    const auto at = strengths.find(strength);
    return at == strengths.end() ? 0 : at->second;
  }
};

Asked asked(Statements statements) {
  Asked made;
  for (const auto& [text, times] : statements) made.strengths[strength_of(text)] += times;
  made.statements = std::move(statements);
  return made;
}

bool any_matches(const Statements& statements, const RE2& pattern) {
  return std::any_of(statements.begin(), statements.end(),
                     [&](const auto& entry) { return RE2::PartialMatch(entry.first, pattern); });
}

// Comparing floating point numbers exactly is a defect itself.
bool about_floats(const Finding& finding, const Statements& removed) {
  static const RE2 number(R"(\d\.\d|\de-\d)");
  static const RE2 words(R"((?i)\bfloat|floating|\bdouble\b|\bapprox|rounding|precision)");
  return any_matches(removed, number) ||
         RE2::PartialMatch(finding.title + " " + finding.description + " " + finding.rule, words);
}

// One assertion in a loop or a table stands for many.
bool gathers_cases(const std::vector<ChangedLine>& added) {
  static const RE2 table(
      R"(parametri[sz]e|\.each\b|@ParameterizedTest|INSTANTIATE_TEST|\bsubTest\(|\bt\.Run\(|^\s*for\b|\.forEach\(|TEST_P\(|rstest|SECTION\(|GENERATE\()");
  return std::any_of(added.begin(), added.end(),
                     [](const ChangedLine& line) { return RE2::PartialMatch(line.text, table); });
}

// The widest tolerance a side allows, by how it is written. Digits and places count the other way round.
std::map<std::string, double> tolerances(const Statements& statements) {
  static const RE2 named(
      R"(\b(abs|rel|delta|epsilon|tolerance|atol|rtol|abs_tol|rel_tol|max_relative)(?:=|:)(\d[\d.]*(?:e-?\d+)?))");
  static const RE2 last(
      R"((_NEAR|InDelta|InEpsilon|in_delta|assertEquals)\(.*,(\d*\.\d+(?:e-?\d+)?|\d+e-?\d+)\))");
  static const RE2 places(R"((places=|toBeCloseTo\(.*,|assertAlmostEqual\([^()]*,[^()]*,)(\d+)\))");
  std::map<std::string, double> widest;
  const auto note = [&](const std::string& key, const std::string& digits, bool inverse) {
    double value = 0;
    if (!RE2::FullMatch(digits, R"(([\d.e-]+))", &value)) return;
    if (inverse) value = -value;
    const auto [at, is_new] = widest.emplace(key, value);
    if (!is_new) at->second = std::max(at->second, value);
  };
  for (const auto& [statement, times] : statements) {
    std::string key, digits;
    re2::StringPiece rest(statement);
    while (RE2::FindAndConsume(&rest, named, &key, &digits)) note(key, digits, false);
    if (RE2::PartialMatch(statement, last, &key, &digits)) note(key, digits, false);
    if (RE2::PartialMatch(statement, places, &key, &digits)) note("places", digits, true);
  }
  return widest;
}

bool wider(const Statements& removed, const Statements& added) {
  const auto before = tolerances(removed);
  for (const auto& [key, value] : tolerances(added))
    if (const auto at = before.find(key); at != before.end() && value > at->second) return true;
  return false;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// A bare return, or `if False`, before what was tested.
bool cuts_off(std::string_view path, const std::vector<std::string_view>& lines, const ChangedLine& line) {
  static const RE2 never(
      R"(^\s*(?:if\s*\(?\s*(?:False|false|0)\s*\)?\s*[:{]|#\s*if\s+0\b|while\s*\(?\s*(?:False|false|0)\b))");
  static const RE2 leaves(R"(^\s*return;?\s*(?:(?://|#).*)?$)");
  if (RE2::PartialMatch(line.text, never)) return true;
  static const RE2 exits(R"(^\s*(?:exit|return)\s+0\s*(?:#.*)?$)");
  if (!RE2::PartialMatch(line.text, is_shell(path) ? exits : leaves)) return false;
  for (std::size_t i = static_cast<std::size_t>(line.number); i < lines.size(); ++i) {
    const std::string_view next = trim(lines[i]);
    if (next.empty() || is_comment(next)) continue;
    const bool ends = next.starts_with('}') || next.starts_with("case ") || next.starts_with("default:") ||
                      next.starts_with("end") || next.starts_with("#e") || next == "fi" || next == "else" ||
                      next == ";;" || next == "done" || next == "esac";
    return !ends && indentation(lines[i]) == indentation(line.text);
  }
  return false;
}

void find_cut_off(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& found) {
  const auto text = lines_of(change.new_content);
  for (const ChangedLine& line : lines.added) {
    if (!cuts_off(change.path, text, line)) continue;
    found.push_back(fmt::format("{}:{} keeps the rest of a test from running: {}", clean_text(change.path),
                                line.number, first_line(clean_text(trim(line.text)), 120)));
    return;
  }
}

} // namespace

std::vector<std::string> weakened_tests(const FileChange& change, const Finding& finding) {
  const std::string_view before = test_text(change.path, change.old_content),
                         after = test_text(change.path, change.new_content);
  std::vector<std::string> found;
  if (change.added() || change.deleted() || change.binary() || before.empty()) return found;
  const Statements old_ones = assertions(change.path, before), new_ones = assertions(change.path, after);
  const Asked removed = asked(minus(old_ones, new_ones)), added = asked(minus(new_ones, old_ones));
  const ChangedLines lines = changed_lines(change);
  const auto say = [&](const std::string& what) {
    found.push_back(fmt::format("{} weakens a test: {}", clean_text(change.path), what));
  };
  const auto traded = [&](Strength from, Strength to) {
    return removed[from] > added[from] && added[to] > removed[to];
  };

  if (added[Strength::always_true] > removed[Strength::always_true]) say("an assertion that is always true");
  if (traded(Strength::exact, Strength::loose)) say("an exact assertion became a loose one");
  if (traded(Strength::exact, Strength::approximate) && !about_floats(finding, removed.statements))
    say("an exact assertion became an approximate one");
  if (traded(Strength::one_error, Strength::any_error))
    say("any error is accepted where one kind was expected");
  if (wider(removed.statements, added.statements)) say("a tolerance became wider");
  if (new_ones.size() < old_ones.size() && !gathers_cases(lines.added))
    say(fmt::format("{} different assertions became {}", old_ones.size(), new_ones.size()));
  if (is_test_path(change.path)) find_cut_off(change, lines, found);
  return found;
}

} // namespace emend
