#include "cli/start/init_text.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "cli/text_table.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

// JSON's strings are TOML's, but for one control character.
std::string toml_string(std::string_view text) {
  return replace_all(dump_json(Json(std::string(text))), "\x7f", "\\u007f");
}

constexpr std::string_view kInstall = "apt-get install ";

bool has_package(std::string_view analyzer) {
  const KnownAnalyzer* tool = find_known_analyzer(analyzer);
  return tool != nullptr && tool->install.starts_with(kInstall);
}

// "ANALYZERS" becomes the Debian packages of all analyzers but those that only stand in for another
// package's.
std::string with_analyzers(std::string text) {
  std::vector<std::string> packages;
  for (const KnownAnalyzer& tool : known_analyzers())
    if (tool.install.starts_with(kInstall) && !tool.on_request && !has_package(tool.instead_of))
      packages.push_back(tool.install.substr(kInstall.size()));
  return replace_all(std::move(text), "ANALYZERS", join(packages, " "));
}

std::string comment(std::string_view text) {
  return "# " + replace_all(one_line(text, 400), "\x7f", "?") + "\n";
}

std::string command_line(const CommandGuess& guess) {
  std::string line = "{ name = " + toml_string(guess.name) + ", run = " + toml_string(guess.command);
  if (!guess.paths.empty()) {
    std::vector<std::string> quoted;
    for (const std::string& path : guess.paths) quoted.push_back(toml_string(path));
    line += ", paths = [" + join(quoted, ", ") + "]";
  }
  return line + " },";
}

// Without a command to run the key stays out altogether: it would ask for trust in nothing.
std::string commands_text(const std::vector<CommandGuess>& guesses) {
  const bool any = std::any_of(guesses.begin(), guesses.end(),
                               [](const CommandGuess& guess) { return guess.not_used.empty(); });
  const std::string mark = any ? "" : "# ";
  std::string text = mark + "commands = [\n";
  for (const CommandGuess& guess : guesses) {
    text += "  " + comment(guess.reason);
    if (!guess.not_used.empty()) text += "  " + comment("Not used: " + guess.not_used + ".");
    text += std::string("  ") + (guess.not_used.empty() ? "" : "# ") + command_line(guess) + "\n";
  }
  return text + mark + "]\n";
}

// Commands have no network unless somebody says so.
std::string network_text(const Detected& found) {
  std::vector<std::string> loading;
  for (const CommandGuess& guess : found.commands)
    if (guess.not_used.empty() && !guess.downloads.empty() &&
        std::find(loading.begin(), loading.end(), guess.downloads) == loading.end())
      loading.push_back(guess.downloads);
  if (loading.empty()) return {};
  return "\n[sandbox.network]\n" +
         comment(join(loading, ", ") +
                 " downloads packages, and commands have no network by default. With everything in a cache "
                 "of this machine, \"loopback\" will do.") +
         "commands = \"all\"\n";
}

std::string hints_text(const Detected& found) {
  std::string text;
  if (!found.hints.empty()) text += "\n# Found in the documentation, not tried. Move up what fits.\n";
  for (const CommandHint& hint : found.hints)
    text += comment("  " + hint.file + ":" + std::to_string(hint.line) + "  " + hint.command);
  for (const std::string& note : found.notes) text += comment("Note: " + note + ".");
  return text;
}

constexpr std::string_view kHead =
    "# emend.toml: how emend checks this project. Written by `emend init`, yours to edit, meant to be "
    "committed.\n"
    "# `emend config show --origin` prints every setting and where it comes from. An unknown key is an "
    "error.\n"
    "# The commands below run only after you allow them with `emend trust`. After a change of this file "
    "emend asks again.\n"
    "\n"
    "[verify]\n";

