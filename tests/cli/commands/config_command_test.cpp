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

} // namespace emend
