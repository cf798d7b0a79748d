#include "model/same_rules.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emend {

namespace {

// Names (in the last two columns with * and ?) of rules that are one fact.
struct SameRule {
  std::string_view meaning;
  std::string_view names;    // in fingerprints, too: a name that stands here stays here
  std::string_view more;     // when findings of several tools are joined
  std::string_view comments; // only in comments that silence one of emend's own: what they mean is wider
};

// pyflakes, ruff and flake8 share their codes, and so do pycodestyle, ruff and flake8: those need no row.
constexpr SameRule kSame[] = {
    {"F401", "unused-import W0611", "reportUnusedImport unused_imports no-unused-imports", ""},
    {"F841", "unused-variable W0612", "reportUnusedVariable possibly-unused-variable", ""},
    {"F821", "undefined-variable E0602", "name-defined reportUndefinedVariable", ""},
    {"E722", "bare-except W0702", "", ""},
    {"no-unused-vars",
     "@typescript-eslint/no-unused-vars lint/correctness/noUnusedVariables lint/correctness/noUnusedImports",
     "TS6133 TS6192 TS6196", ""},
    {"emend/debug-leftover", "lint/suspicious/noDebugger no-debugger lint/suspicious/noConsole no-console",
     "T100 T20? clippy::dbg_macro Lint/Debugger", "noConsoleLog"},
    {"eqeqeq", "lint/suspicious/noDoubleEquals", "", ""},
    {"emend/unsafe-c-string",
     "clang-analyzer-security.insecureAPI.strcpy clang-analyzer-security.insecureAPI.gets getsCalled", "",
     "clang-analyzer-security.insecureAPI.* cert-err33-c cert-msc24-c *strcpy* *sprintf*"},
    {"core.NullDereference", "nullPointer", "", ""},
    {"core.DivideZero", "zerodiv", "divzero", ""},
    {"unix.Malloc", "memleak", "doubleFree deallocuse memleakOnRealloc clang-analyzer-cplusplus.NewDelete",
     ""},
    {"clang-diagnostic-uninitialized", "uninitvar",
     "legacyUninitvar clang-analyzer-core.uninitialized.* clang-analyzer-core.UndefinedBinaryOperatorResult",
     ""},
    {"arg-type", "reportArgumentType", "", ""},
    {"assignment", "reportAssignmentType", "", ""},
    {"attr-defined", "reportAttributeAccessIssue", "", ""},
    {"call-arg", "reportCallIssue", "", ""},
    {"index", "reportIndexIssue", "", ""},
    {"union-attr", "reportOptionalMemberAccess", "", ""},
    {"no-redef", "reportRedeclaration", "", ""},
    {"return-value", "reportReturnType", "", ""},
    {"emend/secret", "", "S10[567] noSecrets no-secrets generic-api-key", "*hardcoded*password*"},
    {"emend/conflict-marker", "", "TS1185", ""},
    {"emend/bidi-character", "", "PLE2502 E2502 bidirectional-unicode misc-misleading-bidirectional bidichk",
     ""},
    {"emend/invisible-character", "",
     "PLE251? E251? no-irregular-whitespace lint/suspicious/noIrregularWhitespace",
     "misc-misleading-identifier"},
    {"emend/missing-final-newline", "", "W292 eol-last MD047 new-line-at-end-of-file", ""},
    {"array-out-of-bounds", "", "arrayIndexOutOfBounds clang-diagnostic-array-bounds", ""},
    {"return-of-dead-memory", "",
     "returnDanglingLifetime clang-diagnostic-return-stack-address clang-analyzer-core.StackAddressEscape",
     ""},
    {"mismatched-deallocation", "",
     "mismatchAllocDealloc clang-diagnostic-mismatched-new-delete clang-analyzer-unix.MismatchedDeallocator",
     ""},
    {"syntax-error", "", "E999 invalid-syntax", ""},
    {"suspicious-sizeof", "", "sizeofwithnumericparameter bugprone-sizeof-expression", ""},
    {"use-after-move", "", "accessMoved bugprone-use-after-move clang-analyzer-cplusplus.Move", ""},
    {"no-undef", "", "TS2304 lint/correctness/noUndeclaredVariables", ""},
    {"no-unreachable", "", "TS7027 lint/correctness/noUnreachable", ""},
    {"no-fallthrough", "", "TS7029 lint/suspicious/noFallthroughSwitchClause", ""},
    {"no-dupe-keys", "", "TS1117 lint/suspicious/noDuplicateObjectKeys", ""},
    {"no-self-assign", "", "lint/correctness/noSelfAssign", ""},
    {"no-empty", "", "lint/suspicious/noEmptyBlockStatements lint/suspicious/noEmptyBlock", ""},
    {"no-unsafe-finally", "", "lint/correctness/noUnsafeFinally", ""},
    {"use-isnan", "", "lint/correctness/useIsNan", ""},
    {"@typescript-eslint/no-explicit-any", "", "lint/suspicious/noExplicitAny", ""},
    {"import-not-found", "", "reportMissingImports import-untyped", ""},
};

// clang-tidy runs the clang analyzer's checkers under this prefix.
constexpr std::string_view kClangAnalyzer = "clang-analyzer-";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool is_pattern(std::string_view name) { return name.find_first_of("*?[") != std::string_view::npos; }

bool fits(std::string_view pattern, const std::string& rule) {
  return ::fnmatch(std::string(pattern).c_str(), rule.c_str(), 0) == 0;
}

// One column, to be looked up: a report may hold hundreds of thousands of findings.
class Column {
public:
  explicit Column(std::string_view SameRule::*names) {
    for (const SameRule& same : kSame)
      for (const std::string_view name : words_of(same.*names))
        if (is_pattern(name))
          patterns_.emplace_back(name, same.meaning);
        else
          exact_.emplace(name, same.meaning);
  }
  // Empty = none of its names.
  [[nodiscard]] std::string_view meaning(const std::string& rule) const {
    if (const auto found = exact_.find(rule); found != exact_.end()) return found->second;
    for (const auto& [pattern, meaning] : patterns_)
      if (fits(pattern, rule)) return meaning;
    return {};
  }

private:
  std::unordered_map<std::string_view, std::string_view> exact_;
  std::vector<std::pair<std::string_view, std::string_view>> patterns_;
};

// bandit's B105 is S105 of flake8-bandit and ruff; B0 and B9 are flake8-bugbear's.
std::string of_bandit(std::string_view rule) {
  const bool is_bandit = rule.size() == 4 && rule[0] == 'B' && rule[1] >= '1' && rule[1] <= '7' &&
                         rule.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return (is_bandit ? "S" : "") + std::string(rule.substr(is_bandit ? 1 : 0));
}

std::string_view last_part(std::string_view rule) {
  const auto cut = rule.rfind('/');
  return cut == std::string_view::npos ? rule : rule.substr(cut + 1);
}

} // namespace

std::string canonical_rule(std::string_view rule) {
  static const Column kNames(&SameRule::names);
  if (const std::string_view meaning = kNames.meaning(std::string(rule)); !meaning.empty())
    return std::string(meaning);
  if (rule.starts_with(kClangAnalyzer)) rule.remove_prefix(kClangAnalyzer.size());
  return std::string(rule);
}

std::string meaning_of_rule(std::string_view rule) {
  static const Column kMore(&SameRule::more);
  const std::string name = of_bandit(rule);
  const std::string_view meaning = kMore.meaning(name);
  return meaning.empty() ? canonical_rule(name) : std::string(meaning);
}

// People write the last part of a name, too: noConsole of lint/suspicious/noConsole.
bool silences_rule(std::string_view own, const std::string& name) {
  if (meaning_of_rule(name) == own) return true;
  for (const SameRule& same : kSame) {
    if (same.meaning != own) continue;
    for (const std::string_view pattern : words_of(same.comments))
      if (fits(pattern, name)) return true;
    for (const std::string_view known : words_of(same.names))
      if (last_part(known) == name) return true;
  }
  return false;
}

} // namespace emend
