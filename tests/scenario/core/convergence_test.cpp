// A fix loop comes to an end: no new issues on the way, and no going round in circles.
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

class Convergence : public ::testing::Test {
protected:
  Convergence()
      : world({{"src/a.c", "int a(void) {\n  return 1;\n}\n"},
               {"check.sh", "grep -q 'return 2' src/a.c || { echo \"want return 2\"; exit 1; }\n"}}) {
    world.policy.max_fix_cycles = 6;
    world.policy.max_iterations = 6;
    issues = world.add({World::finding("src/a.c", 2, "returns the wrong number")});
  }
  // Returns the n-th of these numbers in the n-th round.
  void fixer_tries(const std::string& numbers) {
    const std::string count = world.scripts + "/count";
    world.fixer("n=$(cat " + count + " 2>/dev/null || echo 0); n=$((n + 1)); echo $n > " + count +
                "\nset -- " + "\"$2\" " + numbers +
                "\nid=$1; shift $n\nsed -i \"s/return [0-9]*/return $1/\" src/a.c\necho "
                "'{\"outcomes\":[{\"id\":\"'$id'\",\"outcome\":\"fixed\"}]}'");
  }
  int runs_of(const FixReport& report, VerificationKind kind) {
    int count = 0;
    for (const Verification& run : must(world.store().verifications(report.session.id)))
      count += run.kind == kind ? 1 : 0;
    return count;
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(Convergence, GoingBackToAnEarlierChangeEndsTheLoop) {
  world.policy.commands = {{"check", "cat src/a.c; sh check.sh", {"src/**"}, 0}};
  fixer_tries("3 4 3 2");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(no_progress)");
  ASSERT_EQ(report.cycles.size(), 3U);
  EXPECT_TRUE(contains(report.cycles[2].attempt.detail, "the same change as in round 1"))
      << report.cycles[2].attempt.detail;
  EXPECT_EQ(runs_of(report, VerificationKind::alone), 2) << "what is known is not run again";
  EXPECT_TRUE(contains(World::outcome(report, "BE-001").issue.detail, "the same change as in round 1"));
}

TEST_F(Convergence, TheSameFailureOfAnotherChangeEndsTheLoop) {
  world.policy.commands = {{"check", "sh check.sh", {"src/**"}, 0}};
  fixer_tries("3 4 2");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_EQ(report.cycles.size(), 2U);
  EXPECT_TRUE(contains(World::outcome(report, "BE-001").issue.detail,
                       "no progress: two different changes in a row got the same result"))
      << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Convergence, AnotherFailureIsProgress) {
  world.policy.commands = {{"check", "cat src/a.c; sh check.sh", {"src/**"}, 0}};
  fixer_tries("3 4 2");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(report.cycles.size(), 3U);
}

// A judge that says no is not asked about the same change until it says yes.
TEST_F(Convergence, TheSameChangeIsNotJudgedTwice) {
  const std::string asked = world.scripts + "/asked";
  world.policy.commands = {{"smoke", "test -f src/a.c", {}, 0}};
  fixer_tries("3 4 3");
  world.judge("echo x >> " + asked + "; n=$(wc -l < " + asked +
              "); s=60; [ $n -gt 2 ] && s=99\n"
              "echo '{\"review_token\":\"'$token'\",\"issues\":{\"'$2'\":{\"score\":'$s',\"feedback\":\"no, "
              "number '$n'\"}}}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(no_progress)");
  EXPECT_EQ(must(read_file(asked)), "x\nx\n");
}

TEST_F(Convergence, TheSameVerdictOnAnotherChangeEndsTheLoop) {
  world.policy.commands = {{"smoke", "test -f src/a.c", {}, 0}};
  fixer_tries("3 4 5");
  world.judge_score(60);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(below_threshold)");
  EXPECT_EQ(report.cycles.size(), 2U);
}

TEST_F(Convergence, NothingSaidInALaterRoundBecomesAnIssue) {
  world.policy.commands = {{"check", "sh check.sh", {"src/**"}, 0}};
  fixer_tries("2");
  world.judge(
      "echo "
      "'{\"review_token\":\"'$token'\",\"issues\":{\"'$2'\":{\"score\":98,\"status\":\"SOLVED\",\"feedback\":"
      "\"fine\"},\"NEW-1\":{\"score\":10,\"feedback\":\"b() leaks\"}},"
      "\"findings\":[{\"title\":\"c() is slow\",\"file\":\"src/a.c\"}],\"new_issues\":[\"d() is ugly\"]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(report.issues.size(), 1U);
  EXPECT_EQ(must(world.store().issues(IssueFilter{})).size(), 1U)
      << "the list was closed when the session began";
  const std::string notes = join(report.notes, "\n");
  for (const char* remark :
       {"(no new issue is opened for it): c() is slow", "(no new issue is opened for it): d() is ugly",
        "(no new issue is opened for it): NEW-1: b() leaks"})
    EXPECT_TRUE(contains(notes, remark)) << notes;
}

// An issue about a test.
class TestIssue : public ::testing::Test {
protected:
  TestIssue()
      : world({{"src/a.sh", "echo 1\n"},
               {"tests/run.sh", "set -e\ntest \"$(sh src/a.sh)\" = 1\necho '1 passed'\n"},
               {"suite.sh", "for t in tests/*.sh; do sh $t || exit 1; done\n"}}) {
    world.policy.commands = {{"suite", "sh suite.sh", {}, 0}};
    world.judge_score(98);
  }
  FixReport fix(const std::string& edit) {
    world.fixer(edit + "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    return world.must_fix(
        world.add({World::finding("tests/run.sh", 1, "does not quote the name of the script")}));
  }
  World world;
};

TEST_F(TestIssue, IsJudgedNotVerifiedByTheTestItChanges) {
  const FixReport report = fix("sed -i 's/src.a.sh/\"src\\/a.sh\"/' tests/run.sh");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  const IssueOutcome& outcome = World::outcome(report, "BE-001");
  EXPECT_EQ(outcome.issue.evidence, "judged");
  std::string said;
  for (const Clause& clause : outcome.decision.clauses) said += clause.detail + "\n";
  EXPECT_TRUE(contains(said, "the issue is about tests/run.sh (test), which is changed")) << said;
  EXPECT_TRUE(contains(said, "judged only")) << said;
  const std::string message = world.git({"log", "-1", "--format=%B", report.session.branch});
  EXPECT_TRUE(contains(message, "It is about a test and changes it: tests/run.sh")) << message;
  EXPECT_TRUE(contains(message, "Emend-Evidence: judged")) << message;
}

TEST_F(TestIssue, IsNotEnoughWhereMoreEvidenceIsAskedFor) {
  world.policy.minimum_evidence = "unbroken";
  EXPECT_EQ(World::status(fix("sed -i 's/src.a.sh/\"src\\/a.sh\"/' tests/run.sh"), "BE-001"),
            "FAILED(evidence_too_weak)");
}

TEST_F(TestIssue, ThatAsksLessThanBeforeIsTheJudgesToSee) {
  const FixReport report = fix("sed -i 's/= 1$/!= 7/' tests/run.sh");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
}

TEST_F(TestIssue, WhatElseIsChangedIsVerifiedByTheTestsOfTheBase) {
  world.policy.scope = FixScope::repository;
  FixReport report = fix("sed -i 's/src.a.sh/\"src\\/a.sh\"/' tests/run.sh; echo ': done' >> src/a.sh");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "unbroken");
  EXPECT_EQ(report.cycles.front().verifications.size(), 2U)
      << "once with the changed test, once with the base's";
}

TEST_F(TestIssue, WhatTheTestsOfTheBaseRefuseIsJudgedOnly) {
  world.policy.scope = FixScope::repository;
  const FixReport report = fix("sed -i 's/= 1$/= 2/' tests/run.sh; echo 'echo 2' > src/a.sh");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
}

// The runner's ids come from a report it writes into the fresh tree; the one that lies in the repository is
// nobody's.
TEST(JunitReports, WrittenByTheRunCount) {
  const std::string stale = R"(<testsuite><testcase classname="old" name="gone"/></testsuite>)";
  World world({{"src/a.sh", "echo 1\n"},
               {"stale.xml", stale},
               {"suite.sh",
                "mkdir -p out\nskip=; grep -q skipme src/a.sh && skip='<skipped/>'\n"
                "echo \"<testsuites><testsuite name='s'><testcase classname='a' "
                "name='one'>$skip</testcase></testsuite></testsuites>\" > out/junit.xml\n"}});
  world.policy.commands = {{"suite", "sh suite.sh", {}, 0}};
  world.judge_score(98);
  const auto issues = world.add({World::finding("src/a.sh", 1, "prints the wrong number")});
  world.fixer(
      "echo 'echo 2 # skipme' > src/a.sh\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001").substr(0, 6), "FAILED");
  EXPECT_TRUE(contains(report.cycles.front().attempt.detail, "test is skipped now: a.one"))
      << report.cycles.front().attempt.detail;
  world.fixer("echo 'echo 2' > src/a.sh\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  ASSERT_TRUE(report.baseline.has_value());
  EXPECT_EQ(report.baseline->commands.front().tests.by_id,
            (std::map<std::string, std::string>{{"a.one", "passed"}}));
}

} // namespace
} // namespace emend::testing_support
