// Fixes that bring tests along: new ones land and are evidence, existing ones stay as they are unless a
// person opened one.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTests =
    "import unittest\n"
    "from calc import limit, twice\n\n\n"
    "class TestCalc(unittest.TestCase):\n"
    "    def test_twice(self):\n"
    "        self.assertEqual(twice(2), 4)\n";
const std::string kAssertsBug =
    kTests + "\n    def test_limit(self):\n        self.assertEqual(limit(), 9)\n";

const std::string kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";
const std::string kRepair = "sed -i 's/return 9/return 10/' calc.py\n";

std::string new_test(const std::string& name, const std::string& assertion) {
  return "printf '\\n    def " + name + "(self):\\n        self.assertEqual(" + assertion +
         ")\\n' >> tests/test_calc.py\n";
}

class OwnTestsScenario : public ::testing::Test {
protected:
  void project(const std::string& tests) {
    world = std::make_unique<World>(
        Files{{"calc.py", "def limit():\n    return 9\n\n\ndef twice(a):\n    return 2 * a\n"},
              {"tests/test_calc.py", tests}});
    world->policy.commands = {{"tests", "PYTHONPATH=. python3 -B -m unittest discover -v -s tests", {}, 0}};
    world->policy.max_fix_cycles = 1;
    issues = world->add({World::finding("calc.py", 2, "the limit must be 10")});
  }

  void fix(const std::string& script) {
    world->fixer(script + kFixed);
    report = world->must_fix({must(world->store().issue(world->repository().id(), "BE-001"))});
  }

  std::string status() { return World::status(report, "BE-001"); }
  std::string detail() { return World::outcome(report, "BE-001").issue.detail; }
  std::string clause(const std::string& id) {
    for (const Clause& one : World::outcome(report, "BE-001").decision.clauses)
      if (one.id == id) return one.detail;
    return {};
  }
  std::string landed() { return world->show(report.session.branch, "tests/test_calc.py"); }

  Result<OpenedTest> open(const std::string& test, bool open = true) {
    return open_test(world->ports(), world->on_event, {"BE-001", test, open, "it asserts the bug"});
  }

  std::unique_ptr<World> world;
  std::vector<Issue> issues;
  FixReport report;
};

TEST_F(OwnTestsScenario, ATestInAnExistingFileLandsWithTheFixAndShowsIt) {
  project(kTests);
  fix(kRepair + new_test("test_limit", "limit(), 10"));
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(landed(), HasSubstr("def test_limit"));
  EXPECT_THAT(clause("P4"), HasSubstr("the tests it adds fail without the fix and pass with it"));
  EXPECT_THAT(clause("P4"), HasSubstr("test_limit"));
  EXPECT_THAT(world->artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md"),
              HasSubstr("the tests it adds fail without the fix and pass with it"));
}

TEST_F(OwnTestsScenario, ATestThatPassesOnTheBaseIsKeptAndSaidToShowNothing) {
  project(kTests);
  fix(kRepair + new_test("test_more", "twice(3), 6"));
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(landed(), HasSubstr("def test_more"));
  EXPECT_THAT(clause("P4"), HasSubstr("so they show nothing about it"));
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("so they show nothing about it"));
}

TEST_F(OwnTestsScenario, ATestThatFailsWithTheFixIsRefusedByItsName) {
  project(kTests);
  fix(kRepair + new_test("test_limit", "limit(), 11"));
  EXPECT_EQ(status(), "FAILED(verification_failed)");
  EXPECT_THAT(detail(), HasSubstr("a test that the change adds fails with the change"));
  EXPECT_THAT(detail(), HasSubstr("test_limit"));
}

TEST_F(OwnTestsScenario, ATestThatFailsWithTheFixIsRefusedBesideAFailureOfTheBase) {
  project(kTests + "\n    def test_broken(self):\n        self.assertEqual(twice(1), 3)\n");
  world->policy.minimum_evidence = "judged";
  fix(kRepair + new_test("test_limit", "limit(), 11"));
  EXPECT_EQ(status(), "FAILED(verification_failed)");
  EXPECT_THAT(detail(), HasSubstr("test_limit"));
}

TEST_F(OwnTestsScenario, TheExistingTestsMustPassWithoutTheNewOnes) {
  project(kTests);
  fix(kRepair + "sed -i 's/return 2 . a/return 5/' calc.py\n" + new_test("test_limit", "limit(), 10"));
  EXPECT_EQ(status(), "FAILED(verification_failed)");
}

