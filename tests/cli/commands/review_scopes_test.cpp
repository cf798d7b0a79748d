// What `emend review` looks at, and how it prints what it found: the real program in real repositories.
#include <sys/stat.h>

#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ReviewScopes : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    commit_file("src/old.js", "let a = 1;\ndebugger;\nlet b = 2;\nlet c = 3;\nlet d = 4;\nlet e = 5;\n");
  }

  void commit_file(const std::string& path, const std::string& text) {
    write(path, text);
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }

  ProcessResult review(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"review", "--analyzers", "builtin"});
    return emend(std::move(arguments));
  }

  // "file:line" of every finding.
  std::vector<std::string> found(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const auto result = review(std::move(arguments));
    std::vector<std::string> places;
    last_ = data_of(result, "emend.review/v1");
    for (const Json& issue : last_["issues"])
      places.push_back(issue["file"].get<std::string>() + ":" + std::to_string(issue["line"].get<int>()));
    return places;
  }

  std::string scope() const { return last_["scope"].get<std::string>(); }

  Json last_;
};

TEST_F(ReviewScopes, WithoutChangesTheWholeRepositoryAndItSaysSo) {
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
  EXPECT_EQ(scope(), "nothing changed against main, so the whole repository with local analyzers");
  const auto printed = review({});
  EXPECT_THAT(printed.err, HasSubstr("no emend.toml: using defaults. analyzers: builtin"));
  EXPECT_THAT(printed.err, HasSubstr("scope: nothing changed against main"));
}

TEST_F(ReviewScopes, TheFirstLookIsAtEverything) {
  write("src/loose.js", "debugger;\n");
  EXPECT_THAT(found({}), ElementsAre("src/loose.js:1", "src/old.js:2"));
  EXPECT_THAT(scope(), HasSubstr("the whole repository"));
  EXPECT_THAT(found({}), ElementsAre("src/loose.js:1")) << "later ones are about what changed";
}

TEST_F(ReviewScopes, FilesOfEmendsOwnAreNoChange) {
  for (const char* file : {"emend.toml", ".emend/agents/fixer.md"}) write(file, "# nothing\n");
  write(".gitignore", "emend.local.toml\n");
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
  EXPECT_EQ(scope(), "nothing changed against main, so the whole repository with local analyzers");
  EXPECT_EQ(last_["uncommitted"], Json(false));
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
  commit_file("emend.toml", "# more\n");
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
}

TEST_F(ReviewScopes, ACleanChangeSaysHowToSeeTheRest) {
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
  write("src/clean.js", "let x;\n");
  const auto printed = review({});
  EXPECT_THAT(printed.err, HasSubstr("no issues"));
  EXPECT_THAT(printed.err, HasSubstr("the whole repository: emend review --all"));
  EXPECT_THAT(review({"--all", "--format", "text"}).out, Not(HasSubstr("emend review --all")));
}

TEST_F(ReviewScopes, ABranchIsLookedAtFromItsMergeBaseCommittedOrNot) {
  EXPECT_THAT(found({}), ElementsAre("src/old.js:2"));
  git({"checkout", "-q", "-b", "topic"});
  commit_file("src/committed.js", "debugger;\n");
  write("src/loose.js", "let x;\ndebugger;\n");
  write("src/old.js", "let a = 1;\ndebugger;\nlet b = 2;\nlet c = 3;\nlet d = 4;\ndebugger;\n");
  EXPECT_THAT(found({}), ElementsAre("src/committed.js:1", "src/loose.js:2", "src/old.js:6"));
  EXPECT_EQ(scope(), "3 files changed against main, including uncommitted changes");
  EXPECT_EQ(last_["outside_diff"], Json(1)); // the old leftover
  EXPECT_THAT(found({"--base", "main"}), ElementsAre("src/committed.js:1", "src/loose.js:2", "src/old.js:6"));
  EXPECT_THAT(found({"--uncommitted"}), ElementsAre("src/loose.js:2", "src/old.js:6"));
  EXPECT_THAT(found({"--commit", "HEAD"}), ElementsAre("src/committed.js:1"));
  EXPECT_THAT(found({"--range", "main..HEAD"}), ElementsAre("src/committed.js:1"));
  EXPECT_THAT(found({"--range", "main...topic"}), ElementsAre("src/committed.js:1"));
  EXPECT_THAT(found({"--staged"}), IsEmpty());
  git({"add", "src/loose.js"});
  EXPECT_THAT(found({"--staged"}), ElementsAre("src/loose.js:2"));
  EXPECT_THAT(found({"--all"}),
              ElementsAre("src/committed.js:1", "src/loose.js:2", "src/old.js:2", "src/old.js:6"));
  EXPECT_THAT(found({"--rev", "HEAD"}), ElementsAre("src/committed.js:1", "src/old.js:2"));
  EXPECT_THAT(found({"--rev", "main"}), ElementsAre("src/old.js:2"));
}

