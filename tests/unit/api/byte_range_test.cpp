#include "api/byte_range.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

using Kind = ByteRange::Kind;

void expect_part(std::string_view header, std::uint64_t size, std::uint64_t first, std::uint64_t count) {
  const ByteRange range = byte_range(header, size);
  EXPECT_EQ(range.kind, Kind::part) << header;
  EXPECT_EQ(range.first, first) << header;
  EXPECT_EQ(range.count, count) << header;
}

TEST(ByteRangeTest, ReadsFromToAndTheLastOnes) {
  expect_part("bytes=0-0", 10, 0, 1);
  expect_part("bytes=0-499", 10, 0, 10);
  expect_part("bytes=3-5", 10, 3, 3);
  expect_part("bytes=9-", 10, 9, 1);
  expect_part("bytes=-4", 10, 6, 4);
  expect_part("bytes=-40", 10, 0, 10);
  expect_part("Bytes=1-", 10, 1, 9);
  expect_part("bytes=0-18446744073709551615", 10, 0, 10);
}

TEST(ByteRangeTest, WhatIsNoSingleRangeOfBytesCountsAsNone) {
  for (const char* header :
       {"bytes", "bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=+1-2",
        "bytes=1-2x", "bytes=0x1-2", "bytes=99999999999999999999-", "bytes=1--2", ""}) {
    const ByteRange range = byte_range(header, 10);
    EXPECT_EQ(range.kind, Kind::whole) << header;
    EXPECT_EQ(range.count, 10u) << header;
  }
  EXPECT_EQ(byte_range(std::nullopt, 10).kind, Kind::whole);
}

TEST(ByteRangeTest, WhatBeginsBehindTheEndCannotBeHad) {
  for (const char* header : {"bytes=10-", "bytes=10-12", "bytes=99-", "bytes=-0"})
    EXPECT_EQ(byte_range(header, 10).kind, Kind::unsatisfiable) << header;
  for (const char* header : {"bytes=0-", "bytes=-1"})
    EXPECT_EQ(byte_range(header, 0).kind, Kind::unsatisfiable) << header;
}

} // namespace
} // namespace emend
