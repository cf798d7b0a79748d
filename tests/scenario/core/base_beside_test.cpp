// Checks that no chosen issue needs run on the base beside the agents, not before them.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A check waits for a mark that another child leaves.
std::string waits_for(const std::string& mark) {
  return "until [ -e " + shell_quote(mark) + " ]; do sleep 0.02; done";
}

class BaseBeside : public ::testing::Test {
protected:
  BaseBeside() : world(Files{{"src/a.c", "int a = 1;\n"}, {"src/b.c", "int b = 1;\n"}}) {
    if (world.repository().sandbox() != SandboxKind::full) return;
    apart = true;
    world.policy.max_fix_cycles = 1;
    issues = world.add({World::finding("src/a.c", 1, "a is wrong")});
  }
  void SetUp() override {
    if (!apart) GTEST_SKIP() << "needs mounts";
  }
  void fixer_after(const std::string& script) {
    world.fixer(script +
                "\nsed -i 's/= 1/= 2/' src/a.c\n"
                "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  }
  [[nodiscard]] std::string mark(const std::string& name) const { return world.scripts + "/" + name; }

  World world;
  std::vector<Issue> issues;
  bool apart = false;
};

TEST_F(BaseBeside, TheFirstAgentWaitsForItsOwnChecksAlone) {
  world.policy.commands = {{"b", waits_for(mark("agent")), {"src/b.c"}, 0},
                           {"a", "touch " + shell_quote(mark("own")), {"src/a.c"}, 0}};
  fixer_after("test -e " + shell_quote(mark("own")) + " || exit 3\ntouch " + shell_quote(mark("agent")));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  ASSERT_TRUE(report.baseline.has_value());
  ASSERT_EQ(report.baseline->commands.size(), 2U);
  EXPECT_EQ(report.baseline->commands[0].name, "b") << "in the order of the configuration";
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("`b`: exit status only; `a`"));
}

TEST_F(BaseBeside, AFixThatBreaksWhatRanBesideIsStillRefused) {
  world.policy.commands = {{"a", "true", {"src/a.c"}, 0}, {"b", "grep -q 'a = 1' src/a.c", {"src/b.c"}, 0}};
  fixer_after("");
  const FixReport report = world.must_fix(issues);
  EXPECT_THAT(World::status(report, "BE-001"), HasSubstr("FAILED"));
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail, HasSubstr("`b` failed"));
}

TEST_F(BaseBeside, ACheckWhoseProgramIsMissingIsNotLeftToRunBeside) {
  world.policy.commands = {{"a", "true", {"src/a.c"}, 0}, {"ghost", "no-such-program --all", {"src/b.c"}, 0}};
  fixer_after("");
  const auto refused = world.fix(issues);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("`ghost` cannot be started"), HasSubstr("no-such")));
  const auto sessions = must(world.store().sessions("", 0));
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_THAT(must(world.store().agent_runs(sessions[0].id)), IsEmpty());
}

// It needs what a check of other files leaves, so that it fails where it is run before that one is no fact
// about the base.
TEST_F(BaseBeside, WhatFailsOutOfItsOrderIsRunAgainInIt) {
  world.policy.commands = {{"build", "echo built > out", {"src/b.c"}, 0},
                           {"a", "test -e out", {"src/a.c"}, 0}};
  world.policy.minimum_evidence = "judged";
  fixer_after("");
  const FixReport report = world.must_fix(issues);
  ASSERT_TRUE(report.baseline.has_value());
  EXPECT_TRUE(report.baseline->commands[1].passed()) << report.baseline->commands[1].output;
  EXPECT_THAT(World::outcome(report, "BE-001").issue.evidence, ::testing::Not(HasSubstr("repaired")));
}

} // namespace
} // namespace emend::testing_support
