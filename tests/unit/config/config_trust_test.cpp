#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::ElementsAre;

class ConfigTrustTest : public ConfigFixture {
protected:
  static constexpr const char* kCommands =
      "[fix]\nparallel = 3\nagent = \"a\"\n[verify]\ncommands = [\"make test\"]\nenv = {X = \"1\"}\npass_env "
      "= [\"SECRET\"]\n"
      "[agents.a]\ncommand = [\"./agent\", \"a b\"]\nmodel = \"m\"\nenv = {K = \"v\"}\npass_env = "
      "[\"TOKEN\"]\n";
};

TEST_F(ConfigTrustTest, CommandsOfARepositoryFileCountOnlyWhenTrusted) {
  const auto file = write(root_ / "emend.toml", kCommands);
  const Config before = load();
  EXPECT_TRUE(before.policy().commands.empty());
  EXPECT_TRUE(before.policy().verify_env.empty());
  EXPECT_EQ(value(before, "verify.pass_env")[0], Json("PATH"));
  EXPECT_FALSE(before.agent("a"));
  EXPECT_EQ(value(before, "fix.parallel"), Json(3)) << "harmless keys count without trust";
  ASSERT_EQ(before.untrusted().size(), 1U);
  EXPECT_EQ(before.untrusted()[0].path, file.string());
  EXPECT_FALSE(before.untrusted()[0].trusted_before);
  EXPECT_THAT(before.untrusted()[0].wants,
              testing::UnorderedElementsAre(
                  "verify.commands: check-1 = make test", "verify.env.X: 1", "verify.pass_env: SECRET",
                  "agents.a.command: " + (root_ / "agent").string() + " 'a b'", "agents.a.model: m",
                  "agents.a.env.K: v", "agents.a.pass_env: TOKEN"));

  trust(file);
  const Config after = load();
  EXPECT_TRUE(after.untrusted().empty());
  EXPECT_EQ(after.policy().commands.size(), 1U);
  ASSERT_TRUE(after.agent("a"));
  EXPECT_THAT(after.agent("a")->env, ElementsAre("K=v"));
  EXPECT_THAT(after.agent("a")->pass_env, ElementsAre("TOKEN"));
  ASSERT_EQ(after.command_files().size(), 1U);
  EXPECT_TRUE(after.command_files()[0].trusted);
}

