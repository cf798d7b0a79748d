// Prompts as agents get them: every role keeps to its budget, and those of fixers are written down.
#include "engine/fix/prompt_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/guidelines.hpp"
#include "engine/prompts/prompt.hpp"
#include "tests/unit/engine/fix/golden.hpp"

namespace emend {
namespace {

TEST(PromptBudgets, EveryRoleKeepsToItsOwn) {
  const auto budgets = prompt_budgets(Policy{}).value();
  EXPECT_GT(budgets.size(), 10U);
  for (const PromptBudget& one : budgets) {
    EXPECT_LE(one.bytes, one.most) << one.role;
    EXPECT_GT(one.bytes, 500U) << one.role;
  }
}

TEST(PromptBudgets, AProjectsOwnInstructionsCount) {
  Policy policy;
  policy.agent_files["fixer"] =
      "---\nname: fixer\ndescription: d\n---\n{{findings}}{{codes}}" + std::string(9'000, 'x');
  const auto budgets = prompt_budgets(policy).value();
  for (const PromptBudget& one : budgets) EXPECT_EQ(one.bytes > one.most, one.role == "fixer") << one.role;
}

TEST(PromptBudgets, GuidelinesAreTenLinesForOneLanguage) {
  for (const char* file :
       {"a.py", "a.go", "a.kt", "a.rs", "a.c", "a.cpp", "a.php", "a.sh", "a.tsx", "a.vue", "a.ts"}) {
    const std::string text = guidelines_for_fixing(Policy{}, {file}).value();
    EXPECT_LE(lines_of(text).size(), 10U) << file;
    EXPECT_LE(text.size(), 1'300U) << file;
  }
}

class Golden : public testing::Test {
protected:
  static FixPromptInput input(const std::string& role) {
    FixPromptInput made;
    made.template_body = agent_file(Policy{}, role)->body;
    FixPromptInput::Item item;
    item.issue.code = "BE-001";
    item.issue.finding.file = "src/reader.py";
    item.issue.finding.line = 2;
    item.issue.finding.severity = Severity::high;
    item.issue.finding.title = "limit is off by one";
    item.issue.finding.description = "read() returns one line too few; the constant is in limits.py.";
    item.excerpt = "     1 | def read(lines):\n>    2 |     return lines[:LIMIT - 1]\n";
    item.files = {{"src/reader.py", "the finding"},
                  {"src/limits.py", "named in the finding"},
                  {"src/lines.py", "loaded by src/reader.py"}};
    made.items = {item};
    made.guidelines = guidelines_for_fixing(Policy{}, {"src/reader.py"}).value();
    made.commands = {{"unit tests", "python3 -m pytest -v", {}, 0}};
    made.command_notes = {
        {"unit tests", "fails on the base: 1 of 20 tests; the others must go on passing; 12 s"}};
    made.red_before = "- tests/test_old.py::test_date\n";
    return made;
  }
  // Without what is the project's: its code and its conventions.
  static std::size_t own_bytes(const FixPromptInput& made) {
    return build_fix_prompt(made)->text.size() - made.items[0].excerpt.size();
  }
};

TEST_F(Golden, FixerOfOneIssue) {
  const FixPromptInput made = input("fixer");
  EXPECT_LE(own_bytes(made), 4'096U) << "with a finding, its files and its checks";
  expect_golden("fixer", build_fix_prompt(made)->text);
}

// One call for all of them, handed on to sub-agents.
TEST_F(Golden, FixerOfSeveralIssues) {
  FixPromptInput made = input("fixer");
  FixPromptInput::Item other = made.items[0];
  other.issue.code = "BE-002";
  other.issue.finding.file = "src/writer.py";
  other.issue.finding.title = "file stays open";
  other.issue.finding.description = "write() does not close what it opens.";
  other.excerpt = "     7 |     out = open(path)\n";
  other.files = {{"src/writer.py", "the finding"},
                 {"Makefile", "named in the finding", "build configuration"}};
  made.items.push_back(other);
  made.closed = "- check.sh (a check runs it)\n";
  made.steps = "Step 1 (different files):\n- BE-001: fix-plan/BE-001.json\n- BE-002: fix-plan/BE-002.json\n";
  const std::string text = build_fix_prompt(made)->text;
  for (const FixPromptInput::Item& item : made.items)
    EXPECT_TRUE(contains(text, "- " + item.issue.finding.file + " (" + item.issue.code + ", the finding)\n"));
  expect_golden("fixer-several", text);
}

TEST_F(Golden, ReFixerAfterAJudgeAndAFailure) {
  FixPromptInput made = input("re_fixer");
  made.cycle = 3;
  made.previous_round = 1;
  made.previous_diff =
      "--- a/src/reader.py\n+++ b/src/reader.py\n@@ -2 +2 @@\n-    return lines[:LIMIT - 1]\n+    return "
      "lines[:LIMIT]\n";
  made.previous_said = "An independent reviewer scored the change 80 of 100.\nThe constant is wrong, too.\n";
  made.set_aside_diff = "--- a/src/limits.py\n+++ b/src/limits.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 0\n";
  made.failure = "$ python3 -m pytest -v\n[unit tests: failed, exit 1]\nE   assert 0 == 10\n";
  made.feedback = "Verification failed with your change: unit tests: test_limit fails";
  made.may_contest = true;
  const std::size_t of_the_rounds = made.previous_diff.size() + made.set_aside_diff.size() +
                                    made.failure.size() + made.previous_said.size() + made.feedback.size();
  EXPECT_LE(own_bytes(made) - of_the_rounds, 4'608U) << "with its findings, its files and its checks";
  expect_golden("re_fixer", build_fix_prompt(made)->text);
}

} // namespace
} // namespace emend
