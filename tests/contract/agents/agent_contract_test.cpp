// What every agent promises, whichever way it is made.
#include "tests/contract/agents/agents_fixture.hpp"

namespace emend {

// The same behaviour as a command and as a script: writes a file, talks on both streams, answers, exits
// with 3.
class AgentContract : public AgentTest, public testing::WithParamInterface<std::string> {
protected:
  AgentBinding binding() const {
    AgentBinding binding;
    binding.name = "tester";
    binding.engine = GetParam();
    binding.model = "configured-model";
    binding.command = {
        "/bin/sh", "-c",
        "cat >/dev/null; echo fixed >done.txt; echo working; echo careful >&2; echo '{\"ok\": 1}'; exit 3"};
    binding.script = scratch_.path() / "script.json";
    EXPECT_TRUE(write_file(
        binding.script,
        R"({"turns": [{"do": [{"write": {"path": "done.txt", "text": "fixed\n"}}, {"print": "working"},
      {"stderr": "careful"}], "answer": {"ok": 1}, "exit": 3}]})"));
    return binding;
  }
  AgentBinding hanging() const {
    AgentBinding hanging = binding();
    hanging.command = {"/bin/sh", "-c", "echo ready; sleep 987"};
    EXPECT_TRUE(
        write_file(hanging.script, R"({"turns": [{"do": [{"print": "ready"}, {"sleep_ms": 987000}]}]})"));
    return hanging;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, AgentContract, testing::Values("exec", "scripted"),
                         [](const auto& engine) { return engine.param; });

TEST_P(AgentContract, WorksInTheWorkspaceAndAnswersOnStdout) {
  const AgentRun result = run(binding());
  EXPECT_EQ(result.process.ending, Ending::exited);
  EXPECT_EQ(result.process.exit_code, 3); // a failing agent is a value
  EXPECT_EQ(last_json_object(result.answer).value(), Json({{"ok", 1}}));
  EXPECT_EQ(result.process.err, "careful\n");
  EXPECT_EQ(read_file(in_tree("done.txt")).value(), "fixed\n");
  EXPECT_EQ(result.model, "configured-model");
}

TEST_P(AgentContract, TellsTheCallerLinesAndProcess) {
  std::vector<std::string> lines;
  int pid = 0;
  request_.on_output = [&](std::string_view line, bool is_stderr) {
    lines.push_back((is_stderr ? "E:" : "O:") + std::string(line));
  };
  request_.on_start = [&](int started, std::int64_t ticks) { pid = ticks > 0 ? started : 0; };
  (void)run(binding());
  EXPECT_NE(std::find(lines.begin(), lines.end(), "O:working"), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), "E:careful"), lines.end());
  EXPECT_GT(pid, 1);
}

TEST_P(AgentContract, KeepsTheRequestsTimeLimit) {
  request_.timeout_ms = 300;
  EXPECT_EQ(run(hanging()).process.ending, Ending::wall_limit);
}

TEST_P(AgentContract, KeepsTheBindingsIdleLimit) {
  AgentBinding idle = hanging();
  idle.idle_timeout_ms = 300;
  EXPECT_EQ(run(idle).process.ending, Ending::idle_limit);
}

TEST_P(AgentContract, StopsWhenAsked) {
  std::stop_source source;
  request_.on_output = [&](std::string_view, bool) { source.request_stop(); };
  auto agent = factory_.make(hanging());
  ASSERT_TRUE(agent);
  EXPECT_EQ((*agent)->run(request_, source.get_token()).value().process.ending, Ending::cancelled);
}

TEST_P(AgentContract, KeepsItsBinding) {
  auto agent = factory_.make(binding());
  ASSERT_TRUE(agent);
  EXPECT_EQ((*agent)->binding().name, "tester");
  EXPECT_EQ((*agent)->binding().engine, GetParam());
}

TEST_F(AgentTest, RefusesAnUnknownEngine) {
  AgentBinding binding;
  binding.name = "x";
  binding.engine = "oracle";
  const auto agent = factory_.make(binding);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().code, ErrorCode::config);
  EXPECT_EQ(agent.error().message, "agent x: unknown engine \"oracle\"");
}

} // namespace emend
