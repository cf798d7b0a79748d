// What a next round knows of the rounds before it. From durable state alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attempt.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "ports/store.hpp"

namespace emend {

struct EarlierRounds {
  // The best change so far, which the next round starts from; nullopt = it starts from the base. What was
  // refused is never it.
  std::optional<Attempt> best;
  std::optional<Verdict> verdict; // on that change
  std::optional<Attempt> last;    // the last round that counted
  bool contested = false;         // a round has already answered a judge with reasons

  // The change of the last round, where the next one does not start from it; null = it does, or there is
  // none.
  [[nodiscard]] const Attempt* set_aside() const;
};

// attempts, verdicts: of the unit's session. A change that was judged is better than one that was not, a
// higher score is better, and of equals the later one. panel: how many judges vote. Pure.
[[nodiscard]] EarlierRounds earlier_rounds(const std::vector<Attempt>& attempts,
                                           const std::vector<Verdict>& verdicts, const Unit& unit,
                                           int panel = 1);
[[nodiscard]] Result<EarlierRounds> earlier_rounds(SessionStore& store, const Unit& unit, int panel);

// What a judge said, as text for a fixer.
[[nodiscard]] std::string verdict_words(const Verdict& verdict);

} // namespace emend