constexpr std::string_view kTail =
    "\n"
    "# `emend review` and `emend fix --safe` need nothing more. Other issues need coding agents. Agents on "
    "your PATH\n"
    "# (claude, codex, gemini, ...: see `emend agents`) are found automatically. To choose one, or to add "
    "your own:\n"
    "#\n"
    "# [fix]\n"
    "# agent = \"fixer\"\n"
    "# protected = [\"docs/**\"]        # files a fix must never change, in addition to tests and build "
    "files\n"
    "#\n"
    "# [fix_challenger]\n"
    "# agent = \"judge\"               # scores every fix; should be from another vendor than the fixer\n"
    "#\n"
    "# [agents.fixer]\n"
    "# command = [\"my-agent\", \"--print\"]\n"
    "# family = \"one\"\n"
    "#\n"
    "# [agents.judge]\n"
    "# command = [\"another-agent\", \"--print\"]\n"
    "# family = \"another\"\n";

} // namespace

std::string config_file_text(const Detected& found) {
  std::string text(kHead);
  if (found.commands.empty()) {
    text +=
        "# No checks were found. Without checks a fix is only judged, never tested. For "
        "example:\n"
        "# commands = [\"make test\"]\n";
  } else {
    text += "# They run in this order in a clean copy of the commit: once without the fix, once with it.\n" +
            commands_text(found.commands);
  }
  text += "# timeout = \"15m\"               # for one command\n";
  return text + network_text(found) + hints_text(found) + std::string(kTail);
}

std::string github_workflow_text() {
  return with_analyzers(
      R"(# Reviews pull requests and the default branch with emend; the findings appear in code scanning. No key, no AI, nothing is changed.
# Written by `emend init --ci github`, yours to edit. Set the repository variable EMEND_SOURCE to the git URL emend is built from.
name: emend

on:
  pull_request:
  push:
    branches: [main, master]

permissions:
  contents: read

jobs:
  review:
    runs-on: ubuntu-latest
    container: debian:12
    timeout-minutes: 30
    permissions:
      contents: read
      security-events: write # to show the findings in code scanning
    steps:
      - name: Install git, make and the analyzers
        run: |
          apt-get update -q
          apt-get install -y -q --no-install-recommends ca-certificates git make ANALYZERS
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the merge base must be there
          persist-credentials: false
      - name: Build emend
        env:
          EMEND_SOURCE: ${{ vars.EMEND_SOURCE }}
        run: git clone -q --depth 1 -- "$EMEND_SOURCE" /opt/emend && make -C /opt/emend install
      - name: Review
        env:
          BASE: ${{ github.base_ref }}
        run: |
          git config --global --add safe.directory "$GITHUB_WORKSPACE"
          if [ -n "$BASE" ]; then set -- --base "origin/$BASE"; else set -- --all; fi
          emend review "$@" --fail-on high --format github --format sarif:emend.sarif
      - name: Show the findings in code scanning
        if: ${{ !cancelled() && github.event.pull_request.head.repo.fork != true }}
        uses: github/codeql-action/upload-sarif@v3
        with:
          sarif_file: emend.sarif
          category: emend
)");
}

std::string gitlab_job_text() {
  return with_analyzers(
      R"(# Reviews merge requests and the default branch with emend; the findings appear in the merge request. No key, no AI, nothing is changed.
# Written by `emend init --ci gitlab`, yours to edit. Set the CI/CD variable EMEND_SOURCE to the git URL emend is built from, and add
# to .gitlab-ci.yml:
#
#   include:
#     - local: .gitlab/emend.yml
emend:
  stage: test
  image: debian:12
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: "0" # the merge base must be there
  script:
    - apt-get update -q
    - apt-get install -y -q --no-install-recommends ca-certificates git make ANALYZERS
    - git clone -q --depth 1 -- "$EMEND_SOURCE" /opt/emend && make -C /opt/emend install
    - git config --global --add safe.directory "$CI_PROJECT_DIR"
    - if [ -n "$CI_MERGE_REQUEST_DIFF_BASE_SHA" ]; then set -- --base "$CI_MERGE_REQUEST_DIFF_BASE_SHA"; else set -- --all; fi
    - emend review "$@" --fail-on high --format text --format gitlab:gl-code-quality-report.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
)");
}

std::string pre_commit_text() {
  return R"(# Written by `emend init --pre-commit`. Reviews what is about to be committed; switch it on with: pre-commit install
repos:
  - repo: local
    hooks:
      - id: emend
        name: emend review
        entry: emend review --staged --analyzers builtin --format concise --no-save
        language: system
        pass_filenames: false
        always_run: true
)";
}

} // namespace emend
