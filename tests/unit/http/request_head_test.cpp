#include "http/request_head.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

std::string with_host(const std::string& line, const std::string& headers = "") {
  return line + "\r\nHost: localhost:1\r\n" + headers + "\r\n";
}

int refusal(const std::string& head, const HeadLimits& limits = {}) {
  const auto parsed = parse_head(head, limits);
  const auto* refused = std::get_if<HeadRefusal>(&parsed);
  return refused == nullptr ? 0 : refused->status;
}

HttpRequest accepted(const std::string& head) {
  auto parsed = parse_head(head, {});
  EXPECT_TRUE(std::holds_alternative<HttpRequest>(parsed)) << head;
  return std::holds_alternative<HttpRequest>(parsed) ? std::get<HttpRequest>(parsed) : HttpRequest{};
}

TEST(RequestHeadTest, ReadsAnOrdinaryRequest) {
  const HttpRequest request = accepted(with_host("GET /api/issues/BE-001?status=open&q=a%20b+c HTTP/1.1",
                                                 "Accept:application/json\r\nX-Odd: \t two  words \t\r\n"));
  EXPECT_EQ(request.method, "GET");
  EXPECT_THAT(request.path, testing::ElementsAre("api", "issues", "BE-001"));
  EXPECT_EQ(request.query_value("q"), "a b c");
  EXPECT_EQ(request.query_value("status"), "open");
  EXPECT_EQ(request.header("accept"), "application/json");
  EXPECT_EQ(request.header("x-odd"), "two  words");
  EXPECT_TRUE(request.keep_alive);
  EXPECT_EQ(request.path_text(), "/api/issues/BE-001");
}

TEST(RequestHeadTest, ReadsLengthAndConnection) {
  const HttpRequest request =
      accepted(with_host("POST / HTTP/1.1", "Content-Length: 12\r\nConnection: Close\r\n"));
  EXPECT_EQ(request.content_length, 12u);
  EXPECT_FALSE(request.keep_alive);
  EXPECT_TRUE(request.path.empty());
  EXPECT_FALSE(accepted("GET / HTTP/1.0\r\nHost: a\r\n\r\n").keep_alive);
}

TEST(RequestHeadTest, EndsAtTheEmptyLineOrAtTheFirstBareLineFeed) {
  EXPECT_EQ(head_end("GET / HTTP/1.1\r\nHost: a\r\n"), 0u);
  EXPECT_EQ(head_end("GET / HTTP/1.1\r\nHost: a\r\n\r\nrest"), 27u);
  EXPECT_EQ(head_end("GET / HTTP/1.1\nHost: a"), 15u);
  EXPECT_EQ(head_end("\r\nGET"), 2u);
}

