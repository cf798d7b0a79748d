#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;

class VotersTest : public ConfigFixture {
protected:
  std::vector<std::string> names() {
    std::vector<std::string> found;
    const auto voters = load().voters();
    EXPECT_TRUE(voters) << voters.error().message;
    if (voters)
      for (const AgentBinding& voter : *voters) found.push_back(voter.name);
    return found;
  }
  Error problem() {
    const auto voters = load().voters();
    EXPECT_FALSE(voters);
    return voters ? Error{} : voters.error();
  }
  void set(const std::string& key, const std::string& value) {
    sources_.overrides.push_back({key, value, "--set"});
  }
};

TEST_F(VotersTest, TwoOfDifferentVendorsAreFound) {
  sources_.installed = {"claude", "codex", "gemini"};
  EXPECT_THAT(names(), ElementsAre("claude", "codex"));
  set("agents.codex.model", "claude-by-another-door");
  EXPECT_THAT(names(), ElementsAre("claude", "gemini")) << "the model's maker counts";
}

TEST_F(VotersTest, OneVendorIsAllowedTwoAgentsAreNot) {
  sources_.installed = {"claude", "codex"};
  set("agents.codex.model", "claude-by-another-door");
  EXPECT_THAT(names(), ElementsAre("claude", "codex"));
  sources_.installed = {"claude"};
  sources_.overrides.clear();
  EXPECT_THAT(problem().message, HasSubstr("claude is the only agent"));
  EXPECT_THAT(problem().remedy, HasSubstr("--voters claude,claude"));
  sources_.installed = {};
  EXPECT_THAT(problem().message, HasSubstr("no agent"));
}

TEST_F(VotersTest, APanelsSecondJudgeIsOfAnotherVendorAndNotTheFixer) {
  set("fix_challenger.panel", "2");
  sources_.installed = {"claude", "gemini", "codex"}; // claude fixes, gemini judges
  EXPECT_EQ(load().policy().second_judge.name, "codex");
  EXPECT_TRUE(load().require_agents());
  sources_.installed = {"claude", "gemini"};
  const auto missing = load().require_agents();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("a second judge of another vendor than gemini"));
  EXPECT_THAT(missing.error().remedy, HasSubstr("second_agent"));
  set("fix_challenger.second_agent", "claude");
  EXPECT_THAT(load().require_agents().error().message, HasSubstr("is the fixer"));
  set("fix_challenger.second_agent", "gemini");
  EXPECT_THAT(load().require_agents().error().message, HasSubstr("not of another vendor"));
  set("fix_challenger.second_agent", "codex");
  EXPECT_TRUE(load().require_agents());
  set("fix_challenger.panel", "1");
  EXPECT_EQ(load().policy().second_judge.name, "") << "nobody is bound who is not needed";
}

TEST_F(VotersTest, WhoIsNamedVotes) {
  sources_.installed = {"claude"};
  set("pr.voters", "gemini, codex ,claude");
  EXPECT_THAT(names(), ElementsAre("gemini", "codex", "claude"));
  set("pr.voters", "claude,claude");
  EXPECT_THAT(names(), ElementsAre("claude", "claude"));
  set("pr.voters", "claude");
  EXPECT_THAT(problem().message, HasSubstr("two votes"));
  set("pr.voters", "claude,builtin");
  EXPECT_THAT(problem().message, HasSubstr("builtin"));
  set("pr.voters", "claude,nobody");
  EXPECT_THAT(problem().message, HasSubstr("nobody"));
}

TEST_F(VotersTest, TheBarOfARepositoryNeedsTrust) {
  write(root_ / "emend.toml", "[pr]\napprove_threshold = 1\n");
  EXPECT_EQ(load().policy().approve_threshold, 80);
  EXPECT_EQ(load().untrusted().size(), 1U);
  trust(root_ / "emend.toml");
  EXPECT_EQ(load().policy().approve_threshold, 1);
}

// Reading the repository's files from another tree than the one on disk.
class ConfigFromATree : public VotersTest {
protected:
  void SetUp() override {
    ConfigFixture::SetUp();
    sources_.repository_file = [this](const std::string& path) -> Result<std::optional<std::string>> {
      const auto found = tree_.find(path);
      return found == tree_.end() ? std::optional<std::string>() : found->second;
    };
  }
  std::map<std::string, std::string> tree_;
};

TEST_F(ConfigFromATree, TheDiskDoesNotCount) {
  write(root_ / "emend.toml", "[pr]\nvoters = [\"x\", \"y\"]\n[fix]\nparallel = 9\n");
  write(root_ / "emend.local.toml", "broken");
  EXPECT_EQ(load().files().size(), 0U);
  tree_["emend.toml"] = "[fix]\nparallel = 3\n";
  EXPECT_EQ(load().policy().parallel, 3);
  sources_.directory = (root_ / "src" / "deep").string();
  tree_["src/emend.toml"] = "[fix]\nparallel = 4\n";
  EXPECT_EQ(load().policy().parallel, 4);
}

TEST_F(ConfigFromATree, TheTreesBytesAreTrustedOrNot) {
  const fs::path path = write(root_ / "emend.toml", "[pr]\napprove_threshold = 1\n");
  trust(path);
  tree_["emend.toml"] = "[pr]\napprove_threshold = 2\n";
  EXPECT_EQ(load().policy().approve_threshold, 80);
  ASSERT_EQ(load().untrusted().size(), 1U);
  EXPECT_TRUE(load().untrusted().front().trusted_before);
  tree_["emend.toml"] = "[pr]\napprove_threshold = 1\n";
  EXPECT_EQ(load().policy().approve_threshold, 1);
}

TEST_F(ConfigFromATree, ALinkOnDiskLeadsNowhere) {
  write(base_ / "elsewhere.toml", "[fix]\nparallel = 9\n");
  fs::create_symlink(base_ / "elsewhere.toml", root_ / "emend.toml");
  EXPECT_EQ(load().policy().parallel, 2);
  sources_.explicit_file = (root_ / "emend.toml").string();
  EXPECT_THAT(load_error(), HasSubstr("the file does not exist"));
  tree_["emend.toml"] = "[fix]\nparallel = 5\n";
  EXPECT_EQ(load().policy().parallel, 5);
}

TEST_F(ConfigFromATree, YourOwnFilesAreReadAsEver) {
  write(sources_.user_file, "[pr]\napprove_threshold = 70\n");
  EXPECT_EQ(load().policy().approve_threshold, 70);
  sources_.explicit_file = write(base_ / "mine.toml", "[pr]\napprove_threshold = 60\n").string();
  EXPECT_EQ(load().policy().approve_threshold, 60);
}

TEST_F(ConfigFromATree, ATreeThatCannotBeReadIsAnError) {
  sources_.repository_file = [](const std::string&) -> Result<std::optional<std::string>> {
    return fail(ErrorCode::git, "bad object");
  };
  EXPECT_THAT(load_error(ErrorCode::git), HasSubstr("bad object"));
}

} // namespace emend
