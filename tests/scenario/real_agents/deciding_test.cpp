// What people decide between the real coding CLIs: a question where two fixes differ, a verdict that is
// contested, an agent that earned its autonomy.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/branch/ledger.hpp"
#include "engine/plan/clarify.hpp"
#include "tests/support/real_agents.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const Files kProject = {{"calc.py", "def add(a, b):\n    return a - b\n"},
                        {"test_calc.py",
                         "import unittest\nimport calc\n\nclass Test(unittest.TestCase):\n"
                         "    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
                         "    def test_zero(self):\n        self.assertEqual(calc.add(0, 0), 0)\n"}};

// Claude adds, and says in a test what it takes negative numbers for.
constexpr const char* kClaudeAdds = R"json(
  {"name": "claude-edit", "if": {"api": "anthropic", "asks": "private copy of the repository", "results": 0},
   "do": {"calls": [{"tool": "Bash", "arguments": {"description": "Fix", "command":
     "sed -i 's/a - b/a + b/' calc.py; printf 'import unittest\\nimport calc\\n\\nclass Sum(unittest.TestCase):\\n    def test_negative(self):\\n        self.assertEqual(calc.add(-1, 1), 0)\\n' > test_sum.py"}}]}},
  {"name": "claude-end", "if": {"api": "anthropic", "asks": "### (?P<code>[A-Z]+-\\d+)", "results": [1, 9]},
   "do": {"json": {"outcomes": [{"id": "${code}", "outcome": "fixed", "explanation": "It subtracted."}]}}})json";

// Codex adds amounts.
constexpr const char* kCodexAdds = R"json(
  {"name": "codex-patch", "if": {"api": "responses", "results": 0}, "do": {"calls": [{"tool": "apply_patch",
      "input": "*** Begin Patch\n*** Update File: calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return abs(a) + abs(b)\n*** Add File: test_amount.py\n+import unittest\n+import calc\n+\n+class Amount(unittest.TestCase):\n+    def test_amounts(self):\n+        self.assertEqual(calc.add(-1, 1), 2)\n*** End Patch"}]}},
  {"name": "codex-end", "if": {"api": "responses", "asks": "### (?P<code>[A-Z]+-\\d+)"},
      "do": {"json": {"outcomes": [{"id": "${code}", "outcome": "fixed", "explanation": "done"}]}}})json";

