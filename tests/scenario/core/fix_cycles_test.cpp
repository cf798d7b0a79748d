// The cases the fix engine's original design lists for its cycles.
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

const Files kProject = {{"src/a.c", "int a(void) {\n  return 1;\n}\n"},
                        {"check.sh", "grep -q 'return 2' src/a.c || { echo \"want return 2\"; exit 1; }\n"},
                        {"smoke.sh", "grep -q 'int a' src/a.c\n"},
                        {"notes.txt", "hangs\n"}};

constexpr const char* kHonest = R"(sed -i 's/return 1/return 2/' src/a.c
echo '{"outcomes":[{"id":"'"$2"'","outcome":"fixed","explanation":"done"}]}')";
constexpr const char* kWrong = R"(sed -i 's/return [0-9]*/return 3/' src/a.c
echo '{"outcomes":[{"id":"'"$2"'","outcome":"fixed","explanation":"done"}]}')";

class FixCycles : public ::testing::Test {
protected:
  FixCycles() : world(kProject) {
    world.policy.commands = {{"smoke", "sh smoke.sh", {}, 0}, {"check", "sh check.sh", {"src/**"}, 0}};
    issues = world.add({World::finding("src/a.c", 2, "returns the wrong number")});
  }
  World world;
  std::vector<Issue> issues;
};

TEST_F(FixCycles, OneCycleThatPasses) {
  world.fixer(kHonest);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  ASSERT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "repaired");
  EXPECT_EQ(world.show(report.session.branch, "src/a.c"), "int a(void) {\n  return 2;\n}\n");
  EXPECT_TRUE(report.fixes_applied);
}

TEST_F(FixCycles, OneCycleThatFailsWhenOneIsAllowed) {
  world.fixer(kWrong);
  world.policy.max_fix_cycles = 1;
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::failed);
  EXPECT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(FixCycles, SecondCycleSeesTheFailureAndPasses) {
  world.fixer(std::string("if [ \"$1\" = fixer ]; then\n") + kWrong +
              "\nelse\nsed -i 's/return 3/return 2/' src/a.c\necho "
              "'{\"review_token\":\"'$token'\",\"issues\":{\"'$2'\":{\"status\":\"fixed\"}}}'\nfi");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::verification_failed);
  const std::string prompt = world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md");
  EXPECT_TRUE(contains(prompt, "want return 2")) << "what the command printed on stdout";
  EXPECT_TRUE(contains(prompt, "sh check.sh"));
  EXPECT_TRUE(contains(prompt, "+  return 3;")) << "what was changed so far";
}

TEST_F(FixCycles, ThreeCyclesThatAllFail) {
  world.policy.commands[1].run = "cat src/a.c; sh check.sh"; // says something else every time
  world.fixer(
      "echo \"// $$\" >> src/a.c; sed -i \"s/return [0-9]*/return 3$(wc -l < src/a.c)/\" src/a.c\necho "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 3U);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

TEST_F(FixCycles, DryRunGivesThePromptAndRunsNothing) {
  world.fixer("touch " + world.scripts + "/ran");
  FixRequest request;
  request.policy = world.policy;
  const auto prompts = must(world.manager().dry_run(request, {issues[0]}));
  ASSERT_EQ(prompts.size(), 1U);
  EXPECT_TRUE(contains(prompts[0].prompt, "returns the wrong number"));
  EXPECT_TRUE(contains(prompts[0].prompt, "src/a.c:2"));
  EXPECT_TRUE(contains(prompts[0].prompt, ": sh check.sh\n"));
  EXPECT_FALSE(fs::exists(world.scripts + "/ran"));
  EXPECT_TRUE(must(world.store().sessions("", 0)).empty());
}

TEST_F(FixCycles, CancelDuringTheAgentGivesPartialResults) {
  world.fixer("if [ $2 = BE-002 ]; then touch " + world.scripts + "/started; sleep 600; fi\n" + kHonest);
  auto more = world.add({World::finding("notes.txt", 1, "hangs")});
  issues.push_back(more[0]);
  std::stop_source source;
  world.on_event = [&](const Event& event) { // the second agent runs: now the person presses Ctrl-C
    if (event.type == "fix_agent_invoked" && event.issue_code == "BE-002") source.request_stop();
  };
  const FixReport report = must(world.fix(issues, source.get_token()));
  EXPECT_EQ(report.session.status, SessionStatus::cancelled);
  EXPECT_EQ(World::status(report, "BE-001"), "OPEN");
  EXPECT_EQ(World::status(report, "BE-002"), "OPEN");
  ASSERT_GE(report.cycles.size(), 1U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::accepted);

  world.on_event = {};
  world.fixer(kHonest);
  const FixReport resumed = must(world.manager().resume(report.session.id, {}));
  EXPECT_EQ(World::status(resumed, "BE-001"), "RESOLVED") << "the accepted fix was kept";
  EXPECT_EQ(resumed.cycles.front().attempt.id, report.cycles.front().attempt.id);
}

TEST_F(FixCycles, ZeroFindingsIsNothingToDo) {
  const FixReport report = world.must_fix({});
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_TRUE(report.cycles.empty());
}

TEST_F(FixCycles, ZeroCyclesSkipsFixing) {
  world.fixer("touch " + world.scripts + "/ran\n" + kHonest);
  world.policy.max_fix_cycles = 0;
  const FixReport report = world.must_fix(issues);
  EXPECT_TRUE(report.cycles.empty());
  EXPECT_EQ(World::status(report, "BE-001"), "OPEN");
  EXPECT_FALSE(fs::exists(world.scripts + "/ran"));
}

TEST_F(FixCycles, AgentThatExitsNonZeroEndsTheAttemptAndTheNextOneRuns) {
  world.fixer(std::string("if [ \"$1\" = fixer ]; then exit 3; fi\n") + kHonest);
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::agent_failed);
  EXPECT_EQ(report.cycles[0].attempt.exit_code, 3);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
}

