// Which hooks of pre-commit run an analyzer, and what of their arguments an analysis takes over.
#include "adapters/analyzers/pre_commit.hpp"

#include <gmock/gmock.h>

#include "adapters/analyzers/command_words.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool runs(const std::string& hook, const std::string& analyzer) {
  const std::string yaml = "repos:\n- repo: local\n  hooks:\n  - " + hook + "\n";
  return !read_pre_commit(yaml, known_analyzer(analyzer)).hooks.empty();
}

// What a hook that is written so adds to the analyzer's arguments.
std::vector<std::string> taken(const std::string& hook, const std::string& analyzer) {
  const KnownAnalyzer& tool = known_analyzer(analyzer);
  const auto read = read_pre_commit("repos:\n- repo: local\n  hooks:\n  - " + hook + "\n", tool);
  EXPECT_EQ(read.hooks.size(), 1U) << hook;
  return read.hooks.empty() ? std::vector<std::string>{} : arguments_to_take(tool, read.hooks[0].args);
}

TEST(PreCommit, AHookIsKnownByItsIdsAndByTheProgramItStarts) {
  for (const char* hook :
       {"{id: ruff}", "{id: ruff-check}", "{id: x, entry: ruff check}", "{id: x, entry: uv run ruff check}",
        "{id: x, entry: python3 -m ruff check --fix}", "{id: x, entry: bash -c 'ruff check .'}"})
    EXPECT_TRUE(runs(hook, "ruff")) << hook;
  for (const char* hook :
       {"{id: ruff-format}", "{id: x, entry: ruff format}", "{id: ruff, entry: ruff format}",
        "{id: x, entry: ruff-wrapper}", "{id: x, entry: my_ruff}"})
    EXPECT_FALSE(runs(hook, "ruff")) << hook;
  const std::pair<const char*, const char*> ids[] = {{"ruff-check", "ruff-wasm"},
                                                     {"markdownlint-cli2", "markdownlint"},
                                                     {"biome-check", "biome"},
                                                     {"hadolint-docker", "hadolint"},
                                                     {"cargo-clippy", "clippy"},
                                                     {"actionlint-docker", "actionlint"},
                                                     {"sqlfluff-lint", "sqlfluff"},
                                                     {"golangci-lint-full", "golangci-lint"},
                                                     {"php-lint", "php"}};
  for (const auto& [id, analyzer] : ids) EXPECT_TRUE(runs("{id: " + std::string(id) + "}", analyzer)) << id;
}

TEST(PreCommit, AProgramWhoseNameBeginsAlikeIsAnotherOne) {
  for (const char* entry : {"vendor/bin/phpstan analyse", "php-cs-fixer fix", "phpcs -q",
                            "php vendor/bin/phpstan", "bash -c 'php artisan test'"})
    EXPECT_FALSE(runs("{id: x, entry: \"" + std::string(entry) + "\"}", "php")) << entry;
  EXPECT_TRUE(runs("{id: x, entry: php -l}", "php"));
  EXPECT_TRUE(runs("{id: x, entry: clang-tidy-19 --quiet}", "clang-tidy"));
  EXPECT_FALSE(runs("{id: clang-tidy-diff}", "clang-tidy"));
}

TEST(PreCommit, WhatWritesOrSteersTheReportIsNotTakenOver) {
  EXPECT_THAT(taken("{id: ruff, args: [--fix, --exit-non-zero-on-fix, --line-length=100]}", "ruff"),
              ElementsAre("--line-length=100"));
  EXPECT_THAT(taken("{id: ruff, args: [--output-format, github, --select, \"E,F\", -o, out.txt]}", "ruff"),
              ElementsAre("--select", "E,F"));
  EXPECT_THAT(taken("{id: flake8, args: [--format=pylint, --max-line-length=99, -j4]}", "flake8"),
              ElementsAre("--max-line-length=99"));
  EXPECT_THAT(taken("{id: eslint, args: [--fix, --ext, .ts, -f, unix, -ofile]}", "eslint"),
              ElementsAre("--ext", ".ts"));
  EXPECT_THAT(taken("{id: mypy, args: [--strict, --pretty, --install-types, -p, pkg]}", "mypy"),
              ElementsAre("--strict"));
  EXPECT_THAT(
      taken("{id: clang-tidy, args: [-fix, -p=build, --checks=bugprone-*, --, -std=c++17]}", "clang-tidy"),
      ElementsAre("--checks=bugprone-*"));
  EXPECT_THAT(taken("{id: rubocop, args: [-a, --except, Lint/Debugger]}", "rubocop"),
              ElementsAre("--except", "Lint/Debugger"));
  EXPECT_THAT(taken("{id: markdownlint, args: [--fix, --disable, MD013, --]}", "markdownlint"), IsEmpty());
}

TEST(PreCommit, SubcommandsAndPathsAreNoArguments) {
  EXPECT_THAT(taken("{id: x, entry: ruff check --fix --preview src}", "ruff"),
              ElementsAre("--preview", "src"))
      << "what follows an option may be its value";
  EXPECT_THAT(taken("{id: x, entry: ruff check --preview=true src tests}", "ruff"),
              ElementsAre("--preview=true"));
  EXPECT_THAT(taken("{id: x, entry: ruff check --fix}", "ruff"), IsEmpty());
  EXPECT_THAT(taken("{id: x, entry: golangci-lint run --fix --timeout=5m}", "golangci-lint"),
              ElementsAre("--timeout=5m"));
  EXPECT_THAT(taken("{id: biome-check, args: [check, --write, --config-path=web]}", "biome"),
              ElementsAre("--config-path=web"));
}

TEST(PreCommit, CommandLinesAreTakenApartAsAShellDoes) {
  EXPECT_THAT(command_words("a 'b c'\t\"d \\\"e\\\"\" f\\ g '' \"h\\i\""),
              ElementsAre("a", "b c", "d \"e\"", "f g", "", "h\\i"));
  EXPECT_THAT(command_words("  "), IsEmpty());
}

} // namespace
} // namespace emend
