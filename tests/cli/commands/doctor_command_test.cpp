#include <map>

#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class DoctorCommandTest : public CliFixture {
protected:
  static Json row_of(const Json& data, const std::string& check) {
    for (const Json& row : data["checks"]) {
      if (string_or(row, "check") == check) return row;
    }
    return {};
  }
  static std::string state_of(const Json& data, const std::string& check) {
    return string_or(row_of(data, check), "state", "(absent)");
  }
  // A PATH with nothing but git, a shell and these programs of our own.
  void poor_machine(const std::map<std::string, std::string>& programs) {
    fs::create_directories(base_ / "bin");
    for (const char* name : {"git", "sh", "bash", "xargs"})
      fs::create_symlink(fs::path("/usr/bin") / name, base_ / "bin" / name);
    for (const auto& [name, script] : programs)
      ASSERT_TRUE(write_file(base_ / "bin" / name, "#!/bin/sh\n" + script, 0755));
    environment_ = {"PATH=" + (base_ / "bin").string()};
  }
};

TEST_F(DoctorCommandTest, ReadyMeansThatAFixCanRun) {
  configure(kGoodFix, kGoodVerdict, "[verify]\ncommands = [\"true\"]\n");
  const auto result = emend({"doctor", "--offline"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("Ready for: emend review, emend fix --safe, emend fix (with agents)"));
  const Json data = data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1");
  EXPECT_EQ(data["ready"], Json(true));
  for (const std::string check :
       {"git", "process guardian", "workspaces", "state directory", "database", "repository", "trust",
        "verify commands", "agent fixer", "agent judge", "roles"}) {
    EXPECT_EQ(state_of(data, check), "ok") << check;
  }
}

TEST_F(DoctorCommandTest, WithoutAgentsItIsReadyForWhatNeedsNone) {
  const auto result = emend({"doctor", "--offline"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(
      result.out,
      HasSubstr(
          "Ready for: emend review, emend fix --safe\nFor emend fix with agents: install or configure one"));
  const Json data = data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1");
  EXPECT_EQ(data["ready"], Json(true));
  EXPECT_EQ(data["agents_ready"], Json(false));
  EXPECT_EQ(state_of(data, "roles"), "optional");
  const Json commands = row_of(data, "verify commands");
  EXPECT_EQ(string_or(commands, "state"), "warning");
  EXPECT_EQ(string_or(commands, "remedy"), "emend init");
  EXPECT_THAT(string_or(commands, "detail"), HasSubstr("bash -n")) << "what init would propose";
}

TEST_F(DoctorCommandTest, WhatIsNotThereIsOptionalAndSaysHowToGetIt) {
  poor_machine(
      {{"claude", "echo '9.9.9 (Made up)'"}, {"gemini", "exit 3"}, {"shellcheck", "echo 'version: 0.1.2'"}});
  const auto result = emend({"doctor", "--offline", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const Json data = data_of(result, "emend.doctor/v1");
  EXPECT_EQ(state_of(data, "analyzer builtin"), "ok");
  EXPECT_EQ(string_or(row_of(data, "analyzer shellcheck"), "detail"), "0.1.2");
  EXPECT_EQ(state_of(data, "analyzer cppcheck"), "optional");
  EXPECT_EQ(string_or(row_of(data, "analyzer cppcheck"), "remedy"), "apt-get install cppcheck");
  EXPECT_EQ(state_of(data, "claude"), "ok");
  EXPECT_THAT(string_or(row_of(data, "claude"), "detail"), HasSubstr("9.9.9"));
  EXPECT_EQ(state_of(data, "gemini"), "warning");
  EXPECT_EQ(state_of(data, "codex"), "optional");
  EXPECT_EQ(state_of(data, "npm"), "optional");
}

TEST_F(DoctorCommandTest, CommandsThatWaitForTrustAreMissing) {
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  const auto before = emend({"doctor", "--offline", "--json"});
  EXPECT_EQ(before.exit_code, 1);
  EXPECT_EQ(state_of(data_of(before, "emend.doctor/v1"), "trust"), "missing");
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  EXPECT_EQ(emend({"doctor", "--offline"}).exit_code, 0);
}

TEST_F(DoctorCommandTest, AnAgentThatIsNotInstalledIsFound) {
  const auto result =
      emend({"doctor", "--offline", "--json", "--set", "agents.x.command=no-such-program-here"});
  EXPECT_EQ(state_of(data_of(result, "emend.doctor/v1"), "agent x"), "warning");
  EXPECT_EQ(result.exit_code, 0) << "review and fix --safe do not need it";
}

TEST_F(DoctorCommandTest, WorksWhereNothingElseDoes) {
  fs::create_directories(base_ / "plain");
  write("emend.toml", "broken");
  EXPECT_EQ(state_of(data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1"), "configuration"),
            "missing");
  const auto outside = emend({"doctor", "--offline", "--json", "-C", (base_ / "plain").string()});
  EXPECT_EQ(state_of(data_of(outside, "emend.doctor/v1"), "repository"), "missing");
  ASSERT_TRUE(write_file(base_ / "file", "not a directory"));
  environment_ = {"EMEND_HOME=" + (base_ / "file").string()};
  EXPECT_EQ(state_of(data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1"), "state directory"),
            "missing");
}

// Asking: the programs are ours, alone on PATH, and remember whether they were asked.
class DoctorAsksTest : public DoctorCommandTest {
protected:
  std::string claude(const std::string& result) {
    return "if [ \"$1\" = --version ]; then echo 9.9; exit; fi\ncat > '" + asked().string() +
           "'\ncat "
           "<<'X'\n{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"claude-x\",\"session_id\":\"s\"}\n{"
           "\"type\":\"result\",\"session_id\":\"s\",\"num_turns\":1,\"modelUsage\":{\"claude-x\":{"
           "\"inputTokens\":12,"
           "\"outputTokens\":3}}," +
           result + "}\nX\n";
  }
  fs::path asked() const { return base_ / "marks" / "asked"; }
  void with_claude(const std::string& script) {
    fs::create_directories(asked().parent_path());
    ASSERT_TRUE(write_file(base_ / "state" / "config.toml",
                           "[sandbox]\nshared = [\"" + asked().parent_path().string() + "\"]\n"));
    poor_machine({{"claude", script}});
    fs::create_symlink("/usr/bin/cat", base_ / "bin" / "cat");
  }
};

TEST_F(DoctorAsksTest, EveryAgentIsAskedOneTinyQuestion) {
  with_claude(claude(R"("subtype":"success","is_error":false,"result":"{\"ok\": true}")"));
  const auto result = emend({"doctor", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("asking claude one short question each"));
  EXPECT_THAT(result.err, HasSubstr("--offline skips this"));
  const Json data = data_of(result, "emend.doctor/v1");
  EXPECT_EQ(state_of(data, "agent claude"), "ok");
  EXPECT_THAT(string_or(row_of(data, "agent claude"), "detail"), HasSubstr("answered as claude-x in "));
  EXPECT_THAT(read_file(asked()).value(), HasSubstr("test of the connection"));
  EXPECT_EQ(data["agents_ready"], Json(true));
}

TEST_F(DoctorAsksTest, SaysWhyAnAgentDoesNotAnswerAndWhatWouldHelp) {
  with_claude(claude(R"("subtype":"success","is_error":true,"result":"Not logged in - Please run /login")") +
              "exit 1\n");
  const auto result = emend({"doctor", "--json"});
  EXPECT_EQ(result.exit_code, 0) << "review and fix --safe can run";
  const Json data = data_of(result, "emend.doctor/v1");
  EXPECT_EQ(state_of(data, "agent claude"), "warning");
  EXPECT_THAT(string_or(row_of(data, "agent claude"), "detail"), HasSubstr("not_logged_in"));
  EXPECT_THAT(string_or(row_of(data, "agent claude"), "remedy"), HasSubstr("/login"));
  EXPECT_EQ(data["agents_ready"], Json(false));
}

TEST_F(DoctorAsksTest, OfflineAsksNobody) {
  with_claude(claude(R"("subtype":"success","is_error":false,"result":"{}")"));
  const auto result = emend({"doctor", "--offline", "--json"});
  EXPECT_FALSE(fs::exists(asked()));
  EXPECT_THAT(result.err, testing::Not(HasSubstr("asking")));
  EXPECT_EQ(state_of(data_of(result, "emend.doctor/v1"), "claude"), "ok")
      << "it is there, and that is all that is known";
}

// An agent nobody needs may be out of order.
TEST_F(DoctorAsksTest, OnlyAgentsWithARoleMatter) {
  with_claude("exit 1\n");
  configure(kGoodFix, kGoodVerdict, "[verify]\ncommands = [\"true\"]\n");
  const Json data = data_of(emend({"doctor", "--json"}), "emend.doctor/v1");
  EXPECT_EQ(state_of(data, "agent claude"), "warning");
  EXPECT_EQ(data["agents_ready"], Json(true));
}

} // namespace emend
