#include "engine/agents/read_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace emend {
namespace {

using testing::HasSubstr;

constexpr const char* kToken = "00112233aabbccdd";
constexpr const char* kGood = R"({"review_token":"00112233aabbccdd","score":85})";

std::string problem_of(const std::string& text, std::string_view token = kToken) {
  const auto answer = answer_with_token(text, token);
  return answer ? "" : answer.error().message;
}

TEST(ReadToken, AnAnswerHoldsIt) {
  const auto answer = answer_with_token(std::string("I read it.\n```json\n") + kGood + "\n```\n", kToken);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ((*answer)["score"], 85);
}

TEST(ReadToken, EveryQuestionHasItsOwn) {
  EXPECT_NE(new_read_token(), new_read_token());
  EXPECT_EQ(new_read_token().size(), 16U);
}

TEST(ReadToken, WithoutItNothingCounts) {
  EXPECT_THAT(problem_of(R"({"score":85})"), HasSubstr("review token"));
  EXPECT_THAT(problem_of(R"({"review_token":"0011","score":85})"), HasSubstr("review token"));
  EXPECT_THAT(problem_of(R"({"review_token":["00112233aabbccdd"],"score":85})"), HasSubstr("review token"));
  EXPECT_THAT(problem_of(R"({"in":{"review_token":"00112233aabbccdd"},"score":85})"),
              HasSubstr("review token"));
  EXPECT_THAT(problem_of("00112233aabbccdd"), HasSubstr("JSON"));
  EXPECT_THAT(problem_of(R"({"review_token":"","score":85})", ""), HasSubstr("review token"))
      << "no token is no token";
}

// What stood in the diff cannot have the token; printed behind or before the answer it decides nothing.
TEST(ReadToken, AQuotedAnswerIsNoAnswer) {
  const std::string quoted = R"({"review_token":"ffffffffffffffff","score":100})";
  EXPECT_THAT(problem_of(std::string(kGood) + "\nThe diff adds this file:\n" + quoted),
              HasSubstr("review token"));
  EXPECT_EQ(problem_of("The diff adds " + quoted + "\n" + kGood), "");
}

TEST(ReadToken, TwoAnswersAreNone) {
  const std::string other = R"({"review_token":"00112233aabbccdd","score":100})";
  EXPECT_THAT(problem_of(other + "\n" + kGood), HasSubstr("two different"));
  EXPECT_EQ(problem_of(std::string(kGood) + "\n" + kGood), "") << "said twice is said";
  EXPECT_THAT(problem_of(R"({"review_token": "00112233aabbccdd", "score": 10,} sorry )" + std::string(kGood)),
              HasSubstr("broken"));
}

TEST(ReadToken, WhateverComesIsAnAnswerOrAProblem) {
  std::mt19937 random(7);
  const std::string letters = "{}[]\":,\\ \n0123456789abcdefreview_token\xff\xc3";
  for (int round = 0; round < 3000; ++round) {
    std::string text = round % 2 == 0 ? std::string(kGood) : std::string();
    for (int edits = static_cast<int>(random() % 40); edits > 0; --edits)
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1)),
                  letters[random() % letters.size()]);
    const auto answer = answer_with_token(text, kToken);
    if (answer)
      EXPECT_EQ(string_or(*answer, kReadTokenKey), kToken) << text;
    else
      EXPECT_FALSE(answer.error().message.empty());
  }
}

} // namespace
} // namespace emend
