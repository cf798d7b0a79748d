#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class ConfigSourcesTest : public ConfigFixture {};

TEST_F(ConfigSourcesTest, BuiltInValuesNeedNoFile) {
  const Config config = load();
  EXPECT_EQ(value(config, "fix.parallel"), Json(2));
  EXPECT_EQ(origin(config, "fix.parallel"), "built-in");
  EXPECT_TRUE(config.files().empty());
}

TEST_F(ConfigSourcesTest, AFileNamesItsLine) {
  const auto file = write(root_ / "emend.toml", "# first\n[fix]\n\nparallel = 5\n");
  const Config config = load();
  EXPECT_EQ(value(config, "fix.parallel"), Json(5));
  EXPECT_EQ(origin(config, "fix.parallel"), file.string() + ":4");
}

TEST_F(ConfigSourcesTest, StrongerSourcesWin) {
  write(base_ / "user" / "config.toml",
        "[fix]\nparallel = 3\ncontext_lines = 3\nbatch_points = 3\nprompt_max_bytes = 5000\ndeferred_retries "
        "= 3\n");
  write(root_ / "emend.toml",
        "[fix]\ncontext_lines = 4\nbatch_points = 4\nprompt_max_bytes = 6000\ndeferred_retries = 4\n");
  write(root_ / "emend.local.toml",
        "[fix]\nbatch_points = 5\nprompt_max_bytes = 7000\ndeferred_retries = 5\n");
  sources_.environment = {"EMEND_FIX_PROMPT_MAX_BYTES=8000", "EMEND_FIX_DEFERRED_RETRIES=6", "EMEND_HOME=/x",
                          "PATH=/bin"};
  sources_.overrides = {{"fix.deferred_retries", "7", "--set"}, {"fix.deferred_retries", "8", "--retries"}};
  const Config config = load();
  EXPECT_EQ(value(config, "fix.parallel"), Json(3));
  EXPECT_EQ(value(config, "fix.context_lines"), Json(4));
  EXPECT_EQ(value(config, "fix.batch_points"), Json(5));
  EXPECT_EQ(value(config, "fix.prompt_max_bytes"), Json(8000));
  EXPECT_EQ(value(config, "fix.deferred_retries"), Json(8));
  EXPECT_EQ(origin(config, "fix.prompt_max_bytes"), "EMEND_FIX_PROMPT_MAX_BYTES");
  EXPECT_EQ(origin(config, "fix.deferred_retries"), "--retries");
  EXPECT_EQ(config.files().size(), 3U);
}

TEST_F(ConfigSourcesTest, TheNearestProjectFileIsUsedAndNothingAboveTheRepository) {
  write(base_ / "emend.toml", "[fix]\nparallel = 9\n");
  EXPECT_EQ(value(load(), "fix.parallel"), Json(2));
  write(root_ / ".emend.toml", "[fix]\nparallel = 4\n");
  write(root_ / "src" / ".config" / "emend.toml", "[fix]\nparallel = 6\n");
  sources_.directory = (root_ / "src" / "deep").string();
  EXPECT_EQ(value(load(), "fix.parallel"), Json(6));
  sources_.directory = root_.string();
  EXPECT_EQ(value(load(), "fix.parallel"), Json(4));
}

TEST_F(ConfigSourcesTest, OutsideOfARepositoryOnlyTheDirectoryItselfIsLookedAt) {
  write(base_ / "plain" / "emend.toml", "[fix]\nparallel = 4\n");
  fs::create_directories(base_ / "plain" / "below");
  sources_.repository_root.clear();
  sources_.directory = (base_ / "plain" / "below").string();
  EXPECT_EQ(value(load(), "fix.parallel"), Json(2));
  sources_.directory = (base_ / "plain").string();
  EXPECT_EQ(value(load(), "fix.parallel"), Json(4));
}

TEST_F(ConfigSourcesTest, AnExplicitFileReplacesDiscoveryButNotTheUsersFile) {
  write(base_ / "user" / "config.toml", "[fix]\ncontext_lines = 3\n");
  write(root_ / "emend.toml", "[fix]\nparallel = 4\n");
  write(root_ / "emend.local.toml", "[fix]\nparallel = 5\n");
  sources_.explicit_file = write(base_ / "other.toml", "[fix]\ndeferred_retries = 0\n").string();
  const Config config = load();
  EXPECT_EQ(value(config, "fix.parallel"), Json(2));
  EXPECT_EQ(value(config, "fix.context_lines"), Json(3));
  EXPECT_EQ(value(config, "fix.deferred_retries"), Json(0));
}

TEST_F(ConfigSourcesTest, IsolatedReadsNoFileAtAll) {
  write(base_ / "user" / "config.toml", "[fix]\nparallel = 3\n");
  write(root_ / "emend.toml", "not even toml");
  sources_.isolated = true;
  sources_.environment = {"EMEND_FIX_CONTEXT_LINES=7"};
  const Config config = load();
  EXPECT_EQ(value(config, "fix.parallel"), Json(2));
  EXPECT_EQ(value(config, "fix.context_lines"), Json(7));
}

