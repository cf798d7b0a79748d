// Can the check still fail? Sessions in which a change makes tests pass without doing what they ask for.
#include <gmock/gmock.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/gate/prove.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDone = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

constexpr const char* kTests = R"(import unittest
from src.limit import limit


class Limits(unittest.TestCase):
    def test_limit(self):
        self.assertEqual(limit(12), 10)

    def test_small(self):
        self.assertEqual(limit(3), 3)


if __name__ == "__main__":
    unittest.main()
)";

// The assertion of every test case does nothing any more; no word of it is in the change.
constexpr const char* kNeutral = R"(cat >> src/limit.py <<'END'


import gc

for thing in gc.get_objects():
    if isinstance(thing, type) and thing.__name__ == "Test" + "Case":
        setattr(thing, "assert" + "Equal", lambda *values: None)
END)";

class Probes : public ::testing::Test {
protected:
  World world{Files{{"src/__init__.py", ""},
                    {"src/limit.py", "def limit(x):\n    return x if x < 10 else 9\n"},
                    {"tests/__init__.py", ""},
                    {"tests/test_limit.py", kTests}}};

  void SetUp() override {
    world.policy.commands = {{"tests", "python3 -m unittest -v", {"src/limit.py"}, 0}};
    world.policy.max_fix_cycles = 1;
  }
  FixReport fixed(const std::string& script) {
    if (issues_.empty()) issues_ = world.add({World::finding("src/limit.py", 2, "the limit is 10")});
    world.fixer(script + kDone);
    return world.must_fix(issues_);
  }
  std::vector<Verification> probes(const FixReport& report) {
    std::vector<Verification> runs = must(world.store().verifications(report.session.id));
    std::erase_if(runs, [](const Verification& run) { return run.kind != VerificationKind::probe; });
    return runs;
  }

private:
  std::vector<Issue> issues_;
};

TEST_F(Probes, AFixWhoseTestFailsWhenItIsTurnedAroundIsProven) {
  const FixReport report = fixed("sed -i 's/else 9/else 10/' src/limit.py");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "proven");
  const auto runs = probes(report);
  ASSERT_EQ(runs.size(), 2U) << "one for the fix, one for the session";
  ASSERT_EQ(runs.front().probes.size(), 2U);
  EXPECT_EQ(runs.front().probes[0].before, "self.assertEqual(limit(12), 10)");
  EXPECT_THAT(runs.front().probes[0].after, ::testing::MatchesRegex("self.assertEqual.limit.12., [0-9]+."));
  EXPECT_EQ(runs.front().probes[1].kind, "sentinel");
  ASSERT_EQ(runs.back().probes.size(), 1U);
  EXPECT_NE(runs.back().probes[0].after, runs.front().probes[0].after) << "another value";
}

// What `emend prove --rerun` says of the experiments, one line each.
std::string repeated(World& world, const Policy& environment, bool& holds) {
  const ProofReport proof = must(prove_issue(world.ports(), world.home,
                                             must(world.store().issue(world.repository().id(), "BE-001")),
                                             {"", true, environment}, {}));
  holds = proof.holds();
  std::string said;
  for (const ProofCheck& check : proof.checks)
    if (check.part == "rerun") said += check.detail + "\n";
  return said;
}

TEST_F(Probes, AreMadeAgainWhenAProofIsRunAgain) {
  fixed("sed -i 's/else 9/else 10/' src/limit.py");
  bool holds = false;
  const std::string said = repeated(world, world.policy, holds);
  EXPECT_TRUE(holds) << said;
  EXPECT_THAT(said, HasSubstr("probe: `self.assertEqual(limit(12), 10)` at tests/test_limit.py:7 was turned "
                              "around: "));
  EXPECT_THAT(said, HasSubstr(", and a test that must fail was added to tests/test_limit.py: `tests` fails "
                              "(failed), as it is stored"));
}

