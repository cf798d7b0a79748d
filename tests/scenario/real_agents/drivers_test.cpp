// The engines made for each CLI, against the CLI itself: what they send, what they understand of the answer,
// and how they end.
#include <gmock/gmock.h>

#include <ostream>
#include <thread>

#include "adapters/agents/agent_factory.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/real_agents.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// One edit by the tool each CLI has for it, then a report.
constexpr const char* kFix = R"json(
  {"name": "edit", "if": {"api": "anthropic", "results": 0, "offers": "Edit"}, "do": {"calls": [
    {"tool": "Read", "arguments": {"file_path": "${cwd}/calc.py"}},
    {"tool": "Edit", "arguments": {"file_path": "${cwd}/calc.py", "old_string": "a - b", "new_string": "a + b"}}]}},
  {"name": "edit", "if": {"api": "gemini", "results": 0, "offers": "replace"}, "do": {"calls": [{"tool": "replace", "arguments":
    {"file_path": "calc.py", "instruction": "Add.", "old_string": "a - b", "new_string": "a + b"}}]}},
  {"name": "edit", "if": {"api": "responses", "results": 0}, "do": {"calls": [{"tool": "apply_patch", "input":
    "*** Begin Patch\n*** Update File: calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return a + b\n*** End Patch"}]}},
  {"name": "report", "do": {"json": {"status": "fixed"}, "usage": {"input": 1000, "output": 50}}})json";

class RealDriver : public ::testing::TestWithParam<const char*> {
protected:
  RealDriver()
      : world(Files{{"calc.py", "def add(a, b):\n    return a - b\n"}}),
        factory(world.runner(), EMEND_BINARY, world.root) {}

  void play(const std::string& rules) {
    model = std::make_unique<RealAgents>("[" + rules + "]");
    model->become_the_users();
    agent = must(factory.make(model->native(GetParam())));
    renew_workspace();
  }
  // The same program by a script that does something to it; "$CLI" is the program.
  void wrap(const std::string& script) {
    AgentBinding binding = model->native(GetParam());
    must(write_file(world.scripts + "/wrapped", "#!/bin/sh\nCLI=" + binding.command[0] + "\n" + script + "\n",
                    0755));
    binding.command = {world.scripts + "/wrapped"};
    agent = must(factory.make(binding));
  }
  // The same program, told to think this much.
  void think(int budget) {
    AgentBinding binding = model->native(GetParam());
    binding.thinking_budget = budget;
    agent = must(factory.make(binding));
  }
  void renew_workspace() {
    workspace =
        must(world.repository().make_workspace(std::string(trim(world.git({"rev-parse", "HEAD"}))), {}));
    request.workspace = workspace.get();
  }
  AgentRun run(const std::string& prompt, std::stop_token stop = {}) {
    request.role = "fixer";
    request.prompt = prompt;
    request.timeout_ms = 60'000;
    AgentRun run = must(agent->run(request, stop));
    EXPECT_THAT(model->leftovers(), IsEmpty()) << "processes outlived the run";
    return run;
  }
  bool is_codex() const { return std::string(GetParam()) == "codex"; }

  World world;
  LocalAgentFactory factory;
  std::unique_ptr<RealAgents> model;
  std::unique_ptr<Agent> agent;
  std::unique_ptr<Workspace> workspace;
  AgentRequest request;
};

TEST_P(RealDriver, EditsTheWorkspaceAndReportsWhatItUsed) {
  EMEND_NEEDS_AGENT(GetParam());
  EMEND_NEEDS_SANDBOX(GetParam());
  play(kFix);
  const AgentRun done = run("Fix calc.py");
  EXPECT_EQ(to_string(done.state.status), "ok") << done.state.text << done.process.err;
  EXPECT_EQ(must(last_json_object(done.answer))["status"], "fixed");
  EXPECT_THAT(unified_diff(must(workspace->snapshot()).patch), HasSubstr("+    return a + b"));
  EXPECT_EQ(done.usage.input_tokens, 1100);
  EXPECT_EQ(done.usage.output_tokens, 70);
  EXPECT_NE(done.conversation_id, "");
  EXPECT_EQ(done.model_reported, !is_codex()) << done.model;
}

TEST_P(RealDriver, LooksWithoutTouchingWhenItMayOnlyRead) {
  EMEND_NEEDS_AGENT(GetParam());
  play(std::string(kFix));
  request.read_only = true;
  const AgentRun done = run("Judge calc.py");
  EXPECT_TRUE(done.state.ok()) << done.state.text;
  EXPECT_TRUE(must(workspace->snapshot()).patch.empty());
}