// Each of these means two things to two programs, or nothing to any.
TEST(RequestHeadTest, RefusesWhatCouldBeReadInTwoWays) {
  const std::vector<std::string> heads = {
      "\r\n\r\n",
      "GET / HTTP/1.1\nHost: a\n\n",
      "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / x HTTP/1.1\r\nHost: a\r\n\r\n",
      " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /\r\nHost: a\r\n\r\n",
      "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      with_host("GET / HTTP/1.1", "X: a\r\n b\r\n"),
      with_host("GET / HTTP/1.1", "X: a\r\n\tb\r\n"),
      with_host("GET / HTTP/1.1", "X : a\r\n"),
      with_host("GET / HTTP/1.1", ": a\r\n"),
      with_host("GET / HTTP/1.1", "X\r\n"),
      with_host("GET / HTTP/1.1", "X\x01: a\r\n"),
      with_host("GET / HTTP/1.1", std::string("X: a\0b\r\n", 8)),
      with_host("GET / HTTP/1.1", "X: a\x7f\r\n"),
      with_host("GET / HTTP/1.1", "X: \xc3\xa4\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 3\r\nContent-Length: 3\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 3\r\nContent-Length: 4\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 3, 3\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: -3\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: +3\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 0x3\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 3 \r\nContent-length: 9\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length:\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 99999999999999999999\r\n"),
      with_host("POST / HTTP/1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"),
      with_host("GET / HTTP/1.1", "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
      with_host("GET / HTTP/1.1", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"),
  };
  for (const std::string& head : heads) EXPECT_EQ(refusal(head), 400) << head;
}

TEST(RequestHeadTest, TakesChunkedBodiesAndOneExpectation) {
  const HttpRequest chunked =
      accepted(with_host("POST / HTTP/1.1", "Transfer-Encoding: Chunked\r\nExpect: 100-Continue\r\n"));
  EXPECT_TRUE(chunked.chunked);
  EXPECT_TRUE(chunked.has_body());
  EXPECT_TRUE(chunked.expects_continue);
  EXPECT_FALSE(accepted(with_host("POST / HTTP/1.1", "Content-Length: 0\r\n")).has_body());
  EXPECT_FALSE(accepted("POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")
                   .expects_continue); // RFC 9110, 10.1.1
}

TEST(RequestHeadTest, RefusesOtherVersionsCodingsAndExpectations) {
  EXPECT_EQ(refusal("PRI * HTTP/2.0\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(refusal("GET / HTTP/1.2\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(refusal("GET / http/1.1\r\nHost: a\r\n\r\n"), 505);
  for (const char* coding : {"xchunked", "chunked, chunked", "gzip, chunked", "chunked, gzip", "identity",
                             "chunked;q=1", "\"chunked\"", ""})
    EXPECT_EQ(refusal(with_host("POST / HTTP/1.1", std::string("Transfer-Encoding: ") + coding + "\r\n")),
              501)
        << coding;
  EXPECT_EQ(refusal("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(
      refusal(with_host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")),
      400);
  EXPECT_EQ(refusal(with_host("POST / HTTP/1.1", "Expect: 200-ok\r\nContent-Length: 5\r\n")), 417);
  EXPECT_EQ(refusal(with_host("POST / HTTP/1.1", "Expect: 100-continue\r\nExpect: 100-continue\r\n")), 400);
}

TEST(RequestHeadTest, HasLimits) {
  EXPECT_EQ(refusal(with_host("GET /" + std::string(9'000, 'a') + " HTTP/1.1")), 414);
  EXPECT_EQ(refusal(with_host("GET / HTTP/1.1", "X: " + std::string(9'000, 'a') + "\r\n")), 431);
  std::string many;
  for (int i = 0; i < 64; ++i) many += "X: a\r\n";
  EXPECT_EQ(refusal(with_host("GET / HTTP/1.1", many)), 431);
  EXPECT_EQ(refusal(with_host("GET / HTTP/1.1", many.substr(6))), 0);
  HeadLimits small;
  small.head_bytes = 40;
  EXPECT_EQ(refusal(with_host("GET /aaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1"), small), 431);
}

TEST(RequestHeadTest, RefusesTargetsThatAreNotAPlainPath) {
  for (const char* target : {"http://localhost:1/",
                             "*",
                             "localhost:1",
                             "//a",
                             "/a//b",
                             "/a/../b",
                             "/a/./b",
                             "/..",
                             "/%2e%2e/b",
                             "/a%2fb",
                             "/a%2Fb",
                             "/a%5cb",
                             "/a\\b",
                             "/a%00b",
                             "/a%0d%0ab",
                             "/a%",
                             "/a%4",
                             "/a%zz",
                             "/%c0%af",
                             "/%ff",
                             "/a#b",
                             "/a?x=%",
                             "/a?x=%00",
                             "/a\x01",
                             "/a?\x7f"})
    EXPECT_EQ(refusal(with_host(std::string("GET ") + target + " HTTP/1.1")), 400) << target;
  EXPECT_THAT(accepted(with_host("GET /a/ HTTP/1.1")).path, testing::ElementsAre("a"));
  EXPECT_THAT(accepted(with_host("GET /%C3%A4%20b HTTP/1.1")).path, testing::ElementsAre("\xc3\xa4 b"));
  EXPECT_TRUE(accepted(with_host("GET /?&a&b=&c=1&c=2 HTTP/1.1")).query_value("a").has_value());
}

} // namespace
} // namespace emend
