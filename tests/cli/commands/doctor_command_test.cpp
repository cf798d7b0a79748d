#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class DoctorCommandTest : public CliFixture {
protected:
  static std::string state_of(const Json& data, const std::string& check) {
    for (const Json& row : data["checks"]) {
      if (string_or(row, "check") == check) return string_or(row, "state");
    }
    return "(absent)";
  }
};

TEST_F(DoctorCommandTest, ReadyMeansThatAFixCanRun) {
  configure(kGoodFix, kGoodVerdict, "[verify]\ncommands = [\"true\"]\n");
  const auto result = emend({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("ready"));
  const Json data = data_of(emend({"doctor", "--json"}), "emend.doctor/v1");
  EXPECT_EQ(data["ready"], Json(true));
  for (const std::string check : {"git", "process guardian", "workspaces", "state directory", "database", "repository", "trust",
                                  "verify commands", "agent fixer", "agent judge", "roles"}) {
    EXPECT_EQ(state_of(data, check), "ok") << check;
  }
}

TEST_F(DoctorCommandTest, SaysWhatIsMissing) {
  const auto result = emend({"doctor"});
  EXPECT_EQ(result.exit_code, 1);
  const Json data = data_of(emend({"doctor", "--json"}), "emend.doctor/v1");
  EXPECT_EQ(data["ready"], Json(false));
  EXPECT_EQ(state_of(data, "roles"), "missing");
  EXPECT_EQ(state_of(data, "verify commands"), "warning");
}

TEST_F(DoctorCommandTest, AnAgentThatIsNotInstalledIsFound) {
  const auto result = emend({"doctor", "--json", "--set", "agents.x.command=no-such-program-here"});
  EXPECT_EQ(state_of(data_of(result, "emend.doctor/v1"), "agent x"), "missing");
}

TEST_F(DoctorCommandTest, WorksWhereNothingElseDoes) {
  fs::create_directories(base_ / "plain");
  write("emend.toml", "broken");
  EXPECT_EQ(state_of(data_of(emend({"doctor", "--json"}), "emend.doctor/v1"), "configuration"), "missing");
  const auto outside = emend({"doctor", "--json", "-C", (base_ / "plain").string()});
  EXPECT_EQ(state_of(data_of(outside, "emend.doctor/v1"), "repository"), "missing");
  ASSERT_TRUE(write_file(base_ / "file", "not a directory"));
  environment_ = {"EMEND_HOME=" + (base_ / "file").string()};
  EXPECT_EQ(state_of(data_of(emend({"doctor", "--json"}), "emend.doctor/v1"), "state directory"), "missing");
}

} // namespace emend
