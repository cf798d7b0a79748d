// The scripted agent: which turn is played, what each step does, and what it says when it cannot.
#include "adapters/agents/scripted_player.hpp"
#include "tests/contract/agents/agents_fixture.hpp"

namespace emend {

class ScriptedAgentTest : public AgentTest {
protected:
  AgentRun play(const std::string& script) {
    AgentBinding binding;
    binding.name = "demo";
    binding.engine = "scripted";
    binding.model = "configured";
    binding.script = scratch_.path() / "script.json";
    EXPECT_TRUE(write_file(binding.script, script));
    return run(binding);
  }
  void put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(in_tree(name), text, 0644));
  }
  std::string get(const std::string& name) { return read_file(in_tree(name)).value_or("(missing)"); }
};

TEST_F(ScriptedAgentTest, DoesItsStepsInOrder) {
  put("src/a.c", "one two one\n");
  put("gone.txt", "x");
  const AgentRun result = play(R"({"model": "demo-fixer-1", "turns": [{"do": [
    {"replace": {"path": "src/a.c", "old": "two", "new": "2"}}, {"append": {"path": "src/a.c", "text": "end\n"}},
    {"write": {"path": "new/dir/b.c", "text": "b"}}, {"delete": {"path": "gone.txt"}}, {"print": "text"}, {"sleep_ms": 1},
    {"stderr": "note"}],
    "answer": [1]}]})");
  EXPECT_TRUE(result.process.ok()) << result.process.err;
  EXPECT_EQ(get("src/a.c"), "one 2 one\nend\n");
  EXPECT_EQ(get("new/dir/b.c"), "b");
  EXPECT_EQ(get("gone.txt"), "(missing)");
  EXPECT_EQ(result.answer, "text\n[\n  1\n]\n");
  EXPECT_EQ(result.process.err, "note\n");
  EXPECT_EQ(result.model, "demo-fixer-1");
}

TEST_F(ScriptedAgentTest, PlaysTheFirstTurnThatMatches) {
  const std::string script = R"({"turns": [
    {"role": "fix_challenger", "do": [{"print": "challenger"}]},
    {"role": "fixer", "issue": "BE-002", "do": [{"print": "second issue"}]},
    {"role": "*", "cycle": 2, "do": [{"print": "second cycle"}]},
    {"file": "src/a.c", "do": [{"print": "by file"}]},
    {"issue": "*", "do": [{"print": "anything"}]}]})";
  EXPECT_EQ(play(script).answer, "by file\n");
  request_.prompt = "something else";
  EXPECT_EQ(play(script).answer, "anything\n");
  request_.cycle = 2;
  EXPECT_EQ(play(script).answer, "second cycle\n");
  request_.issue_codes = {"BE-001", "BE-002"};
  EXPECT_EQ(play(script).answer, "second issue\n");
  request_.role = "fix_challenger";
  EXPECT_EQ(play(script).answer, "challenger\n");
  EXPECT_EQ(play(script).model, "configured");
}

TEST_F(ScriptedAgentTest, NamesTheIssueInItsAnswer) {
  const AgentRun result = play(
      R"({"turns": [{"answer": {"{issue}": {"note": "did {issue}", "list": ["{issue}"], "score": 97}}}]})");
  EXPECT_EQ(parse_json(result.answer).value(),
            parse_json(R"({"BE-001": {"note": "did BE-001", "list": ["BE-001"], "score": 97}})").value());
}

TEST_F(ScriptedAgentTest, EndsWithTheGivenStatusAfterAnswering) {
  const AgentRun result = play(R"({"turns": [{"answer": {}, "exit": 4}]})");
  EXPECT_EQ(result.process.exit_code, 4);
  EXPECT_EQ(result.answer, "{}\n");
}

TEST_F(ScriptedAgentTest, SaysWhenNoTurnMatches) {
  const AgentRun result = play(R"({"turns": [{"role": "re_fixer"}]})");
  EXPECT_EQ(result.process.exit_code, 8);
  EXPECT_NE(result.process.err.find("no turn for role fixer, issue BE-001, cycle 1"), std::string::npos)
      << result.process.err;
}

TEST_F(ScriptedAgentTest, StopsAtAStepThatFails) {
  put("a.c", "same same\n");
  for (const char* step : {R"({"replace": {"path": "a.c", "old": "same", "new": "x"}})",
                           R"({"replace": {"path": "a.c", "old": "absent", "new": "x"}})",
                           R"({"replace": {"path": "missing.c", "old": "x", "new": "y"}})",
                           R"({"delete": {"path": "missing.c"}})"}) {
    const AgentRun result =
        play(R"({"turns": [{"do": [)" + std::string(step) + R"(, {"print": "went on"}], "answer": {}}]})");
    EXPECT_EQ(result.process.exit_code, 9) << step;
    EXPECT_EQ(result.answer, "") << step;
    EXPECT_FALSE(result.process.err.empty()) << step;
  }
  EXPECT_EQ(get("a.c"), "same same\n");
}

TEST_F(ScriptedAgentTest, RefusesABadScriptBeforeAnythingRuns) {
  AgentBinding binding;
  binding.name = "demo";
  binding.engine = "scripted";
  binding.script = scratch_.path() / "script.json";
  for (const char* script :
       {"", "[]", "{}", R"({"turns": 1})", R"({"turns": [1]})", R"({"turns": [{"rolle": "fixer"}]})",
        R"({"turns": [{"do": [{"write": {"path": "../a", "text": ""}}]}]})",
        R"({"turns": [{"do": [{"write": {"path": "/tmp/a", "text": ""}}]}]})",
        R"({"turns": [{"do": [{"write": {"path": "a/../../b", "text": ""}}]}]})",
        R"({"turns": [{"do": [{"write": {"path": "a"}}]}]})",
        R"({"turns": [{"do": [{"write": {"path": "a", "text": 1}}]}]})",
        R"({"turns": [{"do": [{"write": {"path": "a", "text": "", "mode": 1}}]}]})",
        R"({"turns": [{"do": [{"print": "a", "stderr": "b"}]}]})", R"({"turns": [{"do": [{"run": "rm"}]}]})",
        R"({"turns": [{"exit": 300}]})", R"({"turns": [{"cycle": "1"}]})", R"({"turns": [], "turns": []})"}) {
    ASSERT_TRUE(write_file(binding.script, script));
    const auto agent = factory_.make(binding);
    ASSERT_FALSE(agent) << script;
    EXPECT_FALSE(agent.error().remedy.empty()) << script;
    EXPECT_NE(agent.error().message.find("script.json"), std::string::npos) << agent.error().message;
  }
  binding.script = scratch_.path() / "missing.json";
  EXPECT_EQ(factory_.make(binding).error().code, ErrorCode::agent);
  binding.script = "relative.json";
  EXPECT_EQ(factory_.make(binding).error().code, ErrorCode::config);
}

TEST(ScriptedPlayer, ExplainsItsUsage) {
  EXPECT_EQ(play_command({}), 7);
  EXPECT_EQ(play_command({"/no/such/script", "fixer", "BE-001", "-1"}), 7);
}

} // namespace emend
