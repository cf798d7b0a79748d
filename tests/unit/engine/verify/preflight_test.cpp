#include "engine/verify/preflight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/context/offline.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CommandRun ran(const std::string& name, CommandResult result, const std::string& output = "",
               int exit_code = 1) {
  CommandRun run;
  run.name = name;
  run.result = result;
  run.output = output;
  run.exit_code = result == CommandResult::passed ? 0 : exit_code;
  return run;
}

class PreflightTest : public testing::Test {
protected:
  PreflightTest() {
    issue.code = "BE-001";
    issue.finding.file = "src/a.c";
    policy.commands = {{"test", "make test", {}, 0}};
    policy.sandbox.kind = SandboxKind::full;
    for (const char* path : {"src/a.c", "src/b.c", "tests/t.c", "check.sh"}) tree[path] = {};
  }

  std::optional<Refusal> hopeless() {
    Outlook outlook{policy.commands.empty() ? nullptr : &baseline, reproducible, rescannable};
    return why_hopeless(policy, Scope(policy, tree, called), tree, called, issue, outlook);
  }
  std::string reason() {
    const auto refusal = hopeless();
    return refusal ? refusal->reason : "";
  }
  Status base() { return check_base(policy, baseline); }

  Policy policy;
  Issue issue;
  Tree tree;
  PathSet called;
  Verification baseline;
  bool reproducible = false, rescannable = false;
};

TEST_F(PreflightTest, NobodyMayJudge) {
  EXPECT_TRUE(check_judge(policy));
  policy.challenger_enabled = false;
  const auto checked = check_judge(policy);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::config);
  EXPECT_THAT(checked.error().remedy, HasSubstr("fix_challenger.agent"));
}

TEST_F(PreflightTest, AGreenBaseIsFine) {
  baseline.commands = {ran("test", CommandResult::passed, "curl: (6) Could not resolve host: example.org")};
  EXPECT_TRUE(base());
  EXPECT_EQ(reason(), "");
}

TEST_F(PreflightTest, WhatTheShellCannotStartIsAnError) {
  for (const char* words : {"/bin/sh: 1: jest: not found\n", "/bin/sh: line 1: jest: command not found\n",
                            "/bin/sh: 1: ./t.sh: Permission denied\n"}) {
    baseline.commands = {ran("test", CommandResult::not_started, words, 127)};
    ASSERT_FALSE(base()) << words;
    EXPECT_EQ(base().error().code, ErrorCode::config);
    EXPECT_THAT(base().error().message,
                AllOf(HasSubstr("the check `test` cannot be started"), HasSubstr("/bin/sh: ")));
  }
  baseline.commands = {ran("test", CommandResult::not_started, "\nno such sandbox\n", -1)};
  EXPECT_FALSE(base());
}

TEST_F(PreflightTest, AScriptThatMissesAProgramHasStarted) {
  baseline.commands = {ran("test", CommandResult::not_started, "deploy.sh: 3: frobnicate: not found\n", 127)};
  EXPECT_TRUE(base()) << "that may be the very issue";
}

TEST_F(PreflightTest, WithoutANetworkTheBaseSaysNothing) {
  for (const char* words : {"npm error code ENOTCACHED", "npm error getaddrinfo EAI_AGAIN registry.npmjs.org",
                            "curl: (6) Could not resolve host: x", "ping: connect: Network is unreachable",
                            "socket.gaierror: [Errno -3] Temporary failure in name resolution",
                            "go: module lookup disabled by GOPROXY=off",
                            "As a reminder, you're using offline mode (--offline)"}) {
    baseline.commands = {ran("test", CommandResult::failed, std::string("npm ci\n") + words + "\nbye\n")};
    ASSERT_FALSE(base()) << words;
    EXPECT_THAT(base().error().message,
                AllOf(HasSubstr("`test`"), HasSubstr("no network"), HasSubstr(words)));
    EXPECT_THAT(base().error().remedy, HasSubstr("sandbox.network.commands = \"all\""));
  }
}

TEST_F(PreflightTest, TheNetworkIsBlamedOnlyWhereItWasTaken) {
  baseline.commands = {ran("test", CommandResult::failed, "getaddrinfo EAI_AGAIN registry.npmjs.org\n")};
  ASSERT_FALSE(base());
  policy.sandbox.command_network = NetworkAccess::all;
  EXPECT_TRUE(base());
  policy.sandbox.command_network = NetworkAccess::loopback;
  policy.sandbox.kind = SandboxKind::landlock;
  EXPECT_TRUE(base());
  policy.sandbox.kind = SandboxKind::full;
  baseline.commands[0].tests.recognised = true;
  baseline.commands[0].tests.passed = 20;
  EXPECT_TRUE(base()) << "one test of many wants it";
  baseline.commands[0].tests = {};
  baseline.commands[0].scoped = true;
  EXPECT_TRUE(base()) << "it may be a check of the issue's own";
  baseline.commands = {ran("test", CommandResult::failed, "ENOENT: no such file\n1 failed\n")};
  EXPECT_TRUE(base()) << "red for another reason";
}

TEST_F(PreflightTest, NoCheckCouldConfirmAFix) {
  baseline.commands = {ran("test", CommandResult::failed, "FAIL a\n1 failed\n")};
  ASSERT_TRUE(hopeless());
  EXPECT_EQ(hopeless()->reason, "evidence_too_weak");
  EXPECT_THAT(hopeless()->detail, AllOf(HasSubstr("`test` already fails on the base commit (1 failed)"),
                                        HasSubstr("emend issues reproducer BE-001"),
                                        HasSubstr("resolve.minimum_evidence = \"judged\"")));
  reproducible = true;
  EXPECT_EQ(reason(), "");
  reproducible = false;
  policy.minimum_evidence = "judged";
  EXPECT_EQ(reason(), "");
  policy.minimum_evidence.clear();
  policy.commands.push_back({"lint", "lint", {}, 0});
  baseline.commands.push_back(ran("lint", CommandResult::passed));
  EXPECT_EQ(reason(), "") << "another command can";
}

