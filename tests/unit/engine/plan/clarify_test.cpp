#include "engine/plan/clarify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Issue issue(const std::string& code) {
  Issue made;
  made.id = "id-" + code;
  made.code = code;
  return made;
}

const std::vector<Issue> kTwo = {issue("BE-001"), issue("BE-002")};

ClarifierAnswer parsed(const std::string& text, const std::vector<Issue>& asked = kTwo,
                       int max_questions = 3) {
  auto answer = parse_clarifier_answer(text, asked, max_questions);
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
  return answer ? *std::move(answer) : ClarifierAnswer{};
}

std::string refused(const std::string& text) {
  const auto answer = parse_clarifier_answer(text, kTwo, 3);
  EXPECT_FALSE(answer) << text;
  if (answer) return {};
  EXPECT_EQ(answer.error().code, ErrorCode::agent);
  return answer.error().message;
}

TEST(ClarifierAnswerTest, QuestionsPerIssue) {
  const auto answer = parsed(R"(I looked. ```json
{"questions_by_issue":[{"issue_code":"BE-001","questions":[{"id":"whatever","question":" How? ","context":"two ways","suggestions":["a","","b",3]}]},
 {"issue_code":"BE-002","questions":[]}],"ready_to_plan":false}
```)");
  ASSERT_EQ(answer.by_code.at("BE-001").size(), 1U);
  EXPECT_EQ(answer.by_code.at("BE-001")[0].question, "How?");
  EXPECT_EQ(answer.by_code.at("BE-001")[0].context, "two ways");
  EXPECT_THAT(answer.by_code.at("BE-001")[0].suggestions, ElementsAre("a", "b"));
  EXPECT_THAT(answer.by_code.at("BE-002"), IsEmpty());
  EXPECT_THAT(answer.problems, IsEmpty());
}

TEST(ClarifierAnswerTest, ReadySpeaksForAllOfThem) {
  for (const char* key : {"ready_to_plan", "ready_to_fix"}) {
    const auto answer = parsed(std::string("{\"questions_by_issue\":[],\"") + key + "\":true}");
    EXPECT_EQ(answer.by_code.size(), 2U) << key;
    EXPECT_THAT(answer.problems, IsEmpty());
  }
}

TEST(ClarifierAnswerTest, AQuestionWinsOverReady) {
  const auto answer = parsed(
      R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"x"}]}],"ready_to_plan":true})");
  EXPECT_EQ(answer.by_code.at("BE-001").size(), 1U);
  EXPECT_THAT(answer.by_code.at("BE-002"), IsEmpty());
}

TEST(ClarifierAnswerTest, SilenceIsNeverNoQuestions) {
  EXPECT_NE(refused(""), "");
  EXPECT_NE(refused("No questions!"), "");
  EXPECT_NE(refused("{}"), "");
  EXPECT_NE(refused(R"({"ready_to_plan":true})"), "");
  EXPECT_NE(refused(R"({"questions_by_issue":{},"ready_to_plan":true})"), "");
  EXPECT_NE(refused(R"({"questions_by_issue":[],"ready_to_plan":"yes"})"), "");
  EXPECT_THAT(
      refused(
          R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[]},{"issue_code":"BE-002","questions":[]}],"ready_to_plan":false})"),
      HasSubstr("not ready, and asks nothing"));
  EXPECT_NE(refused(R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"cut o)"), "");
  EXPECT_THAT(parsed(R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[]}]})").problems,
              ElementsAre(Pair("BE-002", "the answer does not mention it")));
}

TEST(ClarifierAnswerTest, BrokenRowsAreProblemsOfTheirIssueAlone) {
  const auto answer = parsed(
      R"({"questions_by_issue":[{"issue_code":"BE-001","questions":"none"},{"issue_code":"BE-002","questions":[{"question":"x"},{}]},
    {"issue_code":"BE-009","questions":[]},{"issue_code":"BE-002","questions":[]},7],"ready_to_plan":false})");
  EXPECT_THAT(answer.problems, ElementsAre(Pair("BE-001", HasSubstr("not a list"))));
  EXPECT_EQ(answer.by_code.at("BE-002").size(), 1U);
  EXPECT_THAT(answer.notes, Contains(HasSubstr("BE-009")));
  EXPECT_THAT(answer.notes, Contains(HasSubstr("listed twice")));
  EXPECT_THAT(
      parsed(
          R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"text":"x"}]}],"ready_to_plan":true})")
          .problems,
      ElementsAre(Pair("BE-001", HasSubstr("no text"))));
}

TEST(ClarifierAnswerTest, BoundedAndClean) {
  std::string many = R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[)";
  for (int i = 0; i < 50; ++i)
    many += (i == 0 ? "" : ",") + std::string("{\"question\":\"q") + std::to_string(i) +
            std::string(5000, 'x') + "\\u001b[2J\"}";
  const auto answer = parsed(many + R"(]},{"issue_code":"BE-002","questions":[]}]})");
  ASSERT_EQ(answer.by_code.at("BE-001").size(), 3U);
  EXPECT_LT(answer.by_code.at("BE-001")[0].question.size(), 1'100U);
  EXPECT_EQ(answer.by_code.at("BE-001")[0].question.find('\x1b'), std::string::npos);
  EXPECT_THAT(answer.notes, Contains(HasSubstr("more than 3 questions")));
}

TEST(ClarifierAnswerTest, WhatWasSettledIsNotAskedAgain) {
  std::vector<Issue> asked = {issue("BE-001")};
  Clarification before;
  before.question = "How?";
  before.state = ClarificationState::answered;
  asked[0].clarifications = {before};
  const auto answer = parsed(
      R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"how? "}]}],"ready_to_plan":false})",
      asked);
  EXPECT_THAT(answer.by_code.at("BE-001"), IsEmpty());
  EXPECT_THAT(answer.problems, IsEmpty());
}

TEST(QuestionIds, AreSafeAndLeadBack) {
  EXPECT_EQ(question_id("BE-001", 1), "BE-001-q1");
  EXPECT_EQ(question_id("../x\n", 2), ".._x_-q2");
  EXPECT_LT(question_id(std::string(10'000, 'x'), 3).size(), 80U);
  EXPECT_EQ(issue_of_question("BE-001-q12"), "BE-001");
  for (const char* id : {"", "-q1", "BE-001", "BE-001-q", "BE-001-qx", "BE-001-q-1"})
    EXPECT_EQ(issue_of_question(id), "") << id;
}

std::vector<GivenAnswer> given(const std::string& text) {
  auto answers = answers_from_json(parse_json(text).value());
  EXPECT_TRUE(answers) << (answers ? "" : answers.error().message);
  return answers ? *std::move(answers) : std::vector<GivenAnswer>{};
}

TEST(AnswersFromJson, TakesBackWhatWasPrinted) {
  Clarity clarity;
  Issue asked = issue("BE-001");
  for (int i = 1; i <= 3; ++i) {
    Clarification question;
    question.question_id = question_id("BE-001", i);
    question.question = "q" + std::to_string(i);
    asked.clarifications.push_back(question);
  }
  clarity.issues = {asked, issue("BE-002")};
  Json json = to_json(clarity);
  EXPECT_EQ(json["has_questions"], Json(true));
  EXPECT_EQ(json["ready_to_plan"], Json(false));
  ASSERT_EQ(json["questions_by_issue"].size(), 1U);
  EXPECT_THAT(given(dump_json(json)), IsEmpty()) << "nothing is filled in yet";
  Json& questions = json["questions_by_issue"][0]["questions"];
  questions[0]["answer"] = "return 404";
  questions[2]["skip"] = true;
  for (const Json& form : {json, Json{{"schema", "emend.clarify/v1"}, {"data", json}}}) {
    const auto answers = given(dump_json(form));
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].question_id, "BE-001-q1");
    EXPECT_EQ(answers[0].answer, "return 404");
    EXPECT_TRUE(answers[1].skip);
  }
}

TEST(AnswersFromJson, TheShortForms) {
  EXPECT_EQ(given(R"([{"question_id":"BE-001-q1","answer":"x"}])").size(), 1U);
  EXPECT_EQ(
      given(
          R"({"answers":[{"question_id":"BE-001-q1","answer":null,"skip":true},{"question_id":"BE-001-q2","answer":" "}]})")
          .size(),
      1U);
}

TEST(AnswersFromJson, NonsenseIsUsage) {
  for (const char* text :
       {"{}", "7", R"({"questions_by_issue":[{}]})", R"([{"answer":"x"}])",
        R"([{"question_id":"a-q1","answer":5}])", R"([{"question_id":"a-q1","skip":"yes"}])"}) {
    const auto answers = answers_from_json(parse_json(text).value());
    ASSERT_FALSE(answers) << text;
    EXPECT_EQ(answers.error().code, ErrorCode::usage) << text;
  }
}

} // namespace
} // namespace emend
