#include "engine/session/rounds_story.hpp"

#include <fmt/format.h>

#include <map>

#include "base/strings.hpp"
#include "engine/session/candidates.hpp"
#include "model/panel.hpp"

namespace emend {
namespace {

using Round = std::vector<const FixCycle*>;
using Rounds = std::map<std::pair<int, std::string>, Round>; // by number and base

// What was put back is begun again under the same number, and what conflicts on another base: neither is a
// candidate.
Rounds rounds_of(const std::vector<FixCycle>& cycles) {
  Rounds rounds;
  for (const FixCycle& cycle : cycles)
    if (cycle.attempt.result != AttemptResult::interrupted)
      rounds[{cycle.attempt.cycle, cycle.attempt.base}].push_back(&cycle);
  return rounds;
}

std::string words(AttemptResult result) { return replace_all(std::string(to_string(result)), "_", " "); }

std::string what_became_of(const FixCycle& one) {
  const Attempt& attempt = one.attempt;
  const bool because = attempt.result == AttemptResult::not_chosen && !attempt.detail.empty();
  return fmt::format("{} ({}{})", first_line(clean_text(attempt.agent), 80), words(attempt.result),
                     because ? ": " + first_line(clean_text(attempt.detail), 200) : "");
}

void tell_candidates(int number, const Round& round, std::vector<StoryLine>& story) {
  if (round.size() < 2) return;
  std::vector<std::string> parts;
  for (const FixCycle* one : round) parts.push_back(what_became_of(*one));
  story.push_back(
      {"candidates", fmt::format("Round {}: {} candidates: {}.", number, round.size(), join(parts, "; "))});
}

std::string votes_on(const FixCycle& cycle, int panel) {
  const std::string votes = votes_text(cycle.verdicts, panel);
  return votes.empty() ? "no valid verdict" : first_line(clean_text(votes), 200);
}

void tell_contested(int number, const Round& round, const FixCycle* before, int panel,
                    std::vector<StoryLine>& story) {
  for (const FixCycle* one : round) {
    if (one->attempt.claim != Claim::contested || one->verdicts.empty()) continue;
    const std::string first = before == nullptr ? "" : " (" + votes_on(*before, panel) + ")";
    story.push_back(
        {"contested",
         fmt::format("Round {}: {} kept the change that was refused{}, with reasons: {}. "
                     "Judged once more: {}.",
                     number, first_line(clean_text(one->attempt.agent), 80), first,
                     first_line(clean_text(one->attempt.explanation), 300), votes_on(*one, panel))});
  }
}

// The last change before this round that a judge saw.
const FixCycle* judged_before(const Rounds& rounds, int number) {
  const FixCycle* found = nullptr;
  for (const auto& [key, round] : rounds)
    for (const FixCycle* one : round)
      if (key.first < number && !one->verdicts.empty()) found = one;
  return found;
}

void tell_questions(const Issue& issue, std::vector<StoryLine>& story) {
  for (const Clarification& asked : issue.clarifications) {
    if (!asked.question.starts_with(kTwoFixesDiffer)) continue;
    const std::string answer = asked.state == ClarificationState::answered
                                   ? "A person says: " + first_line(asked.answer, 300)
                               : asked.state == ClarificationState::skipped ? "A person left it to the fixer"
                                                                            : "Nobody has answered yet";
    story.push_back(
        {"question", fmt::format("{} {}.", first_line(clean_text(asked.question), 500), clean_text(answer))});
  }
}

} // namespace

std::vector<StoryLine> story_of_rounds(const Issue& issue, const std::vector<FixCycle>& cycles, int panel) {
  std::vector<StoryLine> story;
  const Rounds rounds = rounds_of(cycles);
  for (const auto& [key, round] : rounds) {
    tell_candidates(key.first, round, story);
    tell_contested(key.first, round, judged_before(rounds, key.first), panel, story);
  }
  tell_questions(issue, story);
  return story;
}

} // namespace emend
