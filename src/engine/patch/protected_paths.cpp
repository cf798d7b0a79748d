#include "engine/patch/protected_paths.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "model/coding_clis.hpp"
#include "model/forges.hpp"
#include "model/known_analyzers.hpp"

namespace emend {
namespace {

struct ProtectedKind {
  const char* what;
  std::vector<std::string> globs;
};

// Where coding agents look for orders, at any depth: each coding CLI's own files, and those of others.
const std::vector<std::string>& agent_files() {
  static const std::vector<std::string> globs = [] {
    std::vector<std::string> all = of_all_coding_clis(&CodingCli::configuration);
    all.insert(all.end(), {"AGENTS.md", "AGENTS.override.md", "AGENT.md", "**/.cursor/**", ".cursorrules",
                           ".windsurfrules", ".windsurf/**", ".clinerules", ".clinerules/**", ".aider*",
                           ".mcp.json", ".github/copilot-instructions.md", ".github/instructions/**"});
    return all;
  }();
  return globs;
}

std::vector<std::string> with_ci_of_forges(std::string_view others) {
  std::vector<std::string> globs = split(others, ' ');
  for (const ForgeKind& forge : forge_kinds())
    globs.insert(globs.end(), forge.ci_files.begin(), forge.ci_files.end());
  return globs;
}

const std::vector<ProtectedKind>& protected_kinds() {
  static const std::vector<ProtectedKind> kinds = {
      {"test", split("test/** tests/** **/test/** **/tests/** **/__tests__/** spec/** **/testdata/** "
                     "**/__snapshots__/** **/__mocks__/** test_*.* *_test.* *_tests.* *.test.* *.spec.* "
                     "*_spec.rb *Test.java *Tests.java *Test.kt *Tests.cs *.snap conftest.py *.bats "
                     "features/**/*.feature cypress/** e2e/** **/e2e/** **/golden/** **/fixtures/** "
                     "*.approved.* *.golden specs/**",
                     ' ')},
      {"CI",
       with_ci_of_forges(".circleci/** .travis.yml Jenkinsfile azure-pipelines.yml .ci/** .buildkite/** "
                         ".pre-commit-config.yaml .drone.yml .woodpecker* bitbucket-pipelines.yml "
                         ".appveyor.yml appveyor.yml .cirrus.yml .husky/** lefthook.yml .lefthook.yml "
                         ".teamcity/** .azuredevops/**")},
      {"test runner configuration",
       split("pytest.ini tox.ini setup.cfg noxfile.py jest.config.* vitest.config.* karma.conf.* "
             "playwright.config.* .mocharc* phpunit.xml* .rspec ava.config.* cypress.config.* "
             "wdio.conf.* nightwatch.conf.* .taprc nextest.toml .config/nextest.toml testng.xml "
             "junit-platform.properties CTestConfig.cmake CTestCustom.cmake .testcaferc* "
             "CTestTestfile.cmake .coveragerc codecov.yml .nycrc* sitecustomize.py usercustomize.py",
             ' ')},
      {"build configuration",
       split("Makefile makefile GNUmakefile *.mk CMakeLists.txt *.cmake meson.build BUILD BUILD.bazel "
             "WORKSPACE configure configure.ac package.json pyproject.toml setup.py Cargo.toml go.mod "
             "pom.xml build.gradle* tsconfig*.json webpack.config.* vite.config.* rollup.config.* "
             "babel.config.* .babelrc* Dockerfile* docker-compose*.y*ml build.rs",
             ' ')},
      {"lock file",
       split("*.lock bun.lockb gradle.lockfile packages.lock.json Gemfile vendor/modules.txt "
             "package-lock.json yarn.lock pnpm-lock.yaml npm-shrinkwrap.json go.sum requirements*.txt "
             "constraints*.txt Pipfile*",
             ' ')},
      {kAnalyzerConfiguration.data(),
       {".clang-format", // of tools emend does not run; those it runs are in model/known_analyzers
        ".pylintrc",
        "pylintrc",
        "mypy.ini",
        ".rubocop.yml",
        ".golangci.*",
        ".semgrepignore",
        ".editorconfig",
        ".prettierignore",
        ".stylelintrc*",
        ".stylelintignore",
        ".semgrep.y*ml",
        ".semgrep/**",
        ".bandit",
        ".oxlintrc*",
        "clippy.toml",
        ".clippy.toml",
        "rustfmt.toml",
        ".rubocop_todo.yml",
        "detekt.yml",
        "checkstyle*.xml",
        "spotbugs*.xml",
        ".trivyignore",
        ".gitleaks*",
        "sonar-project.properties",
        "pyrightconfig.json",
        ".jshintrc",
        "tslint.json",
        ".pyrefly*"}},
      {"git configuration",
       {".gitattributes", ".gitignore", ".gitmodules", ".gitconfig", ".mailmap", ".lfsconfig",
        ".git-blame-ignore-revs"}},
      {"agent configuration", agent_files()},
      {"emend configuration",
       {"emend.toml", ".emend.toml", "emend.local.toml", ".config/emend.toml", ".emend/**"}},
      {"environment file",
       {".env", ".env.*", "*.pem", "*.key", "id_rsa*", "id_ed25519*", ".npmrc", ".pypirc", ".netrc"}},
  };
  return kinds;
}

} // namespace

bool locked_together(std::string_view one, std::string_view other) {
  static const std::vector<std::pair<GlobSet, GlobSet>> pairs = [] {
    std::vector<std::pair<GlobSet, GlobSet>> all;
    const auto add = [&](std::string_view manifest, std::string_view locks) {
      all.emplace_back(GlobSet(split(manifest, ' ')), GlobSet(split(locks, ' ')));
    };
    add("package.json", "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb");
    add("pyproject.toml", "poetry.lock uv.lock pdm.lock");
    add("requirements*.in", "requirements*.txt constraints*.txt");
    add("Cargo.toml", "Cargo.lock");
    add("go.mod", "go.sum");
    add("Pipfile", "Pipfile.lock");
    add("Gemfile *.gemspec", "Gemfile.lock");
    add("composer.json", "composer.lock");
    add("mix.exs", "mix.lock");
    add("pubspec.yaml", "pubspec.lock");
    add("build.gradle build.gradle.kts", "gradle.lockfile");
    add("*.csproj *.fsproj", "packages.lock.json");
    return all;
  }();
  const auto folder = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
  return folder(one) == folder(other) && std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
           return (pair.first.matches(one) && pair.second.matches(other)) ||
                  (pair.first.matches(other) && pair.second.matches(one));
         });
}

bool is_agent_file(std::string_view path) {
  static const GlobSet globs(agent_files());
  return globs.matches(path);
}

bool is_test_path(std::string_view path) {
  static const GlobSet globs(protected_kinds().front().globs);
  return globs.matches(path);
}

std::string_view judging_kind(std::string_view path) {
  static const std::vector<std::pair<std::string_view, GlobSet>> kinds = [] {
    std::vector<std::pair<std::string_view, GlobSet>> all;
    for (const ProtectedKind& kind : protected_kinds()) all.emplace_back(kind.what, GlobSet(kind.globs));
    for (const KnownAnalyzer& tool : known_analyzers())
      all.emplace_back(kAnalyzerConfiguration, GlobSet(tool.configuration));
    return all;
  }();
  for (const auto& [what, globs] : kinds)
    if (globs.matches(path)) return what;
  return {};
}

} // namespace emend