TEST_P(RealDriver, TellsTroubleApart) {
  EMEND_NEEDS_AGENT(GetParam());
  // Gemini waits for a limit by the minute, a quarter of a minute long; one by the day it reports at once.
  play(
      R"json({"if": {"asks": "LIMIT"}, "do": {"status": 429, "message": "You exceeded your current limit", "details": [{
                "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}]}},
              {"if": {"asks": "KEY"}, "do": {"status": 401, "message": "invalid key"}})json");
  const AgentRun limited = run("LIMIT");
  const AgentStatus expected =
      std::string(GetParam()) == "gemini" ? AgentStatus::quota : AgentStatus::rate_limited;
  EXPECT_EQ(to_string(limited.state.status), to_string(expected)) << limited.state.text;
  EXPECT_TRUE(limited.state.unavailable()) << "must not count as an attempt";
  const AgentRun refused = run("KEY");
  EXPECT_EQ(to_string(refused.state.status), to_string(AgentStatus::not_logged_in)) << refused.state.text;
}

TEST_P(RealDriver, EndsAtOnceWhenStoppedInTheMiddleOfAnAnswer) {
  EMEND_NEEDS_AGENT(GetParam());
  play(R"json({"name": "stall", "do": {"text": "halfway there, halfway there", "chunk": 4, "hang": 4}})json");
  std::stop_source source;
  std::jthread stopper([&] {
    model->await("stall");
    source.request_stop();
  });
  const AgentRun stopped = run("wait", source.get_token());
  EXPECT_FALSE(stopped.state.ok());
  model->settle();
  EXPECT_EQ(model->requests("stall").at(0).outcome, "client gone");
}

TEST_P(RealDriver, GoesOnWithAConversationInAnotherWorkspace) {
  EMEND_NEEDS_AGENT(GetParam());
  const TemporaryDirectory kept =
      must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-conversations"));
  play(
      R"json({"name": "first", "if": {"turns": 0}, "do": {"json": {"word": "plum"}}}, {"name": "second", "do": {"json": {"word": "again"}}})json");
  request.conversation_dir = kept.path();
  const AgentRun first = run("say a word");
  ASSERT_NE(first.conversation_id, "");
  renew_workspace();
  request.resume = first.conversation_id;
  request.resumed_usage = first.conversation_usage;
  const AgentRun second = run("and now");
  EXPECT_TRUE(second.state.ok()) << to_string(second.state.status) << ": " << second.state.text
                                 << second.process.err;
  ASSERT_EQ(model->requests("second").size(), 1U);
  EXPECT_THAT(model->requests("second")[0].body, HasSubstr("plum"));
  EXPECT_EQ(second.usage.output_tokens, 20) << "the second run alone";
}

TEST_P(RealDriver, SaysThatAConversationIsLost) {
  EMEND_NEEDS_AGENT(GetParam());
  play(R"json({"name": "any", "do": {"json": {"a": 1}}})json");
  request.resume = "00000000-0000-4000-8000-000000000000";
  const AgentRun lost = run("and now");
  EXPECT_EQ(lost.state.status, AgentStatus::conversation_lost)
      << to_string(lost.state.status) << ": " << lost.state.text;
  EXPECT_THAT(model->requests(), IsEmpty());
}

TEST_P(RealDriver, AsksOnceMoreForTheJsonObject) {
  EMEND_NEEDS_AGENT(GetParam());
  play(
      R"json({"name": "prose", "if": {"turns": 0}, "do": {"text": "All done, trust me."}}, {"name": "object", "do": {"json": {"status": "fixed"}}})json");
  const AgentRun done = run("Fix it");
  EXPECT_THAT(model->rules_used(), ::testing::ElementsAre("prose", "object"));
  EXPECT_EQ(must(last_json_object(done.answer))["status"], "fixed");
}
INSTANTIATE_TEST_SUITE_P(Cli, RealDriver, ::testing::Values("claude-197", "claude-325", "gemini", "codex"),
                         [](const auto& cli) { return replace_all(cli.param, "-", ""); });

using RealClaudeDriver = RealDriver;

TEST_P(RealClaudeDriver, RunsTheSubAgentsOfOneMessageAtTheSameTime) {
  EMEND_NEEDS_AGENT(GetParam());
  play(R"json(
    {"name": "sub", "if": {"asks": "SUB-[AB]", "unsaid": "MAINTASK"}, "do": {"text": "fixed", "wait_ms": 1500}},
    {"name": "spawn", "if": {"asks": "MAINTASK", "turns": 0}, "do": {"calls": [
      {"tool": "Agent", "arguments": {"description": "A", "prompt": "SUB-A: fix it", "subagent_type": "fixer_single"}},
      {"tool": "Agent", "arguments": {"description": "B", "prompt": "SUB-B: fix it", "subagent_type": "fixer_single"}}]}},
    {"name": "end", "do": {"json": {"status": "both done"}}})json");
  request.sub_agents = {
      {"fixer_single", {{"description", "Fixes one issue"}, {"prompt", "You fix one issue."}}}};
  std::vector<AgentEvent> events;
  request.on_event = [&](const AgentEvent& event) { events.push_back(event); };
  EXPECT_TRUE(run("MAINTASK: fix both").state.ok());
  const auto subs = model->requests("sub");
  ASSERT_EQ(subs.size(), 2U);
  EXPECT_TRUE(subs[0].overlaps(subs[1]));
  EXPECT_EQ(model->requests("end").size(), 1U);
  EXPECT_GE(std::ranges::count_if(
                events, [](const AgentEvent& event) { return event.kind == AgentEvent::Kind::sub_agent; }),
            2);
}

