// What people are told about the sandbox, and what happens when there is none.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

class SandboxCommands : public CliFixture {
protected:
  void without_sandbox() { environment_.push_back("EMEND_TEST_SANDBOX=none"); }

  static const Json& check_of(const Json& doctor, const std::string& name) {
    static const Json nothing;
    for (const Json& check : doctor.at("checks"))
      if (string_or(check, "check") == name) return check;
    return nothing;
  }
};

TEST_F(SandboxCommands, DoctorNamesTheKind) {
  const Json here = check_of(data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1"), "sandbox");
  EXPECT_EQ(string_or(here, "state"), string_or(here, "detail").starts_with("full: ") ? "ok" : "warning");
  without_sandbox();
  const Json none = check_of(data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1"), "sandbox");
  EXPECT_EQ(string_or(none, "state"), "warning");
  EXPECT_TRUE(string_or(none, "detail").starts_with("none: ")) << none;
  EXPECT_NE(string_or(none, "remedy"), "");
}

TEST_F(SandboxCommands, DoctorSaysThatItIsOff) {
  const Json data =
      data_of(emend({"doctor", "--offline", "--json", "--set", "sandbox.mode=off"}), "emend.doctor/v1");
  EXPECT_EQ(string_or(check_of(data, "sandbox.mode"), "state"), "warning");
}

TEST_F(SandboxCommands, NothingRunsWithoutTheSandboxThatIsRequired) {
  without_sandbox();
  const auto result = emend({"verify", "--set", "sandbox.mode=required", "--set",
                             "verify.commands=touch " + (base_ / "ran").string()});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_TRUE(contains(result.err, "sandbox.mode = \"required\"")) << result.err;
  EXPECT_FALSE(fs::exists(base_ / "ran"));
}

TEST_F(SandboxCommands, ACommandCannotWriteOutside) {
  const std::string command = "echo x > " + (base_ / "made").string() + " 2>/dev/null; test -e src/a.c";
  EXPECT_EQ(emend({"verify", "--set", "verify.commands=" + command}).exit_code, 0);
  const Json doctor = data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1");
  if (string_or(check_of(doctor, "sandbox"), "detail").starts_with("none"))
    GTEST_SKIP() << "no sandbox is available on this machine";
  EXPECT_FALSE(fs::exists(base_ / "made"));
  EXPECT_EQ(emend({"verify", "--set", "sandbox.mode=off", "--set", "verify.commands=" + command}).exit_code,
            0);
  EXPECT_TRUE(fs::exists(base_ / "made")) << "off means off";
}

TEST_F(SandboxCommands, AnUnknownModeIsRefused) {
  const auto result = emend({"verify", "--set", "sandbox.mode=maybe"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "required")) << result.err;
}

} // namespace emend
