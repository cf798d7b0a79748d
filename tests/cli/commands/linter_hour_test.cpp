// The first hour of somebody who knows linters: each sentence is one flag that `--help` names, or one line
// below [review] in emend.toml, and both do the same. docs/analyzers.md shows them in one table.
#include "tests/cli/commands/terminal_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LinterHourTest : public TerminalFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("src/a.js", "debugger;\nlet a = 1;\n");
    write("tests/b.js", "debugger;\n");
    write("lib/c.py", kConflict);
    commit();
  }
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }

  // "file rule" of all that is shown.
  std::vector<std::string> shown(const std::vector<std::string>& flags) {
    std::vector<std::string> words = {"review", "--all", "--json"};
    words.insert(words.end(), flags.begin(), flags.end());
    if (std::find(flags.begin(), flags.end(), "--analyzers") == flags.end())
      words.insert(words.end(), {"--analyzers", "builtin"});
    last_ = emend(words);
    std::vector<std::string> found;
    const Json data = data_of(last_, "emend.review/v1");
    for (const Json& issue : data["issues"])
      found.push_back(string_or(issue, "file") + " " + string_or(issue, "rule"));
    return found;
  }

  // The same by a line of configuration.
  std::vector<std::string> shown_with(const std::string& line) {
    write("emend.toml", "[review]\n" + line + "\n");
    auto found = shown({});
    fs::remove(root_ / "emend.toml");
    return found;
  }

  // It stands in the table, and whoever asks the command for help reads of the flag.
  void expect_taught(const std::string& command, const std::string& flag, const std::string& words) {
    static const std::string page = read_file(fs::path(EMEND_SOURCE_DIR) / "docs/analyzers.md").value();
    EXPECT_THAT(page, HasSubstr("`emend " + command + " " + words)) << "the table";
    const auto help = emend({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, HasSubstr(flag)) << command << " --help";
  }

  static constexpr const char* kConflict = "x = 1\n<<<<<<< HEAD\ny = 2\n";
  static constexpr const char* kA = "src/a.js emend/debug-leftover";
  static constexpr const char* kB = "tests/b.js emend/debug-leftover";
  static constexpr const char* kC = "lib/c.py emend/conflict-marker";
  ProcessResult last_;
};

TEST_F(LinterHourTest, LeaveTheseFilesOut) {
  expect_taught("review", "--exclude", "--exclude lib");
  EXPECT_THAT(shown({}), ElementsAre(kC, kA, kB));
  EXPECT_THAT(shown({"--exclude", "lib"}), ElementsAre(kA, kB));
  EXPECT_THAT(shown_with("exclude = [\"lib\"]"), ElementsAre(kA, kB));
}

TEST_F(LinterHourTest, OnlyTheseFiles) {
  expect_taught("review", "--include", "--include 'src/**'");
  EXPECT_THAT(shown({"--include", "src/**"}), ElementsAre(kA));
  EXPECT_THAT(shown({"src"}), ElementsAre(kA));
  EXPECT_THAT(shown_with("include = [\"src/**\"]"), ElementsAre(kA));
}

TEST_F(LinterHourTest, IgnoreThatRule) {
  expect_taught("review", "--ignore", "--ignore ");
  EXPECT_THAT(shown({"--ignore", "emend/debug-leftover"}), ElementsAre(kC));
  EXPECT_THAT(shown_with("ignore = [\"emend/debug-leftover\"]"), ElementsAre(kC));
}

