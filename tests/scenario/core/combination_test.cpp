// Many fixes in one session: merged, verified together, bisected, stacked on top of each other.
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

constexpr const char* kFixed = "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

std::vector<std::string> commit_codes(World& world, const FixReport& report) {
  std::vector<std::string> codes;
  for (const std::string& line :
       split(world.git({"log", "--reverse", "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C)",
                        report.session.base + ".." + report.session.branch}),
             '\n'))
    if (!line.empty()) codes.push_back(line);
  return codes;
}

TEST(Combination, OneCommitPerIssueEachWithExactlyItsPatch) {
  Files files;
  std::vector<Finding> findings;
  for (int i = 0; i < 5; ++i) {
    files["src/f" + std::to_string(i) + ".c"] = "int f = 1;\n";
    findings.push_back(World::finding("src/f" + std::to_string(i) + ".c", 1, "f is wrong"));
  }
  World world(files);
  world.policy.parallel = 2;
  const auto issues = world.add(findings);
  world.fixer("n=$(expr ${2#BE-00} - 1); sed -i 's/f = 1/f = 2/' src/f$n.c\n" + std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_EQ(commit_codes(world, report),
            (std::vector<std::string>{"BE-001", "BE-002", "BE-003", "BE-004", "BE-005"}));
  for (const CommitRecord& commit : report.commits)
    EXPECT_EQ(
        split(std::string(trim(world.git({"diff", "--name-only", commit.parent, commit.sha}))), '\n').size(),
        1U);
  EXPECT_EQ(World::outcome(report, "BE-003").issue.evidence, "judged") << "no commands are configured";
}

TEST(Combination, TwoIssuesInOneFileAreMergedByBytes) {
  World world(
      Files{{"src/a.c",
             "int a = 1;\nint pad1;\nint pad2;\nint pad3;\nint pad4;\nint pad5;\nint pad6;\nint b = 1;\n"}});
  const auto issues = world.add({World::finding("src/a.c", 1, "a"), World::finding("src/a.c", 8, "b")});
  world.fixer(
      "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; *) sed -i 's/b = 1/b = 2/' src/a.c;; esac\n" +
      std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_EQ(world.show(report.session.branch, "src/a.c"),
            "int a = 2;\nint pad1;\nint pad2;\nint pad3;\nint pad4;\nint pad5;\nint pad6;\nint b = 2;\n");
  EXPECT_EQ(report.commits.size(), 2U);
}

TEST(Combination, TwoIssuesCuredByTheSamePatchShareACommit) {
  World world(Files{{"src/a.c", "int a = 1;\n"}, {"ok.sh", "grep -q 'int a' src/a.c\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
  const auto issues = world.add(
      {World::finding("src/a.c", 1, "a is wrong"), World::finding("src/a.c", 1, "the same in other words")});
  world.fixer("sed -i 's/a = 1/a = 2/' src/a.c\n" + std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed) << World::outcome(report, "BE-002").issue.detail;
  ASSERT_EQ(report.commits.size(), 1U);
  EXPECT_EQ(commit_codes(world, report), std::vector<std::string>{"BE-001,BE-002"});
}

TEST(Combination, ConflictingFixIsMadeAgainOnTopOfTheFirst) {
  World world(Files{{"src/a.c", "int a = 1, b = 1;\n"}, {"ok.sh", "grep -q 'int a' src/a.c\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
  const auto issues = world.add({World::finding("src/a.c", 1, "a"), World::finding("src/a.c", 1, "b")});
  world.fixer(
      "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; *) sed -i 's/b = 1/b = 2/' src/a.c;; esac\n" +
      std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  EXPECT_EQ(world.show(report.session.branch, "src/a.c"), "int a = 2, b = 2;\n");
  EXPECT_EQ(commit_codes(world, report), (std::vector<std::string>{"BE-001", "BE-002"}));
  EXPECT_TRUE(contains(join(report.notes, "\n"), "BE-002 is fixed again on top"));
}

// A check with `paths` runs for the fixes of those files, and once more for all of them together.
TEST(Combination, AFixThatBreaksACheckOfOtherFilesIsNotSaidToWorkAlone) {
  World world(Files{{"src/a.c", "int a = 1;\n"}, {"src/b.c", "int b = 1;\n"}, {"src/c.c", "int c = 1;\n"}});
  world.policy.max_fix_cycles = 1;
  world.policy.commands = {{"ok", "true", {"src/a.c", "src/c.c"}, 0},
                           {"b", "grep -q 'a = 1' src/a.c", {"src/b.c"}, 0}};
  const auto issues = world.add({World::finding("src/a.c", 1, "a is wrong")});
  world.fixer("sed -i 's/= 1/= 2/' src/a.c\n" + std::string(kFixed));
  const FixReport alone = world.must_fix(issues);
  EXPECT_EQ(World::status(alone, "BE-001"), "FAILED(verification_failed)");
  const std::string detail = World::outcome(alone, "BE-001").issue.detail;
  EXPECT_TRUE(contains(detail, "`b` failed")) << detail;
  EXPECT_FALSE(contains(detail, "alone")) << detail;
  EXPECT_FALSE(contains(detail, "--base")) << "there is no branch to start from: " << detail;
  EXPECT_FALSE(contains(join(alone.notes, "\n"), "other fixes")) << join(alone.notes, "\n");
}

// Good alone, bad together: the check fails when two named files are both changed.
class Bisect : public ::testing::TestWithParam<VerifyMode> {
protected:
  static Files files() {
    Files made = {{"tests/check.sh",
                   "n=0; for f in 2 5; do grep -q 'f = 2' src/f$f.c && n=$((n+1)); done; test $n -lt 2\n"}};
    for (int i = 1; i <= 7; ++i) made["src/f" + std::to_string(i) + ".c"] = "int f = 1;\n";
    return made;
  }
};

TEST_P(Bisect, CulpritIsDroppedAndTheRestIsKept) {
  World world(files());
  world.policy.verify_mode = GetParam();
  world.policy.max_fix_cycles = 1;
  world.policy.commands = {{"check", "sh tests/check.sh", {}, 0}};
  std::vector<Finding> findings;
  for (int i = 1; i <= 7; ++i)
    findings.push_back(World::finding("src/f" + std::to_string(i) + ".c", 1, "f is wrong"));
  const auto issues = world.add(findings);
  world.fixer("sed -i 's/f = 1/f = 2/' src/f${2#BE-00}.c\n" + std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::partial);
  EXPECT_EQ(report.commits.size(), 6U);
  EXPECT_EQ(World::status(report, "BE-005"),
            GetParam() == VerifyMode::each ? "FAILED(combination_failed)" : "FAILED(verification_failed)");
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED");
  EXPECT_EQ(world.show(report.session.branch, "src/f5.c"), "int f = 1;\n");
  EXPECT_EQ(world.show(report.session.branch, "src/f7.c"), "int f = 2;\n");
}

INSTANTIATE_TEST_SUITE_P(Modes, Bisect, ::testing::Values(VerifyMode::each, VerifyMode::batch),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Combination, BatchRunsTheSuiteOnceWhenAllIsWell) {
  World world(
      Files{{"src/f1.c", "int f = 1;\n"}, {"src/f2.c", "int f = 1;\n"}, {"src/f3.c", "int f = 1;\n"}});
  const std::string counter = world.home + "/count";
  world.policy.verify_mode = VerifyMode::batch;
  world.policy.commands = {{"suite", "true", {}, 0}};
  const auto issues = world.add({World::finding("src/f1.c", 1, "x"), World::finding("src/f2.c", 1, "x"),
                                 World::finding("src/f3.c", 1, "x")});
  world.fixer("sed -i 's/f = 1/f = 2/' src/f${2#BE-00}.c\n" + std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  int combined = 0, alone = 0;
  for (const Verification& run : must(world.store().verifications(report.session.id))) {
    combined += run.kind == VerificationKind::combined ? 1 : 0;
    alone += run.kind == VerificationKind::alone ? 1 : 0;
  }
  EXPECT_EQ(combined, 1);
  EXPECT_EQ(alone, 0);
  EXPECT_EQ(World::outcome(report, "BE-002").issue.evidence, "judged") << "nobody saw the check failing";
}

TEST(Combination, InBatchModeACulpritMayTryAgainWithTheFailureInHand) {
  World world(Files{{"src/f1.c", "int f = 1;\n"},
                    {"src/f2.c", "int f = 1;\n"},
                    {"tests/check.sh", "! grep -q 'f = 9' src/f2.c || { echo nine is bad; exit 1; }\n"}});
  world.policy.verify_mode = VerifyMode::batch;
  world.policy.commands = {{"check", "sh tests/check.sh", {}, 0}};
  const auto issues = world.add({World::finding("src/f1.c", 1, "x"), World::finding("src/f2.c", 1, "x")});
  world.fixer(
      "v=2; [ $1 = fixer ] && [ $2 = BE-002 ] && v=9\n[ $1 = re_fixer ] && { grep -q 'nine is bad' \"$3\" || "
      "exit 7; }\nsed -i \"s/f = 1/f = $v/\" src/f${2#BE-00}.c\n" +
      std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed)
      << World::status(report, "BE-002") << World::outcome(report, "BE-002").issue.detail;
  EXPECT_EQ(world.show(report.session.branch, "src/f2.c"), "int f = 2;\n");
}

TEST(Combination, BaselineIsRunOncePerBaseAcrossSessions) {
  World world(Files{{"src/a.c", "int a = 1;\n"}});
  const std::string log = world.scripts + "/runs";
  world.policy.commands = {{"suite", "echo run >> " + log, {}, 0}};
  world.fixer("sed -i 's/a = 1/a = 2/' src/a.c\n" + std::string(kFixed));
  const auto issues = world.add({World::finding("src/a.c", 1, "a")});
  world.judge_score(10, "IN_PROGRESS");
  world.policy.max_iterations = 1;
  world.must_fix(issues);
  world.must_fix(issues);
  EXPECT_EQ(split(must(read_file(log)), '\n').size() - 1, 5U)
      << "one baseline, two patched trees, each probed once";
}

TEST(Combination, UserCommittingMeanwhileDoesNotMatter) {
  World world(Files{{"src/a.c", "int a = 1;\n"}});
  world.fixer("sed -i 's/a = 1/a = 2/' src/a.c\n" + std::string(kFixed));
  const auto issues = world.add({World::finding("src/a.c", 1, "a")});
  world.on_event = [&](const Event& event) {
    if (event.type != "fix_agent_invoked") return;
    world.write("src/a.c", "int a = 5;\n");
    world.git({"commit", "-qam", "meanwhile"});
  };
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(world.show("main", "src/a.c"), "int a = 5;\n");
  EXPECT_EQ(world.git({"merge-base", "main", report.session.branch}), report.session.base + "\n");
}

TEST(Combination, BranchTakenMeanwhileIsNeverOverwritten) {
  World world(Files{{"src/a.c", "int a = 1;\n"}});
  world.fixer("sed -i 's/a = 1/a = 2/' src/a.c\n" + std::string(kFixed));
  const auto issues = world.add({World::finding("src/a.c", 1, "a")});
  world.policy.branch = "fix/mine";
  world.on_event = [&](const Event& event) {
    if (event.type == "fix_agent_invoked") world.git({"branch", "fix/mine", "main"});
  };
  auto result = world.fix(issues);
  ASSERT_FALSE(result);
  EXPECT_EQ(world.git({"rev-parse", "fix/mine"}), world.git({"rev-parse", "main"}));
  const auto sessions = must(world.store().sessions("", 1));
  EXPECT_EQ(sessions[0].status, SessionStatus::error);
  EXPECT_EQ(must(world.store().issue(world.repository().id(), "BE-001")).status, IssueStatus::open);
  world.on_event = {};
  world.git({"branch", "-D", "fix/mine"});
  EXPECT_EQ(World::status(must(world.manager().resume(sessions[0].id, {})), "BE-001"), "RESOLVED");
}

} // namespace
} // namespace emend::testing_support