TEST_F(ConfigSourcesTest, AFileThatCannotBeReadIsAClearError) {
  sources_.explicit_file = (base_ / "absent.toml").string();
  EXPECT_THAT(load_error(), HasSubstr("absent.toml"));
  write(base_ / "absent.toml", std::string(1'000'001, '#'));
  EXPECT_THAT(load_error(), HasSubstr("absent.toml"));
  fs::remove(base_ / "absent.toml");
  fs::create_directory(base_ / "absent.toml");
  EXPECT_THAT(load_error(), HasSubstr("absent.toml"));
}

TEST_F(ConfigSourcesTest, EnvironmentVariablesReachAgentsAndMaps) {
  write(base_ / "user" / "config.toml", "[agents.My-Agent]\ncommand = [\"x\"]\n");
  sources_.environment = {"EMEND_AGENTS_MY_AGENT_MODEL=m1",     "EMEND_AGENTS_OTHER_COMMAND=[\"o\", \"-p\"]",
                          "EMEND_AGENTS_OTHER_IDLE_TIMEOUT=5s", "EMEND_VERIFY_ENV_FLAGS=a b",
                          "EMEND_VERIFY_PASS_ENV=PATH, HOME",   "EMEND_VERIFY_COMMANDS=make test, really"};
  const Config config = load();
  EXPECT_EQ(value(config, "agents.My-Agent.model"), Json("m1"));
  EXPECT_EQ(value(config, "agents.other.command"), (Json{"o", "-p"}));
  EXPECT_EQ(value(config, "agents.other.idle_timeout"), Json("5s"));
  EXPECT_EQ(value(config, "verify.pass_env"), (Json{"PATH", "HOME"}));
  const Policy policy = config.policy();
  EXPECT_EQ(policy.verify_env, std::vector<std::string>{"FLAGS=a b"});
  ASSERT_EQ(policy.commands.size(), 1U);
  EXPECT_EQ(policy.commands[0].run, "make test, really");
}

TEST_F(ConfigSourcesTest, AMisspeltVariableOfASectionIsToldOthersAreNotOurs) {
  sources_.environment = {"EMEND_FIX_PARALEL=3"};
  EXPECT_THAT(load_error(), HasSubstr("did you mean EMEND_FIX_PARALLEL?"));
  sources_.environment = {"EMEND_HOME=/x", "EMEND_LOG=debug", "EMEND_TEST_CRASH_AT=3", "EMEND=1"};
  load();
}

TEST_F(ConfigSourcesTest, EveryKeyHasItsOwnVariable) {
  std::map<std::string, std::string> by_variable;
  for (const ConfigKey& key : config_keys()) {
    const auto [other, fresh] = by_variable.emplace(environment_name(key.name), key.name);
    EXPECT_TRUE(fresh) << key.name << " and " << other->second;
  }
}

TEST_F(ConfigSourcesTest, OverridesAreUsageErrorsThatNameTheFlag) {
  sources_.overrides = {{"fix.paralell", "3", "--set"}};
  EXPECT_EQ(load_error(ErrorCode::usage),
            "--set: unknown key \"fix.paralell\"; did you mean \"fix.parallel\"?");
  sources_.overrides = {{"fix.parallel", "many", "--jobs"}};
  EXPECT_THAT(load_error(ErrorCode::usage), HasSubstr("--jobs: fix.parallel: \"many\" is not an integer"));
  sources_.overrides = {{"verify.commands", "[{name=\"a\", run=\"x\"}, \"y\"]", "--set"},
                        {"fix.agent", "claude", "--set"},
                        {"fix.timeout", "\"3s\"", "--set"}};
  const Config config = load();
  EXPECT_EQ(config.policy().commands[1].name, "check-2");
  EXPECT_EQ(value(config, "fix.agent"), Json("claude"));
  EXPECT_EQ(config.policy().fix_timeout_ms, 3000);
}

TEST_F(ConfigSourcesTest, RelativeProgramsBelongToTheirFile) {
  write(base_ / "user" / "config.toml",
        "[agents.a]\ncommand = [\"tools/agent\", \"./x\"]\n[agents.b]\nengine = \"scripted\"\nscript = "
        "\"play.toml\"\n[agents.c]\ncommand "
        "= \"claude\"\n");
  sources_.overrides = {{"agents.d.script", "here.toml", "--set"}};
  const Config config = load();
  EXPECT_EQ(value(config, "agents.a.command"), (Json{(base_ / "user/tools/agent").string(), "./x"}));
  EXPECT_EQ(value(config, "agents.b.script"), Json((base_ / "user/play.toml").string()));
  EXPECT_EQ(value(config, "agents.c.command"), Json::array({"claude"}));
  EXPECT_EQ(value(config, "agents.d.script"), Json((root_ / "here.toml").string()));
}

} // namespace emend
