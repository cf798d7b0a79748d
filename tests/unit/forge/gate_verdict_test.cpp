#include "engine/forge/gate_verdict.hpp"

#include <gmock/gmock.h>

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {

Issue finding(Severity severity, int line = 3, const std::string& file = "src/a.c") {
  Issue issue;
  issue.code = "BE-00" + std::to_string(line % 10);
  issue.finding.file = file;
  issue.finding.line = line;
  issue.finding.severity = severity;
  issue.finding.title = "Off by one @team";
  return issue;
}

PrReview review_with(std::vector<Issue> findings) {
  PrReview review;
  review.count.votes = 2;
  review.count.decision = PrDecision::approved;
  review.findings = std::move(findings);
  return review;
}

TeamSettings gate(GateMode mode) {
  TeamSettings settings;
  settings.gate = mode;
  settings.override_label = "emend-override";
  return settings;
}

HeadState state(const PrReview& review, GateMode mode, std::vector<FixClaim> claims = {},
                const std::string& by = "") {
  return conclude({review, std::move(claims), by}, gate(mode)).state;
}

} // namespace

TEST(GateVerdictTest, AdvisoryUntilItIsMadeAGate) {
  const PrReview clean = review_with({}), minor = review_with({finding(Severity::low)}),
                 bad = review_with({finding(Severity::critical)});
  for (const GateMode mode : {GateMode::never, GateMode::findings, GateMode::proof}) {
    EXPECT_EQ(state(clean, mode), HeadState::success);
    EXPECT_EQ(state(minor, mode), HeadState::neutral);
  }
  EXPECT_EQ(state(bad, GateMode::never), HeadState::neutral);
  EXPECT_EQ(state(bad, GateMode::findings), HeadState::failure);
  EXPECT_EQ(conclude({bad, {}, ""}, gate(GateMode::findings)).summary,
            "1 finding, 1 critical; 1 high or worse, which blocks it");
  EXPECT_EQ(state(bad, GateMode::proof), HeadState::failure);
}

TEST(GateVerdictTest, WhatIsClaimedHasToBeProvenWhereTheGateAsksForIt) {
  const PrReview clean = review_with({});
  const std::vector<FixClaim> claims = {{"BE-001", true, "proven"}, {"BE-002", false, "nothing shows it"}};
  EXPECT_EQ(state(clean, GateMode::findings, claims), HeadState::success);
  EXPECT_EQ(state(clean, GateMode::proof, claims), HeadState::failure);
  EXPECT_EQ(state(clean, GateMode::proof, {claims.front()}), HeadState::success);
  EXPECT_EQ(state(clean, GateMode::proof), HeadState::success) << "who claims nothing passes this part";
  const HeadStatus said = conclude({clean, claims, ""}, gate(GateMode::proof));
  EXPECT_THAT(said.summary, HasSubstr("1 fix is claimed and not proven"));
  EXPECT_THAT(said.text, HasSubstr("BE-002"));
  EXPECT_THAT(said.text, HasSubstr("emend-override")) << "it says how to pass";
}

TEST(GateVerdictTest, AnOverrideLetsARedOnePassAndSaysWhoseItIs) {
  const PrReview bad = review_with({finding(Severity::high)});
  const HeadStatus said = conclude({bad, {}, "alice"}, gate(GateMode::findings));
  EXPECT_EQ(said.state, HeadState::neutral);
  EXPECT_THAT(said.summary, HasSubstr("overridden by alice"));
  EXPECT_THAT(conclude({review_with({}), {}, "alice"}, gate(GateMode::findings)).summary,
              Not(HasSubstr("overridden")))
      << "nothing was in its way";
}

TEST(GateVerdictTest, WithoutVotesNothingIsKnownAndNoLabelChangesThat) {
  PrReview none = review_with({finding(Severity::high)});
  none.count.decision = PrDecision::not_enough_votes;
  EXPECT_EQ(state(none, GateMode::findings), HeadState::error);
  EXPECT_EQ(state(none, GateMode::findings, {}, "alice"), HeadState::error);
}

TEST(GateVerdictTest, WhatAgentsWroteDoesNothingInTheText) {
  EXPECT_THAT(conclude({review_with({finding(Severity::high)}), {}, ""}, gate(GateMode::never)).text,
              Not(HasSubstr("@team")));
}

TEST(GateVerdictTest, ClaimsAreReadFromWordsOfFixingOnly) {
  EXPECT_THAT(claimed_codes("Fixes BE-001, closes BE-002 and BE-003."),
              ElementsAre("BE-001", "BE-002", "BE-003"));
  EXPECT_THAT(claimed_codes("fixed: BE-0001\nResolves BE-002"), ElementsAre("BE-0001", "BE-002"));
  EXPECT_THAT(claimed_codes("fixes BE-001 and fixes BE-001"), ElementsAre("BE-001"));
  for (const char* text : {"", "see BE-001", "BE-001 is fixed by others", "fixes be-001", "fixes BE-1",
                           "This fixes it. BE-001 stays", "fixes XBE-001"})
    EXPECT_THAT(claimed_codes(text), IsEmpty()) << text;
  std::string many = "fixes";
  for (int i = 100; i < 300; ++i) many += " BE-" + std::to_string(i);
  EXPECT_THAT(claimed_codes(many), SizeIs(50));
}

TEST(GateVerdictTest, AnnotationsStandOnLinesOfTheDiffTheWorstFirstAndBounded) {
  DiffFile shown;
  shown.path = "src/a.c";
  shown.hunks.emplace_back();
  for (int line = 1; line <= 400; ++line) shown.hunks.back().push_back({line, 0});
  std::vector<Issue> findings = {finding(Severity::high, 3, "src/b.c"), finding(Severity::high, 401)};
  EXPECT_THAT(annotations_of(findings, {shown}), IsEmpty());
  for (int line = 1; line <= 399; ++line) findings.push_back(finding(Severity::low, line));
  findings.push_back(finding(Severity::critical, 400));
  const std::vector<Annotation> all = annotations_of(findings, {shown});
  ASSERT_THAT(all, SizeIs(200));
  EXPECT_EQ(all.front().line, 400);
  EXPECT_TRUE(all.front().serious);
  EXPECT_FALSE(all.back().serious);
  EXPECT_THAT(all.front().title, Not(HasSubstr("@team")));
  Issue loud = finding(Severity::low);
  loud.finding.description = std::string(5'000, 'x');
  EXPECT_LE(annotations_of({loud}, {shown}).front().message.size(), 600U);
}

} // namespace emend
