// What of a review is shown and how it ends: fifty on a terminal, tools that gave up or broke, rules that are
// mostly noise, and many issues at once.
#include "tests/cli/commands/terminal_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ReviewShownTest : public TerminalFixture {
protected:
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  bool is_installed(const char* program) {
    return run_spec(spec({"/bin/sh", "-c", std::string("command -v ") + program})).ok();
  }
  void write_leftovers(int count) {
    for (int i = 10; i < 10 + count; ++i) write("src/x" + std::to_string(i) + ".js", "debugger;\n");
    commit();
  }
  std::vector<std::string> codes(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "issues");
    arguments.emplace_back("--json");
    const Json data = data_of(emend(std::move(arguments)), "emend.issues/v1");
    std::vector<std::string> all;
    for (const Json& issue : data) all.push_back(string_or(issue, "code"));
    return all;
  }
  std::vector<std::string> rules(const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"review", "--all", "--json"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Json data = data_of(emend(words), "emend.review/v1");
    std::vector<std::string> all;
    for (const Json& issue : data["issues"]) all.push_back(string_or(issue, "rule"));
    return all;
  }
  // A program of the person's own, somewhere outside of the repository, as an analyzer of theirs.
  void use_own_tool(const std::string& script) {
    const fs::path program = base_ / "tools/mylint";
    ASSERT_TRUE(write_file(
        program, "#!/bin/sh\ncase \"$1\" in --version) echo mylint 1.0; exit;; esac\n" + script, 0755));
    ASSERT_TRUE(write_file(
        base_ / "state/config.toml",
        "[analyzers.mylint]\ncommand = [\"" + program.string() + "\", \"{files}\"]\nfiles = [\"*.c\"]\n"));
  }
};

TEST_F(ReviewShownTest, FiftyOnATerminalAndAllOfThemElsewhere) {
  write_leftovers(53);
  write("src/zz.py", "<<<<<<< HEAD\n");
  commit();
  const Seen seen = at_terminal({"review", "--all", "--analyzers", "builtin"});
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.screen,
              AllOf(HasSubstr("and 4 issues more (--max-findings 0 shows all)"), HasSubstr("src/zz.py"),
                    HasSubstr("src/x10.js"), Not(HasSubstr("src/x62.js"))));
  EXPECT_THAT(at_terminal({"review", "--all", "--analyzers", "builtin", "--max-findings", "0"}).screen,
              AllOf(HasSubstr("src/x62.js"), Not(HasSubstr("issues more"))));
  EXPECT_EQ(rules({"--analyzers", "builtin"}).size(), 54U);
}

TEST_F(ReviewShownTest, FilesThatDoNotCompileHereAreSaidAndAreNoFailure) {
  if (!is_installed("clang-tidy")) GTEST_SKIP() << "no clang-tidy";
  write("src/b.c", "#include <not_installed_here.h>\nint b;\n");
  commit();
  const auto result = emend({"review", "--all", "--analyzers", "clang-tidy", "--fail-on", "critical"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("checked 1 of 2 files. 1 file does not compile here (missing not_installed_here.h)"));
}

// Exit 1 is about findings, 5 about tools; who has both wants to know of the findings.
TEST_F(ReviewShownTest, FindingsAndABrokenToolEndWithOne) {
  use_own_tool("exit 9\n");
  const auto broken = emend({"review", "--all", "--analyzers", "builtin,mylint"});
  EXPECT_EQ(broken.exit_code, 5) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("mylint did not finish"));
  write("src/zz.py", "<<<<<<< HEAD\n");
  commit();
  const auto both = emend({"review", "--all", "--analyzers", "builtin,mylint"});
  EXPECT_EQ(both.exit_code, 1) << both.err;
  EXPECT_THAT(both.err, HasSubstr("mylint did not finish"));
}

TEST_F(ReviewShownTest, RulesThatAreMostlyNoiseWaitForStrict) {
  if (!is_installed("shellcheck")) GTEST_SKIP() << "no shellcheck";
  write("run.sh", "#!/bin/bash\necho 'say $HOME'\nlist=($1)\n");
  commit();
  EXPECT_THAT(rules({"--analyzers", "shellcheck", "run.sh"}), ElementsAre());
  EXPECT_THAT(rules({"--analyzers", "shellcheck", "--strict", "run.sh"}),
              ElementsAre("SC2016", "SC2034", "SC2206"));
  EXPECT_THAT(rules({"--analyzers", "shellcheck", "--select", "SC2016", "run.sh"}), ElementsAre("SC2016"));
}

