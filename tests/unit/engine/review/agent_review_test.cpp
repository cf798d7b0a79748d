#include "engine/review/agent_review.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

AgentBinding agent_of(const std::string& engine, const std::string& model = "") {
  AgentBinding binding;
  binding.name = binding.engine = engine;
  binding.model = model;
  return binding;
}

TEST(Experts, AreSubAgentsWhereThereAreSuch) {
  const Experts both = experts_for(Policy{}, agent_of("claude"), "specs").value();
  ASSERT_EQ(both.sub_agents.size(), 2U);
  const Json& language = both.sub_agents["language-expert"];
  EXPECT_EQ(language["model"], "opus");
  EXPECT_EQ(language["tools"], Json::array({"Read", "Grep", "Glob"})) << "experts only read";
  EXPECT_THAT(language["prompt"].get<std::string>(), HasSubstr("expert in the languages"));
  EXPECT_THAT(both.text, HasSubstr("in one message"));
  EXPECT_THAT(both.text, HasSubstr("`spec-expert`"));
  EXPECT_THAT(both.text, HasSubstr("specs/"));
}

TEST(Experts, NoSpecsNoExpertForThem) {
  const Experts one = experts_for(Policy{}, agent_of("claude"), "").value();
  EXPECT_EQ(one.sub_agents.size(), 1U);
  EXPECT_THAT(one.text, Not(HasSubstr("spec-expert")));
  EXPECT_THAT(experts_for(Policy{}, agent_of("codex"), "").value().text, Not(HasSubstr("specifications")));
}

TEST(Experts, OtherProgramsGetNeitherTheModelNorTheToolsOfClaude) {
  const Experts gemini = experts_for(Policy{}, agent_of("gemini"), "").value();
  EXPECT_FALSE(gemini.sub_agents["language-expert"].contains("model"));
  EXPECT_FALSE(gemini.sub_agents["language-expert"].contains("tools"));
  const Experts chosen = experts_for(Policy{}, agent_of("claude", "sonnet"), "").value();
  EXPECT_FALSE(chosen.sub_agents["language-expert"].contains("model"))
      << "whoever chose a model chose it for the experts, too";
}

TEST(Experts, AreViewsToTakeWhereThereAreNoSubAgents) {
  const Experts views = experts_for(Policy{}, agent_of("codex"), "specs").value();
  EXPECT_TRUE(views.sub_agents.is_null());
  EXPECT_THAT(views.text, HasSubstr("As an expert in the languages"));
  EXPECT_THAT(views.text, HasSubstr("You hold a change that is being reviewed against the specifications"));
  EXPECT_THAT(views.text, Not(HasSubstr("language-expert")));
}

TEST(Experts, CanBeTheRepositorysOwn) {
  Policy policy;
  policy.agent_files["expert_language"] =
      "---\nname: expert_language\ndescription: Knows COBOL\n---\nLook at the columns.\n";
  const Experts own = experts_for(policy, agent_of("claude"), "").value();
  EXPECT_EQ(own.sub_agents["language-expert"]["prompt"], "Look at the columns.\n");
  EXPECT_THAT(own.text, HasSubstr("Knows COBOL"));
}

Finding said(const std::string& agent, int line, int line_end, const std::string& category = "bug",
             const std::string& file = "a.c") {
  Finding finding;
  finding.agent = agent;
  finding.file = file;
  finding.line = line;
  finding.line_end = line_end;
  finding.category = category;
  finding.description = agent + " says";
  return finding;
}

TEST(JoinReviewers, OverlappingLinesOfOneKindAreOneFinding) {
  auto second = said("b", 9, 0);
  second.severity = Severity::critical;
  const auto joined = join_reviewers({said("a", 8, 12), second, said("c", 12, 20)});
  ASSERT_THAT(joined, SizeIs(1));
  EXPECT_THAT(joined[0].found_by, ElementsAre("a", "b", "c"));
  EXPECT_EQ(joined[0].severity, Severity::critical);
  EXPECT_EQ(joined[0].description, "a says");
}

TEST(JoinReviewers, WhatDiffersStaysApart) {
  EXPECT_THAT(join_reviewers({said("a", 8, 12), said("b", 13, 0)}), SizeIs(2)) << "other lines";
  EXPECT_THAT(join_reviewers({said("a", 8, 0), said("b", 8, 0, "security")}), SizeIs(2)) << "another kind";
  EXPECT_THAT(join_reviewers({said("a", 8, 0), said("b", 8, 0, "bug", "b.c")}), SizeIs(2)) << "another file";
  EXPECT_THAT(join_reviewers({said("a", 8, 0), said("a", 8, 0)}), SizeIs(2)) << "one reviewer's two findings";
  EXPECT_THAT(join_reviewers({said("a", 0, 0), said("b", 8, 0)}), SizeIs(2))
      << "the file as a whole is not a line of it";
  EXPECT_THAT(join_reviewers({said("a", 0, 0), said("b", 0, 0)}), SizeIs(1));
  EXPECT_THAT(join_reviewers({}), IsEmpty());
  EXPECT_THAT(join_reviewers({said("a", 8, 0), said("b", 8, 0), said("b", 8, 0)}), SizeIs(2))
      << "b's second finding is not a's";
}

} // namespace
} // namespace emend
