#include "base/redacted_cut.hpp"

#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

const std::string kSecret = "ghp_" + std::string(36, 'Q');

TEST(RedactedCut, HalfASecretIsNotLeft) {
  for (std::size_t room = 10; room < 50; ++room) { // less than either text
    EXPECT_FALSE(contains(redacted_first_line("leaks " + kSecret + " here", room), "QQ")) << room;
    EXPECT_FALSE(contains(
        redacted_trim_middle(std::string(20, 'x') + " " + kSecret + " " + std::string(20, 'y'), room), "QQ"))
        << room;
  }
}

TEST(RedactedCut, WhatIsNotCutIsLeftToTheEntrance) {
  EXPECT_EQ(redacted_first_line("short", 100), "short");
  EXPECT_EQ(redacted_trim_middle("short", 100), "short");
  EXPECT_EQ(redacted_first_line("first\nsecond", 100), "first");
}

} // namespace
} // namespace emend
