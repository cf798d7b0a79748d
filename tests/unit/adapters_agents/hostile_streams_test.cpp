// Streams that are cut, mangled, glued together or from the future: never a crash, never success without the
// real sign of it.
#include <gtest/gtest.h>

#include <random>

#include "adapters/agents/acp_stream.hpp"
#include "tests/unit/adapters_agents/streams.hpp"

namespace emend {

namespace {

// The line without which a stream is no success.
bool is_success(const Driver& driver, std::string_view line) {
  const auto event = parse_json(line);
  if (!event || !event->is_object()) return false;
  const std::string type = string_or(*event, "type");
  if (driver.cli.name == "claude" || driver.cli.name == "qwen")
    return type == "result" && string_or(*event, "subtype") == "success" &&
           member(*event, "is_error") == Json(false);
  if (driver.cli.name == "gemini") return type == "result" && string_or(*event, "status") == "success";
  if (driver.cli.name == "codex") return type == "turn.completed";
  return type == "step_finish" && string_or(member(*event, "part"), "reason") == "stop";
}

bool holds_success(const Driver& driver, std::string_view text) {
  for (const std::string_view line : lines_of(text))
    if (is_success(driver, line)) return true;
  return false;
}

// Recordings with megabytes in them would make these loops slow for nothing.
std::vector<Recording> short_recordings() {
  std::vector<Recording> result;
  for (const std::string& name : recording_names())
    if (Recording recorded = recording(name); recorded.out.size() < 60'000)
      result.push_back(std::move(recorded));
  return result;
}

} // namespace

TEST(HostileStreams, AreNoSuccessBeforeTheirEnd) {
  for (const Recording& recorded : short_recordings()) {
    const Driver& driver = recorded.driver();
    const std::size_t step = std::max<std::size_t>(1, recorded.out.size() / 300);
    for (std::size_t length = 0; length < recorded.out.size(); length += step) {
      const std::string_view prefix = std::string_view(recorded.out).substr(0, length);
      if (read_stream(driver, prefix).state.ok()) {
        ASSERT_TRUE(holds_success(driver, prefix)) << recorded.name << " cut at " << length;
      }
    }
  }
}

TEST(HostileStreams, SurviveFlippedBytes) {
  std::mt19937 random(20'260'115);
  for (const Recording& recorded : short_recordings()) {
    const Driver& driver = recorded.driver();
    for (int round = 0; round < 20; ++round) {
      std::string text = recorded.out;
      for (int flip = 0; flip < 1 + round * 3 && !text.empty(); ++flip)
        text[random() % text.size()] = static_cast<char>(random() % 256);
      if (read_stream(driver, text).state.ok()) {
        ASSERT_TRUE(holds_success(driver, clean_text(text)) || holds_success(driver, text)) << recorded.name;
      }
    }
  }
}

TEST(HostileStreams, SurviveLinesInAnyOrder) {
  std::mt19937 random(4711);
  for (const Recording& recorded : short_recordings()) {
    std::vector<std::string> lines;
    for (const std::string_view line : lines_of(recorded.out)) lines.emplace_back(line);
    for (int round = 0; round < 5; ++round) {
      std::shuffle(lines.begin(), lines.end(), random);
      const StreamAccount account = read_stream(recorded.driver(), join(lines, "\n"));
      if (account.state.ok()) {
        ASSERT_TRUE(holds_success(recorded.driver(), recorded.out)) << recorded.name;
      }
    }
  }
}

TEST(HostileStreams, KeepGoodEventsBetweenNoise) {
  for (const char* name : {"claude-325-fix", "gemini-fix", "codex-fix", "opencode-fix", "qwen-fix"}) {
    const Recording recorded = recording(name);
    const auto parser = recorded.driver().parser();
    for (const std::string_view line : lines_of(recorded.out)) {
      parser->line("Warning: something on stdout");
      parser->line(R"({"type":"from_the_future","value":[1,2,{"a":null}]})");
      parser->line(R"({"type":"assistant"})");
      parser->line(R"({"type":"result_of_something"})");
      parser->line(R"([1,2,3])");
      parser->line(R"({"type":7})");
      parser->line(std::string("{\"type\":\"x\0y\"}", 14));
      parser->line(R"({"half": )");
      parser->line(line);
    }
    EXPECT_TRUE(parser->account().state.ok()) << name << ": " << parser->account().state.text;
    EXPECT_GT(parser->account().unreadable_lines, 10) << name;
  }
}

TEST(HostileStreams, ReadLinesOfMegabytes) {
  const std::string big(6'000'000, 'x');
  const auto parser = gemini_driver().parser();
  parser->line(R"({"type":"init","session_id":"s","model":"m"})");
  parser->line(R"({"type":"message","role":"user","content":")" + big + "\"}");
  parser->line(R"({"type":"message","role":"assistant","content":"{\"a\":1}","delta":true})");
  parser->line(R"({"type":"result","status":"success","stats":{"input_tokens":5}})");
  EXPECT_TRUE(parser->account().state.ok());
  EXPECT_EQ(parser->account().answer, R"({"a":1})");
}

TEST(HostileStreams, TakeTheLastEndNotTheFirst) {
  const std::string good = recording("claude-325-fix").out, bad = recording("claude-325-overloaded").out;
  EXPECT_EQ(read_stream(claude_driver(), good + bad).state.status, AgentStatus::overloaded);
  EXPECT_TRUE(read_stream(claude_driver(), bad + good).state.ok());
  const std::string codex_good = recording("codex-fix").out, codex_bad = recording("codex-rate").out;
  EXPECT_EQ(read_stream(codex_driver(), codex_good + codex_bad).state.status, AgentStatus::rate_limited);
  EXPECT_TRUE(read_stream(codex_driver(), codex_bad + codex_good).state.ok());
  EXPECT_FALSE(read_stream(codex_driver(), codex_good + "{\"type\":\"turn.started\"}\n").state.ok())
      << "a turn that was begun and did not end";
}

TEST(HostileStreams, AreNotFinishedWhileTheAgentSpeaksAgain) {
  const auto parser = claude_driver().parser();
  const std::string good = recording("claude-325-fix").out;
  for (const std::string_view line : lines_of(good)) parser->line(line);
  EXPECT_TRUE(parser->finished());
  parser->line(R"({"type":"system","subtype":"init","session_id":"s"})");
  EXPECT_FALSE(parser->finished());
  EXPECT_FALSE(parser->account().state.ok());
}

TEST(HostileStreams, RememberTroubleThatNeverEnded) {
  const auto parser = claude_driver().parser();
  parser->line(R"({"type":"system","subtype":"init","session_id":"s","model":"m"})");
  parser->line(
      R"({"type":"system","subtype":"api_retry","attempt":3,"error_status":529,"error":"overloaded"})");
  ProcessResult process;
  process.ending = Ending::wall_limit;
  EXPECT_EQ(conclude(parser->account(), process, {}, {}, &claude_driver()).state.status,
            AgentStatus::overloaded);
  parser->line(
      R"({"type":"assistant","message":{"model":"m","content":[{"type":"text","text":"on my way"}]}})");
  EXPECT_EQ(conclude(parser->account(), process, {}, {}, &claude_driver()).state.status,
            AgentStatus::interrupted);
}

TEST(HostileStreams, ReadTheResetTimeOfALimit) {
  const auto parser = claude_driver().parser();
  parser->line(
      R"({"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1794709546,"rateLimitType":"five_hour"}})");
  parser->line(
      R"({"type":"result","subtype":"success","is_error":true,"result":"You've hit your limit · resets 3pm","session_id":"s"})");
  EXPECT_EQ(parser->account().state.status, AgentStatus::quota);
  EXPECT_EQ(parser->account().state.resets_at_ms, 1'794'709'546'000);
}

