// A command whose exit status and own words disagree has not passed, on the base or with a patch.
#include <gmock/gmock.h>

#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

constexpr const char* kJunit =
    R"(echo '<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>' > report.xml)";

CommandRun verified(const std::string& command) {
  World world(Files{{"src/a.c", "int a = 1;\n"}});
  world.policy.commands = {{"tests", command, {}, 0}};
  return must(world.manager().verify(world.policy, "HEAD", {}, {})).commands.front();
}

TEST(Contradiction, ASummaryThatCountsFailuresOutweighsExitZero) {
  const CommandRun run = verified("printf 'Ran 3 tests in 0.1s\\n\\nFAILED (failures=1)\\n' >&2");
  EXPECT_EQ(run.result, CommandResult::contradictory);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.passes, 0);
  EXPECT_THAT(run.output, HasSubstr("exit 0, but its own summary says 1 failed"));
}

TEST(Contradiction, AReportTheCommandWritesCountsWhereItsOutputIsSilent) {
  EXPECT_EQ(verified(kJunit).result, CommandResult::contradictory);
  EXPECT_EQ(verified(std::string(kJunit) + "; echo '3 passed, 0 failed'").result, CommandResult::passed)
      << "a test may write a sample report";
}

TEST(Contradiction, AFailingExitStaysFailed) {
  EXPECT_EQ(verified("printf 'Ran 3 tests in 0.1s\\n\\nFAILED (failures=1)\\n'; exit 1").result,
            CommandResult::failed);
  EXPECT_EQ(verified("echo 'not ok 1 - later # TODO'; echo 'ok 2 - now'").result, CommandResult::passed);
}

// The whole of the forgery: a check of the issue's own that fails on the base "passes" because the fix
// changes nothing but how it ends.
TEST(Contradiction, AForgedExitProvesNothing) {
  World world(Files{{"src/a.sh", "a=1\n"},
                    {"tests/check.sh",
                     ". ./src/a.sh\nfailed=0; [ $a = 2 ] || failed=1\necho \"$((2 - failed)) passed, $failed "
                     "failed\"\nexit $failed\n"}});
  world.policy.commands = {{"check", "sh tests/check.sh", {"src/a.sh"}, 0}};
  world.policy.max_fix_cycles = 1;
  const auto issues = world.add({World::finding("src/a.sh", 1, "a must be 2")});
  world.fixer(
      "echo \"trap 'status=0; exit \\$status' EXIT\" >> src/a.sh\necho "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport forged = world.must_fix(issues);
  EXPECT_NE(World::status(forged, "BE-001"), "RESOLVED");
  EXPECT_THAT(World::outcome(forged, "BE-001").issue.detail, HasSubstr("its own summary says 1 failed"));
  world.fixer("sed -i s/a=1/a=2/ src/a.sh\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport honest = world.must_fix(issues);
  EXPECT_EQ(World::status(honest, "BE-001"), "RESOLVED") << World::outcome(honest, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(honest, "BE-001").issue.evidence, "repaired");
}

} // namespace
} // namespace emend::testing_support