TEST_F(ReviewShownTest, WhatRustfmtWouldWriteIsAFindingWithItsFix) {
  const char* home = std::getenv("HOME");
  if (home != nullptr)
    environment_ = {std::string("CARGO_HOME=") + home + "/.cargo",
                    std::string("RUSTUP_HOME=") + home + "/.rustup"};
  if (!run_spec(spec({"/bin/sh", "-c", "rustfmt --version"})).ok()) GTEST_SKIP() << "no rustfmt";
  write("Cargo.toml", "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
  write("rustfmt.toml", "max_width = 100\n");
  write("src/lib.rs", "pub fn f( a : i32 )->i32{ a+1 }\n");
  commit();
  EXPECT_THAT(rules({"--analyzers", "rustfmt"}), ElementsAre("format"));
  const auto fixed = emend({"fix", "--safe", "--apply"});
  EXPECT_EQ(read_file(root_ / "src/lib.rs").value(), "pub fn f(a: i32) -> i32 {\n    a + 1\n}\n")
      << fixed.out << fixed.err;
}

TEST_F(ReviewShownTest, ManyAreIgnoredAtOnceAndTheRuleIsProposed) {
  write_leftovers(2);
  write("tests/y.js", "debugger;\n");
  write("tests/z.js", "debugger;\n");
  write("src/zz.py", "<<<<<<< HEAD\n");
  commit();
  ASSERT_EQ(rules({"--analyzers", "builtin"}).size(), 5U);
  const auto some =
      emend({"issues", "ignore", "--rule", "emend/debug-*", "--file", "tests/**", "--reason", "wont_fix"});
  EXPECT_EQ(some.exit_code, 0) << some.err;
  EXPECT_EQ(codes({"--status", "ignored"}).size(), 2U);
  EXPECT_THAT(some.err, Not(HasSubstr("[review] ignore"))) << "twice is no habit";
  const auto more = emend({"issues", "ignore", "--rule", "emend/debug-leftover", "--reason", "wont_fix"});
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_THAT(more.err, HasSubstr("emend/debug-leftover: 4 of 4 issues were ignored, 0 fixed"));
  EXPECT_THAT(more.err, HasSubstr("[review] ignore = [\"emend/debug-leftover\"]"));
  EXPECT_EQ(codes({"--status", "open"}).size(), 1U) << "other rules stay";
  EXPECT_EQ(emend({"issues", "ignore", "--analyzer", "builtin", "--reason", "wont_fix"}).exit_code, 0);
  EXPECT_EQ(codes({"--status", "open"}).size(), 0U);
}

TEST_F(ReviewShownTest, TheListIsSortedAndPaged) {
  write_leftovers(3);
  write("src/zz.py", "<<<<<<< HEAD\n");
  commit();
  ASSERT_EQ(rules({"--analyzers", "builtin"}).size(), 4U);
  const auto all = codes({"--sort", "code"});
  ASSERT_EQ(all.size(), 4U);
  const auto worst = codes({"--sort", "severity"});
  EXPECT_EQ(worst.front(), "BE-001") << "the conflict";
  EXPECT_EQ(codes({"--sort", "code"}), codes({}));
  EXPECT_THAT(codes({"--sort", "severity", "--limit", "3", "--page", "1"}),
              ElementsAre(worst[0], worst[1], worst[2]));
  EXPECT_THAT(codes({"--sort", "severity", "--limit", "3", "--page", "2"}), ElementsAre(worst[3]));
  EXPECT_THAT(codes({"--limit", "3", "--page", "9"}), ElementsAre());
  const Seen seen = at_terminal({"issues", "--limit", "3"});
  EXPECT_THAT(seen.screen, HasSubstr("and 1 issue more: --page 2, or --limit 0 for all"));
}

TEST_F(ReviewShownTest, AnAnalyzerIsTriedByItself) {
  use_own_tool("echo \"$1:2: warning: a word is wrong\"; exit 1\n");
  const Json all = data_of(emend({"analyzers", "--json"}), "emend.analyzers/v1");
  const auto mine = std::find_if(all.begin(), all.end(),
                                 [](const Json& one) { return string_or(one, "analyzer") == "mylint"; });
  ASSERT_NE(mine, all.end());
  EXPECT_EQ((*mine)["files"], Json(1));
  EXPECT_EQ(string_or(*mine, "version"), "1.0");
  EXPECT_THAT(string_or(*mine, "command"), HasSubstr("tools/mylint {files}"));
  const auto tried = emend({"analyzers", "test", "mylint"});
  EXPECT_EQ(tried.exit_code, 0) << tried.out << tried.err;
  EXPECT_THAT(tried.out, AllOf(HasSubstr("state: done, version 1.0, 1 file, 1 finding"),
                               HasSubstr("src/a.c:2  medium"), HasSubstr("a word is wrong")));
  EXPECT_EQ(codes({}).size(), 0U) << "nothing is stored";
  use_own_tool("echo oops >&2; exit 9\n");
  const auto broken = emend({"analyzers", "test", "mylint"});
  EXPECT_EQ(broken.exit_code, 5);
  EXPECT_THAT(broken.out, AllOf(HasSubstr("state: failed"), HasSubstr("oops")));
  EXPECT_EQ(emend({"analyzers", "test", "nobody"}).exit_code, 2);
}

} // namespace emend
