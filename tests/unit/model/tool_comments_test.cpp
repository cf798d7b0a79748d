#include "model/tool_comments.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(ToolComments, SilenceRulesOfTheSameMeaning) {
  EXPECT_TRUE(silenced_by_tool("emend/secret", "key = 'x'  # noqa: S105", ""));
  EXPECT_TRUE(silenced_by_tool("emend/secret", "key = 'x'  # nosec", ""));
  EXPECT_TRUE(silenced_by_tool("emend/secret", "key = 'x'  # noqa", "")) << "it names no rule: all of them";
  EXPECT_FALSE(silenced_by_tool("emend/secret", "key = 'x'  # noqa: E501", ""));
  EXPECT_TRUE(
      silenced_by_tool("emend/debug-leftover", "console.log(1);", "// eslint-disable-next-line no-console"));
  EXPECT_TRUE(silenced_by_tool("emend/debug-leftover", "console.log(1);",
                               "// biome-ignore lint/suspicious/noConsole: on purpose"));
  EXPECT_FALSE(
      silenced_by_tool("emend/debug-leftover", "console.log(1);", "// eslint-disable-next-line semi"));
  EXPECT_TRUE(silenced_by_tool("emend/unsafe-c-string",
                               "strcpy(a, b); // NOLINT(clang-analyzer-security.insecureAPI.strcpy)", ""));
  EXPECT_TRUE(silenced_by_tool("emend/unsafe-c-string", "strcpy(a, b);", "/* NOLINTNEXTLINE */"));
}

TEST(ToolComments, SpeakOfTheirOwnLine) {
  EXPECT_FALSE(silenced_by_tool("emend/secret", "key = 'x'", "a = 1  # noqa"));
  EXPECT_FALSE(silenced_by_tool("emend/unsafe-c-string", "// NOLINTNEXTLINE", ""));
  EXPECT_FALSE(silenced_by_tool("emend/debug-leftover", "console.log(1) // eslint-disable-linear", ""));
}

} // namespace
} // namespace emend