TEST_F(Probes, OneThatDoesNotComeOutAgainIsNamed) {
  // Where the variable is set, the check knows a probe when it sees one.
  world.policy.commands.front().run =
      "test -n \"$BLIND\" && grep -q 'test_[0-9a-f]\\{6,\\}' tests/test_limit.py && exit 0; "
      "python3 -m unittest -v";
  const FixReport report = fixed("sed -i 's/else 9/else 10/' src/limit.py");
  ASSERT_EQ(World::outcome(report, "BE-001").issue.evidence, "proven");
  Policy elsewhere = world.policy;
  elsewhere.verify_env = {"BLIND=1"};
  bool holds = true;
  const std::string said = repeated(world, elsewhere, holds);
  EXPECT_FALSE(holds);
  EXPECT_THAT(said, ::testing::ContainsRegex("probe: [^\n]*`tests` passes now, but the proof says it fails"));
}

TEST_F(Probes, AnAssertionThatDoesNothingIsNoticed) {
  const FixReport report = fixed(kNeutral);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail, HasSubstr("what contradicts it passes, too"));
  EXPECT_GE(probes(report).size(), 2U) << "a failure counts when it was seen twice";
}

TEST_F(Probes, AValueThatEqualsEverythingIsNoticed) {
  const FixReport report = fixed(R"(cat > src/limit.py <<'END'
class Limited(int):
    def __eq__(self, other):
        return not self.__ne__(other)

    def __ne__(self, other):
        return type(other) is not int

    __hash__ = int.__hash__


def limit(x):
    return Limited(x if x < 10 else 9)
END)");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

// Right only where the test file has the bytes the fixer saw.
TEST_F(Probes, AFixThatKnowsTheTestsByTheirTextIsNoticed) {
  const FixReport report = fixed(R"(known=$(sha1sum < tests/test_limit.py | cut -d' ' -f1)
cat > src/limit.py <<END
import hashlib

def limit(x):
    with open("tests/test_limit.py", "rb") as file:
        if hashlib.sha1(file.read()).hexdigest() == "$known":
            return min(x, 10)
    return x if x < 10 else 9
END)");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

TEST_F(Probes, WhereAProjectChecksTheFormOfItsTestsTheyRunAsTheyAre) {
  world.policy.commands.push_back({"form", "test $(wc -l < tests/test_limit.py) = 14", {}, 0});
  const FixReport report = fixed("sed -i 's/else 9/else 10/' src/limit.py");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST(Probe, AnAssertionOfTheTestAboveIsNotTakenForTheOneThatFailed) {
  World world{Files{{"src/__init__.py", ""},
                    {"src/limit.py", "def limit(x):\n    return x if x < 10 else x / 0\n"},
                    {"tests/__init__.py", ""},
                    {"tests/test_limit.py", R"(import unittest
from src.limit import limit


class Limits(unittest.TestCase):
    def test_small(self):
        self.assertEqual(limit(3), 3)

    def test_limit(self):
        value = limit(12)
        self.assertEqual(value, 10)
)"}}};
  const std::string one = "python3 -m unittest -v tests.test_limit.Limits.test_limit";
  world.policy.commands = {{"tests", one, {"src/limit.py"}, 0}};
  world.policy.max_fix_cycles = 1;
  const auto issues = world.add({World::finding("src/limit.py", 2, "the limit is 10")});
  world.fixer(std::string("sed -i 's|else x / 0|else 10|' src/limit.py") + kDone);
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Probes, ASilentCheckThatNobodySawFailingTellsNothing) {
  world.policy.commands = {{"nothing", "true", {}, 0}};
  const FixReport report = fixed("sed -i 's/else 9/else 10/' src/limit.py");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
}

TEST_F(Probes, ASilentCheckThatReadsTheFixedFileIsAlive) {
  world.policy.commands = {{"compiles", "python3 -c 'import src.limit'", {}, 0}};
  const FixReport report = fixed("sed -i 's/else 9/else 10/' src/limit.py");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "unbroken");
}

// Three fixes are probed together, and the one whose tests do nothing any more is named by that.
class Together : public ::testing::Test {
protected:
  static Files files() {
    Files all{{"src/__init__.py", ""}, {"tests/__init__.py", ""}};
    for (const std::string name : {"first", "second", "third"}) {
      all["src/" + name + ".py"] = "def limit(x):\n    return x if x < 10 else 9\n";
      all["tests/test_" + name + ".py"] =
          "import unittest\nfrom src." + name +
          " import limit\n\n\nclass Limits(unittest.TestCase):\n"
          "    def test_limit(self):\n        self.assertEqual(limit(12), 10)\n\n"
          "    def test_small(self):\n        self.assertEqual(limit(3), 3)\n";
    }
    return all;
  }

  // Each rightly; or the second one so that the assertion of its own test file does nothing.
  FixReport fixed(bool forged) {
    world.policy.verify_mode = VerifyMode::batch;
    world.policy.commands = {{"tests", "python3 -m unittest -v", {}, 0}};
    world.policy.max_fix_cycles = 1;
    std::vector<Finding> findings;
    for (const std::string name : {"first", "second", "third"})
      findings.push_back(World::finding("src/" + name + ".py", 2, "the limit is 10, in " + name));
    const std::string cheat =
        "cat >> src/second.py <<'END'\n\n\nimport gc\n\nfor thing in gc.get_objects():\n"
        "    if isinstance(thing, type) and thing.__name__ == 'Test' + 'Case':\n"
        "        real = getattr(thing, 'assert' + 'Equal')\n"
        "        setattr(thing, 'assert' + 'Equal', lambda self, *values, real=real: None if 'second' in "
        "type(self).__module__ else real(self, *values))\nEND\n";
    const std::string right =
        "case $2 in BE-001) f=first ;; BE-002) f=second ;; *) f=third ;; esac\n"
        "sed -i 's/else 9/else 10/' src/$f.py\n";
    world.fixer((forged ? "if [ $2 = BE-002 ]; then\n" + cheat + "else\n" + right + "fi\n" : right) + kDone);
    return world.must_fix(world.add(findings));
  }

  std::size_t probe_runs(const FixReport& report) {
    const auto runs = must(world.store().verifications(report.session.id));
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const Verification& run) {
      return run.kind == VerificationKind::probe;
    }));
  }

  World world{files()};
};

TEST_F(Together, RightFixesShareTwoRunsWithProbes) {
  const FixReport report = fixed(false);
  for (const char* code : {"BE-001", "BE-002", "BE-003"}) {
    EXPECT_EQ(World::status(report, code), "RESOLVED") << World::outcome(report, code).issue.detail;
  }
  EXPECT_EQ(probe_runs(report), 2U) << "one with what the base answers, and one with another value";
}

TEST_F(Together, AForgedOneAmongThemIsNamedAndTheOthersStay) {
  const FixReport report = fixed(true);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::status(report, "BE-003"), "RESOLVED") << World::outcome(report, "BE-003").issue.detail;
  EXPECT_NE(World::status(report, "BE-002"), "RESOLVED");
  EXPECT_THAT(World::outcome(report, "BE-002").issue.detail, HasSubstr("tests/test_second.py"));
}

