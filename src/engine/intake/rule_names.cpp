#include "engine/intake/rule_names.hpp"

#include <utility>

namespace emend {

namespace {

// pyflakes, ruff and flake8 share their codes, and so do pycodestyle, ruff and flake8: those need no row.
constexpr std::pair<std::string_view, std::string_view> kSame[] = {
    {"unused-import", "F401"},
    {"W0611", "F401"},
    {"unused-variable", "F841"},
    {"W0612", "F841"},
    {"undefined-variable", "F821"},
    {"E0602", "F821"},
    {"bare-except", "E722"},
    {"W0702", "E722"},
    {"@typescript-eslint/no-unused-vars", "no-unused-vars"},
    {"lint/correctness/noUnusedVariables", "no-unused-vars"},
    {"lint/suspicious/noDebugger", "emend/debug-leftover"},
    {"no-debugger", "emend/debug-leftover"},
    {"lint/suspicious/noConsole", "emend/debug-leftover"},
    {"no-console", "emend/debug-leftover"},
    {"lint/suspicious/noDoubleEquals", "eqeqeq"},
    {"lint/correctness/noUnusedImports", "no-unused-vars"},
    {"clang-analyzer-security.insecureAPI.strcpy", "emend/unsafe-c-string"},
    {"clang-analyzer-security.insecureAPI.gets", "emend/unsafe-c-string"},
    {"getsCalled", "emend/unsafe-c-string"},
    {"nullPointer", "core.NullDereference"},
    {"zerodiv", "core.DivideZero"},
    {"memleak", "unix.Malloc"},
    {"uninitvar", "clang-diagnostic-uninitialized"},
    {"reportArgumentType", "arg-type"},
    {"reportAssignmentType", "assignment"},
    {"reportAttributeAccessIssue", "attr-defined"},
    {"reportCallIssue", "call-arg"},
    {"reportIndexIssue", "index"},
    {"reportOptionalMemberAccess", "union-attr"},
    {"reportRedeclaration", "no-redef"},
    {"reportReturnType", "return-value"},
};

// clang-tidy runs the clang analyzer's checkers under this prefix.
constexpr std::string_view kClangAnalyzer = "clang-analyzer-";

} // namespace

std::string canonical_rule(std::string_view rule) {
  for (const auto& [name, same] : kSame)
    if (rule == name) return std::string(same);
  if (rule.starts_with(kClangAnalyzer)) rule.remove_prefix(kClangAnalyzer.size());
  return std::string(rule);
}

} // namespace emend
