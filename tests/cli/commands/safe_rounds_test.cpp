#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

// fix --safe where fix-its cannot all be merged: those that conflict are made again in a later round.
class SafeRoundsTest : public CliFixture {};

TEST_F(SafeRoundsTest, ACommandForSomeFilesAlsoRunsOnTheTreeOfALaterRound) {
  write("web.js", "f();\ndebugger;\ng();");       // two fix-its side by side: they conflict
  write("deploy.sh", "#!/bin/sh\necho deployed"); // settled in the first round
  write("emend.toml",
        "[verify]\ncommands = [\"test -s web.js\", {name = \"shell\", run = \"cat *.sh | sh -n\", paths = "
        "[\"**/*.sh\"]}]\n");
  git({"add", "-A"});
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  ASSERT_EQ(emend({"review", "--all", "--analyzers", "builtin", "--fail-on", "never"}).exit_code, 0);
  const auto result = emend({"fix", "--safe", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const Json data = data_of(result, "emend.session/v1");
  ASSERT_EQ(data["issues"].size(), 3u) << result.out;
  for (const Json& issue : data["issues"])
    EXPECT_EQ(string_or(issue, "status"), "RESOLVED") << dump_json(issue);
}

} // namespace emend
