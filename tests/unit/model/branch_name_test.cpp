#include "model/branch_name.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(BranchName, WhatGitAndPeopleCanRead) {
  for (const char* name : {"fix/jb5d2893", "main", "a", "fix/gr\u00F6\u00DFe", "feature/x_1.2+y", "user@work",
                           "a-b/c-d", "head/x"})
    EXPECT_EQ(branch_name_problem(name), "") << name;
}

TEST(BranchName, WhatTheyCannot) {
  for (const char* name : {"",
                           "HEAD",
                           "head",
                           "FETCH_HEAD",
                           "@",
                           "-f",
                           "a/-b",
                           "/a",
                           "a/",
                           "a//b",
                           ".a",
                           "a/.b",
                           "a.",
                           "a.lock",
                           "a.lock/b",
                           "a..b",
                           "a@{1}",
                           "a b",
                           "a~1",
                           "a^",
                           "a:b",
                           "a?",
                           "a*",
                           "a[b",
                           "a\\b",
                           "a\tb",
                           "a\nb",
                           "a\x1b",
                           "a\x7f",
                           "a\u202Eb",
                           "a\u200Bb",
                           "a\xFF",
                           "$(id)",
                           "a;b",
                           "a`b",
                           "a'b",
                           "{x}",
                           "refs/heads/a",
                           "heads/a",
                           "tags/a",
                           "remotes/origin/a",
                           "0123456789012345678901234567890123456789"})
    EXPECT_NE(branch_name_problem(name), "") << name;
  EXPECT_NE(branch_name_problem(std::string(300, 'x')), "");
}

} // namespace
} // namespace emend
