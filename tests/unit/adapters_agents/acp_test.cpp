// Our side of the Agent Client Protocol, message by message.
#include <gtest/gtest.h>

#include "adapters/agents/acp_agent.hpp"
#include "adapters/agents/acp_stream.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

DriverRequest order(Permissions permissions = Permissions::full) {
  DriverRequest request;
  request.prompt = "Fix it";
  request.permissions = permissions;
  return request;
}

class Talk {
public:
  explicit Talk(DriverRequest request) : stream(std::move(request), "/w") {
    sent = messages(stream.opening());
  }
  // What we say to this.
  Json hear(const Json& message) {
    stream.line(dump_json(message));
    sent = messages(stream.take_outbox());
    return sent.empty() ? Json() : sent.front();
  }
  Json answer(Json result) {
    return hear({{"jsonrpc", "2.0"}, {"id", last_id()}, {"result", std::move(result)}});
  }
  Json refuse(int code, const char* text) {
    return hear({{"jsonrpc", "2.0"}, {"id", last_id()}, {"error", {{"code", code}, {"message", text}}}});
  }
  void say(const char* text) {
    hear({{"method", "session/update"},
          {"params",
           {{"update",
             {{"sessionUpdate", "agent_message_chunk"}, {"content", {{"type", "text"}, {"text", text}}}}}}}});
  }
  void start() {
    answer({{"protocolVersion", 1}});
    answer({{"sessionId", "s1"}});
  }

  AcpStream stream;
  std::vector<Json> sent;

private:
  std::vector<Json> messages(const std::string& text) {
    std::vector<Json> result;
    for (const std::string_view line : lines_of(text)) {
      result.push_back(parse_json(line).value());
      if (result.back().contains("method")) last_id_ = result.back()["id"];
    }
    return result;
  }
  [[nodiscard]] Json last_id() const { return last_id_; }
  Json last_id_;
};

Json permission(const char* kind) {
  return {{"id", 0},
          {"method", "session/request_permission"},
          {"params",
           {{"options",
             {{{"optionId", "A"}, {"kind", "allow_always"}},
              {{"optionId", "y"}, {"kind", "allow_once"}},
              {{"optionId", "n"}, {"kind", "reject_once"}}}},
            {"toolCall", {{"kind", kind}, {"title", "t"}}}}}};
}

} // namespace

TEST(Acp, GoesFromHelloToTheAnswer) {
  Talk talk(order());
  EXPECT_EQ(talk.sent.front()["method"], "initialize");
  EXPECT_EQ(talk.sent.front()["params"]["clientCapabilities"]["fs"]["writeTextFile"], false);
  const Json session = talk.answer({{"protocolVersion", 1}});
  EXPECT_EQ(session["method"], "session/new");
  EXPECT_EQ(session["params"]["cwd"], "/w");
  const Json prompt = talk.answer({{"sessionId", "s1"}});
  EXPECT_EQ(prompt["method"], "session/prompt");
  EXPECT_EQ(prompt["params"]["prompt"][0]["text"], "Fix it");
  talk.say("Reading.");
  talk.hear(
      {{"method", "session/update"},
       {"params", {{"update", {{"sessionUpdate", "tool_call"}, {"title", "calc.py"}, {"kind", "read"}}}}}});
  talk.say("{\"a\"");
  talk.say(":1}");
  EXPECT_FALSE(talk.stream.finished());
  talk.answer({{"stopReason", "end_turn"},
               {"_meta",
                {{"quota",
                  {{"token_count", {{"input_tokens", 10}, {"output_tokens", 2}}},
                   {"model_usage", {{{"model", "gemini-2.5-flash"}}}}}}}}});
  const StreamAccount account = talk.stream.account();
  EXPECT_TRUE(talk.stream.finished());
  EXPECT_TRUE(account.state.ok());
  EXPECT_EQ(account.answer, "{\"a\":1}");
  EXPECT_EQ(account.conversation_id, "s1");
  EXPECT_EQ(account.model, "gemini-2.5-flash");
  EXPECT_EQ(account.usage.input_tokens, 10);
}

TEST(Acp, AnswersPermissionsByPolicy) {
  const struct {
    Permissions permissions;
    const char* kind;
    const char* option;
  } rows[] = {{Permissions::full, "execute", "y"}, {Permissions::full, "edit", "y"},
              {Permissions::edit, "edit", "y"},    {Permissions::edit, "execute", "n"},
              {Permissions::edit, "other", "n"},   {Permissions::read, "read", "y"},
              {Permissions::read, "edit", "n"},    {Permissions::read, "execute", "n"},
              {Permissions::read, "fetch", "n"}};
  for (const auto& row : rows) {
    Talk talk(order(row.permissions));
    talk.start();
    const Json reply = talk.hear(permission(row.kind));
    EXPECT_EQ(reply["id"], 0);
    EXPECT_EQ(reply["result"]["outcome"]["optionId"], row.option) << row.kind;
  }
  Talk talk(order(Permissions::read));
  talk.start();
  Json only_yes = permission("edit");
  only_yes["params"]["options"].erase(2);
  EXPECT_EQ(talk.hear(only_yes)["result"]["outcome"]["outcome"], "cancelled");
}

