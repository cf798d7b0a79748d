// What became of a fix after its session: the ledger that people and the policy look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

enum class FixFate {
  waiting,   // on its branch; nobody has decided yet
  merged,    // on the branch people share, byte for byte
  edited,    // on it after somebody changed it
  rejected,  // a person said no; the reason is kept
  discarded, // its whole session was not wanted
  reverted,  // it was merged, and the branch does not hold it any more
};
[[nodiscard]] std::string_view to_string(FixFate fate);
[[nodiscard]] std::optional<FixFate> parse_fix_fate(std::string_view text);

struct FixOutcome {
  std::string issue_id, session_id; // together the key: one fix
  std::string repository_id;
  std::string code; // of the issue
  FixFate fate = FixFate::waiting;
  std::string reason; // why it was rejected, in the person's words
  std::string commit; // that brought it to the shared branch
  std::int64_t merged_ms = 0;
  bool changed_again = false; // some of its lines were changed again soon after it was merged
  bool back = false;          // the finding was reported again after it
  std::string agent, model, rule, language, evidence; // of the fix
  std::int64_t updated_ms = 0;
};
[[nodiscard]] Json to_json(const FixOutcome& outcome);

// How the fixes of one group ended.
struct OutcomeCounts {
  std::string key;
  int fixes = 0, waiting = 0, merged = 0, edited = 0, rejected = 0, discarded = 0, reverted = 0;
  int changed_again = 0, back = 0;

  void add(const FixOutcome& outcome);
  // Of those that somebody decided about: merged, edited or not, and not reverted; nullopt = nobody did yet.
  [[nodiscard]] std::optional<int> kept_percent() const;
};
[[nodiscard]] Json to_json(const OutcomeCounts& counts);

// What fixes can be grouped by: "agent", "model", "rule", "language", "evidence".
[[nodiscard]] const std::vector<std::string>& outcome_groups();
// One row for each value, by value; one of outcome_groups() is `by`.
[[nodiscard]] std::vector<OutcomeCounts> count_outcomes(const std::vector<FixOutcome>& outcomes,
                                                        std::string_view by);

inline constexpr int kEarnedFixes = 20;

// May this agent's fixes for this rule go on without a person's approval of the plan? At least kEarnedFixes
// of them were merged as they were, and none was reverted. Without a rule nothing is earned.
[[nodiscard]] bool has_earned(const std::vector<FixOutcome>& outcomes, const std::string& agent,
                              const std::string& rule);

// One agent's record for one rule: how far it is on the way to `fix.autonomy = "earned"`.
struct EarnedTrust {
  std::string agent, rule;
  int merged = 0, reverted = 0;
  bool earned = false; // as has_earned() says
};
[[nodiscard]] Json to_json(const EarnedTrust& trust);
// Everybody who has a fix that was merged, who earned it first, then by the number of merged fixes.
[[nodiscard]] std::vector<EarnedTrust> earned_trust(const std::vector<FixOutcome>& outcomes);
// "earned", "8 of 20 merged", "lost: 1 was reverted"
[[nodiscard]] std::string earned_text(const EarnedTrust& trust);

// "Python" for src/a.py; the file's ending where no language is known by it.
[[nodiscard]] std::string language_name(std::string_view file);

} // namespace emend
