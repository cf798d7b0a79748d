#include "model/agent_family.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(AgentFamily, IsTheMakerOfTheModelBeforeThatOfTheProgram) {
  EXPECT_EQ(family_of("claude", ""), "anthropic");
  EXPECT_EQ(family_of("codex", "gpt-5.5"), "openai");
  EXPECT_EQ(family_of("gemini", "models/gemini-2.5-pro"), "google");
  EXPECT_EQ(family_of("opencode", "anthropic/claude-opus-5-5"), "anthropic");
  EXPECT_EQ(family_of("claude", "qwen3-coder"), "alibaba") << "a gateway behind the program";
  EXPECT_EQ(family_of("opencode", ""), "");
  EXPECT_EQ(family_of("exec", "my-model"), "");
  EXPECT_EQ(family_of("claude", "Opus"), "anthropic");
}

} // namespace emend
