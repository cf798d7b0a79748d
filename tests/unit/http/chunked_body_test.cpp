#include "http/chunked_body.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

struct Read {
  std::string body, rest;
  int refused = 0; // status
  bool done = false;
};

// What came in pieces of `step` bytes, as a socket gives it.
Read read(const std::string& bytes, std::size_t step, std::uint64_t most = 1'000) {
  ChunkLimits limits;
  limits.body_bytes = most;
  ChunkedBody chunks(limits);
  Read result;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    result.rest += bytes.substr(at, step);
    result.rest.erase(0, chunks.feed(result.rest, result.body));
  }
  result.refused = chunks.refusal() ? chunks.refusal()->status : 0;
  result.done = chunks.done();
  return result;
}

TEST(ChunkedBodyTest, ReadsChunksWhereverTheyAreCut) {
  const std::string bytes =
      "5\r\nhello\r\n00A;name=\"a;b\"\r\n, world\r\n!\r\n1\r\n?\r\n0;last\r\nX-Sum: 1\r\nTransfer-Encoding: "
      "gzip\r\n\r\nGET /next";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Read all = read(bytes, step);
    EXPECT_TRUE(all.done) << step;
    EXPECT_EQ(all.body, "hello, world\r\n!?") << step;
    EXPECT_EQ(all.rest, "GET /next") << step;
  }
  EXPECT_TRUE(read("0\r\n\r\n", 1).done);
  EXPECT_FALSE(read("0\r\n", 1).done);
  EXPECT_FALSE(read("5\r\nhell", 1).done);
}

TEST(ChunkedBodyTest, RefusesWhatCouldBeReadInTwoWays) {
  for (const std::string bytes : {"0\n\n",
                                  "5\nhello\r\n",
                                  "5 \r\nhello\r\n",
                                  " 5\r\nhello\r\n",
                                  "0x5\r\nhello\r\n",
                                  "-5\r\n",
                                  "+5\r\nhello\r\n",
                                  "g\r\n",
                                  "\r\n",
                                  ";a\r\n",
                                  "5;a\rb\r\nhello\r\n",
                                  "5;\x01\r\nhello\r\n",
                                  "5;\xc3\xa4\r\nhello\r\n",
                                  "4\r\nhello\r\n",
                                  "6\r\nhello\r\n0\r\n\r\n",
                                  "5\r\nhello\n0\r\n\r\n",
                                  "00000000000000005\r\nhello\r\n",
                                  "0\r\n X: a\r\n\r\n",
                                  "0\r\nX : a\r\n\r\n",
                                  "0\r\nnonsense\r\n\r\n",
                                  "0\r\nX: a\n\r\n",
                                  "0\r\n: a\r\n\r\n"}) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, bytes.size()})
      EXPECT_EQ(read(bytes, step).refused, 400) << bytes << " by " << step;
  }
}

TEST(ChunkedBodyTest, HasLimits) {
  EXPECT_EQ(read("5\r\nhello\r\n0\r\n\r\n", 4, 5).refused, 0);
  EXPECT_EQ(read("6\r\nhello!\r\n0\r\n\r\n", 4, 5).refused, 413);
  EXPECT_EQ(read("3\r\nhel\r\n3\r\nlo!\r\n0\r\n\r\n", 4, 5).refused, 413);
  EXPECT_EQ(read("ffffffffffffffff\r\n", 4, 5).refused, 413);
  EXPECT_EQ(read("5;" + std::string(600, 'a'), 4).refused, 400) << "without waiting for its end";
  std::string tiny;
  for (int i = 0; i < 100; ++i) tiny += "1;" + std::string(300, 'a') + "\r\nx\r\n";
  EXPECT_EQ(read(tiny, 64).refused, 400);
  EXPECT_EQ(read("0\r\nX: " + std::string(9'000, 'a'), 64).refused, 400);
  std::string trailers = "0\r\n";
  for (int i = 0; i < 3'000; ++i) trailers += "X: a\r\n";
  EXPECT_EQ(read(trailers, 64).refused, 431);
}

TEST(ChunkedBodyTest, TakesNothingAfterARefusal) {
  ChunkedBody chunks(ChunkLimits{10});
  std::string body;
  EXPECT_EQ(chunks.feed("zz\r\n", body), 4u);
  EXPECT_EQ(chunks.feed("5\r\nhello\r\n", body), 0u);
  EXPECT_EQ(body, "");
}

} // namespace
} // namespace emend
