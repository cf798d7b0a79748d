#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class TrustCommandTest : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    fs::create_directories(mark().parent_path());
    write("emend.toml", "[sandbox]\nshared = [\"" + mark().parent_path().string() +
                            "\"]\n[verify]\ncommands = [{name = \"mark\", run = \"echo ran > '" +
                            mark().string() + "'\"}]\n");
  }
  fs::path mark() const { return base_ / "marks" / "mark"; }
};

TEST_F(TrustCommandTest, NothingOfARepositoryRunsBeforeAPersonSaysYes) {
  auto result = emend({"verify"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.err, HasSubstr("emend trust"));
  EXPECT_THAT(result.err, HasSubstr("mark = echo ran"));
  EXPECT_FALSE(fs::exists(mark()));

  result = emend({"trust", "--show"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("(not trusted)"));
  EXPECT_EQ(emend({"verify"}).exit_code, 7) << "showing is not trusting";

  result = emend({"trust"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("(trusted)"));
  result = emend({"verify"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_TRUE(fs::exists(mark()));
}

TEST_F(TrustCommandTest, AChangedFileAsksAgain) {
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  const auto result = emend({"verify"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.err, HasSubstr("changed since you trusted it"));
}

TEST_F(TrustCommandTest, TrustCanBeTakenBack) {
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  ASSERT_EQ(emend({"trust", "--revoke"}).exit_code, 0);
  EXPECT_EQ(emend({"verify"}).exit_code, 7);
  EXPECT_EQ(emend({"trust", "--revoke", "--show"}).exit_code, 2);
}

TEST_F(TrustCommandTest, FixNeedsItTooAndStoresNothing) {
  configure(kGoodFix, kGoodVerdict);
  const auto result = emend({"fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("no issues"));
}

TEST_F(TrustCommandTest, TheAnswerIsJsonToo) {
  const Json data = data_of(emend({"trust", "--show", "--json"}), "emend.trust/v1");
  EXPECT_EQ(data[0]["trusted"], Json(false));
  EXPECT_EQ(data_of(emend({"trust", "--json"}), "emend.trust/v1")[0]["trusted"], Json(true));
}

TEST_F(TrustCommandTest, TheProjectsToolsAreAllowedWithoutAFileAndTakenBack) {
  fs::remove(root_ / "emend.toml");
  write("tsconfig.json", "{}\n");
  write("src/a.ts", "let a = 1;\n");
  const std::vector<std::string> review = {"review", "--all", "--analyzers", "tsc", "--json"};
  const auto permission = [&] {
    const Json data = data_of(emend(review), "emend.review/v1");
    for (const Json& one : data["analyzers"])
      if (contains(one["detail"].get<std::string>(), "emend trust --project-tools")) return false;
    return true;
  };
  git({"add", "-A"});
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "types"});
  EXPECT_FALSE(permission());
  EXPECT_THAT(emend({"trust"}).out, HasSubstr("Nothing to trust")) << "nobody asked for them";
  EXPECT_FALSE(permission());
  EXPECT_THAT(emend({"trust", "--project-tools"}).out, HasSubstr("node_modules/.bin"));
  EXPECT_TRUE(permission());
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("(trusted)"));
  write("emend.toml", "[review]\nproject_tools = false\n");
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  EXPECT_FALSE(permission()) << "the configuration has the last word";
  fs::remove(root_ / "emend.toml");
  ASSERT_EQ(emend({"trust", "--revoke"}).exit_code, 0);
  EXPECT_FALSE(permission());
}

} // namespace emend
