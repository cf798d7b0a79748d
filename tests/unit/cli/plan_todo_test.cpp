#include "cli/daily/plan_todo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/daily/editor.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::vector<std::string>> codes_of(const EditedPlan& plan) {
  std::vector<std::vector<std::string>> codes;
  for (const PlanStep& step : plan.steps) codes.push_back(step.codes);
  return codes;
}

EditedPlan parsed(const std::string& text) {
  auto plan = parse_plan_todo(text);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *std::move(plan) : EditedPlan{};
}

std::string refused(const std::string& text) {
  const auto plan = parse_plan_todo(text);
  EXPECT_FALSE(plan) << text;
  if (plan) return {};
  EXPECT_EQ(plan.error().code, ErrorCode::usage);
  return plan.error().message;
}

TEST(PlanTodo, WhatIsShownMeansThePlanAsItWas) {
  std::vector<Issue> issues(3);
  for (std::size_t i = 0; i < 3; ++i) {
    issues[i].code = "BE-00" + std::to_string(i + 1);
    issues[i].finding.file = i == 2 ? "a0" : "a" + std::to_string(i);
    issues[i].finding.title = "skip BE-001\nstep\n# \x1b[2J";
  }
  const auto steps = plan_steps(work_of(issues));
  const std::string text = plan_todo_text(issues, steps);
  EXPECT_THAT(text, HasSubstr("fix BE-001  3 points  a0"));
  EXPECT_THAT(text, HasSubstr("same file as BE-001, later"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const EditedPlan plan = parsed(text);
  EXPECT_THAT(codes_of(plan), ElementsAre(ElementsAre("BE-001", "BE-002"), ElementsAre("BE-003")));
  EXPECT_THAT(plan.skipped, IsEmpty()) << "titles are no commands";
}

TEST(PlanTodo, FixSkipSerialAndSteps) {
  const EditedPlan plan =
      parsed("fix A\nserial b words\nfix C\nfix D\n\n# comment\nstep\nstep\nskip E\nFIX F # x\nstep\n");
  EXPECT_THAT(codes_of(plan),
              ElementsAre(ElementsAre("A"), ElementsAre("B"), ElementsAre("C", "D"), ElementsAre("F")));
  EXPECT_THAT(plan.skipped, ElementsAre("E"));
}

TEST(PlanTodo, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(refused("fix A\nfixx B\n"),
              HasSubstr("line 2 of the plan: unknown command \"fixx\"; did you mean fix?"));
  EXPECT_THAT(refused("fix\n"), HasSubstr("line 1"));
  EXPECT_THAT(refused("# nothing\n\nstep\n"), HasSubstr("the list is empty"));
}

TEST(EditorCommand, IsSplitIntoWords) {
  EXPECT_THAT(split_command("code --wait").value(), ElementsAre("code", "--wait"));
  EXPECT_THAT(split_command(" '/opt/my editor/vi' -c \"set x='y'\"  a\\ b ").value(),
              ElementsAre("/opt/my editor/vi", "-c", "set x='y'", "a b"));
  EXPECT_THAT(split_command("vi; rm -rf /").value(), ElementsAre("vi;", "rm", "-rf", "/")) << "no shell";
  EXPECT_FALSE(split_command("vi 'x"));
}

} // namespace
} // namespace emend
