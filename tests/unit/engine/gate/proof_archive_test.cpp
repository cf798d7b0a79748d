#include "engine/gate/proof_archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

std::vector<ProofPart> sample() {
  return {{"manifest.json", "{}\n"},
          {"empty", ""},
          {"block", std::string(512, 'x')},
          {"odd", std::string("a\0b\xff", 4)}};
}

TEST(ProofArchive, GivesBackWhatWasPutIn) {
  const auto parts = read_archive(write_archive(sample()));
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*parts)[i].name, sample()[i].name);
    EXPECT_EQ((*parts)[i].bytes, sample()[i].bytes);
  }
  EXPECT_EQ(write_archive(*parts), write_archive(sample()));
  EXPECT_TRUE(read_archive(write_archive({})));
}

TEST(ProofArchive, NoByteOutsideOfThePartsMayBeAnother) {
  const std::string good = write_archive(sample());
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    const auto parts = read_archive(bad);
    if (!parts) continue;
    bool changed = false; // then it is in a part's own bytes
    for (std::size_t i = 0; i < parts->size() && i < 4; ++i)
      changed = changed || (*parts)[i].bytes != sample()[i].bytes;
    EXPECT_TRUE(changed) << at;
  }
}

TEST(ProofArchive, BrokenOnesAreRefusedWithAPlace) {
  const std::string good = write_archive(sample());
  for (std::size_t size = 0; size < good.size(); size += 97)
    EXPECT_FALSE(read_archive(good.substr(0, size))) << size;
  EXPECT_FALSE(read_archive(good + "x"));
  EXPECT_FALSE(read_archive("no archive at all"));
  std::string huge = good;
  huge.replace(124, 11, "77777777777");
  const auto parts = read_archive(huge);
  ASSERT_FALSE(parts);
  EXPECT_THAT(parts.error().message, testing::HasSubstr("at its beginning"));
}

} // namespace
} // namespace emend
