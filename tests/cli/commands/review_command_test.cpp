#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class ReviewCommandTest : public CliFixture {
protected:
  void commit_file(const std::string& path, const std::string& text) {
    write(path, text);
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
};

TEST_F(ReviewCommandTest, BuiltInRulesFindAConflictMarkerWithoutAnyTool) {
  commit_file("src/b.c", std::string("int b;\n") + "<<<<<<" + "< ours\nint c;\n=======\nint d;\n" + ">>>>>>" +
                             "> theirs\n");
  const auto review = emend({"review", "--analyzers", "builtin", "--json"});
  EXPECT_EQ(review.exit_code, 1) << review.err;
  const Json data = data_of(review, "emend.review/v1");
  bool found = false;
  for (const Json& issue : data["issues"])
    found = found || (issue["file"] == Json("src/b.c") && issue["rule"] == Json("emend/conflict-marker"));
  EXPECT_TRUE(found) << review.out;
  EXPECT_EQ(data["analyzers"][0]["state"], Json("done"));
}

TEST_F(ReviewCommandTest, TheSameFindingIsNewOnlyOnce) {
  commit_file("src/b.js", "debugger;\n");
  EXPECT_FALSE(data_of(emend({"review", "src/b.js", "--json"}), "emend.review/v1")["new"].empty());
  EXPECT_TRUE(data_of(emend({"review", "src/b.js", "--json"}), "emend.review/v1")["new"].empty());
}

TEST_F(ReviewCommandTest, OnlyChangedFilesAreLookedAtSinceACommit) {
  commit_file("src/b.js", "debugger;\n");
  EXPECT_EQ(data_of(emend({"review", "--since", "HEAD^", "--json"}), "emend.review/v1")["files"], Json(1));
}

TEST_F(ReviewCommandTest, ImportReadsCompilerOutputFromStdinAndUnknownTextIsRefused) {
  const auto imported = emend({"import", "-", "--from", "text", "--tool", "gcc"},
                              "src/a.c:3:10: warning: off by one [-Wloop]\n");
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(imported.out, "1 new issue, 0 known. To see them: `emend issues list`\n");
  EXPECT_THAT(emend({"issues", "list"}).out, HasSubstr("src/a.c:3"));
  const auto again = emend({"import", "-", "--from", "text", "--tool", "gcc"},
                           "src/a.c:3:10: warning: off by one [-Wloop]\n");
  EXPECT_EQ(again.out, "0 new issues, 1 known. To see them: `emend issues list`\n");
  const auto refused = emend({"import", "-"}, "hello\n");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--from"));
}

TEST_F(ReviewCommandTest, TheProjectsConfigurationAndFlagsDecideWhatIsShown) {
  commit_file("src/b.js", "debugger;\n");
  commit_file("lib/c.js", "debugger;\n// emend: ignore emend/debug-leftover kept for the demo\ndebugger;\n");
  const auto rules = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"review", "--all", "--analyzers", "builtin", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Json data = data_of(emend(words), "emend.review/v1");
    std::vector<std::string> places;
    for (const Json& issue : data["issues"])
      if (issue["rule"] == Json("emend/debug-leftover"))
        places.push_back(issue["file"].get<std::string>() + ":" + issue["line"].dump());
    return places;
  };
  using Places = std::vector<std::string>;
  EXPECT_EQ(rules({}), (Places{"lib/c.js:1", "src/b.js:1"}));
  EXPECT_EQ(rules({"--exclude", "lib"}), (Places{"src/b.js:1"}));
  EXPECT_EQ(rules({"--ignore", "emend/debug-*"}), Places{});
  commit_file("emend.toml", "[review]\nexclude = [\"src\"]\nfail_on = \"low\"\n");
  EXPECT_EQ(rules({}), (Places{"lib/c.js:1"}));
  EXPECT_EQ(emend({"review", "--all", "--analyzers", "builtin", "-q"}).exit_code, 1) << "fail_on";
  EXPECT_EQ(rules({"--exclude", "!src/b.js"}), (Places{"lib/c.js:1", "src/b.js:1"}));
  const auto text = emend({"review", "--all", "--analyzers", "builtin"});
  EXPECT_THAT(text.err, HasSubstr("1 issue not shown: ignored by a comment"));
}

TEST_F(ReviewCommandTest, AnIssueThatIsHiddenIsNotReportedAsGone) {
  commit_file("src/b.js", "debugger;\n");
  const auto first = emend({"review", "--rev", "HEAD", "--analyzers", "builtin", "--json"});
  EXPECT_FALSE(data_of(first, "emend.review/v1")["issues"].empty());
  const auto again =
      emend({"review", "--rev", "HEAD", "--analyzers", "builtin", "--ignore", "emend/*", "--json"});
  const Json data = data_of(again, "emend.review/v1");
  EXPECT_TRUE(data["issues"].empty());
  EXPECT_TRUE(data["absent"].empty()) << again.out;
}

} // namespace emend
