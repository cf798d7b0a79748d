// emend agents: what is there, what would be run, and whether it answers.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class AgentsCommandTest : public CliFixture {
protected:
  // A program of that name, alone on PATH with the system's own.
  void install(const std::string& name, const std::string& script) {
    ASSERT_TRUE(write_file(
        base_ / "bin" / name,
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '9.9 (" + name + ")'; exit; fi\n" + script, 0755));
    environment_ = {"PATH=" + (base_ / "bin").string() + ":/usr/bin:/bin"};
  }
  static std::string claude_result(const std::string& result) {
    return "cat > /dev/null\ncat "
           "<<'X'\n{\"type\":\"result\",\"session_id\":\"s\",\"num_turns\":1,\"total_cost_usd\":0.0125,"
           "\"modelUsage\":{\"claude-x\":"
           "{\"inputTokens\":12,\"outputTokens\":3}}," +
           result + "}\nX\n";
  }
};

TEST_F(AgentsCommandTest, ListsWhatIsInstalledWithTheRolesItGets) {
  install("claude", "");
  install("gemini", "");
  const auto result = emend({"agents"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("9.9 (claude)"));
  EXPECT_THAT(result.out, HasSubstr("judge"));
  EXPECT_THAT(result.err, HasSubstr("fixing with claude, judging with gemini"));
  const Json rows = data_of(emend({"agents", "list", "--json"}), "emend.agents/v1");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["name"], "claude");
  EXPECT_EQ(rows[0]["roles"], Json::array({"fixer"}));
  EXPECT_EQ(rows[1]["family"], "google");
  EXPECT_EQ(rows[1]["configured"], false);
}

TEST_F(AgentsCommandTest, SaysThatThereAreNone) {
  environment_ = {"PATH=/usr/bin:/bin"};
  if (fs::exists("/usr/bin/claude") || fs::exists("/usr/bin/gemini") || fs::exists("/usr/bin/codex"))
    GTEST_SKIP() << "there are some here";
  EXPECT_THAT(emend({"agents"}).out, HasSubstr("No agents"));
}

TEST_F(AgentsCommandTest, ShowsWhatWouldBeRunWithoutSecrets) {
  install("claude", "");
  environment_.push_back("ANTHROPIC_API_KEY=sk-very-secret");
  const auto result = emend({"agents", "show", "claude"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr((base_ / "bin/claude").string() + " -p --output-format stream-json --verbose"));
  EXPECT_THAT(result.out, HasSubstr("ANTHROPIC_API_KEY"));
  EXPECT_THAT(result.out, Not(HasSubstr("secret")));
  EXPECT_THAT(result.out, ContainsRegex("prompts +.*fixer [0-9]+ bytes.*re_fixer [0-9]+ bytes"));
  const Json plan = data_of(emend({"agents", "show", "claude", "--read-only", "--json"}), "emend.agent/v1");
  EXPECT_EQ(plan["permissions"], "read");
  int fixers = 0;
  for (const Json& prompt : plan["prompts"]) {
    EXPECT_LE(prompt["bytes"], prompt["most"]) << prompt.dump();
    if (prompt["role"] == "fixer" || prompt["role"] == "re_fixer") {
      ++fixers;
      EXPECT_EQ(prompt["most"], 4'096) << "a fixer's prompt for one issue, without its code";
    }
  }
  EXPECT_EQ(fixers, 2);
  EXPECT_EQ(emend({"agents", "show", "claud"}).exit_code, 2);
}

TEST_F(AgentsCommandTest, TestsAnAgentWithOnePrompt) {
  install("claude", claude_result(R"("subtype":"success","is_error":false,"result":"{\"ok\": true}")"));
  const auto result = emend({"agents", "test", "claude"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("12+3 tokens, $0.0125"));
  const Json rows = data_of(emend({"agents", "test", "--json"}), "emend.agent_tests/v1");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["state"]["status"], "ok");
}

TEST_F(AgentsCommandTest, TellsAMissingLoginFromOtherTrouble) {
  install(
      "claude",
      claude_result(R"("subtype":"success","is_error":true,"result":"Not logged in · Please run /login")") +
          "exit 1\n");
  const auto login = emend({"agents", "test", "claude"});
  EXPECT_EQ(login.exit_code, 4) << login.out;
  EXPECT_THAT(login.out, HasSubstr("not_logged_in"));
  install("claude", "exit 0\n");
  EXPECT_EQ(emend({"agents", "test", "claude"}).exit_code, 5);
  const auto missing = emend({"agents", "test", "codex"});
  EXPECT_EQ(missing.exit_code, 5);
  EXPECT_THAT(missing.out, HasSubstr("not found in PATH"));
}

// The whole way with nothing configured: found, said, used.
TEST_F(AgentsCommandTest, FixesWithWhatIsInstalled) {
  install(
      "claude",
      "cat > /dev/null\nsed -i 's/i <= n/i < n/' src/a.c\n" +
          claude_result(
              R"("subtype":"success","is_error":false,"result":"{\"issues\":{\"BE-001\":{\"status\":\"fixed\"}}}")"));
  install("gemini", R"(token=$(sed -n 's/.*The review token is \([0-9a-f]*\).*/\1/p' | tail -1)
echo '{"type":"init","session_id":"g","model":"gemini-2.5-pro"}'
echo '{"type":"message","role":"assistant","content":"{\"review_token\":\"'$token'\",\"issues\":{\"BE-001\":{\"score\":97,\"status\":\"SOLVED\"}}}","delta":true}'
echo '{"type":"result","status":"success","stats":{"input_tokens":5,"models":{"gemini-2.5-pro":{"total_tokens":6}}}}'
)");
  const auto result = // its judge approves of everything
      emend({"fix", "--findings", "-", "--json", "--set", "fix_challenger.canaries=0"}, kFindings);
  EXPECT_THAT(result.err, HasSubstr("nothing configured: fixing with claude, judging with gemini"));
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("RESOLVED"));
}

} // namespace emend
