#include "service/sign_in.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(GroupRoleTest, IsReadFromTheRight) {
  const auto row = parse_group_role("cn=ops,dc=org=run@app");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->group, "cn=ops,dc=org");
  EXPECT_EQ(row->role, Role::run);
  EXPECT_EQ(row->repository, "app");
  EXPECT_EQ(parse_group_role("ops=administer")->repository, "");
  for (const char* wrong : {"ops", "=run", "ops=king", "ops=run@", "ops="})
    EXPECT_FALSE(parse_group_role(wrong)) << wrong;
}

} // namespace
} // namespace emend
