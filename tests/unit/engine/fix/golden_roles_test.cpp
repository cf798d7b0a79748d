// The prompts of the roles that do not fix, written down with their sizes.
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/guidelines.hpp"
#include "engine/prompts/change_prompt.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/prompts/template.hpp"
#include "tests/unit/engine/fix/golden.hpp"

namespace emend {
namespace {

constexpr const char* kToken = "0123456789abcdef";
constexpr const char* kDiff =
    "--- a/src/reader.py\n+++ b/src/reader.py\n@@ -2 +2 @@\n-    return lines[:LIMIT - 1]\n+    return "
    "lines[:LIMIT]\n";

class GoldenRoles : public testing::Test {
protected:
  static std::string body(const std::string& role) { return agent_file(Policy{}, role)->body; }
  static FixPromptInput::Item item() {
    FixPromptInput::Item made;
    made.issue.code = "BE-001";
    made.issue.finding.file = "src/reader.py";
    made.issue.finding.line = 2;
    made.issue.finding.severity = Severity::high;
    made.issue.finding.title = "limit is off by one";
    made.issue.finding.description = "read() returns one line too few; the constant is in limits.py.";
    made.excerpt = "     1 | def read(lines):\n>    2 |     return lines[:LIMIT - 1]\n";
    return made;
  }
  static FileDiff diff() { return {"src/reader.py", {1, 1}, false, kDiff}; }
  static std::string about_issues(const std::string& role, std::map<std::string, std::string> values) {
    IssuesPromptInput input;
    input.template_body = body(role);
    input.items = {item()};
    input.values = std::move(values);
    return build_issues_prompt(input)->text;
  }
  static std::string about_change(const std::string& role, std::map<std::string, std::string> values) {
    ChangePromptInput input;
    input.template_body = body(role);
    input.files = {diff()};
    input.conventions = "- lines are at most 100 characters long\n";
    input.token = kToken;
    input.rest_file = "rest-of-the-diff.txt";
    input.values = std::move(values);
    return build_change_prompt(input)->text;
  }
};

TEST_F(GoldenRoles, Judge) {
  ChallengePromptInput input;
  input.template_body = body("fix_challenger");
  input.issue = item().issue;
  input.excerpt = item().excerpt;
  input.files = {diff()};
  input.verification = "unit tests: passed (exit 0), tests: 20 passed, 0 failed, 0 skipped\n";
  input.notes = "- src/reader.py:2 is executed by the checks\n";
  input.token = kToken;
  input.rest_file = "rest-of-the-diff.txt";
  expect_golden("fix_challenger", build_challenge_prompt(input)->text);
}

TEST_F(GoldenRoles, JudgeThatIsAskedAgain) {
  ChallengePromptInput input;
  input.template_body = body("fix_challenger");
  input.issue = item().issue;
  input.files = {diff()};
  input.verification =
      "Nothing ran yet: in this session the checks run on all fixes together, after your verdict.\n";
  input.token = kToken;
  input.rest_file = "rest-of-the-diff.txt";
  input.problem =
      "the judge changed files: src/reader.py is not as it was shown. Run what you like, but leave "
      "the files as they are";
  expect_golden("fix_challenger-again", build_challenge_prompt(input)->text);
}

TEST_F(GoldenRoles, ClarifierPlannerAndReproducer) {
  expect_golden("fix_clarifier", about_issues("fix_clarifier", {{"max_questions", "3"}}));
  expect_golden("fix_planner",
                about_issues("fix_planner", {{"plan", fenced("Step 1 (alone): BE-001\n", "text")}}));
  expect_golden("reproducer", about_issues("reproducer", {{"marker", "STILL-THERE-0123"},
                                                          {"commands", "- unit tests: pytest\n"},
                                                          {"problem", ""}}));
}

TEST_F(GoldenRoles, Reviewers) {
  const std::string guidelines = guidelines_for_fixing(Policy{}, {"src/reader.py"}).value();
  for (const char* role :
       {"reviewer_be_architecture", "reviewer_be_quality", "reviewer_fe_architecture", "reviewer_fe_quality"})
    expect_golden(role, about_change(role, {{"scope", "1 file"}, {"guidelines", guidelines}}));
  expect_golden("unified_reviewer",
                about_change("unified_reviewer",
                             {{"scope", "1 file"}, {"guidelines", guidelines}, {"experts", "- language\n"}}));
  expect_golden("pr_reviewer", about_change("pr_reviewer", {{"range", "main..fix"}}));
}

// Read as they are, by programs that start agents of their own.
TEST_F(GoldenRoles, SubAgents) {
  for (const char* role : {"fixer_single", "expert_language", "expert_spec"}) expect_golden(role, body(role));
}

// What one issue of a session has in common with the next comes first, so that caches of prompts help.
TEST_F(GoldenRoles, WhatIsOfTheIssueComesAfterWhatIsOfTheProject) {
  for (const auto& [role, first] :
       {std::pair("fixer", "{{findings}}"), std::pair("re_fixer", "{{findings}}"),
        std::pair("fix_challenger", "{{issue}}"), std::pair("git-committer", "{{issue}}"),
        std::pair("fix_clarifier", "{{findings}}"), std::pair("fix_planner", "{{findings}}")}) {
    const std::string text = body(role), before = text.substr(0, text.find(first));
    EXPECT_GT(before.size(), 350U) << role;
    for (const char* own : {"{{codes}}", "{{code}}", "{{excerpt}}", "{{diff}}", "{{problem}}", "{{failure}}",
                            "{{feedback}}", "{{files}}", "{{cycle}}", "{{token}}", "{{plan}}"})
      EXPECT_FALSE(contains(before, own)) << role << " has " << own << " before its issue";
  }
}

// One file for each role that is asked, and its size in the list.
TEST_F(GoldenRoles, EveryRoleIsWrittenDown) {
  const std::string folder = EMEND_TEST_DATA + "/prompts/", sizes = read_file(folder + "sizes.txt").value();
  for (const std::string& role : built_in_agent_files()) {
    if (role == "dev_be" || role == "dev_fe" || role == "engineering_principles") continue; // parts of others
    const auto golden = read_file(folder + role + ".md");
    ASSERT_TRUE(golden) << role;
    EXPECT_TRUE(contains("\n" + sizes, "\n" + role + " " + std::to_string(golden->size()) + "\n")) << role;
  }
}

TEST_F(GoldenRoles, BranchAndCommit) {
  expect_golden("git-branch-creator", about_issues("git-branch-creator", {{"session", "k3f9"}}));
  expect_golden("git-committer",
                render_template(body("git-committer"), {{"issue", "BE-001: limit is off by one"},
                                                        {"diff", fenced(kDiff, "diff")},
                                                        {"style", fenced("fix: short subjects\n", "text")},
                                                        {"cut", ""}})
                    .value());
}

} // namespace
} // namespace emend
