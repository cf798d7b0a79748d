// What is written in C and C++.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

const std::vector<std::string> kC = {"c", "cc", "cpp", "cxx", "c++"};

// One unit per call: whether a unit could be compiled decides what its diagnostics are worth.
KnownAnalyzer clang_tidy() {
  return {
      .name = "clang-tidy",
      .home_page = "https://clang.llvm.org/extra/clang-tidy/",
      .install = "apt-get install clang-tidy",
      .programs = {"clang-tidy", "clang-tidy-19", "clang-tidy-18", "clang-tidy-17", "clang-tidy-16",
                   "clang-tidy-15", "clang-tidy-14"},
      .extensions = kC,
      .configuration = {".clang-tidy"},
      .not_from_hook = {"-fix*", "--fix*", "-export-fixes=", "--export-fixes=", "-p=", "-quiet", "--quiet",
                        "-use-color", "--use-color", "-list-checks", "--list-checks", "-dump-config",
                        "--dump-config", "-verify-config", "--verify-config"},
      .report = "clang-tidy",
      .files_per_call = 1,
      .parallel_calls = cores(16),
      .depends = {"compile_commands.json"},
      .follows_includes = true,
      // Silenced checks, arguments' names (`/*count=*/`), ends of namespaces, things to do, documentation.
      .comment_words = {{"nolint", "=*/", "namespace", "todo", "fixme", "\\", "@param"}},
      // What the analyzer follows through a function is a path it thinks possible, seldom one that is.
      // Of the compiler's warnings those that state what the code does on every path, and that it is
      // undefined.
      .severities = {{"clang-analyzer-security.insecureAPI", Severity::low},
                     {"clang-diagnostic-array-bounds", Severity::high},
                     {"clang-diagnostic-fortify-source", Severity::high},
                     {"clang-diagnostic-return-stack-address", Severity::high},
                     {"clang-diagnostic-mismatched-new-delete", Severity::high},
                     {"clang-diagnostic-uninitialized", Severity::high},
                     {"clang-diagnostic-infinite-recursion", Severity::high},
                     {"clang-analyzer-deadcode", Severity::low},
                     {"clang-analyzer-", Severity::medium},
                     {"bugprone-", Severity::medium},
                     {"cert-", Severity::medium},
                     {"clang-diagnostic-", Severity::medium},
                     {"concurrency-", Severity::medium},
                     {"", Severity::low}},
      .categories = {{"performance-", "performance"},
                     {"readability-", "maintainability"},
                     {"modernize-", "maintainability"},
                     {"", "correctness"}},
      .safe_rules = {"modernize-use-override", "modernize-use-nullptr", "readability-container-size-empty",
                     "readability-delete-null-pointer", "readability-redundant-string-cstr",
                     "performance-faster-string-find", "performance-for-range-copy",
                     "performance-implicit-conversion-in-loop"},
      .quiet = {{"bugprone-macro-parentheses", "", "macros are rarely given expressions that need them"},
                {"clang-analyzer-security.insecureAPI.*", "", "names a function, not a mistake"},
                {"clang-analyzer-valist.*", "", "loses track of va_start()"},
                {"bugprone-misplaced-widening-cast", "", "a small sum that is converted afterwards"},
                {"bugprone-branch-clone", "", "branches are alike because they should be"},
                {"bugprone-suspicious-string-compare", "", "`if (strcmp(a, b))` is how C is written"}},
      .quiet_in_samples = {"clang-analyzer-*", "bugprone-suspicious-include",
                           "bugprone-not-null-terminated-result", "performance-*"},
      .rule_page = "https://clang.llvm.org/extra/clang-tidy/checks/{group}/{rest}.html",
      .rule_form = R"((abseil|altera|android|boost|bugprone|cert|clang-analyzer|)"
                   R"(clang-diagnostic|concurrency|cppcoreguidelines|darwin|fuchsia|google|hicpp|)"
                   R"(linuxkernel|llvm|llvmlibc|misc|modernize|mpi|objc|openmp|performance|)"
                   R"(portability|readability|zircon)-.+)"};
}

