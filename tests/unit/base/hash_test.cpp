#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace emend {
namespace {

TEST(Digests, MatchPublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(GitBlobId, IsWhatGitHashObjectPrints) {
  EXPECT_EQ(git_blob_id("", "sha1"), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(git_blob_id("test content\n", "sha1"), "d670460b4b4aece5915caf5c68d12f560a9fe3e4");
  EXPECT_EQ(git_blob_id("", "sha256"), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
  EXPECT_THROW((void)git_blob_id("", "md5"), std::invalid_argument);
}

TEST(Random, HasTheAskedLengthAndDiffers) {
  EXPECT_EQ(random_hex(16).size(), 32u);
  EXPECT_EQ(random_hex(0), "");
  EXPECT_NE(random_hex(16), random_hex(16));
}

TEST(Uuid, IsVersionFour) {
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) {
    const std::string uuid = new_uuid();
    ASSERT_EQ(uuid.size(), 36u);
    for (const std::size_t dash : {8, 13, 18, 23}) EXPECT_EQ(uuid[dash], '-');
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
    EXPECT_EQ(uuid.find_first_not_of("0123456789abcdef-"), std::string::npos);
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(SessionId, IsShortAndStartsWithALetter) {
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    const std::string id = new_session_id();
    ASSERT_EQ(id.size(), 8u);
    EXPECT_TRUE(id[0] >= 'a' && id[0] <= 'z') << id;
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), std::string::npos) << id;
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 500u);
}

} // namespace
} // namespace emend
