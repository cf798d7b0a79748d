#include "model/known_analyzers.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "base/strings.hpp"

namespace emend {
namespace {

using Severities = std::vector<std::pair<std::string, Severity>>;
using Categories = std::vector<std::pair<std::string, std::string>>;

std::size_t cores(std::size_t most) {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
}

const std::vector<std::string> kC = {"c", "cc", "cpp", "cxx", "c++"};
const std::vector<std::string> kPython = {"py", "pyi"};
const std::vector<std::string> kPythonSettings = {"setup.cfg", "tox.ini", "pyproject.toml"};
const std::vector<std::string> kScript = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"};

// flake8, pyflakes and ruff share their codes.
const Severities kPythonSeverities = {{"E9", Severity::high},
                                      {"F82", Severity::high},
                                      {"F50", Severity::high},
                                      {"F632", Severity::high},
                                      {"F", Severity::medium},
                                      {"W6", Severity::medium},
                                      {"invalid-syntax", Severity::high},
                                      {"B", Severity::medium},
                                      {"S", Severity::medium},
                                      {"pyflakes", Severity::medium},
                                      {"E", Severity::info},
                                      {"W", Severity::info},
                                      {"", Severity::low}};
const Categories kPythonCategories = {{"F", "correctness"},
                                      {"E9", "correctness"},
                                      {"B", "correctness"},
                                      {"pyflakes", "correctness"},
                                      {"invalid-syntax", "correctness"},
                                      {"S", "security"},
                                      {"E", "style"},
                                      {"W", "style"},
                                      {"D", "style"},
                                      {"", "maintainability"}};

const std::vector<QuietRule> kPythonQuiet = {{"F401", "__init__.py", "names there are for others"},
                                             {"F811", "", "overloads and tests of one name, mostly meant"},
                                             {"pyflakes", "__init__.py", "names there are for others"}};

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
                {"bugprone-branch-clone", "", "branches are alike because they should be"},
                {"bugprone-suspicious-string-compare", "", "`if (strcmp(a, b))` is how C is written"}},
      .quiet_in_samples = {"clang-analyzer-*", "bugprone-suspicious-include",
                           "bugprone-not-null-terminated-result", "performance-*"},
      .rule_page = "https://clang.llvm.org/extra/clang-tidy/checks/{group}/{rest}.html",
      .rule_form = R"((abseil|altera|android|boost|bugprone|cert|clang-analyzer|)"
                   R"(clang-diagnostic|concurrency|cppcoreguidelines|fuchsia|google|hicpp|)"
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

// It follows `source` into every other file of the call, once per script, so it gets one. A long script can
// take gigabytes: a generated configure script of 300 KB does, and half a minute.
KnownAnalyzer shellcheck() {
  return {.name = "shellcheck",
          .home_page = "https://www.shellcheck.net",
          .install = "apt-get install shellcheck",
          .programs = {"shellcheck"},
          .extensions = {"sh", "bash", "dash", "ksh", "bats"},
          .configuration = {".shellcheckrc"},
          .not_from_hook = {"--format=", "-f=", "--color=", "-C=", "--wiki-link-count=", "-W="},
          .report = "shellcheck",
          // 1090, 1091: it did not follow a `source`, which is not the script's fault.
          .arguments = {"--format=json1", "--color=never", "--exclude=SC1090,SC1091", "--"},
          .files_per_call = 1,
          .max_file_bytes = 256'000,
          .parallel_calls = cores(2),
          .depends = {},
          // The tool's errors are what it is sure of, not what costs most.
          .severities = {{"SC2155", Severity::low}, // hides an exit code that few look at
                         {"error", Severity::medium},
                         {"warning", Severity::medium},
                         {"info", Severity::low},
                         {"", Severity::info}},
          .categories = {{"style", "style"}, {"", "correctness"}},
          .quiet = {{"SC1007", "", "`NAME= command` is a known way to empty a variable for one command"},
                    {"SC2125", "", "a pattern is kept in a variable to be expanded later"},
                    {"SC2206", "", "splitting into words is what is meant"},
                    {"SC2148", "", "a file that others source needs no first line"},
                    {"SC2016", "", "nearly always meant"},
                    {"SC2030", "", "what a subshell sets for itself is mostly meant"},
                    {"SC2031", "", "what a subshell sets for itself is mostly meant"},
                    {"SC2020", "", "tr is given sets of characters, which is meant"},
                    {"SC2145", "", "a text before the arguments, joined on purpose"},
                    {"SC2209", "", "the name of a command, which is meant"},
                    {"SC2164", "*.bats", "bats ends a test at the first command that fails"},
                    {"SC2155", "*.bats", "taste in a test"},
                    {"SC2154", "", "does not see what a sourced file or the caller sets"},
                    {"SC2034", "", "does not see what a sourced file or the caller reads"},
                    {"SC2063", "", "a * at the start of an expression is a star, which is meant"},
                    {"SC2069", "", "2>&1 before the file is mostly meant"},
                    {"SC2163", "", "the name is in the variable, which is meant"},
                    {"SC1009", "", "says where SC1073 was met"},
                    {"SC1072", "", "says where SC1073 was met"},
                    {"SC1073", "", "shellcheck could not read the script"},
                    {"SC2006", "", "taste"},
                    {"SC2119", "", "guesses what a function is called with"},
                    {"SC2120", "", "guesses what a function is called with"},
                    {"SC2317", "", "does not see functions that are called by name"}},
          .quiet_in_samples = {"SC1*", "SC2034", "SC2155", "SC2164", "SC2181"},
          .rule_page = "https://www.shellcheck.net/wiki/{rule}",
          .rule_form = R"(SC\d{4})"};
}

// --no-fix: a project's configuration may ask for changes to be written.
KnownAnalyzer ruff() {
  return {.name = "ruff",
          .home_page = "https://docs.astral.sh/ruff/",
          .install = "see https://docs.astral.sh/ruff/installation/",
          .programs = {"ruff"},
          .extensions = kPython,
          .configuration = {"ruff.toml", ".ruff.toml"},
          .sections = {{"pyproject.toml", "[tool.ruff"}},
          .hooks = {"ruff-check", "ruff-lint"},
          .not_from_hook = {"--fix*",
                            "--no-fix*",
                            "--unsafe-fixes",
                            "--no-unsafe-fixes",
                            "--show-*",
                            "--diff",
                            "--watch",
                            "-w",
                            "--output-f*",
                            "-o=",
                            "--exit-*",
                            "-e",
                            "--statistics",
                            "--add-noqa*",
                            "--no-cache",
                            "-n",
                            "--cache-dir=",
                            "--quiet",
                            "-q",
                            "--silent",
                            "-s",
                            "--verbose",
                            "-v",
                            "--force-exclude",
                            "--no-force-exclude",
                            "--format="},
          .report = "ruff",
          .arguments = {"check", "--output-format=json", "--no-fix", "--exit-zero", "--no-cache",
                        "--force-exclude", "--quiet", "--"},
          .exit_codes = {0},
          .depends = kPythonSettings,
          .severities = kPythonSeverities,
          .categories = kPythonCategories,
          // Where the report does not say it: these are safe by the program's own account.
          .safe_rules = {"F401", "F541", "E703", "E713", "E714"},
          .quiet = kPythonQuiet,
          .rule_page = "https://docs.astral.sh/ruff/rules/{rule}/",
          .rule_form =
              R"((A|AIR|ANN|ARG|ASYNC|B|BLE|C|COM|CPY|D|DJ|DOC|DTZ|E|EM|ERA|EXE|F|FA|FAST|FBT|FIX|)"
              R"(FLY|FURB|G|I|ICN|)"
              R"(INP|INT|ISC|LOG|N|NPY|PD|PERF|PGH|PIE|PT|PTH|PYI|Q|RET|RSE|RUF|S|SIM|SLF|SLOT|T|TC|)"
              R"(TD|TID|TRY|)"
              R"(UP|W|YTT)\d{2,3}|PL[CERW]\d{4}|invalid-syntax)",
          .explain = {"rule", "{rule}"}};
}

KnownAnalyzer ruff_wasm() {
  KnownAnalyzer row = ruff();
  row.name = "ruff-wasm";
  row.install = "npm install --global @astral-sh/ruff-wasm-nodejs";
  row.instead_of = "ruff";
  row.programs = {"node"};
  row.hooks = {"ruff", "ruff-check", "ruff-lint"};
  row.not_from_hook = {"*"}; // it takes few of the program's arguments
  row.arguments.clear();
  return row;
}

KnownAnalyzer flake8() {
  return {.name = "flake8",
          .home_page = "https://flake8.pycqa.org",
          .install = "apt-get install flake8",
          .instead_of = "ruff",
          .programs = {"flake8"},
          .extensions = kPython,
          .configuration = {".flake8"},
          .sections = {{"setup.cfg", "[flake8"}, {"tox.ini", "[flake8"}},
          .not_from_hook = {"--output-file=", "--format=", "--tee", "--color=", "--show-source",
                            "--no-show-source", "-q", "--quiet", "-v", "--verbose", "--exit-zero", "--count",
                            "--statistics", "--benchmark", "-j=", "--jobs=", "--bug-report"},
          .report = "flake8",
          .exit_codes = {0},
          .depends = kPythonSettings,
          .severities = kPythonSeverities,
          .categories = kPythonCategories,
          .quiet = kPythonQuiet,
          .rule_page = "https://www.flake8rules.com/rules/{rule}.html",
          .rule_form = R"((B|C|D|E|F|I|N|S|T|W)\d{2,3})"};
}

KnownAnalyzer pyflakes() {
  return {.name = "pyflakes",
          .home_page = "https://github.com/PyCQA/pyflakes",
          .install = "apt-get install pyflakes3",
          .instead_of = "flake8",
          .programs = {"pyflakes3", "pyflakes"},
          .extensions = kPython,
          .not_from_hook = {"*"}, // it has no options
          .report = "pyflakes",
          .depends = {},
          .comment_words = {{"noqa", "type:"}},
          .severities = kPythonSeverities,
          .categories = kPythonCategories,
          .quiet = kPythonQuiet,
          .rule_page = "https://www.flake8rules.com/rules/{rule}.html",
          .rule_form = R"(pyflakes|F(401|541|632|811|82[123]|841))"};
}

KnownAnalyzer eslint() {
  return {
      .name = "eslint",
      .home_page = "https://eslint.org",
      .install = "npm install --global eslint",
      .programs = {"eslint"},
      .extensions = kScript,
      .configuration = {".eslintrc*", "eslint.config.*", ".eslintignore"},
      .not_from_hook = {"--fix*", "-o=", "--output-file=", "-f=", "--format=", "--cache*", "--color",
                        "--no-color", "--init", "--stats", "--debug", "--max-warnings=", "--print-config="},
      .report = "eslint",
      .arguments = {"--format=json", "--no-color", "--no-error-on-unmatched-pattern", "--"},
      .project_code = true, // its configuration is a program
      .package = "eslint",
      .severities = {{"fatal", Severity::high}, {"2", Severity::medium}, {"", Severity::low}},
      .categories = {{"", "correctness"}},
      .blind_words = {"Cannot find package", "Cannot find module", "couldn't find the plugin",
                      "couldn't find the config"},
      .rule_page = "https://eslint.org/docs/latest/rules/{rule}",
      .rule_form =
          R"(@[a-z][\w-]*/[\w/-]+|(import|jest|jsx-a11y|n|promise|react|react-hooks|unicorn|)"
          R"(vitest|vue)/[\w-]+|curly|eqeqeq|radix|yoda|complexity|camelcase|strict|semi|quotes|indent|)"
          R"(accessor-pairs|block-scoped-var|block-spacing|brace-style|callback-return|)"
          R"(capitalized-comments|comma-dangle|comma-spacing|comma-style|computed-property-spacing|)"
          R"(dot-location|dot-notation|eol-last|function-call-argument-newline|function-paren-newline|)"
          R"(generator-star-spacing|global-require|grouped-accessor-pairs|handle-callback-err|)"
          R"(implicit-arrow-linebreak|jsx-quotes|key-spacing|keyword-spacing|line-comment-position|)"
          R"(linebreak-style|lines-around-comment|lines-between-class-members|)"
          R"(multiline-comment-style|multiline-ternary|newline-per-chained-call|)"
          R"(nonblock-statement-body-position|padded-blocks|padding-line-between-statements|)"
          R"(preserve-caught-error|quote-props|rest-spread-spacing|semi-spacing|semi-style|)"
          R"(space-before-blocks|space-before-function-paren|space-in-parens|space-infix-ops|)"
          R"(space-unary-ops|spaced-comment|switch-colon-spacing|template-curly-spacing|)"
          R"(template-tag-spacing|unicode-bom|wrap-iife|wrap-regex|yield-star-spacing|)"
          R"((array|arrow|class|consistent|constructor|default|for|func|getter|guard|id|init|)"
          R"(logical|max|new|no|object|one|operator|prefer|require|sort|symbol|use|valid|vars)-[a-z-]+)"};
}

KnownAnalyzer biome() {
  return {
      .name = "biome",
      .home_page = "https://biomejs.dev",
      .install = "npm install --global @biomejs/biome",
      .programs = {"biome"},
      .extensions = kScript,
      .configuration = {"biome.json*"},
      .hooks = {"biome-check", "biome-lint", "biome-ci"},
      // What `check` does beside the lint of it `lint` does not know.
      .not_from_hook = {"--write",
                        "--fix",
                        "--apply*",
                        "--unsafe",
                        "--reporter=",
                        "--max-diagnostics=",
                        "--colors=",
                        "--no-errors-on-unmatched",
                        "--suppress",
                        "--reason=",
                        "--verbose",
                        "--log-*",
                        "--formatter-enabled=",
                        "--linter-enabled=",
                        "--organize-imports-enabled=",
                        "--assist-enabled=",
                        "--enforce-assist=",
                        "--json-pretty",
                        "--changed",
                        "--staged",
                        "--since="},
      .report = "biome",
      .arguments = {"lint", "--reporter=json", "--max-diagnostics=none", "--no-errors-on-unmatched",
                    "--colors=off"},
      .depends = {".gitignore", ".editorconfig"},
      .fix = {"lint", "--write", "--max-diagnostics=none", "--no-errors-on-unmatched", "--colors=off"},
      .fixes_are_safe = true,
      .severities = {{"fatal", Severity::high},
                     {"parse", Severity::high},
                     {"lint/security/", Severity::high},
                     {"error", Severity::medium},
                     {"warning", Severity::low},
                     {"", Severity::info}},
      .categories = {{"lint/security/", "security"},
                     {"lint/performance/", "performance"},
                     {"lint/style/", "style"},
                     {"lint/a11y/", "accessibility"},
                     {"lint/accessibility/", "accessibility"},
                     // Right, and a matter of opinion: another linter, or none, was chosen.
                     {"lint/suspicious/noExplicitAny", "style"},
                     {"lint/suspicious/noImplicitAnyLet", "style"},
                     {"lint/suspicious/noConfusingVoidType", "style"},
                     {"lint/suspicious/noDoubleEquals", "style"},
                     {"lint/suspicious/noGlobalIs", "style"},
                     {"lint/suspicious/noAssignInExpressions", "style"},
                     {"lint/suspicious/useIterableCallbackReturn", "style"},
                     {"lint/suspicious/noPrototypeBuiltins", "style"},
                     {"lint/suspicious/noArrayIndexKey", "style"},
                     {"lint/suspicious/noShadowRestrictedNames", "style"},
                     {"lint/suspicious/noControlCharactersInRegex", "style"},
                     {"lint/suspicious/noEmptyInterface", "style"},
                     {"lint/suspicious/noEmptyBlock", "style"},
                     {"lint/suspicious/noRedundantUseStrict", "style"},
                     {"lint/correctness/useParseIntRadix", "style"},
                     {"lint/correctness/noInnerDeclarations", "style"},
                     {"lint/correctness/noVoidTypeReturn", "style"},
                     {"lint/correctness/noSwitchDeclarations", "style"},
                     {"", "correctness"}},
      .quiet = {{"lint/suspicious/noDocumentCookie", "", "there is no other way that all browsers know"},
                {"lint/suspicious/noThenProperty", "", "who writes a then means it"},
                {"lint/suspicious/noTsIgnore", "", "taste"},
                {"lint/suspicious/noSelfCompare", "", "`x !== x` asks for NaN"},
                {"lint/correctness/noUnusedFunctionParameters", "", "the caller says which there are"}},
      .quiet_in_samples = {"lint/suspicious/noTemplateCurlyInString", "lint/correctness/noUnusedVariables",
                           "lint/correctness/noUnsafeOptionalChaining",
                           "lint/suspicious/noNonNullAssertedOptionalChain", "lint/correctness/noSelfAssign"},
      .rule_page = "https://biomejs.dev/linter/",
      .rule_form = R"(lint/\w+/\w+|parse)",
      .explain = {"explain", "{name}"}};
}

KnownAnalyzer codespell() {
  return {
      .name = "codespell",
      .home_page = "https://github.com/codespell-project/codespell",
      .install = "apt-get install codespell",
      .programs = {"codespell"},
      .extensions = {"c",   "cc",   "cpp",   "cxx",  "h",    "hh",  "hpp", "hxx", "js",    "jsx",   "mjs",
                     "cjs", "ts",   "tsx",   "py",   "pyi",  "rb",  "go",  "rs",  "java",  "kt",    "cs",
                     "php", "sh",   "bash",  "pl",   "lua",  "sql", "m",   "mm",  "swift", "scala", "html",
                     "css", "scss", "cmake", "toml", "yaml", "yml", "ini", "cfg"},
      .configuration = {".codespellrc"},
      .report = "codespell",
      .arguments = {"--disable-colors", "--"},
      .exit_codes = {0, 65},
      .depends = {"setup.cfg", "pyproject.toml"},
      .severities = {{"", Severity::low}},
      .categories = {{"", "spelling"}},
      .rule_form = R"(codespell/.+)"};
}

std::vector<KnownAnalyzer>& rows() {
  static std::vector<KnownAnalyzer> table = [] {
    std::vector<KnownAnalyzer> all = {clang_tidy(), cppcheck(), shellcheck(), ruff(),  ruff_wasm(),
                                      flake8(),     pyflakes(), eslint(),     biome(), codespell()};
    for (KnownAnalyzer& row : catalogue_rows()) all.push_back(std::move(row));
    return all;
  }();
  return table;
}

template <typename Value>
const Value* first_fit(const std::vector<std::pair<std::string, Value>>& table,
                       std::initializer_list<std::string_view> words) {
  for (const auto& [start, value] : table)
    for (const std::string_view word : words)
      if (word.starts_with(start)) return &value;
  return nullptr;
}

} // namespace

