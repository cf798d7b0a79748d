#include "engine/scope.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/glob.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

struct ProtectedKind {
  const char* what;
  std::vector<std::string> globs;
};

const std::vector<ProtectedKind>& protected_kinds() {
  static const std::vector<ProtectedKind> kinds = {
      {"test",
       {"test/**", "tests/**", "**/test/**", "**/tests/**", "**/__tests__/**", "spec/**", "**/testdata/**", "**/__snapshots__/**",
        "**/__mocks__/**", "test_*.*", "*_test.*", "*_tests.*", "*.test.*", "*.spec.*", "*_spec.rb", "*Test.java", "*Tests.java",
        "*Test.kt", "*Tests.cs", "*.snap", "conftest.py"}},
      {"CI",
       {".github/**", ".gitlab/**", ".gitlab-ci.yml", ".circleci/**", ".travis.yml", "Jenkinsfile", "azure-pipelines.yml", ".ci/**",
        ".buildkite/**", ".pre-commit-config.yaml"}},
      {"test runner configuration",
       {"pytest.ini", "tox.ini", "setup.cfg", "noxfile.py", "jest.config.*", "vitest.config.*", "karma.conf.*", "playwright.config.*",
        ".mocharc*", "phpunit.xml*", "CTestTestfile.cmake", ".coveragerc", "codecov.yml", ".nycrc*", "sitecustomize.py",
        "usercustomize.py"}},
      {"build configuration",
       {"Makefile", "makefile", "GNUmakefile", "*.mk", "CMakeLists.txt", "*.cmake", "meson.build", "BUILD", "BUILD.bazel", "WORKSPACE",
        "configure", "configure.ac", "package.json", "pyproject.toml", "setup.py", "Cargo.toml", "go.mod", "pom.xml", "build.gradle*",
        "tsconfig*.json", "webpack.config.*", "vite.config.*", "rollup.config.*", "babel.config.*", ".babelrc*", "Dockerfile*",
        "docker-compose*.y*ml", "build.rs"}},
      {"lock file",
       {"*.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json", "go.sum", "requirements*.txt",
        "constraints*.txt", "Pipfile*"}},
      {"analyzer configuration",
       {".eslintrc*", "eslint.config.*", ".eslintignore", "biome.json*", ".clang-tidy", ".clang-format", ".flake8", "ruff.toml",
        ".ruff.toml", ".pylintrc", "pylintrc", "mypy.ini", ".shellcheckrc", ".rubocop.yml", ".golangci.*", ".semgrepignore",
        ".codespellrc", "*.suppressions", ".editorconfig"}},
      {"git configuration", {".gitattributes", ".gitignore", ".gitmodules", ".gitconfig", ".mailmap", ".lfsconfig", ".git-blame-ignore-revs"}},
      {"agent configuration",
       {"AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", ".claude/**", ".gemini/**", ".codex/**", ".cursor/**", ".cursorrules",
        ".windsurfrules", ".github/copilot-instructions.md", ".aider*", ".mcp.json", "**/AGENTS.md", "**/CLAUDE.md", "**/GEMINI.md"}},
      {"emend configuration", {"emend.toml", ".emend.toml", "emend.local.toml", ".config/emend.toml", ".emend/**"}},
      {"environment file", {".env", ".env.*", "*.pem", "*.key", "id_rsa*", "id_ed25519*", ".npmrc", ".pypirc", ".netrc"}},
  };
  return kinds;
}

std::string directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string{} : std::string(path.substr(0, slash + 1));
}

// src/reader.c and src/reader.h are two faces of one thing.
std::string stem_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto start = slash == std::string_view::npos ? 0 : slash + 1;
  const auto dot = path.find('.', start + 1);
  return std::string(path.substr(0, dot));
}

bool is_interpreter(std::string_view word) {
  const auto slash = word.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? word : word.substr(slash + 1);
  for (const std::string_view known : {"sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "perl", "ruby", "php", "env", "exec",
                                       "source", ".", "deno", "bun", "time", "nice", "timeout"})
    if (name == known) return true;
  return name.starts_with("python3.");
}

std::string normal_word(std::string_view word) {
  std::string text(word);
  while (text.starts_with("./")) text.erase(0, 2);
  return text;
}

} // namespace