TEST_F(PreflightTest, ARedCheckThatNamesItsTestsCanConfirm) {
  baseline.commands = {ran("test", CommandResult::failed, "t/x.py::a FAILED\nt/y.py::b PASSED\n")};
  baseline.commands[0].tests = parse_test_report(baseline.commands[0].output);
  EXPECT_EQ(reason(), "");
  EXPECT_THAT(
      check_notices(baseline),
      ElementsAre(
          "`test` already fails on the base commit (1 of 2 tests). emend compares test by test: a fix "
          "must not break the 1 that pass."));
  baseline.commands = {ran("test", CommandResult::failed, "FAIL money\n")};
  baseline.commands[0].tests = parse_test_report(baseline.commands[0].output);
  EXPECT_EQ(reason(), "evidence_too_weak") << "nothing is known to pass, and the test is of another file";
  baseline.commands[0].tests = parse_test_report("FAIL a: adds\n");
  EXPECT_EQ(reason(), "") << "a fix of a.c may make it pass";
}

TEST_F(PreflightTest, WhatEachCheckTellsIsSaidAtTheBeginning) {
  baseline.commands = {ran("unit", CommandResult::passed, "t/x.py::a PASSED\n"),
                       ran("lint", CommandResult::passed),
                       ran("old", CommandResult::failed, "2 passed, 1 failed\n")};
  for (CommandRun& run : baseline.commands) run.tests = parse_test_report(run.output);
  EXPECT_THAT(
      check_notices(baseline),
      ElementsAre(
          "what the checks report: `unit`: tests by name (1); `lint`: exit status only",
          AllOf(HasSubstr("`old` already fails on the base commit (failed) and reports how many tests "
                          "pass and fail (3), so it cannot confirm a fix."),
                HasSubstr("pytest -v"), HasSubstr("`paths`"),
                HasSubstr("resolve.minimum_evidence = \"judged\""))));
  baseline.commands = {ran("shaky", CommandResult::failed)};
  baseline.commands[0].wavers = true;
  EXPECT_THAT(check_notices(baseline), ElementsAre(HasSubstr("`shaky` passes and fails on the base commit")));
}

TEST_F(PreflightTest, TheIssuesOwnRedCheckIsAReproducer) {
  policy.commands = {{"own", "sh own.sh", {"src/**"}, 0}};
  baseline.commands = {ran("own", CommandResult::failed)};
  policy.minimum_evidence = "repaired";
  EXPECT_EQ(reason(), "");
  issue.finding.file = "lib/x.c";
  policy.minimum_evidence.clear();
  EXPECT_EQ(reason(), "") << "where no check applies, the judge decides";
  policy.minimum_evidence = "unbroken";
  ASSERT_TRUE(hopeless());
  EXPECT_THAT(hopeless()->detail,
              AllOf(HasSubstr("no command in verify.commands is for lib/x.c. Next: add one, "),
                    Not(HasSubstr("make it pass"))));
}

TEST_F(PreflightTest, AnIssueAboutATestCanBeJudged) {
  baseline.commands = {ran("test", CommandResult::failed)};
  issue.finding.file = "tests/t.c";
  EXPECT_EQ(reason(), "");
  policy.minimum_evidence = "unbroken";
  EXPECT_EQ(reason(), "evidence_too_weak");
}

TEST_F(PreflightTest, MoreIsAskedForThanThereCanBe) {
  baseline.commands = {ran("test", CommandResult::passed)};
  policy.minimum_evidence = "unbroken";
  EXPECT_EQ(reason(), "");
  rescannable = true;
  policy.minimum_evidence = "proven";
  ASSERT_TRUE(hopeless());
  EXPECT_THAT(hopeless()->detail, AllOf(HasSubstr("resolve.minimum_evidence is proven"),
                                        HasSubstr("unbroken at best"), Not(HasSubstr("make it pass"))));
  policy.commands.clear();
  ASSERT_TRUE(hopeless());
  EXPECT_THAT(hopeless()->detail, HasSubstr("no commands are configured"));
}

TEST_F(PreflightTest, AFileThatIsTheCheckCannotBeFixed) {
  policy.commands = {{"smoke", "bash check.sh", {}, 0}};
  baseline.commands = {ran("smoke", CommandResult::passed)};
  issue.finding.file = "check.sh";
  ASSERT_TRUE(hopeless());
  EXPECT_EQ(hopeless()->reason, "protected");
  EXPECT_THAT(hopeless()->detail, HasSubstr("check.sh is run by `smoke`"));
  policy.commands[0].run = "bash -n check.sh";
  EXPECT_EQ(reason(), "") << "only read";
  policy.protected_paths = {"check.sh"};
  ASSERT_TRUE(hopeless());
  EXPECT_THAT(hopeless()->detail, HasSubstr("listed in fix.protected"));
  policy.scope = FixScope::repository;
  EXPECT_EQ(reason(), "") << "it may be fixed elsewhere";
  policy.scope = FixScope::need;
  EXPECT_EQ(reason(), "protected") << "nothing leads elsewhere";
  issue.finding.related_files = {"src/b.c"};
  EXPECT_EQ(reason(), "");
}

TEST_F(PreflightTest, TheRubricNeedsTheAnalyzer) {
  baseline.commands = {ran("test", CommandResult::passed)};
  policy.challenger.engine = "builtin";
  EXPECT_EQ(reason(), "unevaluated");
  rescannable = true;
  EXPECT_EQ(reason(), "");
}

} // namespace
} // namespace emend