const std::vector<KnownAnalyzer>& known_analyzers() { return rows(); }

void add_known_analyzer(KnownAnalyzer row) { rows().push_back(std::move(row)); }

const KnownAnalyzer* find_known_analyzer(std::string_view name) {
  for (const KnownAnalyzer& row : rows())
    if (row.name == name) return &row;
  return nullptr;
}

const KnownAnalyzer& known_analyzer(std::string_view name) {
  const KnownAnalyzer* row = find_known_analyzer(name);
  if (row == nullptr) throw std::out_of_range("no analyzer is called " + std::string(name));
  return *row;
}

std::string page_of_rule(const KnownAnalyzer& tool, std::string_view rule) {
  constexpr std::string_view kCompiler = "clang-diagnostic-";
  if (rule.starts_with(kCompiler))
    return "https://clang.llvm.org/docs/DiagnosticsReference.html#w" +
           std::string(rule.substr(kCompiler.size()));
  if (tool.rule_page.empty()) return tool.home_page;
  // Of "clang-analyzer-core.NullDereference" the group is two words long.
  const std::string_view search = rule.starts_with("clang-") ? rule.substr(6) : rule;
  const auto cut = search.find_first_of("-/");
  const std::size_t before = rule.size() - search.size();
  const std::string_view group = cut == std::string_view::npos ? rule : rule.substr(0, before + cut);
  const std::string_view rest = cut == std::string_view::npos ? rule : rule.substr(before + cut + 1);
  std::string page = replace_all(tool.rule_page, "{rule}", rule);
  page = replace_all(page, "{name}", last_name(rule));
  page = replace_all(page, "{lower_group}", to_lower(group));
  page = replace_all(page, "{lower}", to_lower(rule));
  page = replace_all(page, "{group}", group);
  return replace_all(page, "{rest}", rest);
}

std::string_view last_name(std::string_view rule) {
  const auto cut = rule.find_last_of("/:");
  return cut == std::string_view::npos ? rule : rule.substr(cut + 1);
}

std::optional<Severity> severity_by(const KnownAnalyzer& tool,
                                    std::initializer_list<std::string_view> words) {
  const Severity* found = first_fit(tool.severities, words);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string category_by(const KnownAnalyzer& tool, std::initializer_list<std::string_view> words) {
  const std::string* found = first_fit(tool.categories, words);
  return found == nullptr ? std::string() : *found;
}

} // namespace emend
