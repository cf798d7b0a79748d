#include "base/tool_root.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(ToolRoot, IsTheInstallationOfAProgram) {
  EXPECT_EQ(tool_root("/home/u/.cargo/bin/cargo", "/home/u"), "/home/u/.cargo");
  EXPECT_EQ(tool_root("/home/u/.pyenv/shims/python", "/home/u"), "/home/u/.pyenv");
  EXPECT_EQ(tool_root("/home/u/.nvm/versions/node/v20/bin/node", "/home/u"),
            "/home/u/.nvm/versions/node/v20");
  EXPECT_EQ(tool_root("/home/u/.local/share/claude/versions/1.2", "/home/u"),
            "/home/u/.local/share/claude/versions");
}

TEST(ToolRoot, IsNeverTheHomeOrWhatAllProgramsShare) {
  EXPECT_EQ(tool_root("/home/u/bin/tool", "/home/u"), "/home/u/bin");
  EXPECT_EQ(tool_root("/home/u/.local/bin/tool", "/home/u"), "/home/u/.local/bin");
  EXPECT_EQ(tool_root("/home/u/tool", "/home/u"), "/home/u/tool");
  EXPECT_EQ(tool_root("/home/u/.config/tool", "/home/u"), "/home/u/.config/tool");
}

TEST(ToolRoot, IsNothingOutsideOfTheHome) {
  EXPECT_EQ(tool_root("/usr/bin/tool", "/home/u"), "");
  EXPECT_EQ(tool_root("/home/user/bin/tool", "/home/u"), "");
}

} // namespace
} // namespace emend
