#include "mcp/elicitation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend::mcp {

const std::vector<Question> kQuestions = {{"BE-001-q1", "Round down?", {"down", "up"}},
                                          {"BE-001-q2", "Below zero?"}};

TEST(McpElicitation, OnlyClientsThatSayTheyShowFormsAreAsked) {
  EXPECT_TRUE(shows_forms({{"elicitation", Json::object()}}));
  EXPECT_TRUE(shows_forms({{"elicitation", {{"form", Json::object()}, {"url", Json::object()}}}}));
  for (const Json& able : {Json::object(), Json{{"elicitation", {{"url", Json::object()}}}},
                           Json{{"elicitation", true}}, Json(nullptr), Json("elicitation")})
    EXPECT_FALSE(shows_forms(able)) << able;
}

TEST(McpElicitation, AFormHasAFieldForEachQuestionAndOneForOtherWords) {
  const Json form = form_of(kQuestions);
  const Json& fields = form["requestedSchema"]["properties"];
  EXPECT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields["BE-001-q1"]["enum"], Json({"down", "up"}));
  EXPECT_FALSE(fields["BE-001-q2"].contains("enum"));
  EXPECT_TRUE(fields.contains("BE-001-q1-other"));
}

TEST(McpElicitation, OwnWordsWinAndOnlyWhatWasAskedCounts) {
  const auto said = [](Json content) {
    return replies_in(kQuestions, {{"action", "accept"}, {"content", std::move(content)}});
  };
  EXPECT_EQ(said({{"BE-001-q1", "up"}, {"BE-001-q1-other", " to even "}, {"BE-007-q1", "x"}}),
            (Replies{{"BE-001-q1", "to even"}}));
  EXPECT_TRUE(said({{"BE-001-q1", 3}, {"BE-001-q2", "  "}}).empty());
  EXPECT_TRUE(said("yes").empty());
  EXPECT_TRUE(replies_in(kQuestions, {{"action", "decline"}, {"content", {{"BE-001-q1", "up"}}}}).empty());
  EXPECT_TRUE(replies_in(kQuestions, nullptr).empty());
}

TEST(McpElicitation, ASealHoldsForItsCallAndItsTime) {
  const AskedCall call{"show", {{"id", "BE-001"}}};
  const std::string state = seal(call, "key", 1'000);
  EXPECT_TRUE(is_sealed(state, call, "key", 1'000));
  EXPECT_TRUE(is_sealed(state, call, "key", 601'000));
  EXPECT_FALSE(is_sealed(state, call, "key", 601'001));
  EXPECT_FALSE(is_sealed(state, call, "other", 1'000));
  EXPECT_FALSE(is_sealed(state, {"wait", call.arguments}, "key", 1'000));
  EXPECT_FALSE(is_sealed(state, {"show", {{"id", "BE-002"}}}, "key", 1'000));
  for (const char* bad : {"", ".", "9999999", "-1.x", "99999999999999999999.x", "nonsense"})
    EXPECT_FALSE(is_sealed(bad, call, "key", 0)) << bad;
}

} // namespace emend::mcp