TEST_F(LinterHourTest, IgnoreThatRuleInTheTests) {
  expect_taught("review", "--per-file-ignore", "--per-file-ignore 'tests/**:");
  EXPECT_THAT(shown({"--per-file-ignore", "tests/**:emend/debug-leftover"}), ElementsAre(kC, kA));
  EXPECT_THAT(shown_with("per_file_ignores = { \"tests/**\" = [\"emend/debug-leftover\"] }"),
              ElementsAre(kC, kA));
  const auto wrong = emend({"review", "--per-file-ignore", "tests"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("tests/**:SC2034"));
}

TEST_F(LinterHourTest, IgnoreItInThisOnePlace) {
  EXPECT_THAT(emend({"review", "--help"}).out, HasSubstr("emend: ignore RULE"));
  write("src/a.js", "// emend: ignore emend/debug-leftover the demo stops here\ndebugger;\n");
  commit();
  EXPECT_THAT(shown({}), ElementsAre(kC, kB));
}

TEST_F(LinterHourTest, OnlyThatRule) {
  expect_taught("review", "--select", "--select ");
  EXPECT_THAT(shown({"--select", "emend/conflict-*"}), ElementsAre(kC));
  EXPECT_THAT(shown_with("select = [\"emend/conflict-*\"]"), ElementsAre(kC));
}

TEST_F(LinterHourTest, OnlyThisToolNotThatOne) {
  expect_taught("review", "--analyzers", "--analyzers shellcheck");
  EXPECT_THAT(shown({"--analyzers", "none"}), IsEmpty());
  const auto names = [this] {
    std::vector<std::string> ran;
    const Json data = data_of(last_, "emend.review/v1");
    for (const Json& one : data["analyzers"]) ran.push_back(string_or(one, "analyzer"));
    return ran;
  };
  shown({"--analyzers", "builtin"});
  EXPECT_THAT(names(), ElementsAre("builtin"));
  shown({"--analyzers", "all,-codespell"});
  EXPECT_THAT(names(), testing::Not(testing::Contains("codespell")));
  EXPECT_THAT(names(), testing::Contains("shellcheck"));
  write("emend.toml", "[review]\nanalyzers = [\"builtin\"]\n");
  last_ = emend({"review", "--all", "--json"});
  EXPECT_THAT(names(), ElementsAre("builtin"));
}

TEST_F(LinterHourTest, OnlyErrors) {
  expect_taught("review", "--min-severity", "--min-severity high");
  EXPECT_THAT(shown({"--min-severity", "high"}), ElementsAre(kC));
  EXPECT_THAT(shown_with("min_severity = \"high\""), ElementsAre(kC));
}

TEST_F(LinterHourTest, OnlyErrorsFromTheFirstLineOn) {
  const Seen seen = at_terminal({"review", "--all", "--analyzers", "builtin", "--min-severity", "high"});
  EXPECT_THAT(seen.screen, HasSubstr("emend/conflict-marker"));
  EXPECT_THAT(seen.screen, testing::Not(HasSubstr("debug-leftover"))) << "not while it works, either";
}

TEST_F(LinterHourTest, FailOnlyOnHigh) {
  expect_taught("review", "--fail-on", "--fail-on high");
  shown({"--fail-on", "high", "--exclude", "lib"});
  EXPECT_EQ(last_.exit_code, 0) << "only low ones are left";
  shown({"--fail-on", "low", "--exclude", "lib"});
  EXPECT_EQ(last_.exit_code, 1);
  shown_with("fail_on = \"high\"");
  EXPECT_EQ(last_.exit_code, 1) << "the conflict is critical";
  shown_with("fail_on = \"never\"");
  EXPECT_EQ(last_.exit_code, 0);
  expect_taught("review", "--exit-zero", "--exit-zero");
  shown({"--exit-zero"});
  EXPECT_EQ(last_.exit_code, 0);
}

TEST_F(LinterHourTest, NotWhatWasThereBefore) {
  expect_taught("baseline", "create", "create");
  shown({});
  EXPECT_EQ(emend({"baseline", "create", "--reason", "old code"}).exit_code, 0);
  write("src/d.js", "debugger;\n");
  commit();
  const auto concise = emend({"review", "--all", "--analyzers", "builtin", "--format", "concise"});
  EXPECT_THAT(concise.out, HasSubstr("src/d.js"));
  EXPECT_THAT(concise.out, testing::Not(HasSubstr("src/a.js")));
  EXPECT_EQ(concise.exit_code, 0) << "what is accepted does not fail";
}

// What somebody decided on takes no room from what nobody has.
TEST_F(LinterHourTest, AtMostSoManyOfThoseThatAreStillOpen) {
  shown({});
  EXPECT_THAT(shown({"--max-findings", "1"}), ElementsAre(kC)) << "the gravest";
  const Json issues = data_of(emend({"issues", "--json", "--file", "lib/**"}), "emend.issues/v1");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(emend({"issues", "ignore", string_or(issues[0], "code"), "--reason", "by_design"}).exit_code, 0);
  EXPECT_THAT(shown({"--max-findings", "1"}), ElementsAre(kA)) << "the open ones first";
  EXPECT_EQ(data_of(last_, "emend.review/v1")["not_shown"], Json(2));
  const std::string said = emend({"review", "--all", "--analyzers", "builtin", "--max-findings", "1"}).err;
  EXPECT_THAT(said, HasSubstr("and 1 issue more (--max-findings 0 shows all)"));
  EXPECT_THAT(said, HasSubstr("1 issue ignored or duplicate not shown"));
  EXPECT_THAT(shown({"--max-findings", "3"}), ElementsAre(kC, kA, kB));
}

TEST_F(LinterHourTest, AllOfItTheNoiseToo) {
  expect_taught("review", "--strict", "--all --strict --max-findings 0");
  const std::string doubtful = "api_secret=ajvk8o3y82ndsu2s91xy3o36\n";
  write("tests/key.sh", doubtful);
  commit();
  EXPECT_THAT(shown({}), testing::Not(testing::Contains("tests/key.sh emend/secret")));
  EXPECT_THAT(shown({"--strict"}), testing::Contains("tests/key.sh emend/secret"));
  EXPECT_THAT(shown_with("strict = true"), testing::Contains("tests/key.sh emend/secret"));
}

TEST_F(LinterHourTest, ShowMeWhyAndWhere) {
  shown({});
  const auto why = emend({"explain", "emend/debug-leftover"});
  EXPECT_EQ(why.exit_code, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("looks forgotten")) << "the tool's own words";
  EXPECT_THAT(why.out, HasSubstr("2 issues of severity low"));
  EXPECT_THAT(why.out, HasSubstr("emend review --ignore emend/debug-leftover"));
  EXPECT_THAT(emend({"explain", "SC2034"}).out, HasSubstr("https://www.shellcheck.net/wiki/SC2034"))
      << "also where nobody met it";
  EXPECT_EQ(emend({"explain", "no_such rule"}).exit_code, 2);
  EXPECT_THAT(emend({"explain", "eslint:brand-new"}).out,
              HasSubstr("https://eslint.org/docs/latest/rules/brand-new"));
  const auto unknown = emend({"explain", "noSuchRule"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("emend explain ANALYZER:noSuchRule"));
  EXPECT_THAT(emend({"--help"}).out, HasSubstr("explain"));
  const Json issues = data_of(emend({"issues", "--json", "--file", "src/**"}), "emend.issues/v1");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_THAT(emend({"issues", "show", string_or(issues[0], "code")}).out, HasSubstr("1 | debugger;"));
}

TEST_F(LinterHourTest, FixItInPlace) {
  expect_taught("fix", "--apply", "--safe --apply");
  EXPECT_THAT(emend({"review", "--help"}).out, HasSubstr("emend fix --safe --apply"));
  shown({});
  const auto fixed = emend({"fix", "--safe", "--apply"});
  EXPECT_EQ(read_file(root_ / "src/a.js").value(), "let a = 1;\n") << fixed.out << fixed.err;
}

// Which checks to use is no question where there is nothing to check.
TEST_F(LinterHourTest, WhereNothingIsSafeToFixNothingIsAsked) {
  write("Makefile", "test:\n\ttrue\n");
  commit();
  shown({"--include", "lib"});
  const Seen seen = at_terminal({"fix", "--safe", "--apply"}, "use them?", "n\n");
  EXPECT_THAT(seen.screen, HasSubstr("No open issue has a safe automatic fix. 1 issue needs an agent"));
  EXPECT_THAT(seen.screen, testing::Not(HasSubstr("use them?")));
}

TEST_F(LinterHourTest, LookAgainWhenISave) {
  expect_taught("review", "--watch", "--watch");
} // review_watch_test

// Everything a review can be told by a line is named by the help of the flag that says it once.
TEST_F(LinterHourTest, EachFlagNamesItsLine) {
  const std::string help = emend({"review", "--help"}).out;
  for (const char* key : {"analyzers", "exclude", "include", "select", "ignore", "per_file_ignores", "strict",
                          "min_severity", "fail_on", "max_findings"})
    EXPECT_THAT(help, HasSubstr(std::string("review.") + key));
}

} // namespace emend
