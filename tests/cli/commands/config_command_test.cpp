#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class ConfigCommandTest : public CliFixture {};

TEST_F(ConfigCommandTest, ShowsValuesAndTheirOrigins) {
  write("emend.toml", "[fix]\nparallel = 5\n");
  environment_ = {"EMEND_FIX_CONTEXT_LINES=7"};
  const auto result = emend({"config", "show", "--origin", "--set", "fix.scope=directory"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              testing::ContainsRegex("fix.parallel = 5 +" + (root_ / "emend.toml").string() + ":2\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("fix.context_lines = 7 +EMEND_FIX_CONTEXT_LINES\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("fix.scope = \"directory\" +--set\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("fix.timeout = \"15m\" +built-in\n"));
}

TEST_F(ConfigCommandTest, WorksFromASubdirectoryAndWithDashC) {
  write("emend.toml", "[fix]\nparallel = 5\n");
  EXPECT_THAT(emend({"-C", "src", "config", "show"}).out, HasSubstr("fix.parallel = 5\n"));
  EXPECT_THAT(emend({"config", "show", "--isolated"}).out, HasSubstr("fix.parallel = 2\n"));
}

TEST_F(ConfigCommandTest, AMistakeNamesFileAndLineAndExitsTwo) {
  write("emend.toml", "[fix]\n\nparalel = 5\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"config", "show"}, {"verify"}, {"fix", "--all-open"}}) {
    const auto result = emend(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr((root_ / "emend.toml").string() +
                                      ":3: unknown key \"fix.paralel\"; did you mean \"fix.parallel\"?"));
  }
}

TEST_F(ConfigCommandTest, JsonHasKeysFilesAndWhatIsUntrusted) {
  write("emend.toml", "[verify]\ncommands = [\"make\"]\n");
  const Json data = data_of(emend({"config", "show", "--json"}), "emend.config/v1");
  EXPECT_EQ(data["files"][0], Json((root_ / "emend.toml").string()));
  EXPECT_EQ(data["untrusted"][0]["wants"][0], Json("verify.commands: check-1 = make"));
  EXPECT_GT(data["keys"].size(), 20U);
}

TEST_F(ConfigCommandTest, ValuesOfVariablesAreNotShown) {
  const auto result = emend({"config", "show", "--set", "agents.a.env.API_KEY=hunter2"});
  EXPECT_THAT(result.out, HasSubstr("agents.a.env.API_KEY = \"(set)\""));
  EXPECT_THAT(result.out, Not(HasSubstr("hunter2")));
}

TEST_F(ConfigCommandTest, WritesOneSettingAndLeavesTheRest) {
  write("emend.toml", "# ours\n[fix]\nparallel = 5  # cores\n");
  const std::string file = (root_ / "emend.toml").string();
  EXPECT_EQ(emend({"config", "set", "fix.parallel", "3"}).out, file + ":3: fix.parallel is set\n");
  EXPECT_EQ(*read_file(root_ / "emend.toml"), "# ours\n[fix]\nparallel = 3  # cores\n");
  const Json data =
      data_of(emend({"config", "set", "fix.scope", "directory", "--json"}), "emend.config_written/v1");
  EXPECT_EQ(data["line"], Json(4));
  EXPECT_EQ(emend({"config", "unset", "fix.parallel"}).exit_code, 0);
  EXPECT_EQ(*read_file(root_ / "emend.toml"), "# ours\n[fix]\nscope = \"directory\"\n");
}

TEST_F(ConfigCommandTest, WhatDoesNotDoChangesNothing) {
  write("emend.toml", "[fix]\nparallel = 5\n");
  const auto bad = emend({"config", "set", "fix.parallel", "many"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("fix.parallel"));
  EXPECT_THAT(emend({"config", "set", "fix.paralel", "3"}).err, HasSubstr("did you mean fix.parallel?"));
  EXPECT_EQ(*read_file(root_ / "emend.toml"), "[fix]\nparallel = 5\n");
}

TEST_F(ConfigCommandTest, CommandsThatAProgramWritesAreNotAllowedByIt) {
  const auto result = emend({"config", "set", "verify.commands", "[\"make\"]"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("allow it: emend trust"));
  EXPECT_THAT(*read_file(root_ / "emend.toml"), HasSubstr("[verify]\ncommands = "));
}

TEST_F(ConfigCommandTest, WhatCountsInsteadIsSaid) {
  write("emend.toml", "[fix]\nparallel = 5\n");
  const auto result = emend({"config", "set", "--own", "fix.parallel", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("emend.toml:2 sets it too, and counts instead"));
  EXPECT_EQ(*read_file(root_ / "emend.toml"), "[fix]\nparallel = 5\n");
}

} // namespace emend
