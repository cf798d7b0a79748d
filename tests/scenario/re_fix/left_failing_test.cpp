// A test of the issue that another bug makes fail: the fixer is told how to say so, and then it may stay.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/branch/withdraw.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;

class LeftFailing : public ::testing::Test {
protected:
  LeftFailing()
      : world({{"calc.py", "def half(x):\n    return x\n\n\ndef quarter(x):\n    return half(half(x)) + 1\n"},
               {"test_calc.py",
                "import unittest\nimport calc\n\nclass Test(unittest.TestCase):\n"
                "    def test_half(self):\n        self.assertEqual(calc.half(4), 2)\n"
                "    def test_quarter(self):\n        self.assertEqual(calc.quarter(8), 2)\n"
                "    def test_zero(self):\n        self.assertEqual(calc.half(0), 0)\n"},
               {"notes.txt", "2025\n"}}) {
    world.policy.commands = {{"tests", "python3 -B -m unittest -v", {}, 0}};
    world.policy.pass_env = {"PATH"};
    world.policy.canaries = 0;
    issues = world.add({World::finding("calc.py", 2, "half() does not halve")});
  }
  // The same change in each round; from `round` on the answer says what is left to another bug.
  void says_so_from(int round) {
    const std::string count = world.scripts + "/count";
    world.fixer(
        "cat > /dev/null\nn=$(cat " + count + " 2>/dev/null || echo 0); n=$((n + 1)); echo $n > " + count +
        "\nsed -i '2s|.*|    return x // 2|' calc.py\nmore=''\nif [ $n -ge " + std::to_string(round) +
        " ]; then more=',\"left_failing\":[{\"test\":\"test_quarter\",\"why\":\"quarter() adds one, "
        "which is another bug\"}]'; fi\n"
        "echo "
        "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":\"halved\"'\"$more\"'}]}'");
  }
  std::string prompt_of(const FixReport& report, const std::string& name) {
    return world.artifact(report.session.id, name + ".prompt.md");
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(LeftFailing, IsRefusedThenSaidThenAccepted) {
  says_so_from(2);
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::verification_failed);
  EXPECT_THAT(report.cycles[0].attempt.detail, HasSubstr("fails otherwise with the fix"));
  EXPECT_EQ(report.cycles[1].attempt.patch.sha256(), report.cycles[0].attempt.patch.sha256());
  EXPECT_THAT(prompt_of(report, "BE-001-2-re_fixer"),
              HasSubstr("add to your answer \"left_failing\": [{\"test\": "));
  EXPECT_THAT(prompt_of(report, "BE-001-2-fix_challenger-1"), HasSubstr("quarter() adds one"));
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "unbroken")
      << "the issue's own tests show nothing while one of them fails";
}

TEST_F(LeftFailing, IsAcceptedUnderACheckOfItsOwnFileToo) {
  world.policy.commands[0].paths = {"calc.py"};
  says_so_from(1);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(LeftFailing, IsAcceptedBesideATestTheFixBrings) {
  world.policy.commands[0].paths = {"calc.py"};
  world.fixer(
      "cat > /dev/null; sed -i '2s|.*|    return x // 2|' calc.py\n"
      "printf '\\n    def test_six(self):\\n        self.assertEqual(calc.half(6), 3)\\n' >> test_calc.py\n"
      "echo '{\"outcomes\":[{\"id\":\"BE-001\",\"outcome\":\"fixed\",\"explanation\":\"halved\","
      "\"left_failing\":[{\"test\":\"test_quarter\",\"why\":\"quarter() adds one\"}]}]}'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(LeftFailing, StaysOnTheBranchWhenAnotherFixIsRejected) {
  world.policy.commands[0].paths = {"calc.py"};
  issues.push_back(world.add({World::finding("notes.txt", 1, "the year is wrong")}).front());
  world.fixer(
      "cat > /dev/null\nif [ $2 = BE-001 ]; then sed -i '2s|.*|    return x // 2|' calc.py\n"
      "echo '{\"outcomes\":[{\"id\":\"BE-001\",\"outcome\":\"fixed\",\"explanation\":\"halved\","
      "\"left_failing\":[{\"test\":\"test_quarter\",\"why\":\"quarter() adds one\"}]}]}'\n"
      "else sed -i s/2025/2026/ notes.txt\n"
      "echo '{\"outcomes\":[{\"id\":\"BE-002\",\"outcome\":\"fixed\"}]}'; fi");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  ASSERT_EQ(World::status(report, "BE-002"), "RESOLVED") << World::outcome(report, "BE-002").issue.detail;
  const auto rejected = reject(world.ports(), world.home, world.on_event,
                               {report.session.id, "BE-002", "that was the old year"}, {});
  EXPECT_TRUE(rejected) << rejected.error().message;
}

TEST_F(LeftFailing, WhoNeverSaysSoIsNotAccepted) {
  says_so_from(99);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001").substr(0, 6), "FAILED");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail, HasSubstr("fails otherwise with the fix"));
}

} // namespace
} // namespace emend::testing_support