TEST_F(ReviewScopes, TheFirstCommitAndOneWithoutAncestorInCommon) {
  EXPECT_THAT(found({"--commit", "HEAD^"}), IsEmpty()); // the root: everything in it is new
  EXPECT_EQ(scope(), "2 files changed by HEAD^");
  git({"checkout", "-q", "--orphan", "alone"});
  commit_file("x.js", "debugger;\n");
  const auto refused = review({"--base", "main"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("no commit in common"));
}

TEST_F(ReviewScopes, FilterModesWidenTheChange) {
  write("src/old.js",
        "let a = 1;\ndebugger;\nlet b = 2;\nlet c = 3;\nlet D = 4;\nlet e = 5;\n"); // line 5 changed, three
                                                                                    // below line 2
  write("src/far.js", "debugger;\n");
  git({"add", "src/far.js"});
  EXPECT_THAT(found({"--uncommitted"}), ElementsAre("src/far.js:1"));
  EXPECT_THAT(found({"--uncommitted", "--filter-mode", "diff_context"}),
              ElementsAre("src/far.js:1", "src/old.js:2"));
  EXPECT_THAT(found({"--uncommitted", "--filter-mode", "file", "src/old.js"}), ElementsAre("src/old.js:2"));
  EXPECT_THAT(found({"--staged", "--filter-mode", "nofilter"}), ElementsAre("src/far.js:1", "src/old.js:2"));
  EXPECT_THAT(review({"--uncommitted"}).err, HasSubstr("1 issue outside the diff"));
}

TEST_F(ReviewScopes, TheCheckoutStaysAsItWas) {
  write("src/loose.js", "debugger;\n");
  const auto state = [this] {
    struct stat index {};
    EXPECT_EQ(::stat((root_ / ".git/index").c_str(), &index), 0);
    return std::to_string(index.st_mtim.tv_sec) + "." + std::to_string(index.st_mtim.tv_nsec) +
           read_file(root_ / ".git/index").value();
  };
  const std::string before = state();
  for (const char* scope : {"--staged", "--uncommitted", "--all"}) EXPECT_EQ(review({scope}).exit_code, 0);
  EXPECT_EQ(state(), before);
}

TEST_F(ReviewScopes, ScopesExcludeEachOther) {
  for (const std::vector<std::string>& both :
       std::vector<std::vector<std::string>>{{"--staged", "--all"},
                                             {"--commit", "HEAD", "--base", "main"},
                                             {"--rev", "HEAD", "--staged"},
                                             {"--range", "a..b", "--since", "c"}}) {
    const auto result = review(both);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("cannot be used together"));
  }
  EXPECT_EQ(review({"--range", "main"}).exit_code, 2);
}

TEST_F(ReviewScopes, PathsAreMeantFromWhereOneStands) {
  write("top.js", "debugger;\n");
  auto below = spec({EMEND_BINARY, "review", "--all", "--analyzers", "builtin", ".", "--json"});
  below.cwd = (root_ / "src").string();
  EXPECT_EQ(data_of(run_spec(below), "emend.review/v1")["files"], Json(2)); // a.c, old.js
  below.argv[5] = "old.js";
  EXPECT_EQ(data_of(run_spec(below), "emend.review/v1")["files"], Json(1));
  below.argv[5] = "../top.js";
  EXPECT_EQ(data_of(run_spec(below), "emend.review/v1")["files"], Json(1));
  below.argv[5] = (root_ / "src").string();
  EXPECT_EQ(data_of(run_spec(below), "emend.review/v1")["files"], Json(2));
  below.argv[5] = "*.js";
  EXPECT_EQ(data_of(run_spec(below), "emend.review/v1")["files"], Json(1));
  below.argv[5] = "../../elsewhere";
  EXPECT_THAT(run_spec(below).err, HasSubstr("outside the repository"));
  below.argv[5] = "nothing.c"; // a typo is not a clean file
  const auto typo = run_spec(below);
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("there is no file src/nothing.c"));
}

