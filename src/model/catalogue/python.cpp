// Python: linters, then type checkers, then what looks for holes.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

const std::vector<std::string> kPython = {"py", "pyi"};
const std::vector<std::string> kPythonSettings = {"setup.cfg", "tox.ini", "pyproject.toml"};

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
                                             {"F403", "__init__.py", "names there are for others"},
                                             {"F822", "__init__.py", "modules beside it may be meant"},
                                             {"F811", "", "overloads and tests of one name, mostly meant"},
                                             {"pyflakes", "__init__.py", "names there are for others"}};

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
          .rule_form = R"(abstract|annotation-unchecked|arg-type|assert-type|assignment|attr-defined|)"
                       R"(await-not-async|call-arg|call-overload|comparison-overlap|deprecated|)"
                       R"(dict-item|empty-body|exhaustive-match|exit-return|explicit-any|)"
                       R"(explicit-override|func-returns-value|has-type|ignore-without-code|import|)"
                       R"(import-not-found|import-untyped|index|list-item|literal-required|metaclass|)"
                       R"(method-assign|misc|mutable-override|name-defined|name-match|)"
                       R"(narrowed-type-not-subtype|no-any-return|no-any-unimported|no-overload-impl|)"
                       R"(no-redef|no-untyped-call|no-untyped-def|operator|overload-cannot-match|)"
                       R"(overload-overlap|override|possibly-undefined|prop-decorator|redundant-cast|)"
                       R"(redundant-expr|redundant-self|return|return-value|safe-super|str-bytes-safe|)"
                       R"(str-format|syntax|truthy-bool|truthy-function|truthy-iterable|type-abstract|)"
                       R"(type-arg|type-var|typeddict-item|typeddict-readonly-mutated|)"
                       R"(typeddict-unknown-key|unimported-reveal|union-attr|unreachable|)"
                       R"(unused-awaitable|unused-coroutine|unused-ignore|used-before-def|)"
                       R"(valid-newtype|valid-type|var-annotated)"};
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

} // namespace

std::vector<KnownAnalyzer> python_rows() {
  return {ruff(), ruff_wasm(), flake8(), pyflakes(), pyright(), mypy(), bandit()};
}

} // namespace emend