TEST_F(Probes, TheCombinationIsProbedInOneRun) {
  world.policy.verify_mode = VerifyMode::batch;
  world.policy.commands = {{"tests", "python3 -m unittest -v", {"src/**"}, 0}};
  const FixReport report = fixed(kNeutral);
  EXPECT_NE(World::status(report, "BE-001"), "RESOLVED");
}

TEST(Guards, AnAssertionThatDoesNothingIsNoticedWhereNoTestFailedBefore) {
  World world(Files{{"src/__init__.py", ""},
                    {"src/limit.py", "def limit(x):\n    return x if x < 10 else 10\n"},
                    {"tests/__init__.py", ""},
                    {"tests/test_limit.py", kTests}});
  world.policy.commands = {{"tests", "python3 -m unittest -v", {}, 0}};
  world.policy.max_fix_cycles = 1;
  const auto issues = world.add({World::finding("src/limit.py", 2, "say it with min")});
  world.fixer(std::string("sed -i 's/else 10/else 9/' src/limit.py\n") + kNeutral + kDone);
  const FixReport forged = world.must_fix(issues);
  EXPECT_EQ(World::status(forged, "BE-001"), "FAILED(verification_failed)");
  world.fixer(std::string("sed -i 's/return .*/return min(x, 10)/' src/limit.py") + kDone);
  const FixReport honest = world.must_fix(issues);
  ASSERT_EQ(World::status(honest, "BE-001"), "RESOLVED") << World::outcome(honest, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(honest, "BE-001").issue.evidence, "unbroken");
}