TEST_F(ReviewScopes, IssuesOfUncommittedFilesAreRecognisedAgainOnceCommitted) {
  write("src/loose.js", "let x;\ndebugger;\n");
  EXPECT_THAT(found({"--uncommitted"}), ElementsAre("src/loose.js:2"));
  const std::string code = last_["issues"][0]["code"].get<std::string>();
  EXPECT_EQ(last_["issues"][0].value("annotations", Json::array()),
            Json::array()); // it is there, though in no commit
  commit_file("src/loose.js", "let x;\ndebugger;\n");
  found({"--commit", "HEAD"});
  EXPECT_EQ(last_["issues"][0]["code"], Json(code));
  EXPECT_TRUE(last_["new"].empty());
}

TEST_F(ReviewScopes, NoSaveStoresNothingButKnowsWhatIsDismissed) {
  EXPECT_THAT(found({"--no-save"}), ElementsAre("src/old.js:2"));
  EXPECT_EQ(last_["issues"][0]["code"], Json(""));
  EXPECT_EQ(last_["new"].size(), 1U);
  EXPECT_EQ(data_of(emend({"issues", "--json"}), "emend.issues/v1").size(), 0U);
  EXPECT_THAT(review({"--fail-on", "low"}).out, HasSubstr("src/old.js:2:1: low emend/debug-leftover"));
  EXPECT_EQ(emend({"issues", "ignore", "FE-001", "--reason", "by_design"}).exit_code, 0);
  const auto dismissed = review({"--no-save", "--fail-on", "low"});
  EXPECT_EQ(dismissed.exit_code, 0) << dismissed.err;
  EXPECT_EQ(dismissed.out, "");
  EXPECT_THAT(dismissed.err, HasSubstr("1 issue ignored or duplicate not shown"));
}

