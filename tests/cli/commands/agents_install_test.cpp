// Coding CLIs learn that emend is there, and forget it again without a trace.
#include "tests/cli/commands/terminal_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class AgentsInstall : public TerminalFixture {
protected:
  static constexpr const char* kSettings =
      "{\n    \"theme\": \"dark\",\n    \"mcpServers\": {\"own\": {\"command\": \"x\"}}\n}\n";
  static constexpr const char* kToml = "# mine\nmodel = \"m\"";

  void SetUp() override {
    CliFixture::SetUp();
    fs::create_directories(base_ / ".gemini");
    fs::create_directories(base_ / ".codex");
    ASSERT_TRUE(write_file(base_ / ".gemini" / "settings.json", kSettings));
    ASSERT_TRUE(write_file(base_ / ".codex" / "config.toml", kToml));
  }
  std::string text(const std::string& path) {
    const auto read = read_file(base_ / path);
    return read ? *read : "(not there)";
  }
};

TEST_F(AgentsInstall, ShowsTheDifferenceAndChangesNothingWithoutAYes) {
  const auto dry = emend({"agents", "install", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("+[mcp_servers.emend]"));
  EXPECT_THAT(dry.out, HasSubstr("hook stop"));
  EXPECT_EQ(emend({"agents", "install"}).exit_code, 7);
  EXPECT_EQ(text(".gemini/settings.json"), kSettings);
  EXPECT_EQ(text(".claude.json"), "(not there)");
  EXPECT_EQ(emend({"agents", "install", "vim"}).exit_code, 2);
}

TEST_F(AgentsInstall, IsThereOnceAndGoneByteForByte) {
  ASSERT_EQ(emend({"agents", "install", "--no-hooks", "--yes"}).exit_code, 0);
  EXPECT_THAT(text(".gemini/settings.json"), Not(HasSubstr("hook stop")));
  ASSERT_EQ(emend({"agents", "install", "--yes"}).exit_code, 0);
  const auto json = parse_json(text(".gemini/settings.json"));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["mcpServers"]["emend"]["args"][0], "mcp");
  EXPECT_EQ((*json)["mcpServers"]["own"]["command"], "x");
  EXPECT_EQ((*json)["hooks"]["AfterAgent"].size(), 1U);
  EXPECT_EQ((*json)["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"], 90'000) << "Gemini counts milliseconds";
  EXPECT_EQ((*json)["hooks"]["SessionStart"].size(), 1U);
  EXPECT_THAT(text(".claude/settings.json"), HasSubstr("hook session-start"));
  EXPECT_THAT(text(".codex/config.toml"), HasSubstr("# mine\nmodel = \"m\"\n# emend: begin\n"));
  EXPECT_THAT(emend({"agents", "install", "--hooks", "--yes"}).out, HasSubstr("there already"));

  ASSERT_EQ(emend({"agents", "install", "--remove", "--yes"}).exit_code, 0);
  for (const char* folder : {".claude/skills", ".codex/skills", ".gemini/skills", "state/claude"})
    EXPECT_FALSE(fs::exists(base_ / folder)) << folder;
  EXPECT_EQ(text(".gemini/settings.json"), kSettings);
  EXPECT_EQ(text(".codex/config.toml"), kToml);
  EXPECT_EQ(text(".codex/hooks.json"), "(not there)");
  EXPECT_EQ(text(".claude.json"), "(not there)");
  EXPECT_EQ(text(".claude/settings.json"), "(not there)");
  EXPECT_THAT(emend({"agents", "install", "--remove", "--yes"}).out, HasSubstr("not in these files"));
}

// Settings that are links into a repository of dotfiles.
TEST_F(AgentsInstall, WritesWhereAPersonsLinksLeadAndLeavesTheLinks) {
  fs::create_directories(base_ / "dotfiles" / "claude");
  ASSERT_TRUE(write_file(base_ / "dotfiles" / "claude.json", kSettings));
  ASSERT_TRUE(write_file(base_ / "dotfiles" / "settings.json", kSettings));
  fs::create_directory_symlink("dotfiles/claude", base_ / ".claude");
  fs::create_symlink("../settings.json", base_ / "dotfiles" / "claude" / "settings.json");
  fs::create_symlink(base_ / "dotfiles" / "claude.json", base_ / ".claude.json");
  fs::create_symlink("hooks.there.json", base_ / ".codex" / "hooks.json"); // leads nowhere yet
  ASSERT_EQ(emend({"agents", "install", "--yes"}).exit_code, 0);
  EXPECT_EQ(fs::read_symlink(base_ / ".claude.json"), base_ / "dotfiles" / "claude.json");
  EXPECT_THAT(text("dotfiles/claude.json"), HasSubstr("mcp"));
  EXPECT_EQ(fs::read_symlink(base_ / "dotfiles/claude/settings.json"), "../settings.json");
  EXPECT_THAT(text("dotfiles/settings.json"), HasSubstr("hook stop"));
  EXPECT_THAT(text(".codex/hooks.there.json"), HasSubstr("hook stop"));

  ASSERT_EQ(emend({"agents", "install", "--remove", "--yes"}).exit_code, 0);
  EXPECT_EQ(fs::read_symlink(base_ / ".claude"), "dotfiles/claude");
  EXPECT_EQ(fs::read_symlink(base_ / ".claude.json"), base_ / "dotfiles" / "claude.json");
  EXPECT_EQ(fs::read_symlink(base_ / "dotfiles/claude/settings.json"), "../settings.json");
  EXPECT_EQ(fs::read_symlink(base_ / ".codex/hooks.json"), "hooks.there.json");
  EXPECT_EQ(text("dotfiles/claude.json"), kSettings);
  EXPECT_EQ(text("dotfiles/settings.json"), kSettings);
  EXPECT_EQ(text(".codex/hooks.there.json"), "(not there)");
}

TEST_F(AgentsInstall, FindsTheSettingsWhereAVariableSaysTheyAre) {
  environment_ = {"CLAUDE_CONFIG_DIR=" + (base_ / "other" / "claude/").string(),
                  "CODEX_HOME=" + (base_ / "other" / "codex").string()};
  ASSERT_EQ(emend({"agents", "install", "--yes"}).exit_code, 0);
  EXPECT_THAT(text("other/claude/.claude.json"), HasSubstr("mcp"));
  EXPECT_THAT(text("other/claude/settings.json"), HasSubstr("hook stop"));
  EXPECT_THAT(text("other/claude/skills/emend/SKILL.md"), HasSubstr("name: emend"));
  EXPECT_THAT(text("other/codex/hooks.json"), HasSubstr("hook stop"));
  EXPECT_FALSE(fs::exists(base_ / ".claude"));
  EXPECT_EQ(text(".claude.json"), "(not there)");
  EXPECT_EQ(text(".codex/config.toml"), kToml);
}

TEST_F(AgentsInstall, BringsASkillAndForClaudeALanguageServer) {
  ASSERT_EQ(emend({"agents", "install", "--yes"}).exit_code, 0);
  for (const char* agent : {".claude", ".codex", ".gemini"})
    EXPECT_THAT(text(std::string(agent) + "/skills/emend/SKILL.md"), HasSubstr("name: emend"));
  const auto settings = parse_json(text(".claude/settings.json"));
  ASSERT_TRUE(settings);
  EXPECT_EQ((*settings)["enabledPlugins"]["emend@emend"], true);
  const std::string plugin = (*settings)["extraKnownMarketplaces"]["emend"]["source"]["path"];
  const auto servers = parse_json(read_file(plugin + "/.lsp.json").value_or(""));
  ASSERT_TRUE(servers);
  const std::string program = (*servers)["emend"]["command"];
  EXPECT_TRUE(fs::path(program).is_absolute()) << program;
  EXPECT_TRUE(fs::exists(plugin + "/.claude-plugin/plugin.json"));
}

// One command in a fresh repository, and the next change is checked.
TEST_F(AgentsInstall, OffersTheChecksItFindsHere) {
  write("n.py", "N = 1\n");
  write("test_n.py",
        "import unittest\nimport n\n\n\nclass N(unittest.TestCase):\n    def test_n(self):\n"
        "        self.assertEqual(n.N, 1)\n");
  git({"add", "-A"});
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "a test"});
  EXPECT_THAT(emend({"agents", "install", "codex", "--yes"}).err, HasSubstr("emend init"));
  const Seen seen = at_terminal({"agents", "install", "claude", "--yes"}, "use them? [Y/n", "y\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(seen.screen, HasSubstr("python3 -m unittest"));
  write("n.py", "N = 2 - 1\n");
  EXPECT_THAT(emend({"check"}).out, testing::StartsWith("VERIFIED"));
}

