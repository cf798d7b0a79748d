// What a project tells codespell to leave alone is read wherever projects say it.
#include "adapters/analyzers/codespell_rules.hpp"

#include <gmock/gmock.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

PreCommitHooks read(std::string_view yaml) { return read_pre_commit(yaml, known_analyzer("codespell")); }

TEST(CodespellRulesTest, ListsOfIniAndToml) {
  EXPECT_THAT(listed_in("[codespell]\nignore-words-list = teh, wich\nskip = *.po\n", "codespell",
                        "ignore-words-list"),
              ElementsAre("teh", "wich"));
  EXPECT_THAT(listed_in("[codespell]\nignore_words_list =\n    teh,\n    wich\nskip = *.po\n", "codespell",
                        "ignore-words-list"),
              ElementsAre("teh", "wich"));
  EXPECT_THAT(listed_in("[tool.codespell]\nignore-words-list = 'teh,wich' # ours\n", "tool.codespell",
                        "ignore-words-list"),
              ElementsAre("teh", "wich"));
  EXPECT_THAT(listed_in("[tool.codespell]\nskip = [\n  \"a/*\", # one\n  'b.md',\n]\ncount = true\n",
                        "tool.codespell", "skip"),
              ElementsAre("a/*", "b.md"));
  EXPECT_THAT(listed_in("[tool.codespell]\nskip = \"\"\"\na/*,\nb.md\n\"\"\"\ncount = true\n",
                        "tool.codespell", "skip"),
              ElementsAre("a/*", "b.md"));
  EXPECT_THAT(listed_in("[other]\nskip = a\n[codespell]\ncount =\n", "codespell", "skip"), IsEmpty());
}

TEST(CodespellRulesTest, HooksOfPreCommit) {
  const auto flow = read(
      "exclude: ^vendor/\nrepos:\n- repo: https://example.org/a\n  hooks:\n  - id: black\n    args: [-q]\n"
      "  - id: codespell # spelling\n    args: [-L, \"teh,wich\", '--skip=*.po',\n           -w]\n    "
      "exclude: ^docs/\n"
      "- repo: local\n  hooks:\n  - id: other\n    files: x\n");
  ASSERT_THAT(flow.hooks, SizeIs(1));
  EXPECT_THAT(flow.hooks[0].args, ElementsAre("-L", "teh,wich", "--skip=*.po", "-w"));
  EXPECT_EQ(flow.hooks[0].exclude, "^docs/");
  EXPECT_EQ(flow.hooks[0].files, "");
  EXPECT_EQ(flow.exclude, "^vendor/");
  EXPECT_FALSE(flow.unclear);

  const auto block = read(
      "repos:\n  - repo: a\n    hooks:\n      - name: spelling\n        id: codespell\n        args:\n"
      "          - --ignore-words-list=teh\n          - \"-S\"\n          - a.md\n        files: >\n"
      "          (?x)^(\n            a.md # one\n            | b.md\n          )$\n      - id: next\n        "
      "exclude: z\n");
  ASSERT_THAT(block.hooks, SizeIs(1));
  EXPECT_THAT(block.hooks[0].args, ElementsAre("--ignore-words-list=teh", "-S", "a.md"));
  EXPECT_THAT(block.hooks[0].files, testing::StartsWith("(?x)^("));
  EXPECT_EQ(block.hooks[0].exclude, "");

  EXPECT_THAT(read("repos: []\n").hooks, IsEmpty());
  const auto braces = read("repos:\n- repo: a\n  hooks: [{id: codespell, args: [-L, teh]}]\n");
  EXPECT_FALSE(braces.unclear);
  ASSERT_THAT(braces.hooks, SizeIs(1));
  EXPECT_THAT(braces.hooks[0].args, ElementsAre("-L", "teh"));
  EXPECT_TRUE(
      read("x: &a [-L, teh]\nrepos:\n- repo: a\n  hooks:\n  - id: codespell\n    args: *a\n").unclear);
  EXPECT_FALSE(read("repos: [\n").unclear) << "nothing in it is about codespell";
}

TEST(CodespellRulesTest, HooksThatRunTheProgramThemselves) {
  const auto read_one = [](const std::string& hook) {
    return read("repos:\n- repo: local\n  hooks:\n  - " + hook + "\n");
  };
  const auto local = read_one("{id: codespell, entry: codespell -L teh --skip='a b', args: [-I, .words]}");
  ASSERT_THAT(local.hooks, SizeIs(1));
  EXPECT_THAT(local.hooks[0].args, ElementsAre("-L", "teh", "--skip=a b", "-I", ".words"));
  EXPECT_FALSE(local.hooks[0].unclear);
  const auto named = read_one("{id: spelling, entry: /usr/bin/codespell -L teh}");
  ASSERT_THAT(named.hooks, SizeIs(1));
  EXPECT_THAT(named.hooks[0].args, ElementsAre("-L", "teh"));
  const auto script = read_one("{id: spelling, entry: bash -c 'codespell -L teh'}");
  ASSERT_THAT(script.hooks, SizeIs(1));
  EXPECT_TRUE(script.hooks[0].unclear) << "nothing is safe then";
  EXPECT_THAT(read_one("{id: ruff, entry: ruff check}").hooks, IsEmpty());
}

TEST(CodespellRulesTest, SkippedAsCodespellWalks) {
  CodespellRules rules;
  rules.skipped = {"*.po", "docs", "./a/b.md", "locale/", "src/*/gen*"};
  for (const char* file :
       {"x.po", "a/x.po", "docs/a.md", "a/docs/b.md", "a/b.md", "locale/de.md", "src/x/generated.c"})
    EXPECT_TRUE(rules.ignores(file, "teh")) << file;
  for (const char* file : {"x.md", "documents/a.md", "a/b.mdx", "b.md"})
    EXPECT_FALSE(rules.ignores(file, "teh")) << file;
  rules.words = {"teh"};
  EXPECT_TRUE(rules.ignores("x.md", "Teh"));
  EXPECT_FALSE(rules.ignores("x.md", "wich"));
}

TEST(CodespellRulesTest, FilesOfTheHook) {
  CodespellRules rules;
  rules.only.push_back(FilePattern::parse("\\.md$").value());
  rules.excluded.push_back(FilePattern::parse("^docs/").value());
  EXPECT_FALSE(rules.ignores("a.md", "teh"));
  EXPECT_TRUE(rules.ignores("a.c", "teh"));
  EXPECT_TRUE(rules.ignores("docs/a.md", "teh"));
  EXPECT_TRUE(FilePattern::parse("(?x)^(\n a.md | # one\n b.md\n)\\Z").value().matches("b.md"));
  EXPECT_FALSE(FilePattern::parse("^(?!docs/)")) << "looks ahead";
}

} // namespace
} // namespace emend