TEST_F(OwnTestsScenario, AChangedTestIsRefusedUntilAPersonOpensIt) {
  project(kAssertsBug);
  const std::string change = kRepair + "sed -i 's/limit(), 9/limit(), 10/' tests/test_calc.py\n";
  fix(change);
  EXPECT_EQ(status(), "FAILED(refused)");
  EXPECT_THAT(detail(), HasSubstr("tests/test_calc.py:10 changes the existing test TestCalc::test_limit"));
  EXPECT_THAT(detail(), HasSubstr("emend issues open-test BE-001 tests/test_calc.py::TestCalc::test_limit"));
  const TestDecisions waiting = must(test_decisions(world->store(), issues[0]));
  ASSERT_EQ(waiting.wanted.size(), 1U);
  EXPECT_EQ(waiting.wanted[0].test, "TestCalc::test_limit");
  EXPECT_EQ(waiting.wanted[0].change,
            "from `self.assertEqual(limit(), 9)` to `self.assertEqual(limit(), 10)`");

  EXPECT_EQ(must(open("tests/test_calc.py::test_limit")).test, "TestCalc::test_limit");
  EXPECT_TRUE(must(test_decisions(world->store(), issues[0])).wanted.empty());
  fix(change);
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_THAT(landed(), HasSubstr("limit(), 10"));
  EXPECT_THAT(world->artifact(report.session.id, "BE-001-1-fixer.prompt.md"),
              HasSubstr("lets this fix change these existing tests"));
  EXPECT_THAT(world->artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md"),
              HasSubstr("a person allowed this for BE-001"));
  EXPECT_THAT(world->git({"log", "-1", "--format=%B", report.session.branch}),
              HasSubstr("tests/test_calc.py::TestCalc::test_limit"));
}

TEST_F(OwnTestsScenario, AnOpenedTestOpensNoOther) {
  project(kAssertsBug);
  ASSERT_TRUE(open("tests/test_calc.py::test_limit"));
  fix(kRepair + "sed -i 's/limit(), 9/limit(), 10/; s/twice(2), 4/twice(0), 0/' tests/test_calc.py\n");
  EXPECT_EQ(status(), "FAILED(refused)");
  EXPECT_THAT(detail(), HasSubstr("TestCalc::test_twice"));
  EXPECT_THAT(detail(), Not(HasSubstr("TestCalc::test_limit")));
}

// A judge that is asked about a changed test says this about it.
std::string says_of_test(const std::string& word) {
  return "printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
         "\"blocking\":[]" +
         word + "}}}' $2";
}
const std::string kYes =
    R"(,"changed_tests":{"tests/test_calc.py::TestCalc::test_limit":{"asserts_bug":true,"why":"9 is the bug"}})";
const std::string kNo =
    R"(,"changed_tests":{"tests/test_calc.py::TestCalc::test_limit":{"asserts_bug":false,"why":"no"}})";
const std::string kChangesLimit = kRepair + "sed -i 's/limit(), 9/limit(), 10/' tests/test_calc.py\n";

TEST_F(OwnTestsScenario, AJudgeMayLetAFixChangeATestWhereThePolicySaysSo) {
  project(kAssertsBug);
  world->policy.changed_tests = ChangedTests::judge;
  world->judge(says_of_test(kYes));
  fix(kChangesLimit);
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
  EXPECT_THAT(landed(), HasSubstr("limit(), 10"));
  EXPECT_THAT(world->artifact(report.session.id, "BE-001-1-fixer.prompt.md"),
              HasSubstr("the reviewer decides about existing tests"));
  EXPECT_THAT(world->artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md"),
              HasSubstr("- tests/test_calc.py::TestCalc::test_limit"));
  EXPECT_THAT(world->git({"log", "-1", "--format=%B", report.session.branch}),
              HasSubstr("tests that the judge says assert the bug"));
  const auto decisions = must(world->store().opened_tests(issues[0].id));
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions[0].by, "judge judge");
  EXPECT_EQ(decisions[0].reason, "9 is the bug");
  EXPECT_EQ(world->emend({"prove", "BE-001"}).exit_code, 0);
}

TEST_F(OwnTestsScenario, AJudgeThatPassesAChangedTestWithoutAYesIsVoid) {
  project(kAssertsBug);
  world->policy.changed_tests = ChangedTests::judge;
  for (const std::string& word : {std::string(), kNo}) {
    world->judge(says_of_test(word));
    fix(kChangesLimit);
    EXPECT_THAT(status(), HasSubstr("FAILED"));
    EXPECT_THAT(detail(), HasSubstr("has no yes for tests/test_calc.py::TestCalc::test_limit"));
    EXPECT_TRUE(must(world->store().opened_tests(issues[0].id)).empty());
  }
}

TEST_F(OwnTestsScenario, AJudgeIsNotAskedAboutOtherChangesOfTests) {
  project(kAssertsBug);
  world->policy.changed_tests = ChangedTests::judge;
  world->judge(says_of_test(kYes));
  fix(kRepair + "sed -i '/test_limit/,$d' tests/test_calc.py\n"); // removed
  EXPECT_EQ(status(), "FAILED(refused)");
  fix(kChangesLimit + "sed -i 's/^import unittest/&\\nlimit = None/' tests/test_calc.py\n"); // beside tests
  EXPECT_THAT(status(), HasSubstr("FAILED"));
  ASSERT_TRUE(open("tests/test_calc.py::test_limit"));
  ASSERT_TRUE(open("tests/test_calc.py::test_limit", false)); // a person said no
  fix(kChangesLimit);
  EXPECT_EQ(status(), "FAILED(refused)");
}