TEST_F(ReviewScopes, AnalyzersAreChosenByName) {
  const auto unknown = emend({"review", "--analyzers", "builtin,cpcheck"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean cppcheck?"));
  EXPECT_THAT(unknown.err, HasSubstr("shellcheck"));
  fs::create_directories(base_ / "bin"); // git and nothing else
  fs::create_symlink("/usr/bin/git", base_ / "bin" / "git");
  environment_ = {"PATH=" + (base_ / "bin").string()};
  const auto absent = emend({"review", "--all", "--agents", "cppcheck"});
  EXPECT_EQ(absent.exit_code, 5) << "asked for by name and not there";
  EXPECT_THAT(absent.err, HasSubstr("not installed: cppcheck"));
}

TEST_F(ReviewScopes, SeverityCountAndStatistics) {
  write("src/more.js",
        "debugger;\ndebugger;\n<<<<<<" + std::string("< ours\na\n=======\nb\n>>>>>>") + "> theirs\n");
  EXPECT_EQ(found({"--all", "--max-findings", "1"}).size(), 1U);
  EXPECT_EQ(last_["issues"][0]["rule"], Json("emend/conflict-marker")); // the gravest stays
  EXPECT_EQ(last_["not_shown"], Json(4));
  const auto grave = review({"--all", "--min-severity", "high"});
  EXPECT_THAT(grave.out, Not(HasSubstr("debug-leftover")));
  EXPECT_THAT(grave.err, HasSubstr("3 issues below --min-severity not shown"));
  EXPECT_EQ(grave.exit_code, 1);
  EXPECT_THAT(review({"--all", "--statistics", "--format", "text"}).out,
              HasSubstr("3      emend/debug-leftover   3"));
}

TEST_F(ReviewScopes, TextHasAFrameASummaryAndTheNextCommand) {
  const auto text = review({"--format", "text"});
  EXPECT_THAT(text.out, HasSubstr("src/old.js:2:1  low  emend/debug-leftover  [FE-001]"));
  EXPECT_THAT(text.out, HasSubstr("    2 | debugger;\n      | ^^^^^^^^"));
  EXPECT_THAT(text.out, HasSubstr("1 issue (1 low) in 1 file - 1 can be fixed without AI"));
  EXPECT_THAT(text.out, HasSubstr("next: emend fix --safe\n"));
}

TEST_F(ReviewScopes, FormatsAreCheckedBeforeAnyWork) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--format", "srif"}, "did you mean sarif?"},
      {{"--format", "sarif:missing/x.sarif"}, "does not exist"},
      {{"--format", "sarif:src"}, "is a directory"},
      {{"--format", "sarif:"}, "a file name is missing"},
      {{"--format", "sarif", "--format", "github"}, "cannot both go to stdout"},
      {{"--format", "text", "--json"}, "cannot both go to stdout"},
      {{"--format", "sarif:x", "--format", "rdjson:x"}, "cannot both go to x"}};
  for (const auto& [arguments, words] : wrong) {
    const auto result = review(arguments);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(fs::exists(base_ / "state" / "emend.db")); // nothing was even opened
}

TEST_F(ReviewScopes, SeveralFormatsToSeveralPlaces) {
  const auto result =
      review({"--format", "sarif:out.sarif", "--format", "rdjson:out.json", "--format", "concise"});
  EXPECT_EQ(
      result.out,
      "src/old.js:2:1: low emend/debug-leftover debugger looks like a leftover of debugging [FE-001]\n");
  const auto sarif = parse_json(read_file(root_ / "out.sarif").value());
  ASSERT_TRUE(sarif);
  const Json& finding = (*sarif)["runs"][0]["results"][0];
  EXPECT_EQ(finding["baselineState"], Json("new"));
  EXPECT_FALSE(finding["partialFingerprints"]["primaryLocationLineHash"].get<std::string>().empty());
  EXPECT_EQ(finding["fixes"].size(), 1U);
  EXPECT_TRUE(parse_json(read_file(root_ / "out.json").value()));
  EXPECT_THAT(result.err, HasSubstr("wrote out.sarif"));
  review({"--rev", "HEAD", "--format", "sarif:out.sarif"});
  EXPECT_EQ((*parse_json(read_file(root_ / "out.sarif").value()))["runs"][0]["results"][0]["baselineState"],
            Json("unchanged"));
}

TEST_F(ReviewScopes, KnownIssuesAreWrittenInTheSameFormats) {
  review({});
  const auto exported = emend({"issues", "export", "--format", "concise", "--format", "sarif:x.sarif"});
  EXPECT_EQ(
      exported.out,
      "src/old.js:2:1: low emend/debug-leftover debugger looks like a leftover of debugging [FE-001]\n");
  EXPECT_TRUE(parse_json(read_file(root_ / "x.sarif").value()));
  EXPECT_EQ(data_of(emend({"issues", "export"}), "emend.issues/v1").size(), 1U);
  EXPECT_EQ(emend({"issues", "list", "--format", "concis"}).exit_code, 2);
  const auto report = emend({"report", "--format", "sarif:x", "--out", "y"});
  EXPECT_EQ(report.exit_code, 2);
  EXPECT_THAT(report.err, HasSubstr("names a file already"));
}

TEST_F(ReviewScopes, TheHookOfPreCommitRunsAsWritten) {
  const std::string hook = read_file(fs::path(EMEND_SOURCE_DIR) / ".pre-commit-hooks.yaml").value();
  const std::size_t entry = hook.find("entry: emend ") + 13;
  write("src/staged.js", "debugger;\n");
  git({"add", "-A"});
  std::vector<std::string> words = split(hook.substr(entry, hook.find('\n', entry) - entry), ' ');
  const auto result = emend(words);
  EXPECT_EQ(result.exit_code, 0) << result.err; // low: said, not refused
  EXPECT_THAT(result.out, HasSubstr("src/staged.js:1:1: low"));
}

TEST_F(ReviewScopes, GithubGetsItsStepSummary) {
  ASSERT_TRUE(write_file(base_ / "summary.md", "before\n"));
  environment_ = {"GITHUB_STEP_SUMMARY=" + (base_ / "summary.md").string()};
  const auto result = review({"--format", "github"});
  EXPECT_THAT(result.out, HasSubstr("::warning file=src/old.js,line=2"));
  EXPECT_THAT(read_file(base_ / "summary.md").value(), HasSubstr("before\n## emend: 1 finding\n"));
}

TEST_F(ReviewScopes, AnAnalyzerThatCrashesIsSaidAndNotClean) {
  ASSERT_TRUE(write_file(base_ / "bin" / "shellcheck",
                         "#!/bin/sh\ncase $1 in --version) echo version: 0.9.0;; *) kill -9 $$;; esac\n",
                         0755));
  commit_file("run.sh", "#!/bin/sh\necho hello\n");
  const char* path = std::getenv("PATH");
  environment_ = {"PATH=" + (base_ / "bin").string() + ":" + (path != nullptr ? path : "/usr/bin:/bin")};
  const auto result = emend({"review", "-q", "--all", "--analyzers", "shellcheck"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("warning: shellcheck did not finish"));
}

} // namespace emend
