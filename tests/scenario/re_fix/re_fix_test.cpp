// A second round knows what the first one did, and may disagree with its judge.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReFix : public ::testing::Test {
protected:
  ReFix()
      : world({{"src/a.c", "int a(void) {\n  return 1;\n}\n"},
               {"check.sh", "! grep -q 'return 7' src/a.c\n"},
               {".gitignore", "*.tmp\n"}}) {
    world.policy.commands = {{"check", "sh check.sh", {}, 0}};
    world.policy.canaries = 0;
    world.policy.max_fix_cycles = 5;
    world.policy.max_iterations = 5;
    issues = world.add({World::finding("src/a.c", 2, "returns the wrong number")});
  }
  // The script of each round; the last one goes on.
  void rounds(const std::vector<std::string>& scripts) {
    const std::string count = world.scripts + "/count";
    std::string text =
        "n=$(cat " + count + " 2>/dev/null || echo 0); n=$((n + 1)); echo $n > " + count + "\n";
    for (std::size_t i = 0; i < scripts.size(); ++i)
      text += "if [ $n " + std::string(i + 1 == scripts.size() ? "-ge" : "-eq") + " " +
              std::to_string(i + 1) + " ]; then\n" + scripts[i] + "\nfi\n";
    world.fixer(text);
  }
  static std::string returns(int number, const std::string& outcome = "fixed") {
    return "sed -i 's/return [0-9]*/return " + std::to_string(number) + "/' src/a.c\n" + answers(outcome);
  }
  static std::string answers(const std::string& outcome, const std::string& why = "because of the header") {
    return "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"" + outcome + "\",\"explanation\":\"" + why +
           "\"}]}'";
  }
  // Scores what a condition on the tree and the prompt ($3) says.
  void judge_says(const std::string& condition) {
    world.judge("if " + condition +
                "; then score=97 status=SOLVED; else score=60 status=IN_PROGRESS; fi\n"
                "printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":%s,\"status\":\"%s\","
                "\"feedback\":\"wants a comment\",\"improvements_needed\":[]}}}\\n' \"$2\" $score $status");
  }
  std::string prompt(const FixReport& report, int round) {
    return world.artifact(report.session.id, "BE-001-" + std::to_string(round) +
                                                 (round == 1 ? "-fixer" : "-re_fixer") + ".prompt.md");
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(ReFix, AContestedChangeIsJudgedOnceMoreAndThatCounts) {
  rounds({returns(2), answers("contested")});
  judge_says("grep -q 'in dispute' \"$3\"");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[1].attempt.claim, Claim::contested);
  EXPECT_EQ(report.cycles[1].attempt.patch.sha256(), report.cycles[0].attempt.patch.sha256());
  EXPECT_THAT(prompt(report, 2), HasSubstr("answer `contested`"));
  const std::string shown = world.artifact(report.session.id, "BE-001-2-fix_challenger-1.prompt.md");
  EXPECT_THAT(shown, HasSubstr("wants a comment"));
  EXPECT_THAT(shown, HasSubstr("because of the header"));
  EXPECT_THAT(shown, Not(HasSubstr("fixer"))) << "not whose views they are";
}

// Small findings, small code: what is left are the instructions.
TEST_F(ReFix, ThePromptsOfASessionKeepToTheirBudgets) {
  rounds({returns(2), returns(3)});
  judge_says("grep -q 'return 3' src/a.c");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_LE(prompt(report, 1).size(), 4'096U);
  EXPECT_LE(prompt(report, 2).size(), 5'120U) << "with the change and what the judge said of it";
  for (const char* round : {"1", "2"}) {
    const std::string judge =
        world.artifact(report.session.id, std::string("BE-001-") + round + "-fix_challenger-1.prompt.md");
    EXPECT_GT(judge.size(), 1'000U);
    EXPECT_LE(judge.size(), 5'120U);
  }
}

TEST_F(ReFix, ASecondNoStandsAndNothingIsContestedTwice) {
  rounds({returns(2), answers("contested")});
  judge_says("false");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001").substr(0, 6), "FAILED");
  ASSERT_GE(report.cycles.size(), 3U);
  EXPECT_EQ(report.cycles[1].attempt.result, AttemptResult::below_threshold);
  EXPECT_EQ(report.cycles[2].attempt.result, AttemptResult::no_change);
  EXPECT_THAT(report.cycles[2].attempt.detail, HasSubstr("this was done once already"));
  EXPECT_THAT(prompt(report, 3), Not(HasSubstr("contested")));
}

TEST_F(ReFix, AFailingCheckIsNoMatterOfOpinion) {
  rounds({returns(7), answers("contested"), returns(2)});
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(report.cycles[1].attempt.result, AttemptResult::no_change);
  EXPECT_THAT(report.cycles[1].attempt.detail, HasSubstr("only a judge's score can be contested"));
  EXPECT_THAT(prompt(report, 3), HasSubstr("sh check.sh")) << "why the change failed is still said";
}

TEST_F(ReFix, StartsFromTheBestChangeAndShowsTheOtherOne) {
  rounds({returns(2), returns(7), "grep -q 'return 2' src/a.c && " + returns(3)});
  judge_says("grep -q 'return 3' src/a.c");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  const std::string third = prompt(report, 3);
  EXPECT_THAT(third, HasSubstr("change of round 1"));
  EXPECT_THAT(third, HasSubstr("+  return 2;"));
  EXPECT_THAT(third, HasSubstr("scored the change 60 of 100")) << "what was said of it";
  EXPECT_THAT(third, HasSubstr("Round 2 made this change, which is not in your working directory"));
  EXPECT_THAT(third, HasSubstr("+  return 7;"));
  EXPECT_THAT(third, HasSubstr("sh check.sh"));
}

TEST_F(ReFix, ARefusedChangeIsShownWithItsReason) {
  rounds({"echo x >> check.sh\n" + returns(2), returns(2)});
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  const std::string second = prompt(report, 2);
  EXPECT_THAT(second, HasSubstr("Round 1 made this change, which is not in your working directory"));
  EXPECT_THAT(second, HasSubstr("check.sh is protected (run by a check)"));
}

TEST_F(ReFix, AChangeThatWasKeptIsNotCalledNothing) {
  rounds({returns(7), answers("fixed"), returns(2)});
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(report.cycles[1].attempt.detail, HasSubstr("left the change of round 1 as it was"));
  EXPECT_THAT(prompt(report, 3), Not(HasSubstr("Nothing was changed")));
  EXPECT_THAT(prompt(report, 3), HasSubstr("+  return 7;"));
}

TEST_F(ReFix, FilesThatAreLeftOutAreNamed) {
  rounds({"echo x > notes.tmp\n" + answers("fixed"), returns(2)});
  const FixReport report = world.must_fix(issues);
  EXPECT_THAT(report.cycles[0].attempt.detail, HasSubstr("notes.tmp"));
  EXPECT_THAT(prompt(report, 2), HasSubstr("notes.tmp"));
}

TEST_F(ReFix, WhatIsDeclinedHasANextStep) {
  rounds({answers("false_positive", "the caller checks it")});
  EXPECT_THAT(World::outcome(world.must_fix(issues), "BE-001").issue.detail,
              HasSubstr("emend issues ignore BE-001 --reason false_positive"));
  rounds({answers("blocked", "which number is right?")});
  EXPECT_THAT(World::outcome(world.must_fix(issues), "BE-001").issue.detail,
              HasSubstr("emend issues comment BE-001"));
}

} // namespace
} // namespace emend::testing_support