std::vector<std::string> executed_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool expect = true; // the next word is what runs
  const auto flush = [&] {
    if (word.empty()) return;
    if (expect) {
      const bool assignment = word.find('=') != std::string::npos && word.find('/') > word.find('=');
      const bool flag = word.starts_with("-");
      if (!assignment && !flag) {
        words.push_back(normal_word(word));
        expect = is_interpreter(word);
      }
    }
    word.clear();
  };
  for (const char c : command) {
    if (c == ';' || c == '|' || c == '&' || c == '(' || c == ')' || c == '\n' || c == '{' || c == '}' || c == '`') {
      flush();
      expect = true;
    } else if (c == ' ' || c == '\t') {
      flush();
    } else if (c != '"' && c != '\'') {
      word += c;
    }
  }
  flush();
  return words;
}

Scope::Scope(const Policy& policy, const Tree& base) : policy_(policy) {
  for (const VerifyCommand& command : policy.commands)
    for (const std::string& word : executed_words(command.run))
      if (base.contains(word)) verify_scripts_.insert(word);
}

std::string Scope::protected_as(const Issue& issue, std::string_view path) const {
  if (verify_scripts_.contains(path)) return "run by a verification command";
  if (path == issue.finding.file) return {};
  if (any_glob_match(policy_.protected_paths, path)) return "listed in fix.protected";
  for (const ProtectedKind& kind : protected_kinds())
    if (any_glob_match(kind.globs, path)) return kind.what;
  return {};
}

bool Scope::in_scope(const Issue& issue, std::string_view path) const {
  const Finding& finding = issue.finding;
  if (finding.file.empty() || policy_.scope == FixScope::repository) return true;
  if (path == finding.file) return true;
  if (std::find(finding.related_files.begin(), finding.related_files.end(), path) != finding.related_files.end()) return true;
  if (policy_.scope == FixScope::directory && path.starts_with(directory_of(finding.file))) return true;
  return stem_of(path) == stem_of(finding.file);
}

bool Scope::may_create(const Issue& issue, std::string_view path) const {
  if (!protected_as(issue, path).empty()) return false;
  if (any_glob_match(policy_.new_files, path)) return true;
  const Finding& finding = issue.finding;
  if (std::find(finding.related_files.begin(), finding.related_files.end(), path) != finding.related_files.end()) return true;
  if (finding.file.empty()) return policy_.scope == FixScope::repository;
  // A new neighbour of the same kind of source: a helper the fix needs, not a log, a note or a scratch file.
  const std::filesystem::path ours(finding.file), theirs{std::string(path)};
  return path.starts_with(directory_of(finding.file)) && side_of(finding.file) == side_of(path) &&
         (ours.extension() == theirs.extension() || stem_of(path) == stem_of(finding.file));
}

Patch Scope::without_debris(const Issue& issue, Patch patch, std::vector<std::string>& left_out) const {
  std::erase_if(patch.changes, [&](const FileChange& change) {
    if (!change.added() || change.path == issue.finding.file || may_create(issue, change.path)) return false;
    left_out.push_back(change.path);
    return true;
  });
  return patch;
}

std::vector<std::string> Scope::violations(const Issue& issue, const Patch& patch) const {
  std::vector<std::string> found;
  for (const FileChange& change : patch.changes) {
    const std::string shown = clean_text(change.path);
    if (const std::string what = protected_as(issue, change.path); !what.empty()) found.push_back(shown + " is protected (" + what + ")");
    else if (change.added() && change.path != issue.finding.file && !may_create(issue, change.path))
      found.push_back(shown + " is a new file that is not on the allow-list (fix.new_files)");
    else if (!change.added() && !in_scope(issue, change.path))
      found.push_back(fmt::format("{} is outside the scope of {} (fix.scope = \"{}\")", shown, issue.code, to_string(policy_.scope)));
    if (change.new_mode == kModeSymlink || change.old_mode == kModeSymlink) found.push_back(shown + " is a symbolic link");
    if (change.new_mode == kModeGitlink || change.old_mode == kModeGitlink) found.push_back(shown + " is a submodule");
    if (change.mode_changed()) found.push_back(shown + " changes its mode bits");
    if (change.binary() && !change.deleted() && change.path != issue.finding.file) found.push_back(shown + " is binary");
  }
  const DiffStat stat = diff_stat(patch);
  if (stat.insertions + stat.deletions > policy_.max_changed_lines)
    found.push_back(fmt::format("{} changed lines are more than fix.max_changed_lines = {}", stat.insertions + stat.deletions,
                                policy_.max_changed_lines));
  return found;
}

} // namespace emend
