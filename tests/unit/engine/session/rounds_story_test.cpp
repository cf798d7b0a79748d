// Rounds with more than one change or more than one opinion, in sentences.
#include "engine/session/rounds_story.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/session/candidates.hpp"

namespace emend {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FixCycle tried(const std::string& agent, int round, AttemptResult result, const std::string& detail = "") {
  FixCycle cycle;
  cycle.attempt.agent = agent;
  cycle.attempt.cycle = round;
  cycle.attempt.base = "abc";
  cycle.attempt.result = result;
  cycle.attempt.detail = detail;
  cycle.attempt.claim = Claim::fixed;
  return cycle;
}

Verdict vote(const std::string& agent, int score) {
  Verdict verdict;
  verdict.agent = verdict.family = agent;
  verdict.valid = true;
  verdict.score = score;
  return verdict;
}

std::vector<std::string> told(const std::vector<FixCycle>& cycles, int panel = 1, const Issue& issue = {}) {
  std::vector<std::string> lines;
  for (const StoryLine& line : story_of_rounds(issue, cycles, panel))
    lines.push_back(line.experiment + ": " + line.text);
  return lines;
}

TEST(RoundsStory, NamesTheCandidatesOfARoundAndWhatBecameOfThem) {
  EXPECT_THAT(
      told({tried("codex", 1, AttemptResult::not_chosen, "passed too; the change of claude was chosen"),
            tried("claude", 1, AttemptResult::accepted)}),
      ElementsAre(
          "candidates: Round 1: 2 candidates: codex (not chosen: passed too; the change of claude was "
          "chosen); claude (accepted)."));
}

TEST(RoundsStory, OneChangeARoundIsNoCandidate) {
  EXPECT_THAT(told({tried("claude", 1, AttemptResult::verification_failed),
                    tried("claude", 2, AttemptResult::accepted)}),
              IsEmpty());
  EXPECT_THAT(
      told({tried("claude", 1, AttemptResult::interrupted), tried("claude", 1, AttemptResult::accepted)}),
      IsEmpty())
      << "begun again after a crash";
  std::vector<FixCycle> again = {tried("claude", 1, AttemptResult::accepted),
                                 tried("claude", 1, AttemptResult::accepted)};
  again[1].attempt.base = "def";
  EXPECT_THAT(told(again), IsEmpty()) << "made again on top of others";
}

TEST(RoundsStory, SaysWhoContestedWhichVerdictAndWhatCameOfIt) {
  std::vector<FixCycle> cycles = {tried("claude", 1, AttemptResult::below_threshold),
                                  tried("claude", 2, AttemptResult::accepted)};
  cycles[0].verdicts = {vote("gemini", 60)};
  cycles[1].verdicts = {vote("gemini", 97)};
  cycles[1].attempt.claim = Claim::contested;
  cycles[1].attempt.explanation = "plus is what the test asks for";
  EXPECT_THAT(told(cycles),
              ElementsAre("contested: Round 2: claude kept the change that was refused (gemini 60), with "
                          "reasons: plus is what the test asks for. Judged once more: gemini 97."));
  cycles[0].verdicts.push_back(vote("openai", 98));
  cycles[1].verdicts.push_back(vote("openai", 99));
  EXPECT_THAT(told(cycles, 2).front(), ::testing::HasSubstr("gemini 60, openai 98: 79 on average"));
  cycles[1].verdicts.clear();
  EXPECT_THAT(told(cycles), IsEmpty()) << "nobody judged it again";
}

TEST(RoundsStory, TellsWhatAPersonSaidWhereTwoFixesDiffer) {
  Issue issue;
  issue.clarifications.resize(2);
  issue.clarifications[0].question = "Left or right?";
  issue.clarifications[1].question = std::string(kTwoFixesDiffer) + "f(-1) is 0 or 2. Which is right?";
  EXPECT_THAT(told({}, 1, issue),
              ElementsAre("question: " + issue.clarifications[1].question + " Nobody has answered yet."));
  issue.clarifications[1].state = ClarificationState::answered;
  issue.clarifications[1].answer = "as the change of claude: 0";
  EXPECT_THAT(told({}, 1, issue)[0], ::testing::EndsWith("A person says: as the change of claude: 0."));
}

} // namespace
} // namespace emend
