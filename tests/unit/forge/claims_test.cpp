#include "engine/forge/claims.hpp"

#include <gtest/gtest.h>

#include "engine/forge/pr_command.hpp"

namespace emend {

TEST(ClaimsTest, ACheckIsKnownWithAndWithoutTheCommitThatWasNamed) {
  EXPECT_TRUE(is_check_of("check BE-001", "BE-001"));
  EXPECT_TRUE(is_check_of("check BE-001 @0123456789ab", "BE-001"));
  EXPECT_FALSE(is_check_of("check BE-0011", "BE-001"));
  EXPECT_FALSE(is_check_of("check BE-0011 @0123456789ab", "BE-001"));
  EXPECT_FALSE(is_check_of("check", "BE-001"));
  EXPECT_FALSE(is_check_of("fix BE-001 @0123456789ab", "BE-001"));
}

TEST(ClaimsTest, ItIsNotedAsItIsRead) {
  const auto read = read_comment("/emend check BE-001 @" + std::string(40, 'a'));
  ASSERT_TRUE(read.command);
  EXPECT_TRUE(is_check_of(to_string(*read.command), "BE-001"));
}

} // namespace emend
