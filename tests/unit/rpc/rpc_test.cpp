#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rpc/framing.hpp"
#include "rpc/message.hpp"

namespace emend::rpc {
namespace {

template <typename Framing>
std::vector<std::string> frames_of(const std::vector<std::string>& pieces) {
  Framing framing;
  std::vector<std::string> found;
  for (const std::string& piece : pieces) {
    framing.feed(piece);
    while (const auto frame = framing.next())
      found.push_back(frame->problem.empty() ? frame->text : "problem: " + frame->problem);
  }
  return found;
}

using testing::ElementsAre;
using testing::StartsWith;

TEST(Framing, ReadsLinesHoweverTheyAreCut) {
  EXPECT_THAT(frames_of<LineFraming>({"{\"a\":1}\n\n{", "}\nrest"}), ElementsAre("{\"a\":1}", "{}"));
  EXPECT_THAT(frames_of<LineFraming>({"a", "\r\n"}), ElementsAre("a\r"));
}

TEST(Framing, SkipsALineThatIsTooLongAndGoesOn) {
  const std::string longest(kLongestMessage + 1, 'x');
  EXPECT_THAT(frames_of<LineFraming>({longest, longest, "\nnext\n"}),
              ElementsAre(StartsWith("problem: a message is longer"), "next"));
}

TEST(Framing, ReadsMessagesWithHeadersHoweverTheyAreCut) {
  const std::string two = with_header("{}") + "content-length: 3\r\nContent-Type: x\r\n\r\n[1]";
  EXPECT_THAT(frames_of<HeaderFraming>({two}), ElementsAre("{}", "[1]"));
  std::vector<std::string> bytes;
  for (const char c : two) bytes.emplace_back(1, c);
  EXPECT_THAT(frames_of<HeaderFraming>(bytes), ElementsAre("{}", "[1]"));
}

TEST(Framing, ReportsBadHeadersAndGoesOn) {
  const std::string good = with_header("{}");
  for (const char* bad : {"nonsense\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 2x\r\n\r\n",
                          "Content-Length: 99999999999999999999\r\n\r\n"})
    EXPECT_THAT(frames_of<HeaderFraming>({bad + good}), ElementsAre(StartsWith("problem: "), "{}")) << bad;
  EXPECT_THAT(frames_of<HeaderFraming>({std::string(20'000, 'x'), "\r\n\r\n" + good}),
              testing::Contains("{}"));
}

TEST(Framing, SkipsABodyThatIsTooLong) {
  const std::size_t size = kLongestMessage + 1;
  EXPECT_THAT(frames_of<HeaderFraming>({"Content-Length: " + std::to_string(size) + "\r\n\r\n",
                                        std::string(size, 'x') + with_header("{}")}),
              ElementsAre(StartsWith("problem: a message is longer"), "{}"));
}

TEST(Messages, TellRequestsNotificationsAndAnswersApart) {
  const auto request = read_message(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})");
  ASSERT_TRUE(request.message);
  EXPECT_EQ(request.message->params["x"], 1);
  EXPECT_FALSE(request.message->is_notification());
  EXPECT_TRUE(read_message(R"({"jsonrpc":"2.0","method":"m","params":null})").message->is_notification());
  const auto answer = read_message(R"({"jsonrpc":"2.0","id":3,"error":{"code":1}})");
  ASSERT_TRUE(answer.message);
  EXPECT_TRUE(answer.message->is_answer());
  EXPECT_EQ(answer.message->error["code"], 1);
}

TEST(Messages, RefuseWhatIsNoMessageWithItsId) {
  const auto code = [](const char* text) {
    const Read read = read_message(text);
    return read.reply ? (*read.reply)["error"]["code"].get<int>() : 0;
  };
  EXPECT_EQ(code("{"), kParseError);
  EXPECT_EQ(code("[]"), kInvalidRequest);
  EXPECT_EQ(code(R"({"id":1})"), kInvalidRequest);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":""})"), kInvalidRequest);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})"), kInvalidRequest);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})"), kInvalidParams);
  EXPECT_EQ((*read_message(R"({"jsonrpc":"2.0","id":7,"method":"m","params":3})").reply)["id"], 7);
}

} // namespace
} // namespace emend::rpc