TEST_F(FixCycles, WorkOfAnAgentThatExitsNonZeroIsStillExamined) {
  world.fixer(std::string(kHonest) + "\nexit 1");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
}

TEST_F(FixCycles, EmptyDiffIsNotedAndNeverResolved) {
  world.fixer(
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":\"86/86 pass\"}]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 3U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::no_change);
  EXPECT_TRUE(
      contains(report.cycles[0].attempt.detail, "the fixer reported it as fixed, but changed nothing"));
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(no_change)");
}

TEST_F(FixCycles, DeferredIsRetriedTwiceThenBlocked) {
  world.fixer(
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"deferred\",\"explanation\":\"need context\"}]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 3U);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(blocked)");
}

TEST_F(FixCycles, NotReportedCountsAsDeferred) {
  world.fixer("echo '{\"outcomes\":[{\"id\":\"XX-9\",\"outcome\":\"fixed\"}]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles[0].attempt.claim, Claim::not_reported);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::deferred);
}

TEST_F(FixCycles, BlockedEndsAtOnceUnlessSomethingWasChanged) {
  world.fixer(
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"blocked\",\"explanation\":\"needs a "
      "migration\"}]}'");
  FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(blocked)");
  world.fixer(
      "sed -i 's/return 1/return 2/' src/a.c; echo "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"blocked\"}]}'");
  report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << "the tree decides, not the word";
}

TEST_F(FixCycles, LowScoreIsFixedAgainWithTheFeedback) {
  world.fixer(std::string("if [ \"$1\" = re_fixer ]; then sed -i 's/return 2/return  2/' src/a.c; sed -i "
                          "'s/int a(void)/int a (void)/' src/a.c; fi\n") +
              kHonest);
  world.judge("if [ ! -e " + world.scripts + "/once ]; then touch " + world.scripts +
              "/once; s=70; w=IN_PROGRESS; else s=96; w=SOLVED; fi\n"
              "echo "
              "'{\"review_token\":\"'$token'\",\"issues\":{\"'$2'\":{\"score\":'$s',\"status\":\"'$w'\","
              "\"feedback\":\"use a named constant\",\"improvements_needed\":[\"name it\"]}}}'");
  world.policy.commands.clear();
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::below_threshold);
  const std::string prompt = world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md");
  EXPECT_TRUE(contains(prompt, "use a named constant"));
  EXPECT_TRUE(contains(prompt, "- name it"));
}

TEST_F(FixCycles, LowScoreTwiceFails) {
  world.fixer(std::string("echo '/* '$$' */ int x'$$';' >> src/a.c\n") + kHonest);
  world.judge_score(94);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(below_threshold)");
  EXPECT_EQ(World::outcome(report, "BE-001").issue.last_score, 94);
}

} // namespace
} // namespace emend::testing_support