TEST_F(ConfigTrustTest, ARepositoryCannotOpenItsSandbox) {
  const auto file = write(
      root_ / "emend.toml",
      "[sandbox]\nmode = \"off\"\nwritable = [\"/\"]\nnetwork.commands = \"all\"\nnetwork.agents = \"none\"\n"
      "[limits]\nmemory_mb = 7\nprocesses = 8\nfile_mb = 0\ncpu_seconds = 9\nfree_disk_mb = "
      "0\n[agents.a]\ncommand = [\"/bin/true\"]\n");
  const Policy before = load().policy();
  EXPECT_EQ(before.sandbox.mode, SandboxMode::automatic);
  EXPECT_EQ(before.sandbox.command_network, NetworkAccess::loopback)
      << "tests may talk to themselves, not to the world";
  EXPECT_EQ(before.sandbox.command_limits.processes, 1000);
  EXPECT_EQ(before.sandbox.command_limits.file_bytes, 10'000'000'000);
  EXPECT_GT(before.sandbox.command_limits.memory_bytes, 0) << "a part of the machine's";
  EXPECT_EQ(load().settings().at("sandbox.writable").value, Json::array());

  trust(file);
  const Config after = load();
  EXPECT_EQ(after.policy().sandbox.mode, SandboxMode::off);
  EXPECT_EQ(after.policy().sandbox.command_network, NetworkAccess::all);
  const ResourceLimits wanted{7'000'000, 8, 0, 9, 0};
  EXPECT_EQ(after.policy().sandbox.command_limits, wanted);
  ASSERT_TRUE(after.agent("a"));
  EXPECT_EQ(after.agent("a")->limits, wanted);
  EXPECT_EQ(after.agent("a")->network, NetworkAccess::none);
}

TEST_F(ConfigTrustTest, AChangedFileIsNoLongerTrusted) {
  const auto file = write(root_ / "emend.toml", kCommands);
  trust(file);
  write(file, std::string(kCommands) + "# changed\n");
  const Config config = load();
  ASSERT_EQ(config.untrusted().size(), 1U);
  EXPECT_TRUE(config.untrusted()[0].trusted_before);
  EXPECT_TRUE(config.policy().commands.empty());
}

TEST_F(ConfigTrustTest, TheSeedsNameNeedsTrustToo) {
  write(root_ / "emend.toml", "[project]\nverification_commands = [\"evil\"]\n");
  EXPECT_TRUE(load().policy().commands.empty());
  EXPECT_EQ(load().untrusted().size(), 1U);
}

TEST_F(ConfigTrustTest, ThePersonalFileInTheRepositoryNeedsTrustToo) {
  write(root_ / "emend.local.toml", "[verify]\ncommands = [\"evil\"]\n");
  EXPECT_TRUE(load().policy().commands.empty());
}

TEST_F(ConfigTrustTest, TheUsersOwnSourcesAreTrusted) {
  write(base_ / "user" / "config.toml", "[verify]\ncommands = [\"mine\"]\n");
  EXPECT_EQ(load().policy().commands.at(0).run, "mine");
  sources_.explicit_file = write(base_ / "other.toml", "[verify]\ncommands = [\"other\"]\n").string();
  EXPECT_EQ(load().policy().commands.at(0).run, "other");
  sources_.environment = {"EMEND_VERIFY_COMMANDS=from env"};
  EXPECT_EQ(load().policy().commands.at(0).run, "from env");
  sources_.overrides = {{"verify.commands", "from set", "--set"}};
  EXPECT_EQ(load().policy().commands.at(0).run, "from set");
}

TEST_F(ConfigTrustTest, AnExplicitFileInTheRepositoryNeedsTrustAlsoBehindALink) {
  const auto inside = write(root_ / "ci" / "emend.toml", "[verify]\ncommands = [\"evil\"]\n");
  sources_.explicit_file = inside.string();
  EXPECT_EQ(load().untrusted().size(), 1U);
  fs::create_symlink(inside, base_ / "link.toml");
  sources_.explicit_file = (base_ / "link.toml").string();
  EXPECT_EQ(load().untrusted().size(), 1U);
}

TEST_F(ConfigTrustTest, ARepositorysLinkToAFileElsewhereNeedsTrust) {
  write(base_ / "elsewhere.toml", "[verify]\ncommands = [\"evil\"]\n");
  fs::create_symlink(base_ / "elsewhere.toml", root_ / "emend.toml");
  EXPECT_EQ(load().untrusted().size(), 1U);
  EXPECT_TRUE(load().policy().commands.empty());
}

TEST_F(ConfigTrustTest, WhatIsOverriddenNeedsNoTrust) {
  write(root_ / "emend.toml", "[verify]\ncommands = [\"evil\"]\n");
  sources_.overrides = {{"verify.commands", "make check", "--set"}};
  const Config config = load();
  EXPECT_TRUE(config.untrusted().empty());
  EXPECT_EQ(config.policy().commands.at(0).run, "make check");
}

TEST_F(ConfigTrustTest, AnUntrustedFileDoesNotHideTheUsersCommands) {
  write(base_ / "user" / "config.toml", "[verify]\ncommands = [\"mine\"]\n");
  write(root_ / "emend.toml", "[verify]\ncommands = [\"evil\"]\n");
  const Config config = load();
  EXPECT_EQ(config.policy().commands.at(0).run, "mine");
  EXPECT_EQ(config.untrusted().size(), 1U);
}

TEST_F(ConfigTrustTest, TheStoreIsAskedOnlyWhenThereAreCommands) {
  int asked = 0;
  sources_.trusted_sha256 = [&asked](const std::string&) -> Result<std::optional<std::string>> {
    ++asked;
    return fail(ErrorCode::database, "broken");
  };
  write(root_ / "emend.toml", "[fix]\nparallel = 3\n");
  load();
  EXPECT_EQ(asked, 0);
  write(root_ / "emend.toml", "[verify]\ncommands = [\"x\"]\n");
  const auto config = Config::load(sources_);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::database);
  EXPECT_EQ(asked, 1);
}

TEST_F(ConfigTrustTest, WhatLowersTheBarNeedsTrustToo) {
  write(root_ / "emend.toml",
        "[fix_challenger]\nsatisfaction_threshold = 1\nenabled = false\n[fix]\nscope = "
        "\"repository\"\n[resolve]\nminimum_evidence = \"judged\"\n");
  const Policy before = load().policy();
  EXPECT_EQ(before.satisfaction_threshold, 95);
  EXPECT_TRUE(before.challenger_enabled);
  EXPECT_EQ(before.scope, FixScope::need);
  EXPECT_EQ(before.minimum_evidence, "");
  EXPECT_FALSE(load().untrusted().empty()) << "and it is said";
  trust(root_ / "emend.toml");
  EXPECT_EQ(load().policy().satisfaction_threshold, 1);
}

