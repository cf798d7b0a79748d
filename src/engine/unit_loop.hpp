// The loop of one unit: fix -> verify -> challenge, again with feedback while the policy's three counters allow.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "engine/run_context.hpp"
#include "engine/rescan.hpp"
#include "engine/scope.hpp"
#include "engine/verify.hpp"

namespace emend {

// Shared by the units of a session; each run() is on the caller's thread.
class UnitLoop {
public:
  // An agent is null when the engine itself plays its role, or nobody does (fix_challenger.enabled = false). batch: commands without
  // paths, and the rubric, are left to the combination.
  UnitLoop(RunContext& context, Verifier& verifier, Rescanner& rescanner, Agent* fixer, Agent* challenger, bool batch)
      : context_(context), verifier_(verifier), rescanner_(rescanner), fixer_(fixer), challenger_(challenger), batch_(batch) {}

  // Until the unit is accepted, has failed (its issue is moved to FAILED) or the stop token fires (the unit stays as it was).
  // Everything it learns is in the store before it returns.
  [[nodiscard]] Result<Unit> run(Unit unit, const Issue& issue, std::stop_token stop);

private:
  struct Turn;
  [[nodiscard]] Result<bool> one_turn(Unit& unit, const Issue& issue, std::optional<Attempt>& last, std::stop_token stop);
  [[nodiscard]] Result<Attempt> make_attempt(const Unit& unit, const Issue& issue, const Scope& scope, const Patch& previous, std::stop_token stop);
  [[nodiscard]] Status judge(Turn& turn, std::stop_token stop);
  [[nodiscard]] Status judge_unchanged(Turn& turn);
  [[nodiscard]] Status judge_verified(Turn& turn, std::stop_token stop);
  [[nodiscard]] Status judge_rescanned(Turn& turn, const Verification* verification, std::stop_token stop);
  [[nodiscard]] Status judge_by_rubric(Turn& turn, const Verification* verification, const Verification& rescan);
  [[nodiscard]] Status judge_challenged(Turn& turn, const Verification* verification, std::stop_token stop);
  [[nodiscard]] Status finish_turn(Turn& turn);
  [[nodiscard]] Status fail_unit(Unit& unit, const Issue& issue, const std::string& reason, const std::string& detail, int score);
  [[nodiscard]] std::vector<VerifyCommand> commands_alone(const Unit& unit, const Issue& issue, const Verification& baseline) const;

  RunContext& context_;
  Verifier& verifier_;
  Rescanner& rescanner_;
  Agent* fixer_;
  Agent* challenger_;
  bool batch_;
};

// The prompt of a unit's next turn, from its durable state. Also what --dry-run prints.
struct TurnPrompt {
  std::string role;
  std::string text;
};
[[nodiscard]] Result<TurnPrompt> turn_prompt(RunContext& context, const Unit& unit, const Issue& issue, const Patch& previous);

} // namespace emend
