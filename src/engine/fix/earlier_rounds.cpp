#include "engine/fix/earlier_rounds.hpp"

#include <fmt/format.h>

#include "model/panel.hpp"

namespace emend {
namespace {

// What was said of the change: by one judge the last word, by a panel what they say together.
std::optional<Verdict> verdict_on(const std::vector<Verdict>& verdicts, const Attempt& attempt, int panel) {
  std::vector<Verdict> votes;
  for (const Verdict& verdict : verdicts)
    if (verdict.attempt_id == attempt.id && verdict.canary.empty() && verdict.valid && verdict.score)
      votes.push_back(verdict);
  if (votes.empty()) return std::nullopt;
  return panel < 2 ? votes.back() : joint_verdict(votes, panel);
}

// How far it came; negative = nothing to go on from.
int rank(const Attempt& attempt, const std::optional<Verdict>& verdict) {
  constexpr int kJudged = 1'000; // more than any score
  if (attempt.patch.empty()) return -1;
  switch (attempt.result) {
    case AttemptResult::below_threshold: return kJudged + (verdict ? *verdict->score : 0);
    case AttemptResult::unevaluated: return kJudged;
    case AttemptResult::verification_failed: return 0;
    default: return -1;
  }
}

} // namespace

const Attempt* EarlierRounds::set_aside() const {
  if (!last || last->patch.empty()) return nullptr;
  return best && best->patch.sha256() == last->patch.sha256() ? nullptr : &*last;
}

EarlierRounds earlier_rounds(const std::vector<Attempt>& attempts, const std::vector<Verdict>& verdicts,
                             const Unit& unit, int panel) {
  EarlierRounds earlier;
  int best = -1;
  for (const Attempt& attempt : attempts) {
    if (attempt.unit_id != unit.id || attempt.base != unit.base ||
        attempt.result == AttemptResult::interrupted)
      continue;
    earlier.last = attempt;
    earlier.contested = earlier.contested || attempt.claim == Claim::contested;
    std::optional<Verdict> verdict = verdict_on(verdicts, attempt, panel);
    const int worth = rank(attempt, verdict);
    if (worth < 0 || worth < best) continue;
    best = worth;
    earlier.best = attempt;
    earlier.verdict = std::move(verdict);
  }
  return earlier;
}

Result<EarlierRounds> earlier_rounds(SessionStore& store, const Unit& unit, int panel) {
  if (unit.cycles == 0) return EarlierRounds{};
  TRY_ASSIGN(const std::vector<Attempt> attempts, store.attempts_of_session(unit.session_id));
  TRY_ASSIGN(const std::vector<Verdict> verdicts, store.verdicts(unit.session_id));
  return earlier_rounds(attempts, verdicts, unit, panel);
}

std::string verdict_words(const Verdict& verdict) {
  std::string text = fmt::format("An independent reviewer scored the change {} of 100.\n{}\n",
                                 verdict.score.value_or(0), verdict.feedback);
  for (const std::string& item : verdict.improvements_needed) text += "- " + item + "\n";
  return text;
}

} // namespace emend
