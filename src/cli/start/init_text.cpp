#include "cli/start/init_text.hpp"

#include "base/strings.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

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

} // namespace

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