std::string judges(const std::string& name, int score, const std::string& more = "") {
  return R"json({"name": ")json" + name + R"json(", )json" + more +
         R"json("if": {"api": "gemini", "asks": "### (?P<code>[A-Z]+-\\d+).*The review token is (?P<token>[0-9a-f]{16})"},
    "do": {"json": {"review_token": "${token}", "issues": {"${code}": {"score": )json" +
         std::to_string(score) + R"json(, "status": ")json" + (score >= 95 ? "SOLVED" : "IN_PROGRESS") +
         R"json(", "feedback": "SAID-NO", "account": "SEEN: minus became plus.", "quality_scores": {"correctness": 90}, "blocking": [)json" +
         (score >= 95 ? "" : "\"use another sign\"") + R"json(]}}}}})json";
}

class RealAgentsDecide : public ::testing::Test {
protected:
  RealAgentsDecide() : world(kProject) {
    world.policy.commands = {{"tests", "python3 -B -m unittest -v", {}, 0}};
    world.policy.fix_timeout_ms = world.policy.challenge_timeout_ms = 60'000;
    world.policy.canaries = 0;
    Finding finding = World::finding("calc.py", 2, "add subtracts");
    finding.rule = "wrong-sign";
    issues = world.add({finding});
  }
  std::string detail(const FixReport& report) { return World::outcome(report, "BE-001").issue.detail; }
  std::string suggestion(const std::string& says) {
    const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
    for (const Clarification& asked : issue.clarifications)
      for (const std::string& one : asked.suggestions)
        if (contains(one, says)) return one;
    return {};
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(RealAgentsDecide, WhereClaudeAndCodexDisagreeTheAnswerBecomesACheck) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("codex");
  EMEND_NEEDS_SANDBOX("codex");
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents("[" + join({kClaudeAdds, kCodexAdds, judges("judge", 97)}, ",") + "]");
  agents.become_the_users();
  world.policy.candidates = 2;
  world.policy.fixer = agents.native("claude-325");
  world.policy.fixer_fallbacks = {agents.native("codex")};
  world.policy.challenger = agents.native("gemini");
  FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "FAILED(needs_decision)") << detail(report);
  EXPECT_THAT(world.emend({"issues", "show", "BE-001"}).out, HasSubstr("calc.add(-1, 1)"));

  const std::string sums = suggestion("calc.add(-1, 1), 0");
  ASSERT_NE(sums, "");
  const auto said = world.emend({"clarify", "--answer", "BE-001-q1=" + sums, "--max-rounds", "1"});
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_THAT(world.emend({"issues", "reproducer", "BE-001"}).out, HasSubstr("the answer to BE-001-q1"));

  world.policy.candidates = 1;
  world.policy.max_fix_cycles = 1;
  world.policy.fixer_fallbacks.clear();
  world.policy.fixer = agents.native("codex");
  report = world.must_fix(issues);
  EXPECT_THAT(detail(report), HasSubstr("the answer to BE-001-q1 does not pass with the patch"));
  world.policy.fixer = agents.native("claude-325");
  report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << detail(report);
  EXPECT_THAT(world.git({"log", "-1", "--format=%B", report.session.branch}), HasSubstr("SEEN: minus became"))
      << "what the judge saw, not what the fixer says";
}

TEST_F(RealAgentsDecide, AVerdictThatClaudeContestsIsMadeOnceMore) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  constexpr const char* kContests = R"json(
    {"name": "contest", "if": {"api": "anthropic", "says": "SAID-NO"},
     "do": {"json": {"outcomes": [{"id": "BE-001", "outcome": "contested", "explanation": "plus is what the test asks for"}]}}})json";
  RealAgents agents(
      "[" + join({kContests, kClaudeAdds, judges("no", 60, R"("times": 1, )"), judges("yes", 97)}, ",") +
      "]");
  agents.become_the_users();
  world.policy.fixer = agents.native("claude-325");
  world.policy.challenger = agents.native("gemini");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << detail(report);
  EXPECT_THAT(agents.rules_used(), Contains("contest"));
  EXPECT_THAT(agents.requests("yes").at(0).body, HasSubstr("plus is what the test asks for"));
}

TEST_F(RealAgentsDecide, WhatClaudeEarnedIsSeenAndUsed) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents("[" + join({kClaudeAdds, judges("judge", 97)}, ",") + "]");
  agents.become_the_users();
  world.policy.fixer = agents.native("claude-325");
  world.policy.challenger = agents.native("gemini");
  world.policy.autonomy = Autonomy::earned;
  FixRequest request;
  request.issue_ids = {issues[0].id};
  request.policy = world.policy;
  request.wait_for_approval = true;
  Change earlier;
  for (int i = 0; i < kEarnedFixes; ++i) {
    FixOutcome one;
    one.issue_id = issues[0].id;
    one.session_id = "earlier" + std::to_string(i);
    one.repository_id = world.repository().id();
    one.agent = world.policy.fixer.name;
    one.rule = "wrong-sign";
    one.fate = FixFate::merged;
    one.updated_ms = 1;
    earlier.fix_outcomes.push_back(one);
  }
  (void)must(world.store().apply(earlier, 1));
  const FixReport report = must(world.manager().fix(request, {}));
  EXPECT_EQ(report.session.status, SessionStatus::passed) << detail(report);
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  must(world.manager().sync("", {}));
  const auto seen = world.emend({"insights", "--by", "agent"});
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr(world.policy.fixer.name));
  EXPECT_THAT(seen.out, HasSubstr("21")) << "twenty earlier ones and this one";
}

} // namespace
} // namespace emend::testing_support
