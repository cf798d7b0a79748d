// What the real programs printed (tests/data/agent_streams), read by their drivers.
#include <gtest/gtest.h>

#include "tests/unit/adapters_agents/streams.hpp"

namespace emend {

namespace {

const std::map<std::string, AgentStatus>& expected() {
  using enum AgentStatus;
  static const std::map<std::string, AgentStatus> table{
      {"claude-agents", ok},
      {"claude-background-agents", ok},
      {"claude-bad-key", not_logged_in},
      {"claude-bad-session", conversation_lost},
      {"claude-billing", billing},
      {"claude-cut", unreachable},
      {"claude-denied", ok}, // it says so; the tree says otherwise
      {"claude-empty", no_result},
      {"claude-fix", ok},
      {"claude-interrupted", interrupted},
      {"claude-limit", rate_limited},
      {"claude-max-budget", cost_limit},
      {"claude-max-tokens", too_long},
      {"claude-max-turns", turn_limit},
      {"claude-no-key", not_logged_in},
      {"claude-overloaded", overloaded},
      {"claude-partial", ok},
      {"claude-rate", rate_limited},
      {"claude-refusal", refused},
      {"claude-unknown-model", unknown_model},
      {"claude-unreachable", unreachable},
      {"claude-resume", ok},
      {"claude-retried", ok},
      {"claude-schema", ok},
      {"claude-schema-ignored", ok}, // free text: nudged later
      {"claude-schema-wrong", turn_limit},
      {"claude-server-error", overloaded},
      {"claude-terminated", no_result},
      {"claude-too-long", too_long},
      {"codex-agents", ok},
      {"codex-bad-key", not_logged_in},
      {"codex-bad-session", conversation_lost},
      {"codex-cut", unreachable},
      {"codex-dropped", unreachable},
      {"codex-empty", no_result},
      {"codex-failed", overloaded},
      {"codex-fix", ok},
      {"codex-interrupted", no_result},
      {"codex-no-key", not_logged_in},
      {"codex-no-such-model", unknown_model},
      {"codex-overloaded", overloaded},
      {"codex-quota", quota},
      {"codex-rate", rate_limited},
      {"codex-rate-retried", ok},
      {"codex-read-only", ok},
      {"codex-resume", ok},
      {"codex-retried", ok},
      {"codex-schema", ok},
      {"codex-schema-ignored", ok},
      {"codex-server-error", overloaded},
      {"codex-too-long", no_result}, // never sent: see Driver::most_prompt_bytes
      {"codex-unknown-model", ok},
      {"gemini-agents", ok},
      {"gemini-bad-key", not_logged_in},
      {"gemini-bad-session", conversation_lost},
      {"gemini-cut", unreachable},
      {"gemini-empty", no_result},
      {"gemini-failed-edit", ok},
      {"gemini-fix", ok},
      {"gemini-max-tokens", ok}, // nothing in the stream tells
      {"gemini-no-key", not_logged_in},
      {"gemini-overloaded", overloaded},
      {"gemini-quota", quota},
      {"gemini-rate", rate_limited},
      {"gemini-read-only", ok},
      {"gemini-refusal", refused},
      {"gemini-resume", ok},
      {"gemini-server-error", overloaded},
      {"gemini-terminated", no_result},
      {"gemini-too-long", no_result},
      {"gemini-unauthorized", not_logged_in},
      {"gemini-unknown-model", unknown_model},
      {"gemini-unreachable", unreachable},
      {"opencode-bad-key", not_logged_in},
      {"opencode-bad-request", api_error},
      {"opencode-fix", ok},
      {"opencode-resume", ok},
      {"qwen-bad-key", not_logged_in},
      {"qwen-bad-request", api_error},
      {"qwen-fix", ok},
      {"qwen-resume", ok},
  };
  return table;
}

// Both generations of Claude Code share a row, but for what they do differently. nullopt = a recording newer
// than this table.
std::optional<AgentStatus> expected_of(const std::string& name) {
  if (name == "claude-197-long") return AgentStatus::ok;
  if (name == "claude-325-long") return AgentStatus::too_long;
  const std::string row = replace_all(replace_all(name, "claude-197-", "claude-"), "claude-325-", "claude-");
  const auto found = expected().find(row);
  if (found == expected().end()) return std::nullopt;
  return found->second;
}

} // namespace

TEST(RecordedStreams, EndInTheRightState) {
  std::size_t rows = 0;
  for (const std::string& name : recording_names()) {
    const AgentRun run = replay(recording(name));
    const auto status = expected_of(name);
    if (status) {
      EXPECT_EQ(to_string(run.state.status), to_string(*status)) << name << ": " << run.state.text;
    }
    rows += status ? 1 : 0;
    EXPECT_EQ(run.state.ok(), run.state.text.empty()) << name << ": " << run.state.text;
  }
  EXPECT_GE(rows, expected().size()) << "every row has its recording";
}

TEST(RecordedStreams, CarryTheAnswer) {
  for (const char* name :
       {"claude-197-fix", "claude-325-fix", "claude-325-partial", "claude-197-schema", "claude-325-schema",
        "codex-fix", "codex-schema", "gemini-fix", "opencode-fix", "qwen-fix"}) {
    const AgentRun run = replay(recording(name));
    const auto answer = last_json_object(run.answer);
    ASSERT_TRUE(answer) << name << ": " << run.answer;
    EXPECT_EQ(*answer, Json({{"status", "fixed"}, {"files", {"calc.py"}}})) << name;
    EXPECT_FALSE(run.conversation_id.empty()) << name;
  }
}

TEST(RecordedStreams, TellTheModelThatAnswered) {
  EXPECT_EQ(replay(recording("claude-197-fix")).model, "claude-opus-4-8");
  EXPECT_EQ(replay(recording("claude-325-fix")).model, "claude-opus-5-5");
  EXPECT_EQ(replay(recording("gemini-fix")).model, "gemini-2.5-pro");
  EXPECT_EQ(replay(recording("qwen-fix")).model, "scripted-model");
  EXPECT_TRUE(replay(recording("qwen-fix")).model_reported);
  EXPECT_FALSE(replay(recording("codex-fix")).model_reported) << "its stream does not say";
}

TEST(RecordedStreams, TellWhatWasConsumed) {
  EXPECT_EQ(replay(recording("claude-197-fix")).usage, (Usage{1300, 110, 200, 0.00935, 4}));
  EXPECT_EQ(replay(recording("claude-325-fix")).usage, (Usage{1300, 110, 200, 0.00744, 4}));
  EXPECT_EQ(replay(recording("gemini-fix")).usage, (Usage{1300, 110, 200, {}, 0}));
  EXPECT_EQ(replay(recording("codex-fix")).usage, (Usage{1300, 110, 200, {}, 0}));
  const Usage sub_agents = replay(recording("claude-325-agents")).usage;
  EXPECT_EQ(sub_agents.input_tokens, 400) << "sub-agents count";
  EXPECT_NEAR(sub_agents.cost_usd.value_or(0), 0.0032, 1e-9);
}

// 2.1.325 counts on from the conversation's beginning, 2.1.197 does not: in both cases only the run is told.
TEST(RecordedStreams, CountAResumedRunAlone) {
  EXPECT_EQ(replay(recording("claude-197-resume")).usage.input_tokens, 100);
  EXPECT_EQ(replay(recording("claude-325-resume")).usage.input_tokens, 100);
  EXPECT_NEAR(replay(recording("claude-325-resume")).usage.cost_usd.value_or(0), 0.0008, 1e-9);
  AgentRequest request;
  request.resume = "thread";
  for (const char* engine : {"codex", "qwen"}) {
    request.resumed_usage = replay(recording(std::string(engine) + "-fix")).conversation_usage;
    const AgentRun resumed = replay(recording(std::string(engine) + "-resume"), request);
    EXPECT_LT(resumed.usage.input_tokens, 300) << engine;
    EXPECT_GT(resumed.usage.input_tokens, 0) << engine;
    EXPECT_GT(resumed.conversation_usage.input_tokens, 1300) << engine;
  }
}

TEST(RecordedStreams, ShowSubAgentsSideBySide) {
  for (const char* name : {"claude-197-agents", "claude-325-agents"}) {
    const Recording recorded = recording(name);
    const auto parser = recorded.driver().parser();
    std::vector<std::string> seen;
    parser->listen([&seen](const AgentEvent& event) {
      if (event.kind == AgentEvent::Kind::sub_agent)
        seen.push_back(event.text.substr(0, event.text.find(':')));
    });
    for (const std::string_view line : lines_of(recorded.out)) parser->line(line);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), "started"), 2) << name;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), "completed"), 2) << name;
    const auto first_end = std::find(seen.begin(), seen.end(), "completed");
    EXPECT_EQ(std::count(seen.begin(), first_end, "started"), 2) << name << ": both were under way at once";
  }
}

TEST(RecordedStreams, SayWhenTheyAreFinished) {
  for (const std::string& name : recording_names()) {
    const Recording recorded = recording(name);
    const auto parser = recorded.driver().parser();
    for (const std::string_view line : lines_of(recorded.out)) parser->line(line);
    EXPECT_EQ(parser->finished(), parser->account().final_event) << name;
  }
}

} // namespace emend