TEST_F(OwnTestsScenario, WhatIsTakenBackIsClosedAgain) {
  project(kAssertsBug);
  ASSERT_TRUE(open("tests/test_calc.py::test_limit"));
  ASSERT_TRUE(open("tests/test_calc.py::test_limit", false));
  EXPECT_FALSE(open("tests/test_calc.py::test_limit", false));
  fix(kRepair + "sed -i 's/limit(), 9/limit(), 10/' tests/test_calc.py\n");
  EXPECT_EQ(status(), "FAILED(refused)");
  EXPECT_EQ(must(test_decisions(world->store(), issues[0])).decisions.size(), 2U);
}

TEST_F(OwnTestsScenario, ARemovedTestIsRefused) {
  project(kAssertsBug);
  fix(kRepair + "sed -i '/test_limit/,$d' tests/test_calc.py\n");
  EXPECT_EQ(status(), "FAILED(refused)");
  EXPECT_THAT(detail(), HasSubstr("removes the existing test TestCalc::test_limit"));
  fix(kRepair + "rm tests/test_calc.py\n");
  EXPECT_EQ(status(), "FAILED(refused)");
  EXPECT_THAT(detail(), HasSubstr("removes the whole file"));
}

TEST_F(OwnTestsScenario, AFixerMayNameATestThatAssertsTheBug) {
  project(kAssertsBug);
  world->fixer(kRepair +
               "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"asserts_bug\":[{\"test\":"
               "\"tests/test_calc.py::test_limit\",\"from\":\"9\",\"to\":\"10\"}]}]}'");
  report = world->must_fix(issues);
  EXPECT_EQ(status(), "FAILED(verification_failed)");
  EXPECT_THAT(detail(), HasSubstr("the fixer says that tests/test_calc.py::test_limit asserts the bug"));
  const TestDecisions waiting = must(test_decisions(world->store(), issues[0]));
  ASSERT_EQ(waiting.wanted.size(), 1U);
  EXPECT_EQ(waiting.wanted[0].change, "from `9` to `10`");
}

TEST_F(OwnTestsScenario, OnlyTestsThatExistCanBeOpened) {
  project(kTests);
  EXPECT_THAT(open("calc.py::limit").error().message, HasSubstr("is not a test file"));
  EXPECT_THAT(open("tests/none.py").error().message, HasSubstr("is not in HEAD"));
  EXPECT_THAT(open("tests/test_calc.py::test_twise").error().remedy, HasSubstr("test_twice"));
}

TEST_F(OwnTestsScenario, TheCommandOpensListsAndTakesBack) {
  project(kAssertsBug);
  const std::string test = "tests/test_calc.py::TestCalc::test_limit";
  EXPECT_THAT(world->emend({"issues", "open-test", "BE-001"}).out, HasSubstr("No existing test is open"));
  const ProcessResult opened = world->emend(
      {"issues", "open-test", "BE-001", "tests/test_calc.py::test_limit", "--reason", "old limit"},
      {"LOGNAME=ada"});
  EXPECT_EQ(opened.exit_code, 0) << opened.err;
  EXPECT_THAT(opened.out, HasSubstr("may change " + test));
  EXPECT_THAT(world->emend({"issues", "open-test", "BE-001"}).out, HasSubstr(test));
  EXPECT_THAT(world->emend({"issues", "show", "BE-001"}).out, HasSubstr(": old limit"));
  EXPECT_THAT(world->emend({"issues", "open-test", "BE-001", test, "--take-back"}).out,
              HasSubstr("may not be changed any more"));
  EXPECT_EQ(world->emend({"issues", "open-test", "BE-001", test, "--take-back"}).exit_code != 0, true);
  EXPECT_THAT(world->emend({"issues", "open-test", "BE-001", "--json"}).out, HasSubstr("emend.tests/v1"));
}

TEST_F(OwnTestsScenario, InABatchTheCombinationShowsThem) {
  project(kTests);
  world->policy.verify_mode = VerifyMode::batch;
  issues.push_back(world->add({World::finding("calc.py", 6, "twice must be documented")})[0]);
  world->fixer("case $2 in BE-001) " + kRepair + new_test("test_limit", "limit(), 10") +
               ";; *) sed -i 's/^def twice.*/&\\n    assert a is not None/' calc.py;; esac\n" + kFixed);
  report = world->must_fix(issues);
  ASSERT_EQ(status(), "RESOLVED") << detail();
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED");
  EXPECT_THAT(clause("P4"), HasSubstr("the tests it adds fail without the fix and pass with it"));
}

} // namespace
} // namespace emend::testing_support
