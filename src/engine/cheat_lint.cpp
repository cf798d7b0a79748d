#include "engine/cheat_lint.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.hpp"

namespace emend {
namespace {

struct Rule {
  const char* what;
  RE2 pattern;
};

const std::vector<std::unique_ptr<Rule>>& rules() {
  static const auto list = [] {
    std::vector<std::unique_ptr<Rule>> made;
    const auto add = [&](const char* what, const char* pattern) {
      made.push_back(std::make_unique<Rule>(what, pattern));
    };
    add("suppresses an analyzer",
        R"(NOLINT|\bnoqa\b|\bnosec\b|nosemgrep|eslint-disable|@ts-(ignore|nocheck|expect-error)|type:\s*ignore|pylint:\s*disable|)"
        R"(rubocop:disable|shellcheck\s+disable|cppcheck-suppress|@SuppressWarnings|pragma\s+(GCC|clang)\s+diagnostic\s+ignored|)"
        R"(pragma\s+warning\s*\(?\s*disable|biome-ignore|oxlint-disable|#!?\[allow\(|//\s*nolint|istanbul ignore|pragma:\s*no\s*cover|)"
        R"(codespell:ignore|emend-ignore)");
    add("skips a test",
        R"(pytest\.(mark\.)?(skip|xfail)|unittest\.skip|\bSkipTest\b|\b(it|describe|test|suite)\.(skip|only|todo)\b|\bx(it|describe|test)\s*\(|)"
        R"(GTEST_SKIP|\bDISABLED_\w|\bt\.Skip(f|Now)?\s*\(|#\[ignore|@Disabled\b|@Ignore\b)");
    add("ends the process with success",
        R"(\bos\._exit\s*\(|\bsys\.exit\s*\(\s*(0|None)?\s*\)|\bprocess\.exit\s*\(\s*0?\s*\)|\bos\.Exit\s*\(\s*0\s*\)|)"
        R"((^|[^\w.])(_exit|_Exit|quick_exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)|\braise\s+SystemExit\s*(\(\s*0?\s*\))?\s*$|\bprocess::exit\s*\(\s*0\s*\))");
    add("swallows every error",
        R"(\bexcept\s*:|\bexcept\s+(Base)?Exception(\s+as\s+\w+)?\s*:\s*(pass|\.\.\.|continue|return\s+None)?\s*$|)"
        R"(\bcatch\s*\(\s*\.\.\.\s*\)|\bcatch\s*(\([^)]*\))?\s*\{\s*\}|\|\|\s*(true|:)(\s|;|$|\))|\bset\s+\+e\b|\brescue\s*(=>\s*\w+)?\s*;?\s*nil\b)");
    add("speaks to the test framework from product code",
        R"(\bPYTEST_CURRENT_TEST\b|\bJEST_WORKER_ID\b|\bVITEST\b|^\s*(import|from)\s+(_?pytest|unittest|nose|hypothesis)\b|)"
        R"(\bunittest\.TestCase\b|\bpytest_\w+|\brequire\(['"](jest|mocha|vitest|node:test|chai)|\bfrom\s+['"](@?jest\S*|mocha|vitest|node:test|chai)['"]|)"
        R"(#\s*include\s*[<"](gtest|gmock|catch2|doctest)/)");
    add("behaves differently when it is watched",
        R"re(getenv\s*\(\s*"(CI|GITHUB_ACTIONS|GITLAB_CI|TESTING)"|environ(\.get)?\s*[\[(]\s*['"](CI|GITHUB_ACTIONS|GITLAB_CI|TESTING)['"]|process\.env\.(CI|GITHUB_ACTIONS)\b)re");
    add("replaces the tracing or module machinery", R"(\bsys\.(settrace|setprofile)\s*\(|\bsys\.modules\s*\[)");
    add("contains a conflict marker", R"(^(<<<<<<< |>>>>>>> |\|\|\|\|\|\|\| ))");
    add("contains bidirectional or invisible characters",
        R"([\x{202A}-\x{202E}\x{2066}-\x{2069}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}\x{00AD}\x{E0000}-\x{E007F}])");
    return made;
  }();
  return list;
}

int count_matches(const std::vector<ChangedLine>& lines, const RE2& pattern) {
  int count = 0;
  for (const ChangedLine& line : lines) count += RE2::PartialMatch(line.text, pattern) ? 1 : 0;
  return count;
}

std::string place(const FileChange& change, int line) { return fmt::format("{}:{}", clean_text(change.path), line); }

void lint_rules(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& hits) {
  for (const auto& rule : rules()) {
    if (count_matches(lines.added, rule->pattern) <= count_matches(lines.removed, rule->pattern)) continue;
    for (const ChangedLine& line : lines.added) {
      if (!RE2::PartialMatch(line.text, rule->pattern)) continue;
      hits.push_back(fmt::format("{} {}: {}", place(change, line.number), rule->what, first_line(clean_text(trim(line.text)), 120)));
      break;
    }
  }
}

// "except Exception:" with "pass" on the next line.
void lint_swallowed(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& hits) {
  static const RE2 head(R"(\bexcept\b[^:]*\bException\b[^:]*:\s*$|\bcatch\s*(\([^)]*\))?\s*\{\s*$)");
  static const RE2 body(R"(^\s*(pass|\.\.\.|\})\s*;?\s*$)");
  for (std::size_t i = 0; i + 1 < lines.added.size(); ++i) {
    const bool next = lines.added[i + 1].number == lines.added[i].number + 1;
    if (next && RE2::PartialMatch(lines.added[i].text, head) && RE2::PartialMatch(lines.added[i + 1].text, body))
      hits.push_back(place(change, lines.added[i].number) + " swallows every error: " + std::string(trim(lines.added[i].text)));
  }
}

void lint_secrets(const FileChange& change, const ChangedLines& lines, const Redactor& redactor, std::vector<std::string>& hits) {
  std::string added;
  for (const ChangedLine& line : lines.added) added += line.text + "\n";
  std::string removed;
  for (const ChangedLine& line : lines.removed) removed += line.text + "\n";
  const auto kinds = redactor.find(added);
  if (kinds.empty() || kinds.size() <= redactor.find(removed).size()) return;
  hits.push_back(clean_text(change.path) + " adds what looks like a secret (" + join(kinds, ", ") + ")");
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

enum class LineEnds { none, lf, crlf, mixed };

LineEnds line_ends(std::string_view text) {
  const auto lf = count_of(text, "\n");
  const auto crlf = count_of(text, "\r\n");
  if (lf == 0) return LineEnds::none;
  if (crlf == 0) return LineEnds::lf;
  return crlf == lf ? LineEnds::crlf : LineEnds::mixed;
}

// An editor that rewrites bytes far from the edit: line ends converted, undecodable bytes replaced.
void lint_bytes(const FileChange& change, std::vector<std::string>& hits) {
  if (change.added() || change.deleted()) return;
  const LineEnds before = line_ends(change.old_content), after = line_ends(change.new_content);
  if (before != after && before != LineEnds::mixed && before != LineEnds::none && after != LineEnds::none)
    hits.push_back(clean_text(change.path) + " changes the file's line endings");
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  if (count_of(change.new_content, replacement) > count_of(change.old_content, replacement))
    hits.push_back(clean_text(change.path) + " replaces bytes by U+FFFD: the file's encoding was damaged");
}

} // namespace

std::vector<std::string> cheat_hits(const Patch& patch, const Redactor& redactor) {
  std::vector<std::string> hits;
  for (const FileChange& change : patch.changes) {
    if (change.deleted() || change.binary()) continue;
    const ChangedLines lines = changed_lines(change);
    lint_rules(change, lines, hits);
    lint_swallowed(change, lines, hits);
    lint_secrets(change, lines, redactor, hits);
    lint_bytes(change, hits);
  }
  return hits;
}

} // namespace emend
