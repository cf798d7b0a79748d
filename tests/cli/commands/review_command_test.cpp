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

} // namespace emend
