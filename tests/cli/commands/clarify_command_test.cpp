#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class ClarifyCommandTest : public CliFixture {
protected:
  // Two questions about BE-001 in the first round, none afterwards.
  static constexpr const char* kAsks =
      R"({"role":"fix_clarifier","cycle":1,"answer":{"questions_by_issue":[{"issue_code":"BE-001","questions":[)"
      R"({"question":"Which bound?","context":"src/a.c:3","suggestions":["i < n","n - 1"]},{"question":"And below zero?"}]}],"ready_to_plan":false}},)"
      R"({"role":"fix_clarifier","answer":{"questions_by_issue":[],"ready_to_plan":true}},)";

  void SetUp() override {
    CliFixture::SetUp();
    configure(std::string(kAsks) + kGoodFix, kGoodVerdict);
    ASSERT_EQ(emend({"issues", "add", "--findings", "-"}, kFindings).exit_code, 0);
  }
};

TEST_F(ClarifyCommandTest, UnattendedPrintsTheQuestionsAndTakesThemBackAnswered) {
  const auto asked = emend({"clarify", "BE-001"});
  EXPECT_EQ(asked.exit_code, 7) << asked.err;
  Json printed = parse_json(asked.out).value();
  const Json data = data_of(asked, "emend.clarify/v1");
  EXPECT_EQ(data["has_questions"], Json(true));
  EXPECT_EQ(data["ready_to_plan"], Json(false));
  EXPECT_EQ(data["questions_by_issue"][0]["issue_code"], Json("BE-001"));
  EXPECT_EQ(data["questions_by_issue"][0]["questions"][0]["id"], Json("BE-001-q1"));
  EXPECT_EQ(data["questions_by_issue"][0]["questions"][1]["id"], Json("BE-001-q2"));

  Json& questions = printed["data"]["questions_by_issue"][0]["questions"];
  questions[0]["answer"] = "i < n";
  ASSERT_TRUE(write_file(base_ / "q.json", dump_json(printed)));
  const auto half = emend({"clarify", "--answers", (base_ / "q.json").string()});
  EXPECT_EQ(half.exit_code, 7) << "one question is still open";
  EXPECT_EQ(data_of(half, "emend.clarify/v1")["questions_by_issue"][0]["questions"].size(), 1U);

  questions[1]["skip"] = true;
  const auto done = emend({"clarify", "--answers", "-"}, dump_json(printed));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(data_of(done, "emend.clarify/v1")["ready_to_plan"], Json(true));
}

TEST_F(ClarifyCommandTest, AnswersAreOnTheIssueInThePromptAndInTheTodo) {
  EXPECT_EQ(emend({"clarify", "BE-001"}).exit_code, 7);
  EXPECT_EQ(emend({"clarify", "--answer", "BE-001-q1=strictly below n", "--skip", "BE-001-q2"}).exit_code, 0);
  EXPECT_THAT(emend({"issues", "show", "BE-001"}).out, HasSubstr("strictly below n"));
  const Json issue = data_of(emend({"issues", "show", "BE-001", "--json"}), "emend.issue/v1");
  EXPECT_EQ(issue["clarifications"][0]["answer"], Json("strictly below n"));
  EXPECT_EQ(issue["clarifications"][1]["state"], Json("skipped"));
  EXPECT_THAT(emend({"clarify", "--list"}).out, HasSubstr("strictly below n"));

  const std::string prompt = emend({"fix", "BE-001", "--dry-run"}).out;
  EXPECT_THAT(prompt, HasSubstr("Q: Which bound?\nA: strictly below n\n"));
  EXPECT_THAT(prompt, HasSubstr("Q: And below zero?\nA: (no answer: decide yourself)"));

  ASSERT_EQ(emend({"plan", "BE-001", "--out", (base_ / "plan").string()}).exit_code, 0);
  const Json todo = parse_json(read_file(base_ / "plan" / "fix_todo_BE-001.json").value()).value();
  ASSERT_EQ(todo["clarifications"].size(), 1U);
  EXPECT_EQ(todo["clarifications"][0]["question_id"], Json("BE-001-q1"));
  EXPECT_EQ(todo["clarifications"][0]["answer"], Json("strictly below n"));
}

TEST_F(ClarifyCommandTest, WrongAnswersAreRefusedAndNothingIsKept) {
  EXPECT_EQ(emend({"clarify", "BE-001"}).exit_code, 7);
  const auto unknown = emend({"clarify", "--answer", "BE-001-q1=x", "--answer", "BE-001-q9=y"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("BE-001-q9"));
  EXPECT_THAT(emend({"issues", "show", "BE-001"}).out, HasSubstr("(open:")) << "all or nothing";
  EXPECT_EQ(emend({"clarify", "--answer", "BE-777-q1=x"}).exit_code, 2);
  EXPECT_EQ(emend({"clarify", "--answer", "nonsense"}).exit_code, 2);
  EXPECT_EQ(emend({"clarify", "--answers", "-"}, "{\"a\":1}").exit_code, 2);
  EXPECT_EQ(emend({"clarify", "--answers", "/nowhere"}).exit_code, 2);
}

TEST_F(ClarifyCommandTest, AnAgentThatSaysNothingUsableIsNotAnAgentWithoutQuestions) {
  configure(R"({"role":"fix_clarifier","do":[{"print":"No questions from me!"}]})", kGoodVerdict);
  const auto result = emend({"clarify", "BE-001"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(data_of(result, "emend.clarify/v1")["ready_to_plan"], Json(false));
  EXPECT_EQ(data_of(result, "emend.clarify/v1")["problems"][0]["issue_code"], Json("BE-001"));
}

TEST_F(ClarifyCommandTest, NothingOpenIsReady) {
  ASSERT_EQ(emend({"issues", "ignore", "BE-001", "--reason", "by_design"}).exit_code, 0);
  const auto result = emend({"clarify"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(data_of(result, "emend.clarify/v1")["ready_to_plan"], Json(true));
}

} // namespace emend