TEST_F(AgentsInstall, SaysWhoMustAllowTheChecksThatAreThere) {
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  const auto result = emend({"agents", "install", "codex", "--yes"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("emend trust"));
}

TEST_F(AgentsInstall, WarnsWhereNpmWillTakeItAwayAgain) {
  const fs::path cached = base_ / ".npm" / "_npx" / "0123";
  fs::create_directories(cached);
  fs::copy_file(EMEND_BINARY, cached / "emend");
  const auto result =
      run_spec(spec({(cached / "emend").string(), "agents", "install", "codex", "--dry-run"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("npm install -g emend"));
  EXPECT_THAT(emend({"agents", "install", "codex", "--dry-run"}).err, Not(HasSubstr("npm")));
}

TEST_F(AgentsInstall, LeavesASkillOfAPersonAlone) {
  fs::create_directories(base_ / ".codex/skills/emend");
  ASSERT_TRUE(write_file(base_ / ".codex/skills/emend/SKILL.md", "mine\n"));
  ASSERT_EQ(emend({"agents", "install", "codex", "--yes"}).exit_code, 0);
  ASSERT_EQ(emend({"agents", "install", "codex", "--remove", "--yes"}).exit_code, 0);
  EXPECT_EQ(text(".codex/skills/emend/SKILL.md"), "mine\n");
}

TEST_F(AgentsInstall, KeepsWhatOthersWroteSince) {
  ASSERT_EQ(emend({"agents", "install", "gemini", "--yes"}).exit_code, 0);
  auto json = parse_json(text(".gemini/settings.json"));
  ASSERT_TRUE(json);
  (*json)["theme"] = "light";
  ASSERT_TRUE(write_file(base_ / ".gemini" / "settings.json", dump_json(*json)));
  ASSERT_EQ(emend({"agents", "install", "gemini", "--remove", "--yes"}).exit_code, 0);
  EXPECT_THAT(text(".gemini/settings.json"), HasSubstr("light"));
  EXPECT_THAT(text(".gemini/settings.json"), HasSubstr("own"));
  EXPECT_THAT(text(".gemini/settings.json"), Not(HasSubstr("\"mcp\"")));
}

TEST_F(AgentsInstall, LeavesAloneWhatItCannotRead) {
  ASSERT_TRUE(write_file(base_ / ".gemini" / "settings.json", "{ // mine\n}\n"));
  const auto result = emend({"agents", "install", "gemini", "--yes"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("left alone"));
  EXPECT_EQ(text(".gemini/settings.json"), "{ // mine\n}\n");
}

} // namespace emend