TEST(Acp, RefusesFilesAndTerminals) {
  Talk talk(order());
  talk.start();
  for (const char* method : {"fs/read_text_file", "fs/write_text_file", "terminal/create", "anything/else"}) {
    const Json reply = talk.hear({{"id", 7}, {"method", method}, {"params", {{"path", "/etc/passwd"}}}});
    EXPECT_EQ(reply["error"]["code"], -32601) << method;
    EXPECT_EQ(reply["id"], 7);
  }
}

TEST(Acp, AsksOnceMoreForTheJsonObject) {
  Talk talk(order());
  talk.start();
  talk.say("All done!");
  const Json nudge = talk.answer({{"stopReason", "end_turn"}});
  EXPECT_EQ(nudge["method"], "session/prompt");
  talk.say("{\"ok\":true}");
  talk.answer({{"stopReason", "end_turn"}});
  EXPECT_TRUE(talk.stream.finished());
  EXPECT_TRUE(talk.stream.nudged());
  EXPECT_EQ(talk.stream.account().answer, "{\"ok\":true}");
  Talk deaf(order());
  deaf.start();
  deaf.say("no");
  deaf.answer({{"stopReason", "end_turn"}});
  deaf.say("still no");
  EXPECT_TRUE(deaf.answer({{"stopReason", "end_turn"}}).is_null()) << "once, not for ever";
}

TEST(Acp, LooksForAReadingModeAndAModel) {
  DriverRequest request = order(Permissions::read);
  request.model = "m1";
  Talk talk(request);
  talk.answer({{"protocolVersion", 1}});
  const Json mode = talk.answer(
      {{"sessionId", "s"}, {"modes", {{"availableModes", {{{"id", "yolo"}}, {{"id", "plan"}}}}}}});
  EXPECT_EQ(mode["params"]["modeId"], "plan");
  EXPECT_EQ(talk.answer(Json::object())["method"], "session/set_model");
  EXPECT_EQ(talk.refuse(-32601, "no such method")["method"], "session/prompt") << "its own model will do";
}

TEST(Acp, GoesOnWithAConversation) {
  DriverRequest request = order();
  request.resume = "old";
  Talk talk(request);
  const Json load = talk.answer({{"agentCapabilities", {{"loadSession", true}}}});
  EXPECT_EQ(load["method"], "session/load");
  EXPECT_EQ(load["params"]["sessionId"], "old");
  talk.say("an old answer, told again");
  EXPECT_EQ(talk.answer(nullptr)["method"], "session/prompt");
  EXPECT_EQ(talk.stream.account().answer, "");
  Talk without(request);
  EXPECT_TRUE(without.answer(Json::object()).is_null());
  EXPECT_EQ(without.stream.account().state.status, AgentStatus::conversation_lost);
}

TEST(Acp, TellsErrorsApart) {
  Talk limited(order());
  limited.start();
  limited.refuse(429, "Rate limit");
  EXPECT_EQ(limited.stream.account().state.status, AgentStatus::rate_limited);
  Talk login(order());
  login.refuse(-32000, "Authentication required");
  EXPECT_EQ(login.stream.account().state.status, AgentStatus::not_logged_in);
  for (const auto& [reason, status] :
       std::map<std::string, AgentStatus>{{"refusal", AgentStatus::refused},
                                          {"cancelled", AgentStatus::interrupted},
                                          {"max_turn_requests", AgentStatus::turn_limit},
                                          {"odd", AgentStatus::api_error}}) {
    Talk talk(order());
    talk.start();
    talk.say("{}");
    talk.answer({{"stopReason", reason}});
    EXPECT_EQ(talk.stream.account().state.status, status) << reason;
  }
}

TEST(Acp, DoesNotMistakeTheAgentsNumbersForItsOwn) {
  Talk talk(order());
  talk.start();
  talk.hear({{"jsonrpc", "2.0"},
             {"id", 1},
             {"result", {{"stopReason", "end_turn"}}}}); // an answer to a question long answered
  EXPECT_FALSE(talk.stream.finished());
}

TEST(Acp, KnowsTheProgramBehindACommand) {
  EXPECT_EQ(driver_behind({"/usr/bin/gemini", "--acp"}), &gemini_driver());
  EXPECT_EQ(driver_behind({"/x/claude-agent-acp"}), &claude_driver());
  EXPECT_EQ(driver_behind({"node", "/x/codex-acp.js"}), &codex_driver());
  EXPECT_EQ(driver_behind({"goose", "acp"}), nullptr);
}

} // namespace emend
