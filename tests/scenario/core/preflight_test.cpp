// What cannot succeed ends before an agent is paid, and says what to do.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Preflight : public ::testing::Test {
protected:
  Preflight()
      : world(Files{{"src/a.c", "int f(void) {\n  return 1;\n}\n"},
                    {"a.sh", "echo 1\n"},
                    {"tests/run.sh", "grep -q return src/a.c\n"}}) {
    world.fixer(
        "if [ $2 = BE-001 ]; then sed -i 's/return 1/return 2/' src/a.c; else sed -i 's/echo 1/echo 2/' "
        "a.sh; fi; echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    world.policy.commands = {{"tests", "sh tests/run.sh", {}, 0}};
    in_c = world.add({World::finding("src/a.c", 2, "wrong number")});
    in_shell = world.add({World::finding("a.sh", 1, "wrong number")});
  }

  // Of the only session there is.
  void expect_nobody_paid() {
    const auto sessions = must(world.store().sessions("", 0));
    ASSERT_EQ(sessions.size(), 1U);
    EXPECT_THAT(must(world.store().agent_runs(sessions[0].id)), IsEmpty());
    EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
  }
  std::string detail(const FixReport& report, const std::string& code) {
    return World::outcome(report, code).issue.detail;
  }

  World world;
  std::vector<Issue> in_c, in_shell;
};

TEST_F(Preflight, WithoutAJudgeThereIsNoSession) {
  world.policy.challenger_enabled = false;
  const auto refused = world.fix(in_c);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::config);
  EXPECT_THAT(refused.error().message, HasSubstr("fix_challenger.enabled is false"));
  EXPECT_THAT(must(world.store().sessions("", 0)), IsEmpty());
}

TEST_F(Preflight, ACommandThatCannotStartEndsTheSession) {
  world.policy.commands.push_back({"ghost", "no-such-program-at-all --version", {"src/**"}, 0});
  const auto refused = world.fix(in_c);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::config);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("`ghost` cannot be started"), HasSubstr("no-such-program-at-all")));
  expect_nobody_paid();
  EXPECT_EQ(must(world.store().issue(world.repository().id(), "BE-001")).status, IssueStatus::open);
}

TEST_F(Preflight, ARedBaseThatCannotConfirmAnythingFailsTheIssue) {
  world.policy.commands = {{"tests", "echo 3 of 4 failed; false", {}, 0}, {"shell", "true", {"*.sh"}, 0}};
  const FixReport report = world.must_fix(in_c);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(evidence_too_weak)");
  EXPECT_THAT(detail(report, "BE-001"),
              AllOf(HasSubstr("`tests` already fails on the base commit (3 of 4 failed)"),
                    HasSubstr("emend issues reproducer BE-001")));
  EXPECT_THAT(report.cycles, IsEmpty());
  expect_nobody_paid();
}

TEST_F(Preflight, TheOthersOfTheSessionAreFixed) {
  world.policy.commands = {{"tests", "false", {}, 0}, {"shell", "bash -n a.sh", {"*.sh"}, 0}};
  const FixReport report = world.must_fix({in_c[0], in_shell[0]});
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(evidence_too_weak)");
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED") << detail(report, "BE-002");
}

TEST_F(Preflight, AFileThatIsOnlyReadByACheckIsFixed) {
  world.policy.commands = {{"syntax", "bash -n a.sh", {}, 0}};
  EXPECT_EQ(World::status(world.must_fix(in_shell), "BE-002"), "RESOLVED");
}

TEST_F(Preflight, AFileThatIsTheCheckFailsAtOnce) {
  world.policy.commands = {{"smoke", "bash a.sh", {}, 0}};
  const FixReport report = world.must_fix(in_shell);
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(protected)");
  EXPECT_THAT(detail(report, "BE-002"), HasSubstr("a.sh is run by `smoke`"));
  expect_nobody_paid();
}

TEST_F(Preflight, ABaseWithoutItsNetworkEndsTheSession) {
  world.policy.commands = {
      {"fetch", "echo 'connect: Network is unreachable' >&2; exit 1", {}, 0}}; // in the words of the system
  const auto refused = world.fix(in_c);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("`fetch` fails on the base commit because it has no network"),
                    HasSubstr("Network is unreachable")));
  EXPECT_THAT(refused.error().remedy, HasSubstr("sandbox.network.commands = \"all\""));
  expect_nobody_paid();
}

TEST_F(Preflight, ABaseThatWantsANetworkInSilenceEndsTheSession) {
  const std::string head = must(world.repository().resolve("HEAD"));
  if (must(world.repository().make_workspace(head, {}))->kind() != "overlay")
    GTEST_SKIP() << "this machine has no private mounts, so the network is not cut";
  const std::string silent = "bash -c 'exec 3<>/dev/tcp/192.0.2.1/80' 2>/dev/null";
  for (const std::string& command :
       {silent + " || exit 1", silent + "; no_such_runner 2>/dev/null",
        "test -n \"$npm_config_offline\" && exit 1; " + silent + "; sleep 900"}) { // not waited for
    world.policy.commands = {{"fetch", command, {}, 0}};
    const auto refused = world.fix(in_c);
    ASSERT_FALSE(refused) << command;
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("`fetch` fails on the base commit because it has no network"),
                      HasSubstr("it tried to reach a network")));
    EXPECT_THAT(refused.error().remedy, HasSubstr("sandbox.network.commands = \"all\""));
  }
  world.policy.commands = {{"loopback", "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9' 2>/dev/null", {}, 0}};
  EXPECT_EQ(World::status(world.must_fix(in_c), "BE-001"), "FAILED(evidence_too_weak)");
}

TEST_F(Preflight, PackageManagersThatMissANetworkAreToldThatThereIsNone) {
  if (world.repository().sandbox() != SandboxKind::full) GTEST_SKIP() << "the network is not cut here";
  const std::string offline =
      "test \"$npm_config_offline$CI\" = true1 && test \"$GOPROXY\" = mine || { echo ENOTCACHED; exit 1; }";
  world.policy.verify_env = {"GOPROXY=mine"}; // a person's word holds
  world.policy.commands = {{"offline", offline, {}, 0},
                           {"needs none", "test -z \"$npm_config_offline$CI\"", {}, 0}};
  EXPECT_EQ(World::status(world.must_fix(in_c), "BE-001"), "RESOLVED");
  world.policy.sandbox.command_network = NetworkAccess::all;
  world.policy.commands = {{"online", "test -z \"$npm_config_offline\"", {}, 0}};
  EXPECT_EQ(World::status(world.must_fix(in_shell), "BE-002"), "RESOLVED");
}

} // namespace
} // namespace emend::testing_support
