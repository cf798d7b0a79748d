// Every row must be complete: two of its lists keep secrets from children and orders from agents.
#include "model/coding_clis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/glob.hpp"

namespace emend {

TEST(CodingClis, EveryRowSaysWhereItsLoginsAndItsConfigurationAre) {
  std::set<std::string> names;
  for (const CodingCli& cli : coding_clis()) {
    EXPECT_TRUE(names.insert(cli.name).second) << cli.name << " is there twice";
    EXPECT_FALSE(cli.program.empty() || cli.install.empty() || cli.login.empty()) << cli.name;
    EXPECT_FALSE(cli.logins.empty()) << cli.name;
    for (const LoginFile& login : cli.logins)
      EXPECT_FALSE(login.directory.empty() || login.name.empty() || login.target.empty()) << cli.name;
    EXPECT_FALSE(cli.configuration.empty()) << cli.name;
    EXPECT_FALSE(cli.user_settings.empty()) << cli.name;
    for (const std::string& file : cli.instructions)
      EXPECT_TRUE(any_glob_match(cli.configuration, file)) << file << " gives orders and is not protected";
    for (const std::string& entry : cli.environment) EXPECT_THAT(entry, testing::HasSubstr("="));
  }
}

TEST(CodingClis, AreFoundByName) {
  EXPECT_EQ(coding_cli("gemini").family, "google");
  EXPECT_EQ(find_coding_cli("exec"), nullptr);
  EXPECT_THROW((void)coding_cli("exec"), std::logic_error);
  EXPECT_THAT(coding_cli_names(), testing::ElementsAre("claude", "codex", "gemini", "opencode", "qwen"));
}

TEST(CodingClis, ALoginIsWhereItsVariableSays) {
  const LoginFile& login = coding_cli("codex").logins.front();
  EXPECT_EQ(login.path("/home/p", "/srv/codex"), "/srv/codex/auth.json");
  EXPECT_EQ(login.path("/home/p", nullptr), "/home/p/.codex/auth.json");
  EXPECT_EQ(login.path("/home/p", "relative"), "/home/p/.codex/auth.json");
  EXPECT_EQ(login.path("", nullptr), "");
}

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
