#include "adapters/git/git_output.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

using namespace std::string_literals;

const std::string kA(40, 'a'), kB(40, 'b'), kNone(40, '0');

TEST(GitOutput, LsTree) {
  const auto tree = parse_ls_tree("100644 blob " + kA + "      12\tsrc/a\tb\n.c\0"s + "160000 commit " + kB +
                                  "       -\tsub\0"s);
  ASSERT_TRUE(tree.has_value() && tree->has_value());
  EXPECT_EQ((*tree)->at("src/a\tb\n.c").size, 12U);
  EXPECT_EQ((*tree)->at("sub").mode, kModeGitlink);
  const auto missing = parse_ls_tree("100644 blob " + kA + "     BAD\ta\0"s);
  EXPECT_TRUE(missing.has_value() && !missing->has_value());
  EXPECT_TRUE(parse_ls_tree("").has_value());
  for (const std::string& text : {"oops\0"s, "100644 blob short 1\ta\0"s, "100644 blob " + kA + " 1\t\0"s,
                                  "99999999 blob " + kA + " 1\ta\0"s, "\0"s})
    EXPECT_FALSE(parse_ls_tree(text).has_value()) << text;
}

TEST(GitOutput, RawDiff) {
  const auto patch = parse_raw_diff(":100644 100755 " + kA + " " + kB + " M\0z\0"s + ":000000 100644 " +
                                    kNone + " " + kB + " A\0a b\0"s);
  ASSERT_TRUE(patch.has_value());
  ASSERT_EQ(patch->changes.size(), 2U);
  EXPECT_EQ(patch->changes[0].path, "a b");
  EXPECT_TRUE(patch->changes[0].added());
  EXPECT_TRUE(patch->changes[0].old_id.empty());
  EXPECT_TRUE(patch->changes[1].mode_changed());
  for (const std::string& text :
       {"x\0a\0"s, ":100644 100644 " + kA + " " + kB + " M\0"s, ":x 100644 " + kA + " " + kB + " M\0a\0"s,
        ":000000 000000 " + kNone + " " + kNone + " M\0a\0"s})
    EXPECT_FALSE(parse_raw_diff(text).has_value()) << text;
}

TEST(GitOutput, Batch) {
  std::map<std::string, std::string> contents;
  EXPECT_TRUE(parse_batch(kA + " blob 3\na\nb\n" + kB + " blob 0\n\n", {kA, kB}, contents).has_value());
  EXPECT_EQ(contents.at(kA), "a\nb");
  EXPECT_EQ(contents.at(kB), "");
  for (const std::string& text :
       {kA + " missing\n", kA + " blob 4\nabc\n", kA + " blob 18446744073709551615\nabc\n",
        kB + " blob 1\na\n", std::string{}})
    EXPECT_FALSE(parse_batch(text, {kA}, contents).has_value()) << text;
}

} // namespace
} // namespace emend
