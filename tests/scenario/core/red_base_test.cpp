// Projects with failing tests, and with tests that fail now and then: fixes beside them are accepted.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

// Five tests: slug fails because of BE-001, money fails and nobody is asked to fix it.
Files python_project() {
  return {{"slug.py", "def slug(text):\n    return text.replace(' ', '_')\n"},
          {"pad.py", "def pad(text, width):\n    return text + ' ' * (width - len(text))\n"},
          {"money.py", "def cents(amount):\n    return int(amount * 100)\n"},
          {"test_all.py",
           "import unittest\nfrom money import cents\nfrom pad import pad\nfrom slug import slug\n\n\n"
           "class SlugTest(unittest.TestCase):\n"
           "    def test_spaces(self):\n        self.assertEqual(slug('a b'), 'a-b')\n\n"
           "    def test_plain(self):\n        self.assertEqual(slug('ab'), 'ab')\n\n\n"
           "class PadTest(unittest.TestCase):\n"
           "    def test_pads(self):\n        self.assertEqual(pad('a', 3), 'a  ')\n\n"
           "    def test_long(self):\n        self.assertEqual(pad('abc', 3), 'abc')\n\n\n"
           "class MoneyTest(unittest.TestCase):\n"
           "    def test_cents(self):\n        self.assertEqual(cents(0.29), 29)\n"}};
}

struct Setup {
  VerifyMode mode;
  const char* command;
};

class RedBaseSession : public ::testing::TestWithParam<Setup> {
protected:
  RedBaseSession() : world(python_project()) {
    world.policy.commands = {{"tests", GetParam().command, {}, 0}};
    world.policy.verify_mode = GetParam().mode;
    issues = world.add({World::finding("slug.py", 2, "spaces must become dashes"),
                        World::finding("pad.py", 2, "say it with ljust")});
    world.fixer(
        std::string("case $2 in BE-001) sed -i \"s/'_'/'-'/\" slug.py;; *) sed -i 's/return .*/return "
                    "text.ljust(width)/' pad.py;; esac") +
        kFixed);
  }
  std::string detail(const FixReport& report, const char* code) {
    return World::outcome(report, code).issue.detail;
  }

  World world;
  std::vector<Issue> issues;
};

TEST_P(RedBaseSession, FixesBesideAnUnrelatedFailingTestAreResolved) {
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << detail(report, "BE-001");
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED") << detail(report, "BE-002");
  if (GetParam().mode == VerifyMode::each) {
    EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "proven") << "its test failed and passes now";
  }
  EXPECT_THAT(
      join(report.notes, "\n"),
      HasSubstr("`tests` already fails on the base commit (2 of 5 tests). emend compares test by test: a fix "
                "must not break the 3 that pass."));
}

TEST_P(RedBaseSession, AFixThatBreaksATestBesideTheFailingOneIsRefused) {
  world.policy.max_fix_cycles = 1;
  world.fixer(std::string("sed -i \"s/return.*/return text/\" pad.py") + kFixed);
  const FixReport report = world.must_fix({issues[1]});
  EXPECT_THAT(World::status(report, "BE-002"), HasSubstr("FAILED"));
  EXPECT_THAT(detail(report, "BE-002"), HasSubstr("test_pads")) << detail(report, "BE-002");
}

INSTANTIATE_TEST_SUITE_P(Modes, RedBaseSession,
                         ::testing::Values(Setup{VerifyMode::each, "python3 -B -m unittest"},
                                           Setup{VerifyMode::batch, "python3 -B -m unittest"},
                                           Setup{VerifyMode::automatic, "python3 -B -m unittest -v"}));

TEST(RedBase, WithoutNamesNobodyIsPaid) {
  World world(python_project());
  world.policy.commands = {{"tests", "python3 -B -m unittest 2>/dev/null", {}, 0}};
  const auto issues = world.add({World::finding("pad.py", 2, "say it with ljust")});
  world.fixer(std::string("sed -i 's/return .*/return text.ljust(width)/' pad.py") + kFixed);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(evidence_too_weak)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail,
              AllOf(HasSubstr("`tests` already fails on the base commit and does not name its tests"),
                    HasSubstr("pytest -v"), HasSubstr("`paths`"),
                    HasSubstr("resolve.minimum_evidence = \"judged\"")));
  EXPECT_THAT(must(world.store().agent_runs(report.session.id)), IsEmpty());
}

// A check that counts its runs in a file outside, and fails in some of them.
class Flaky : public ::testing::Test {
protected:
  Flaky()
      : directory(must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-runs-"))),
        world(Files{{"a.c", "int a = 1;\n"}}) {
    world.sandbox = world.policy.sandbox.kind = SandboxKind::none;
    world.reopen();
    issues = world.add({World::finding("a.c", 1, "a must be 2")});
    world.fixer(std::string("sed -i 's/a = 1/a = 2/' a.c") + kFixed);
  }
  // fails: numbers of the runs that fail, as a shell pattern such as "2|4".
  FixReport with_failing(const std::string& fails) {
    const std::string file = (directory.path() / "runs").string();
    world.policy.commands = {
        {"steady", "grep -q 'int a' a.c", {}, 0},
        {"shaky",
         "echo >> " + file + "; case $(grep -c '' " + file + ") in " + fails + ") exit 1;; esac",
         {},
         0}};
    world.policy.max_fix_cycles = 1;
    return world.must_fix(issues);
  }

  TemporaryDirectory directory;
  World world;
  std::vector<Issue> issues;
};

TEST_F(Flaky, ACheckThatWaversOnTheBaseCondemnsNobody) {
  const FixReport report = with_failing("2|4"); // with the patch first, then on the base
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("`shaky` passes and fails on the same tree"));
}

TEST_F(Flaky, ACheckThatFailsTwiceWithThePatchIsBelieved) {
  const FixReport report = with_failing("2|3");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail, HasSubstr("0 of 2 runs passed"));
}

TEST_F(Flaky, ACheckThatWaversOnlyWithThePatchIsBelieved) {
  const FixReport report = with_failing("2");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail, HasSubstr("1 of 2 runs passed"));
}

} // namespace
} // namespace emend::testing_support
