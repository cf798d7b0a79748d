#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class VerifyCommandTest : public CliFixture {};

TEST_F(VerifyCommandTest, GreenIsZeroRedIsSixWithTheOutput) {
  const std::string green = "verify.commands=[{name=\"unit\", run=\"true\"}, {name=\"lint\", run=\"true\"}]";
  const auto good = emend({"verify", "--set", green});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, testing::ContainsRegex("unit +passed +0"));
  const auto bad = emend({"verify", "--set", "verify.commands=[\"echo too bad; exit 3\"]"});
  EXPECT_EQ(bad.exit_code, 6);
  EXPECT_THAT(bad.out, testing::ContainsRegex("check-1 +failed +3"));
  EXPECT_THAT(bad.out, HasSubstr("  too bad\n"));
}

TEST_F(VerifyCommandTest, OnlyTheNamedCommandsRun) {
  const std::string set = "verify.commands=[{name=\"unit\", run=\"true\"}, {name=\"lint\", run=\"false\"}]";
  EXPECT_EQ(emend({"verify", "unit", "--set", set}).exit_code, 0);
  const auto result = emend({"verify", "units", "--set", set});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean unit?"));
  EXPECT_THAT(emend({"verify", "--list", "--set", set}).out, HasSubstr("lint"));
  const Json data = data_of(emend({"verify", "--json", "--set", set}), "emend.verification/v1");
  EXPECT_EQ(data["commands"].size(), 2U);
}

TEST_F(VerifyCommandTest, NoCommandsIsExitTwoWithTheRemedy) {
  const auto result = emend({"verify"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("[verify]\ncommands = "));
}

TEST_F(VerifyCommandTest, LooksAtTheCommitNotAtTheCheckout) {
  write("src/a.c", "uncommitted\n");
  EXPECT_EQ(emend({"verify", "--set", "verify.commands=grep -q first src/a.c"}).exit_code, 0);
  EXPECT_EQ(emend({"verify", "--rev", "no-such-ref", "--set", "verify.commands=true"}).exit_code, 2);
}

// Landlock lets a child change modes and owners: then it is said, whatever the times of the file say.
TEST_F(VerifyCommandTest, AChangedModeInTheHomeIsSaid) {
  environment_.push_back("EMEND_TEST_SANDBOX=landlock");
  const std::string file = (base_ / "letters" / "draft.txt").string();
  fs::create_directories(fs::path(file).parent_path());
  ASSERT_TRUE(write_file(file, "mine\n", 0644));
  const std::string command = "chmod 600 " + file + "; touch -d 2001-01-01 " + file + "; true";
  const auto result = emend({"verify", "--set", "verify.commands=" + command});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("draft.txt was changed"));
}

} // namespace emend