// One file a call: some take half a minute, and what one call found is not lost with another.
KnownAnalyzer cppcheck() {
  return {.name = "cppcheck",
          .home_page = "https://cppcheck.sourceforge.io",
          .install = "apt-get install cppcheck",
          .programs = {"cppcheck"},
          .extensions = kC,
          .configuration = {".cppcheck-suppressions", "cppcheck-suppressions.txt", ".cppcheck_suppressions",
                            "*.suppressions"},
          .not_from_hook = {"--xml*", "--quiet", "-q", "--output-f*", "--template*",
                            "--error-exitcode=", "-j=", "--plist-output=", "--dump",
                            "--checkers-report=", "--cppcheck-build-dir=", "--project="},
          .report = "cppcheck",
          .arguments = {"--xml", "--quiet", "--enable=warning,performance,portability", "--inline-suppr"},
          .files_per_call = 1,
          .parallel_calls = 2,
          .depends = {"compile_commands.json"},
          .follows_includes = true,
          .comment_words = {{"cppcheck"}},
          .severities = {{"arrayIndexOutOfBounds", Severity::high},
                         {"bufferAccessOutOfBounds", Severity::high},
                         {"doubleFree", Severity::high},
                         {"deallocuse", Severity::high},
                         {"returnDanglingLifetime", Severity::high},
                         {"mismatchAllocDealloc", Severity::high},
                         {"error", Severity::medium},
                         {"warning", Severity::medium},
                         {"performance", Severity::low},
                         {"portability", Severity::low},
                         {"style", Severity::info}},
          .categories = {{"performance", "performance"}, {"", "correctness"}},
          .quiet = {{"nullPointerRedundantCheck", "", "a check too many, not a null pointer"},
                    {"nullPointer", "", "follows ways that nobody takes"},
                    {"passedByValue", "", "does not see that it is moved from"},
                    {"ctu*", "", "thinks of calls that nobody makes"},
                    {"uselessAssignmentPtrArg", "", "setting a freed pointer to null is a good habit"},
                    {"va_list_usedBeforeStarted", "", "does not know va_copy()"},
                    {"syntaxError", "", "cppcheck could not read the file"},
                    {"unknownMacro", "", "cppcheck could not read the file"},
                    {"internal*Error", "", "cppcheck could not read the file"},
                    {"preprocessorErrorDirective", "", "cppcheck could not read the file"},
                    {"noValidConfiguration", "", "cppcheck could not read the file"},
                    {"missingInclude*", "", "cppcheck could not read the file"}},
          .quiet_in_samples = {"assertWithSideEffect"},
          // The rules that are met most; it lists the others by itself.
          .rule_form =
              R"(arrayIndexOutOfBounds|assertWithSideEffect|autoVariables|bufferAccessOutOfBounds|)"
              R"(constParameter|constVariable|ctuArrayIndex|ctuOneDefinitionRuleViolation|ctunullpointer|)"
              R"(ctuuninitvar|danglingLifetime|deallocret|deallocuse|doubleFree|duplicateBranch|)"
              R"(duplicateExpression|identicalConditionAfterEarlyExit|identicalInnerCondition|)"
              R"(integerOverflow|internalAstError|invalidFunctionArg|invalidPrintfArgType_\w+|)"
              R"(invalidPointerCast|invalidScanfArgType_\w+|knownConditionTrueFalse|leakNoVarFunctionCall|)"
              R"(leakReturnValNotUsed|memleak|memleakOnRealloc|memsetClassFloat|mismatchAllocDealloc|)"
              R"(missingInclude|missingIncludeSystem|missingReturn|negativeIndex|noCopyConstructor|)"
              R"(noExplicitConstructor|noValidConfiguration|nullPointer|nullPointerArithmetic|)"
              R"(nullPointerDefaultArg|nullPointerRedundantCheck|objectIndex|oppositeInnerCondition|)"
              R"(passedByValue|pointerOutOfBounds|preprocessorErrorDirective|redundantAssignment|)"
              R"(redundantInitialization|resourceLeak|returnDanglingLifetime|selfAssignment|)"
              R"(shadowFunction|shadowVariable|shiftNegative|shiftTooManyBits|sizeofwithnumericparameter|)"
              R"(stlOutOfBounds|stringLiteralWrite|syntaxError|uninitMemberVar|uninitStructMember|)"
              R"(uninitdata|uninitvar|unknownMacro|unreadVariable|unsignedLessThanZero|unusedFunction|)"
              R"(unusedLabel|unusedStructMember|unusedVariable|useAfterFree|uselessAssignmentArg|)"
              R"(uselessAssignmentPtrArg|va_end_missing|va_list_usedBeforeStarted|variableScope|)"
              R"(wrongPrintfScanfArgNum|zerodiv|zerodivcond)",
          .explain = {"--errorlist"}};
}

} // namespace

std::vector<KnownAnalyzer> c_family_rows() { return {clang_tidy(), cppcheck()}; }

} // namespace emend
