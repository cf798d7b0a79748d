// What is noted of a fix reaches its judge, its record and whoever asks for the story; what a judge would
// like as well refuses nothing.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/session/report.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";
const std::string kRepair = "sed -i 's/return 9/return 10/' calc.py\n";

// A judge's answer about the only issue.
std::string says(const std::string& row) {
  return "echo '{\"review_token\":\"'$token'\",\"issues\":{\"BE-001\":{" + row + "}}}'\n";
}
const std::string kYes = says(R"("score":97,"status":"SOLVED","blocking":[])");

class Notes : public ::testing::Test {
protected:
  Notes()
      : world(Files{{"calc.py", "def limit():\n    return 9\n"},
                    {".gitignore", "out/\n"},
                    {"tests/test_calc.py",
                     "import unittest\nfrom calc import limit\n\n\nclass TestCalc(unittest.TestCase):\n"
                     "    def test_limit(self):\n        self.assertGreater(limit(), 1)\n"}}) {
    world.policy.commands = {{"tests", "PYTHONPATH=. python3 -B -m unittest discover -v -s tests", {}, 0}};
    world.policy.max_fix_cycles = 1;
    world.policy.max_iterations = 1;
    issues = world.add({World::finding("calc.py", 2, "the limit must be 10")});
  }

  void fix(const std::string& script, const std::string& judge = kYes) {
    world.fixer(script + kFixed);
    world.judge(judge);
    report = world.must_fix(issues);
  }
  std::string status() { return World::status(report, "BE-001"); }
  std::string detail() { return World::outcome(report, "BE-001").issue.detail; }
  std::string prompt(int ask = 1) {
    return world.artifact(report.session.id, "BE-001-1-fix_challenger-" + std::to_string(ask) + ".prompt.md");
  }
  std::vector<std::string> recorded() {
    return must(world.store().attempts_of_session(report.session.id)).at(0).notes;
  }

  World world;
  std::vector<Issue> issues;
  FixReport report;
};

TEST_F(Notes, ReachTheJudgeTheRecordAndTheStory) {
  fix(kRepair +
      "printf '\\n\\ndef colour():\\n    import os\\n    return \"CI\" not in os.environ\\n' >> calc.py\n");
  ASSERT_EQ(status(), "RESOLVED") << detail();
  const std::string note = "calc.py:7 asks where it runs: return \"CI\" not in os.environ";
  EXPECT_THAT(prompt(), HasSubstr("- " + note));
  EXPECT_THAT(recorded(), Contains("note: " + note));
  std::string story;
  for (const StoryLine& line :
       must(make_explanation(world.ports(), must(world.store().issue(world.repository().id(), "BE-001"))))
           .story)
    story += line.text + "\n";
  EXPECT_THAT(story, HasSubstr("Note: " + note + "."));
  const IssueOutcome& outcome = World::outcome(report, "BE-001");
  EXPECT_EQ(outcome.decision.evidence, Evidence::unbroken) << "a note lowers nothing";
}

TEST_F(Notes, AnAnswerThatStandsInATestIsNamed) {
  world.write("tests/test_more.py",
              "import unittest\nfrom calc import limit\n\n\nclass More(unittest.TestCase):\n"
              "    def test_more(self):\n        self.assertEqual(len('x' * 4711) - 4701, 10)\n");
  world.git({"add", "-A"});
  world.git({"commit", "-qm", "more"});
  fix("printf 'def limit(n=4711):\\n    if n == 4711:\\n        return 10\\n    return 9\\n' > calc.py\n");
  EXPECT_THAT(prompt(),
              HasSubstr("calc.py:2 answers for particular values that tests/test_more.py:7 asks for"));
}

TEST_F(Notes, ASuggestionIsKeptAndRefusesNothing) {
  fix(kRepair, says(R"("score":96,"status":"SOLVED","blocking":[],"suggestions":["name the number"])"));
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(recorded(), Contains("note: the judge suggests: name the number"));
}

TEST_F(Notes, AVoidJudgeIsToldWhyWhenItIsAskedAgain) {
  world.policy.challenge_retries = 1;
  fix(kRepair, "if grep -q 'could not be used' \"$3\"; then :; else echo x >> calc.py; fi\n" + kYes);
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(prompt(2), HasSubstr("the judge changed files: calc.py is not as it was shown"));
}

TEST_F(Notes, AMalformedVerdictIsNeitherYesNorNo) {
  world.policy.challenge_retries = 1;
  fix(kRepair, "if grep -q 'could not be used' \"$3\"; then\n" + kYes + "else\n" +
                   says(R"("score":80,"status":"IN_PROGRESS","blocking":[])") + "fi\n");
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(prompt(2), HasSubstr("\"blocking\" is empty"));
}

TEST_F(Notes, AJudgeMayLeaveWhatTheProjectIgnores) {
  world.policy.challenge_retries = 0;
  fix(kRepair, "mkdir -p out __pycache__ && echo x > out/log && echo x > __pycache__/calc.pyc\n" + kYes);
  EXPECT_EQ(status(), "RESOLVED") << detail();
}

TEST_F(Notes, ANewFileOfTheJudgesMakesItVoid) {
  world.policy.challenge_retries = 0;
  fix(kRepair, "echo x > verdict.txt\n" + kYes);
  EXPECT_EQ(status(), "FAILED(unevaluated)");
  EXPECT_THAT(detail(), HasSubstr("verdict.txt"));
}

TEST_F(Notes, InABatchTheJudgeIsToldThatNothingRanYet) {
  world.policy.verify_mode = VerifyMode::batch;
  fix(kRepair);
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(prompt(), AllOf(HasSubstr("Nothing ran yet"), Not(HasSubstr("tests: passed"))));
}

TEST(Canary, OneASessionUnlessSaidOtherwise) { EXPECT_EQ(Policy{}.canaries, 1); }

} // namespace
} // namespace emend::testing_support