TEST_P(RealClaudeDriver, TakesASchema) {
  EMEND_NEEDS_AGENT(GetParam());
  play(R"json({"name": "object", "if": {"offers": "StructuredOutput", "results": 0},
               "do": {"calls": [{"tool": "StructuredOutput", "arguments": {"score": 97}}]}}, {"name": "rest", "do": {"text": "ok"}})json");
  request.schema = Json::parse(
      R"json({"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]})json");
  const AgentRun done = run("Judge it");
  EXPECT_TRUE(done.state.ok()) << done.state.text;
  EXPECT_EQ(must(last_json_object(done.answer))["score"], 97);
}
INSTANTIATE_TEST_SUITE_P(Cli, RealClaudeDriver, ::testing::Values("claude-197", "claude-325"),
                         [](const auto& cli) { return replace_all(cli.param, "-", ""); });

using RealAcpProgram = RealDriver;

TEST_P(RealAcpProgram, EditsTheWorkspaceByTheAgentClientProtocol) {
  EMEND_NEEDS_AGENT(GetParam());
  play(kFix);
  AgentBinding binding = model->native(GetParam());
  binding.engine = "acp";
  binding.command.insert(binding.command.end(), {"--skip-trust", "-m", "gemini-2.5-pro", "--acp"});
  agent = must(factory.make(binding));
  const AgentRun done = run("Fix calc.py");
  EXPECT_TRUE(done.state.ok()) << to_string(done.state.status) << ": " << done.state.text << done.process.err;
  EXPECT_EQ(must(last_json_object(done.answer))["status"], "fixed");
  EXPECT_THAT(unified_diff(must(workspace->snapshot()).patch), HasSubstr("+    return a + b"));
}
using RealGemini = RealDriver;

TEST_P(RealGemini, ThinksAsMuchAsItIsTold) {
  EMEND_NEEDS_AGENT(GetParam());
  EMEND_NEEDS_SANDBOX(GetParam());
  play(R"json({"name": "report", "do": {"json": {"status": "fixed"}}})json");
  think(4096);
  EXPECT_EQ(to_string(run("Look at calc.py").state.status), "ok");
  ASSERT_THAT(model->requests("report"), Not(IsEmpty()));
  const Json asked = must(parse_json(model->requests("report").front().body));
  EXPECT_EQ(asked["generationConfig"]["thinkingConfig"]["thinkingBudget"], 4096) << asked.dump();
}

INSTANTIATE_TEST_SUITE_P(Cli, RealGemini, ::testing::Values("gemini"),
                         [](const auto& cli) { return std::string(cli.param); });
INSTANTIATE_TEST_SUITE_P(Cli, RealAcpProgram, ::testing::Values("gemini"),
                         [](const auto& cli) { return std::string(cli.param); });

using RealClaudeInTrouble = RealDriver;

TEST_P(RealClaudeInTrouble, AResultCountsEvenIfTheProgramNeverLeaves) {
  EMEND_NEEDS_AGENT(GetParam());
  play(kFix);
  wrap(R"sh("$CLI" "$@"; sleep 300)sh");
  const AgentRun done = run("Fix calc.py");
  EXPECT_TRUE(done.state.ok()) << to_string(done.state.status) << ": " << done.state.text;
  EXPECT_EQ(done.process.ending, Ending::settled);
  EXPECT_THAT(unified_diff(must(workspace->snapshot()).patch), HasSubstr("+    return a + b"));
}

TEST_P(RealClaudeInTrouble, AStreamWithoutAResultIsNoAnswerWhateverTheExitStatus) {
  EMEND_NEEDS_AGENT(GetParam());
  play(kFix);
  wrap(R"sh("$CLI" "$@" | grep -v '"subtype":"success"'; exit 0)sh");
  const AgentRun done = run("Fix calc.py");
  EXPECT_EQ(to_string(done.state.status), to_string(AgentStatus::no_result)) << done.state.text;
}

TEST_P(RealClaudeInTrouble, KilledInTheMiddleOfAnAnswer) {
  EMEND_NEEDS_AGENT(GetParam());
  play(R"json({"name": "stall", "do": {"text": "halfway there, halfway there", "chunk": 4, "hang": 4}})json");
  wrap(R"sh((sleep 3; kill -9 $$) > /dev/null 2>&1 < /dev/null &
exec "$CLI" "$@")sh");
  const AgentRun killed = run("wait");
  EXPECT_FALSE(killed.state.ok());
  EXPECT_EQ(killed.process.ending, Ending::signalled) << to_string(killed.process.ending);
  EXPECT_TRUE(must(workspace->snapshot()).patch.empty());
}
INSTANTIATE_TEST_SUITE_P(Cli, RealClaudeInTrouble, ::testing::Values("claude-325"),
                         [](const auto&) { return std::string("claude325"); });

} // namespace
} // namespace emend::testing_support