TEST(HostileStreams, DoNotTrustAResultWithoutItsVerdict) {
  for (const char* line : {R"({"type":"result","subtype":"success","result":"{}"})",
                           R"({"type":"result","is_error":false,"result":"{}"})",
                           R"({"type":"result","subtype":"success","is_error":"false","result":"{}"})"}) {
    const auto parser = claude_driver().parser();
    parser->line(line);
    EXPECT_FALSE(parser->account().state.ok()) << line;
  }
}

TEST(HostileStreams, MakeAcpSurviveAnything) {
  std::mt19937 random(99);
  const std::string talk =
      R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}
{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","modes":{"availableModes":[{"id":"plan"}]}}}
{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"options":[{"optionId":"y","kind":"allow_once"}],"toolCall":{"kind":"edit"}}}
{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"{}"}}}}
{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}
)";
  int successes = 0;
  for (int round = 0; round < 2'000; ++round) {
    AcpStream stream({}, "/w");
    (void)stream.opening();
    std::string text = talk;
    for (int flip = 0; flip < round % 7; ++flip)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    for (const std::string_view line : lines_of(text)) {
      stream.line(line);
      (void)stream.take_outbox();
    }
    if (!stream.account().state.ok()) continue;
    ++successes;
    EXPECT_TRUE(contains(text, "end_turn"));
  }
  EXPECT_GT(successes, 200) << "the untouched rounds succeed";
}

} // namespace emend
