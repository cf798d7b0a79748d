#include "engine/plan/plan_agent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PlannerAnswer, StepsAndNotes) {
  const auto proposal = parse_planner_answer(
      R"(Here: {"execution_steps":[{"reason":"first","issues":["BE-001",{"code":"BE-002","todo_file":"/etc/x"}]},{"issues":"BE-003"}],
    "todos":{"BE-001":{"context":{"related_files":[{"path":"src/u.py","reason":"model"},{"path":"../../etc/passwd"},{"path":"/etc/passwd"}],"existing_patterns":["404",7]},
    "plan":{"approach":"patch","steps":["a","b"],"estimated_lines_changed":5,"risks":[],"verification":"call it"}}}})");
  ASSERT_TRUE(proposal) << proposal.error().message;
  EXPECT_THAT(proposal->steps.at(0).codes, ElementsAre("BE-001", "BE-002"));
  EXPECT_EQ(proposal->steps.at(0).reason, "first");
  EXPECT_THAT(proposal->steps.at(1).codes, IsEmpty()) << "an empty step, which the rules refuse";
  const FixTodo& notes = proposal->notes.at("BE-001");
  ASSERT_EQ(notes.related_files.size(), 1U) << "paths that leave the repository are dropped";
  EXPECT_THAT(notes.existing_patterns, ElementsAre("404"));
  EXPECT_THAT(notes.steps, ElementsAre("a", "b"));
  EXPECT_EQ(notes.estimated_lines_changed, 5);
}

TEST(PlannerAnswer, NothingUsable) {
  for (const char* text :
       {"", "done", "{}", R"({"execution_steps":{}})", R"({"execution_steps":[{"issues":["BE-0)"}) {
    const auto proposal = parse_planner_answer(text);
    ASSERT_FALSE(proposal) << text;
    EXPECT_EQ(proposal.error().code, ErrorCode::agent);
  }
}

TEST(PlannerAnswer, NotesReplaceOnlyWhatTheySay) {
  PlanFiles files;
  FixTodo todo;
  todo.issue_code = "BE-001";
  todo.title = "title";
  todo.steps = {"own"};
  todo.verification = "own";
  files.todos = {todo, todo};
  files.todos[1].issue_code = "BE-002";
  PlanProposal proposal;
  proposal.notes["BE-001"].steps = {"theirs"};
  proposal.notes["BE-001"].title = "another title";
  proposal.notes["BE-009"].steps = {"invented"};
  take_notes(files, proposal);
  EXPECT_THAT(files.todos[0].steps, ElementsAre("theirs"));
  EXPECT_EQ(files.todos[0].verification, "own");
  EXPECT_EQ(files.todos[0].title, "title");
  EXPECT_THAT(files.todos[1].steps, ElementsAre("own"));
  EXPECT_EQ(files.todos.size(), 2U);
}

} // namespace
} // namespace emend
