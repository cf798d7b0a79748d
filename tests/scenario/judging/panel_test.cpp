// Two judges of different vendors score each fix.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;
using testing::Not;

class Panel : public ::testing::Test {
protected:
  Panel() : world(Files{{"src/a.c", "int a(void) {\n  return 1;\n}\n"}}) {
    world.policy.panel = 2;
    world.policy.challenger.family = "google";
    world.policy.second_judge = world.policy.challenger;
    world.policy.second_judge.name = "second";
    world.policy.second_judge.family = "openai";
    for (std::string& word : world.policy.second_judge.command)
      word = replace_all(word, world.scripts + "/judge", world.scripts + "/second");
    world.fixer(
        "sed -i 's/return 1/return 2/' src/a.c\n"
        "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    issues = world.add({World::finding("src/a.c", 2, "returns the wrong number")});
  }
  static std::string says(int score) {
    const bool yes = score >= 95;
    return "printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":" + std::to_string(score) +
           ",\"status\":\"" + (yes ? "SOLVED" : "IN_PROGRESS") + "\",\"feedback\":\"words of a judge\"," +
           "\"blocking\":[" + (yes ? "" : "\"name the constant\"") + "]}}}\\n' \"$2\"";
  }
  void votes(int first, int second) {
    world.judge(says(first));
    world.judge(says(second), "second");
  }
  FixReport fix() { return world.must_fix(issues); }
  static const Clause& judged(const FixReport& report) {
    for (const Clause& clause : World::outcome(report, "BE-001").decision.clauses)
      if (clause.id == "P8") return clause;
    throw std::runtime_error("no clause P8");
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(Panel, TheAverageReachesTheThreshold) {
  votes(100, 90);
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.last_score, 95);
  EXPECT_EQ(judged(report).detail, "the judges scored it judge 100, second 90: 95 on average (threshold 95)");
  ASSERT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(report.cycles[0].verdicts.size(), 2U) << "both votes are stored";
  EXPECT_THAT(join(report.cycles[0].attempt.notes, "\n"), HasSubstr("would change: name the constant"));
  const Json json = to_json(report);
  EXPECT_EQ(json["cycles"][0]["score"], 95) << json["cycles"].dump();
  EXPECT_EQ(json["cycles"][0]["judges"].size(), 2U);
}

TEST_F(Panel, AnAverageBelowTheThresholdIsANoAndTheFixerHearsBoth) {
  votes(99, 90);
  world.policy.max_iterations = 2;
  world.fixer(
      "sed -i \"s/return [0-9]*/return $(grep -c . \"$3\")/\" src/a.c\n"
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport report = fix();
  EXPECT_THAT(World::status(report, "BE-001"), HasSubstr("FAILED"));
  EXPECT_EQ(World::outcome(report, "BE-001").issue.last_score, 94);
  const std::string second = world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md");
  EXPECT_THAT(second, HasSubstr("One judge (99 of 100)"));
  EXPECT_THAT(second, HasSubstr("One judge (90 of 100)"));
  EXPECT_THAT(second, HasSubstr("name the constant"));
}

TEST_F(Panel, AJudgeWithoutAValidVerdictLeavesItUnresolved) {
  votes(100, 100);
  world.judge("echo nonsense", "second");
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(unevaluated)");
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::unevaluated);
}

TEST_F(Panel, EachJudgeGetsItsOwnCanaryAndOneThatApprovesItIsVoid) {
  votes(100, 100);
  world.policy.canaries = 1;
  const FixReport report = fix();
  EXPECT_THAT(World::status(report, "BE-001"), Not(HasSubstr("RESOLVED")));
  int canaries = 0;
  for (const Verdict& verdict : must(world.store().verdicts(report.session.id)))
    canaries += verdict.canary.empty() ? 0 : 1;
  EXPECT_EQ(canaries, 2);
}

TEST_F(Panel, ASecondJudgeOfTheSameVendorIsRefusedBeforeAnythingIsPaid) {
  votes(100, 100);
  world.policy.second_judge.family = "google";
  const auto report = world.fix(issues);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::config);
  EXPECT_THAT(report.error().message, HasSubstr("another vendor than judge"));
  const auto sessions = must(world.store().sessions("", 0));
  for (const Session& session : sessions) EXPECT_TRUE(must(world.store().agent_runs(session.id)).empty());
}

} // namespace
} // namespace emend::testing_support