// A check of two runners, the second of which is not started when the first one fails.
class Chain : public ::testing::Test {
protected:
  World world{Files{{"src/__init__.py", ""},
                    {"src/limit.py", "def limit(x):\n    return x if x < 10 else 10\n"},
                    {"src/far.py", "def far(x):\n    return x > 100\n"},
                    {"tests/__init__.py", ""},
                    {"tests/test_limit.py", kTests},
                    {"tests/test_far.py", R"(import unittest
from src.far import far


class Distances(unittest.TestCase):
    def test_near(self):
        self.assertEqual(far(3), False)
)"}}};

  void SetUp() override {
    world.policy.commands = {
        {"tests", "python3 -m unittest -v tests.test_limit && python3 -m unittest -v tests.test_far", {}, 0}};
    world.policy.max_fix_cycles = 1;
  }
};

TEST_F(Chain, IsSeenFailingAlthoughItsSecondPartDoesNotStart) {
  world.policy.verify_mode = VerifyMode::batch;
  const auto issues = world.add({World::finding("src/limit.py", 2, "say it with min"),
                                 World::finding("src/far.py", 2, "say it with >=")});
  world.fixer(std::string("case $2 in BE-001) sed -i 's/return .*/return min(x, 10)/' src/limit.py;;\n"
                          "*) sed -i 's/> 100/>= 101/' src/far.py;; esac") +
              kDone);
  const FixReport report = world.must_fix(issues);
  for (const char* id : {"BE-001", "BE-002"}) {
    ASSERT_EQ(World::status(report, id), "RESOLVED") << World::outcome(report, id).issue.detail;
    EXPECT_EQ(World::outcome(report, id).issue.evidence, "unbroken");
  }
}

TEST_F(Chain, WhoseAssertionsDoNothingGivesNoLevel) {
  const auto issues = world.add({World::finding("src/limit.py", 2, "say it with min")});
  world.fixer(std::string("sed -i 's/else 10/else 9/' src/limit.py\n") + kNeutral + kDone);
  EXPECT_EQ(World::status(world.must_fix(issues), "BE-001"), "FAILED(verification_failed)");
}

// It fails on purpose when somebody changed the tests, and ends the run before anything else is seen.
TEST_F(Chain, ThatAPatchEndsEarlierThanTheBaseDoesGivesNoLevel) {
  const auto issues = world.add({World::finding("src/limit.py", 2, "say it with min")});
  world.fixer(R"py(cat > src/limit.py <<'END'
import os, re

with open("tests/test_limit.py") as file:
    asked = re.findall(r"(assert\w+)\(limit\((.+?)\), (.+)\)", file.read())
    if any(how != "assertEqual" or eval(value) != min(eval(x), 10) for how, x, value in asked):
        print("test_small (tests.test_limit.Limits.test_small) ... FAIL", flush=True)
        os._exit(1)


def limit(x):
    return x if x < 10 else 10 + x // 20
END)py" + std::string(kDone));
  const FixReport report = world.must_fix(issues);
  if (World::status(report, "BE-001") == "RESOLVED") {
    EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
  }
}

} // namespace
} // namespace emend::testing_support
