// Prose, and rules that hold in every language.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

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

std::vector<KnownAnalyzer> all_text_rows() {
  return {codespell(), markdownlint(), ast_grep(), gitleaks(), semgrep()};
}

} // namespace emend
