// Several agents make a change for one issue; the best one goes on.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/plan/clarify.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;
using testing::Not;

class Candidates : public ::testing::Test {
protected:
  Candidates()
      : world(Files{{"calc.py", "def half(x):\n    return x\n"},
                    {"test_calc.py",
                     "import unittest\nimport calc\n\nclass Test(unittest.TestCase):\n"
                     "    def test_half(self):\n        self.assertEqual(calc.half(4), 2)\n"
                     "    def test_zero(self):\n        self.assertEqual(calc.half(0), 0)\n"}}) {
    world.policy.commands = {{"tests", "python3 -B -m unittest -v", {}, 0}};
    world.policy.candidates = 2;
    world.policy.pass_env = {"PATH"};
    AgentBinding second = world.policy.fixer;
    second.name = "second";
    for (std::string& word : second.command)
      word = replace_all(word, world.scripts + "/fixer", world.scripts + "/second");
    world.policy.fixer_fallbacks = {second};
    issues = world.add({World::finding("calc.py", 2, "half() does not halve")});
  }
  static std::string makes(const std::string& code, const std::string& more = "") {
    return "cat > /dev/null\nsed -i 's|    return x.*|    " + code + "|' calc.py\n" + more +
           "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":\"I did " +
           "it\"}]}'";
  }
  static std::string adds_test(const std::string& assertion) {
    return "printf 'import unittest\\nimport calc\\n\\nclass More(unittest.TestCase):\\n"
           "    def test_odd(self):\\n        " +
           assertion + "\\n' > test_more.py";
  }
  void agents(const std::string& first, const std::string& second) {
    world.fixer(first);
    world.judge(second, "second"); // a script like any other
  }
  void add_third(const std::string& script) {
    AgentBinding third = world.policy.fixer;
    third.name = "third";
    for (std::string& word : third.command)
      word = replace_all(word, world.scripts + "/fixer", world.scripts + "/third");
    world.policy.fixer_fallbacks.push_back(third);
    world.policy.candidates = 3;
    world.judge(script, "third");
  }
  FixReport fix() { return world.must_fix(issues); }
  // The suggestion that says this; "" = words of one's own.
  void answer(const std::string& says) {
    const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
    ASSERT_EQ(issue.clarifications.size(), 1U);
    std::string text = says.empty() ? "as you like" : "";
    for (const std::string& one : issue.clarifications[0].suggestions)
      if (!says.empty() && contains(one, says)) text = one;
    ASSERT_NE(text, "");
    must(record_answers(world.ports(), world.policy, {},
                        {{issue.clarifications[0].question_id, text, false}}));
  }
  static const Attempt& by(const FixReport& report, const std::string& agent) {
    for (const FixCycle& cycle : report.cycles)
      if (cycle.attempt.agent == agent) return cycle.attempt;
    throw std::runtime_error("no attempt of " + agent);
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(Candidates, TheOneThatPassesTheChecksGoesOn) {
  agents(makes("return x - 1"), makes("return x // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(world.show(report.session.branch, "calc.py"), HasSubstr("x // 2"));
  EXPECT_EQ(by(report, "fixer").result, AttemptResult::verification_failed);
  EXPECT_EQ(by(report, "second").result, AttemptResult::accepted);
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("2 candidates, 2 different; that of second goes on"));
}

TEST_F(Candidates, ATieGoesToTheSmallerDiff) {
  agents(makes("y = x\\n    return y // 2"), makes("return x // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(by(report, "second").result, AttemptResult::accepted);
  EXPECT_EQ(by(report, "fixer").result, AttemptResult::not_chosen);
  EXPECT_EQ(World::outcome(report, "BE-001").decision.resolved, true);
}

TEST_F(Candidates, TheSameChangeIsJudgedOnce) {
  agents(makes("return x // 2"), makes("return x // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(by(report, "second").detail, HasSubstr("the same change as fixer made"));
  EXPECT_EQ(must(world.store().verdicts(report.session.id)).size(), 1U);
}

constexpr const char* kWhole = "self.assertEqual(calc.half(3), 1)";
constexpr const char* kExact = "self.assertEqual(calc.half(3), 1.5)";

TEST_F(Candidates, WhereTheyDisagreeAPersonIsAsked) {
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2", adds_test(kExact)));
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(needs_decision)");
  const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
  EXPECT_THAT(issue.detail, HasSubstr("emend clarify BE-001"));
  ASSERT_EQ(issue.clarifications.size(), 1U);
  const Clarification& asked = issue.clarifications[0];
  EXPECT_THAT(asked.question, HasSubstr("Which is right?"));
  EXPECT_THAT(asked.question, HasSubstr("calc.half(3)"));
  EXPECT_THAT(asked.context, HasSubstr("1.5"));
  EXPECT_THAT(asked.context, HasSubstr("becomes a check"));
  ASSERT_EQ(asked.suggestions.size(), 2U);
  EXPECT_THAT(join(asked.suggestions, "\n"), HasSubstr(kWhole));
  EXPECT_THAT(join(asked.suggestions, "\n"), HasSubstr(kExact));
}

// Whoever comes after the two that disagree passed as well, and is not taken either.
TEST_F(Candidates, OfThreeNoneIsTakenWhereTwoDisagree) {
  add_third(makes("y = x\\n    return y // 2"));
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2"));
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(needs_decision)");
  ASSERT_EQ(report.cycles.size(), 3U);
  for (const FixCycle& cycle : report.cycles)
    EXPECT_NE(cycle.attempt.result, AttemptResult::accepted) << cycle.attempt.agent;
  EXPECT_EQ(by(report, "third").result, AttemptResult::not_chosen);
  EXPECT_THAT(by(report, "third").detail, HasSubstr("none was chosen"));
  const std::string said = join(report.notes, "\n");
  EXPECT_THAT(said, HasSubstr("3 candidates, 3 different; none goes on: they behave differently"));
  for (const FixCycle& cycle : report.cycles)
    EXPECT_THAT(cycle.attempt.detail, Not(testing::ContainsRegex("change of .* was chosen")));
}

TEST_F(Candidates, OfThreeThatPassTheBestGoesOn) {
  add_third(makes("return x // 2"));
  agents(makes("y = x\\n    return y // 2"), makes("z = x\\n    y = z\\n    return y // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(by(report, "third").result, AttemptResult::accepted);
  EXPECT_THAT(by(report, "fixer").detail, HasSubstr("passed too; the change of third was chosen"));
  EXPECT_THAT(by(report, "second").detail, HasSubstr("passed too; the change of third was chosen"));
}

TEST_F(Candidates, TheAnswerBecomesACheckThatTheNextFixMustPass) {
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2", adds_test(kExact)));
  fix();
  answer(kExact);
  world.policy.candidates = 1;
  world.policy.max_fix_cycles = 1;
  agents(makes("return x // 2"), "exit 3");
  FixReport report = fix();
  EXPECT_THAT(World::status(report, "BE-001"), HasSubstr("FAILED"));
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail,
              HasSubstr("the check chosen in the answer to BE-001-q1 does not pass with the patch"));
  agents(makes("return x / 2"), "exit 3");
  report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_TRUE(World::outcome(report, "BE-001").decision.resolved);
}

TEST_F(Candidates, AnAnswerWithoutATestOfItsOwnIsACheckToo) {
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2"));
  fix();
  answer("must fail"); // second is right, and brought no test along
  world.policy.candidates = 1;
  world.policy.max_fix_cycles = 1;
  agents(makes("return x // 2"), "exit 3");
  EXPECT_THAT(World::outcome(fix(), "BE-001").issue.detail, HasSubstr("the answer to BE-001-q1"));
  agents(makes("return x / 2"), "exit 3");
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Candidates, AnotherAnswerTakesTheCheckBack) {
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2", adds_test(kExact)));
  fix();
  answer(kExact);
  answer("");
  world.policy.candidates = 1;
  agents(makes("return x // 2"), "exit 3");
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

// The base fails in a test that is not the issue's: only what tells the two apart is asked about.
TEST_F(Candidates, ATestThatFailsOnTheBaseIsNoDisagreement) {
  world.write("test_other.py",
              "import unittest\n\nclass Other(unittest.TestCase):\n"
              "    def test_red(self):\n        self.fail('red')\n");
  world.git({"add", "."});
  world.git({"commit", "-q", "-m", "red"});
  agents(makes("return x // 2", adds_test("self.assertEqual(calc.half(8), 4)")),
         makes("return x / 2", adds_test("self.assertEqual(calc.half(6), 3)")));
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Candidates, OneThatCannotWorkIsNotMissed) {
  agents(makes("return x // 2"), "cat > /dev/null; exit 3");
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Candidates, AutomaticallyAfterARoundThatFailed) {
  world.policy.candidates = 0;
  agents(makes("return x - 1"), makes("return x // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(report.cycles.front().attempt.agent, "fixer");
  EXPECT_EQ(by(report, "second").cycle, 2);
}

// In a batch, commands without paths wait for the combination; not where they rank candidates.
TEST_F(Candidates, InABatchTheChecksRankThemAsWell) {
  world.policy.verify_mode = VerifyMode::batch;
  agents(makes("return 1"), makes("y = x\\n    return y // 2"));
  const FixReport report = fix();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(by(report, "fixer").result, AttemptResult::verification_failed) << "its diff is smaller";
  EXPECT_EQ(by(report, "second").result, AttemptResult::accepted);
}

TEST_F(Candidates, InABatchADisagreementIsAskedAboutAsWell) {
  world.policy.verify_mode = VerifyMode::batch;
  agents(makes("return x // 2", adds_test(kWhole)), makes("return x / 2", adds_test(kExact)));
  EXPECT_EQ(World::status(fix(), "BE-001"), "FAILED(needs_decision)");
}

// Neither brings a test along: the hidden check, with other inputs, tells them apart.
class CandidatesWithHiddenCheck : public Candidates {
protected:
  static constexpr const char* kJudge =
      "printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
      "\"feedback\":\"ok\",\"improvements_needed\":[]}}}\\n' \"$2\"";
  void hidden(const std::string& script) {
    world.policy.reproduce = Reproduce::always;
    world.judge("if [ $1 = reproducer ]; then\n" + script + "\nelse\n" + kJudge + "\nfi");
    agents(makes("return x // 2"), makes("return x / 2"));
  }
};

// The check prints what the code answers: an input whose right answer its author does not know is told as it
// is.
TEST_F(CandidatesWithHiddenCheck, AValueThatBothAnswerDifferentlyIsAQuestionAndThenACheck) {
  hidden(
      "printf 'import sys\nsys.path.insert(0, \".\")\nfrom calc import half\n"
      "for n in (8, 6, 5):\n    print(sys.argv[1], f\"half-{n}\", int(half(n) * 10))\n' > values.py\n"
      "echo '{\"reproducer\":{\"issue\":\"'$2'\",\"files\":[\"values.py\"],\"command\":\"python3 -B "
      "values.py \\\"$1\\\"\",\"explanation\":\"three inputs\",\"expected\":[{\"name\":\"half-8\","
      "\"value\":\"40\"},{\"name\":\"half-6\",\"value\":\"30\"},{\"name\":\"half-5\",\"near\":true}]}}'");
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(needs_decision)")
      << World::outcome(report, "BE-001").issue.detail;
  const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
  ASSERT_EQ(issue.clarifications.size(), 1U);
  EXPECT_THAT(issue.clarifications[0].question, HasSubstr("half-5"));
  EXPECT_THAT(issue.clarifications[0].question, HasSubstr("answers `25`"));
  EXPECT_THAT(issue.clarifications[0].question, HasSubstr("answers `20`"));
  answer("is `25`");
  world.policy.candidates = 1;
  world.policy.max_fix_cycles = 1;
  world.fixer(makes("return x // 2"));
  EXPECT_THAT(World::outcome(fix(), "BE-001").issue.detail,
              HasSubstr("the check chosen in the answer to BE-001-q1 does not pass with the patch"));
  world.fixer(makes("return x / 2"));
  const FixReport next = fix();
  EXPECT_EQ(World::status(next, "BE-001"), "RESOLVED") << World::outcome(next, "BE-001").issue.detail;
}

// One input, and a line that says the issue is there.
constexpr const char* kMarked =
    "marker=$(grep -o 'REPRODUCED [0-9a-f]*' \"$3\" | head -1)\n"
    "printf 'import sys\nsys.path.insert(False, \".\")\nfrom calc import half\nx = 60\n"
    "if half(x) + half(x) != x:\n    print(\"%s\")\n    sys.exit(True)\n' \"$marker\" > ask.py\n"
    "echo '{\"reproducer\":{\"issue\":\"'$2'\",\"files\":[\"ask.py\"],\"command\":\"python3 -B ask.py\","
    "\"explanation\":\"two halves\"}}'";

TEST_F(CandidatesWithHiddenCheck, OneThatOnlyPassesOrFailsIsTriedWithNearInputs) {
  hidden(kMarked);
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(needs_decision)")
      << World::outcome(report, "BE-001").issue.detail;
  const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
  ASSERT_EQ(issue.clarifications.size(), 1U);
  EXPECT_THAT(issue.clarifications[0].question, HasSubstr("the hidden check with `x = "));
  EXPECT_THAT(issue.clarifications[0].question, HasSubstr("passes with the change of second"));
  answer("must fail"); // whole numbers are right
  world.policy.candidates = 1;
  world.policy.max_fix_cycles = 1;
  world.fixer(makes("return x / 2"));
  EXPECT_THAT(World::outcome(fix(), "BE-001").issue.detail, HasSubstr("the answer to BE-001-q1"));
  world.fixer(makes("return x // 2"));
  const FixReport next = fix();
  EXPECT_EQ(World::status(next, "BE-001"), "RESOLVED") << World::outcome(next, "BE-001").issue.detail;
}

TEST_F(CandidatesWithHiddenCheck, WithoutADifferenceTheBestGoesOn) {
  hidden(kMarked);
  agents(makes("return x // 2"), makes("y = x\\n    return y // 2"));
  const FixReport report = fix();
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

} // namespace
} // namespace emend::testing_support
