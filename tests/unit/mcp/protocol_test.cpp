#include "mcp/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend::mcp {

TEST(McpProtocol, TellsTheErasApartByTheMessage) {
  const Read old = read_message(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  ASSERT_TRUE(old.request);
  EXPECT_EQ(old.request->era, Era::handshake);
  const Read stateless = read_message(
      R"({"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  ASSERT_TRUE(stateless.request);
  EXPECT_EQ(stateless.request->era, Era::stateless);
  const Json reply = result_reply(*stateless.request, {"1.0", ""}, Json::object(), Kept::lists);
  EXPECT_EQ(reply["result"]["resultType"], "complete");
  EXPECT_EQ(reply["result"]["ttlMs"], 0);
  EXPECT_EQ(result_reply(*old.request, {"1.0", ""}, Json::object(), Kept::lists)["result"], Json::object());
}

TEST(McpProtocol, AnswersOfTheClientAndNotificationsGetNoReply) {
  const Read answer = read_message(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_FALSE(answer.request);
  EXPECT_FALSE(answer.reply);
  const Read note = read_message(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  ASSERT_TRUE(note.request);
  EXPECT_TRUE(note.request->is_notification());
}

TEST(McpProtocol, SaysWhatIsWrongWithArguments) {
  const Tool tool{"show",
                  "Show",
                  "",
                  {{"id", {{"type", "string"}}},
                   {"page", {{"type", "integer"}}},
                   {"part", {{"type", "string"}, {"enum", {"a", "b"}}}}},
                  {"id"}};
  EXPECT_EQ(argument_problem(tool, {{"id", "BE-001"}, {"page", 2}, {"part", "a"}}), "");
  EXPECT_EQ(argument_problem(tool, Json::object()), "id is missing");
  EXPECT_EQ(argument_problem(tool, {{"id", 3}}), "id must be of type string");
  EXPECT_EQ(argument_problem(tool, {{"id", "x"}, {"page", 1.5}}), "page must be of type integer");
  EXPECT_EQ(argument_problem(tool, {{"id", "x"}, {"part", "c"}}), "part must be one of [\"a\",\"b\"]");
  EXPECT_EQ(argument_problem(tool, {{"id", "x"}, {"home", "y"}}), "there is no argument home");
  EXPECT_EQ(argument_problem(tool, Json::array()), "arguments must be an object");
}

TEST(McpProtocol, ResultsAreShortCleanText) {
  const Json result = text_result(std::string(20'000, 'x') + "\x1b[31m", false);
  const std::string text = result["content"][0]["text"];
  EXPECT_LE(text.size(), 8'100U);
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_FALSE(result.contains("structuredContent"));
}

} // namespace emend::mcp