// Who judges, and what they get to see.
TEST_F(ConfigTrustTest, WhatSteersJudgingNeedsTrust) {
  for (const char* text :
       {"[redact]\npatterns = [\".*\"]\n", "[fix_challenger]\nagent = \"claude\"\n",
        "[fix_challenger]\nfallback = [\"claude\"]\n", "[fix_challenger]\nallow_self = true\n",
        "[fix_challenger]\ncanaries = 0\n", "[fix_challenger]\nmodel = \"tiny\"\n",
        "[pr]\nvoters = [\"claude\"]\n", "[agents.claude]\nmodel = \"gpt-5\"\n",
        "[agents.claude]\nengine = \"gemini\"\n", "[reproducer]\nwhen = \"never\"\n",
        "[verify]\nrepeat = 1\n", "[fix]\nprotected = []\n", "[fix]\nmax_changed_lines = 1000000\n"}) {
    write(root_ / "emend.toml", text);
    EXPECT_EQ(load().untrusted().size(), 1U) << text;
  }
}

TEST_F(ConfigTrustTest, ABranchMustHaveAName) {
  for (const char* name : {"HEAD", "-f", "refs/heads/x", "a..b", "$(id)", "{nothing}", "a\u202eb"}) {
    write(root_ / "emend.toml", std::string("[fix]\nbranch = \"") + name + "\"\n");
    EXPECT_THAT(load_error(), testing::HasSubstr("cannot be the name of a branch")) << name;
  }
  write(root_ / "emend.toml", "[fix]\nbranch = \"mine/{session}\"\n");
  load();
}

TEST_F(ConfigTrustTest, AnalyzersOfARepositoryNeedTrustAndWhatIsLeftOutDoesNot) {
  const auto file =
      write(root_ / "emend.toml",
            "[review]\nexclude = [\"lib\"]\nper_file_ignores = { \"tests/*.py\" = [\"S101\"] }\n"
            "project_tools = true\n"
            "[analyzers.mylint]\ncommand = [\"mylint\", \"--x\", \"{file}\"]\nfiles = [\"*.my\"]\n"
            "format = \"sarif\"\n[analyzers.shellcheck]\narguments = [\"--enable=all\"]\n");
  const Config before = load();
  EXPECT_EQ(before.review_rules().exclude, std::vector<std::string>{"lib"});
  EXPECT_EQ(before.review_rules().per_file_ignores.at("tests/*.py"), std::vector<std::string>{"S101"});
  EXPECT_FALSE(before.project_tools());
  const auto none = before.analyzer_rows();
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->empty());
  trust(file);
  const Config after = load();
  EXPECT_TRUE(after.project_tools());
  const auto rows = after.analyzer_rows();
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ(rows->at(0).programs, std::vector<std::string>{"mylint"});
  EXPECT_EQ(rows->at(0).arguments, (std::vector<std::string>{"--x", "{files}"}));
  EXPECT_EQ(rows->at(0).files_per_call, 1U);
  EXPECT_EQ(rows->at(0).report, "sarif");
  EXPECT_EQ(rows->at(1).arguments, known_analyzer("shellcheck").arguments);
  EXPECT_EQ(rows->at(1).more_arguments, std::vector<std::string>{"--enable=all"});
}

TEST_F(ConfigTrustTest, AnAnalyzerOfOnesOwnCanFix) {
  const auto rows_of = [this](const std::string& text) {
    trust(write(root_ / "emend.toml", text));
    return load().analyzer_rows();
  };
  const auto both = rows_of(
      "[analyzers.mylint]\ncommand = [\"mylint\", \"{files}\"]\n"
      "fix = [\"mymend\", \"--write\", \"{file}\"]\nfix_exit_codes = [\"0\", \"4\"]\n");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->at(0).fix_programs, std::vector<std::string>{"mymend"});
  EXPECT_EQ(both->at(0).fix, (std::vector<std::string>{"--write", "{files}"}));
  EXPECT_EQ(both->at(0).files_per_call, 1U);
  EXPECT_EQ(both->at(0).fix_exit_codes, (std::vector<int>{0, 4}));
  EXPECT_EQ(both->at(0).report, "text");
  const auto formatter = rows_of("[analyzers.myfmt]\nfix = [\"myfmt\", \"-w\", \"{files}\"]\n");
  ASSERT_TRUE(formatter) << formatter.error().message;
  EXPECT_EQ(formatter->at(0).report, "difference");
  EXPECT_EQ(formatter->at(0).programs, std::vector<std::string>{"myfmt"});
  const auto everywhere = rows_of("[analyzers.myfmt]\nfix = [\"myfmt\", \"-w\"]\n");
  ASSERT_FALSE(everywhere) << "what it changes in other files nobody would put back";
  EXPECT_THAT(everywhere.error().message, testing::HasSubstr("analyzers.myfmt.fix names no files"));
}

} // namespace emend
