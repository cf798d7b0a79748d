// Proven fixes in the working tree: `emend apply` and `emend fix --apply`.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class ApplyCommandTest : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("src/one.js", "let a = 1;\ndebugger;\n");
    write("src/two.js", "let b = 2;\ndebugger;\n");
    fs::permissions(root_ / "src/two.js", fs::perms(0700));
    commit();
    EXPECT_EQ(emend({"review", "--all", "--analyzers", "builtin"}).exit_code, 0);
  }
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  void fix() {
    const auto fixed = emend({"fix", "--safe"});
    ASSERT_THAT(fixed.out, HasSubstr("2 of 2 issues resolved")) << fixed.err;
  }
  [[nodiscard]] std::string text(const std::string& file) const {
    return read_file(root_ / file).value_or("?");
  }
  // Of the working tree and the index, as git says it.
  std::string changed() { return run_spec(spec({"git", "status", "--porcelain"})).out; }
};

TEST_F(ApplyCommandTest, WritesTheLatestSessionsFixesAndNothingElse) {
  fix();
  EXPECT_EQ(changed(), "") << "a session never touches the checkout";
  const auto dry = emend({"apply", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0);
  EXPECT_THAT(dry.out, HasSubstr("would write:\n  src/one.js\n  src/two.js\n"));
  EXPECT_EQ(changed(), "");
  const auto applied = emend({"apply"});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_EQ(text("src/one.js"), "let a = 1;\n");
  EXPECT_EQ(text("src/two.js"), "let b = 2;\n");
  EXPECT_EQ(changed(), " M src/one.js\n M src/two.js\n") << "the index stays as it was";
  EXPECT_EQ(fs::status(root_ / "src/two.js").permissions(), fs::perms(0700)) << "kept from others before";
}

TEST_F(ApplyCommandTest, OneIssueAloneAndTheSecondTimeNothingIsLeft) {
  fix();
  EXPECT_EQ(emend({"apply", "fe-001"}).exit_code, 0);
  EXPECT_EQ(changed(), " M src/one.js\n");
  const auto again = emend({"apply", "FE-001"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("nothing to write: your files are as the fix makes them"));
}

TEST_F(ApplyCommandTest, AFileThatAPersonChangedMeanwhileIsNotLost) {
  fix();
  write("src/two.js", "let b = 2;\ndebugger;\nlet mine = 3;\n");
  const auto refused = emend({"apply"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.err, HasSubstr("src/two.js is not as the fix found it"));
  EXPECT_THAT(refused.err, HasSubstr("git merge"));
  EXPECT_EQ(text("src/one.js"), "let a = 1;\ndebugger;\n") << "all or nothing";
  EXPECT_EQ(text("src/two.js"), "let b = 2;\ndebugger;\nlet mine = 3;\n");
}

TEST_F(ApplyCommandTest, ALinkIsNotFollowedOutOfTheRepository) {
  fix();
  fs::rename(root_ / "src", base_ / "elsewhere");
  fs::create_directory_symlink(base_ / "elsewhere", root_ / "src");
  const auto refused = emend({"apply"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.err, HasSubstr("behind a symbolic link"));
  EXPECT_EQ(read_file(base_ / "elsewhere/one.js").value_or(""), "let a = 1;\ndebugger;\n");
}

TEST_F(ApplyCommandTest, WithoutASessionItSaysHowToMakeOne) {
  const auto none = emend({"apply"});
  EXPECT_NE(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("emend fix --safe"));
  EXPECT_THAT(emend({"apply", "FE-001"}).err, HasSubstr("only a RESOLVED fix is applied"));
}

TEST_F(ApplyCommandTest, FixAppliesWhatItProved) {
  const auto fixed = emend({"fix", "--safe", "--apply"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_EQ(changed(), " M src/one.js\n M src/two.js\n");
}

} // namespace emend
