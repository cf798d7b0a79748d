// A check fails again without the fix: seen in runs that are made for other reasons where these tell it, and
// on the base alone where they do not.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDone = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";
constexpr const char* kRepair =
    "sed -i 's/else 9/else top()/' src/limit.py\n"
    "sed -i '1i from src.top import top' src/limit.py\n"
    "sed -i 's/return 11/return 10/' src/top.py\n";
constexpr const char* kOwnTest =
    "printf '\\n    def test_large(self):\\n        self.assertEqual(limit(99), 10)\\n' >> "
    "tests/test_limit.py\n";

class FailsAgain : public ::testing::Test {
protected:
  World world{Files{{"src/__init__.py", ""},
                    {"src/limit.py", "def limit(x):\n    return x if x < 10 else 9\n"},
                    {"src/top.py", "def top():\n    return 11\n"},
                    {"tests/__init__.py", ""},
                    {"tests/test_limit.py",
                     "import unittest\nfrom src.limit import limit\n\n\nclass Limits(unittest.TestCase):\n"
                     "    def test_limit(self):\n        self.assertEqual(limit(12), 10)\n\n"
                     "    def test_small(self):\n        self.assertEqual(limit(3), 3)\n"}}};

  FixReport fixed(const std::string& script) {
    world.policy.commands = {{"tests", "python3 -m unittest -v", {"src/limit.py"}, 0}};
    world.policy.max_fix_cycles = 1;
    world.fixer(script + kDone);
    return world.must_fix(world.add({World::finding("src/limit.py", 2, "the limit is 10")}));
  }
  // The patches that lay over the base in runs "without the fix".
  std::vector<std::string> without(const FixReport& report) {
    std::vector<std::string> trees;
    for (const Verification& run : must(world.store().verifications(report.session.id)))
      if (run.kind == VerificationKind::without_patch) trees.push_back(run.patch_sha256);
    return trees;
  }
  void expect_proven(const FixReport& report) {
    ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
    EXPECT_EQ(World::outcome(report, "BE-001").decision.evidence, Evidence::proven);
    const ProcessResult again = world.emend({"prove", "BE-001", "--rerun"});
    EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  }
};

TEST_F(FailsAgain, WithoutTheChangeOfTheIssuesOwnFile) {
  const FixReport report = fixed(kRepair);
  expect_proven(report);
  ASSERT_EQ(without(report).size(), 1U) << "one run tells both";
  EXPECT_NE(without(report).front(), "");
  EXPECT_THAT(world.emend({"explain", "BE-001"}).out,
              HasSubstr("Again without the change of src/limit.py, with the rest of the fix, `tests` fails"));
  EXPECT_THAT(world.emend({"prove", "BE-001", "--rerun"}).out,
              HasSubstr("again without its change of the issue's file"));
}

TEST_F(FailsAgain, WithTheTestsOfTheFixOnTheBase) {
  const FixReport report = fixed(std::string("sed -i 's/else 9/else 10/' src/limit.py\n") + kOwnTest);
  expect_proven(report);
  EXPECT_TRUE(without(report).empty()) << "its tests were run on the base, and test_limit failed there";
  EXPECT_THAT(world.emend({"prove", "BE-001", "--rerun"}).out, HasSubstr("with its tests, without the fix"));
}

TEST_F(FailsAgain, OnTheBaseAloneWhereTheRestOfTheFixFailsForAnotherReason) {
  const FixReport report = fixed(
      "sed -i 's/else 9/else top()/; 1i from src.top import top\\nmost = 10' src/limit.py\n"
      "printf 'def top():\\n    import src.limit\\n    return src.limit.most\\n' > src/top.py\n"
      "echo 'import src.limit; src.limit.most' >> src/__init__.py\n");
  expect_proven(report);
  EXPECT_EQ(without(report).size(), 2U) << "the names of the other file are missing in the first";
}

TEST_F(FailsAgain, AnotherPartThatMakesTheCheckPassIsNoted) {
  const FixReport report = fixed(
      "echo '# limits' >> src/limit.py\n"
      "echo 'import src.limit; src.limit.limit = lambda x: min(x, 10)' >> "
      "src/__init__.py\n");
  const std::string prompt = world.artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md");
  EXPECT_THAT(prompt,
              HasSubstr("tests passes without the change of src/limit.py, too: another part of the fix "
                        "makes it pass"));
  EXPECT_EQ(without(report).size(), 2U) << "then the base alone has to be seen failing";
}

} // namespace
} // namespace emend::testing_support
