#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::HasSubstr;

class UsageTest : public CliFixture {};

TEST_F(UsageTest, BareInAPipePrintsShortHelpOnStderr) {
  const auto result = emend({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("doctor"));
}

TEST_F(UsageTest, HelpIsAResult) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"fix", "--help"}, {"issues", "add", "-h"}}) {
    const auto result = emend(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("--json"));
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(UsageTest, VersionInThreeWays) {
  EXPECT_THAT(emend({"version"}).out, testing::StartsWith("emend "));
  EXPECT_EQ(emend({"-V"}).out, emend({"version"}).out);
  EXPECT_FALSE(string_or(data_of(emend({"version", "--json"}), "emend.version/v1"), "version").empty());
}

TEST_F(UsageTest, MistakesAreExitTwoWithASuggestion) {
  auto result = emend({"fixx"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean fix?"));
  result = emend({"fix", "--al-open"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean --all-open?"));
  EXPECT_EQ(emend({"fix", "--threshold", "101", "X"}).exit_code, 2);
  EXPECT_EQ(emend({"issues", "show"}).exit_code, 2);
  EXPECT_EQ(emend({"-C", "/nowhere", "issues"}).exit_code, 2);
  EXPECT_EQ(emend({"--set", "nonsense", "config", "show"}).exit_code, 2);
}

TEST_F(UsageTest, FixWithoutAnythingToFixSaysWhatToDo) {
  const auto result = emend({"fix"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--findings FILE"));
  EXPECT_EQ(result.out, "");
}

TEST_F(UsageTest, OutsideOfARepositoryIsSaid) {
  fs::create_directories(base_ / "plain");
  const auto result = emend({"-C", (base_ / "plain").string(), "issues"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("emend: "));
}

TEST_F(UsageTest, AnExitCodeIsExplained) {
  EXPECT_THAT(emend({"explain", "exit", "7"}).out, HasSubstr("emend trust"));
  EXPECT_EQ(emend({"explain", "exit", "77"}).exit_code, 2);
  EXPECT_EQ(data_of(emend({"explain", "exit", "6", "--json"}), "emend.explanation/v1")["exit_code"], Json(6));
}

TEST_F(UsageTest, AFullDiskUnderTheResultIsAFailure) {
  const auto result = run_spec(spec({"sh", "-c", std::string(EMEND_BINARY) + " version > /dev/full"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("stdout"));
}

TEST_F(UsageTest, AReaderThatHasSeenEnoughIsNoFailure) {
  const auto result = run_spec(spec(
      {"sh", "-c", "{ sleep 0.2; " + std::string(EMEND_BINARY) + " version; echo code $? >&2; } | true"}));
  EXPECT_THAT(result.err, HasSubstr("code 0"));
}

} // namespace emend
