// The loop of one unit: fix -> verify -> challenge, again with feedback while the policy's three counters
// allow.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "engine/challenge.hpp"
#include "engine/comparison.hpp"
#include "engine/fix.hpp"
#include "engine/reproduction.hpp"
#include "engine/rescan.hpp"
#include "engine/run_context.hpp"
#include "engine/scope.hpp"
#include "engine/verify.hpp"

namespace emend {

// What the units of a session are worked on with.
struct Stages {
  Verifier& verifier;
  Rescanner& rescanner;
  Reproduction& reproduction;
  Meter& meter;
  RoleAgents* fixer;      // null: the engine itself applies fix-its
  Challenger* challenger; // null: the rubric judges, or nobody does (fix_challenger.enabled = false)
};

// Nobody can work on an issue whose file is not there to be changed.
[[nodiscard]] bool unworkable(const Issue& issue);

// Shared by the units of a session; each run() is on the caller's thread.
class UnitLoop {
public:
  // batch: commands without paths, and the rubric, are left to the combination.
  UnitLoop(RunContext& context, Stages& stages, bool batch)
      : context_(context), stages_(stages), batch_(batch) {}

  // Until the unit is accepted, has failed (its issue is moved to FAILED), the stop token fires or the queue
  // is stopped (the unit stays as it was). Everything it learns is in the store before it returns. `first`:
  // the attempt of this turn if it was made already, by a process that worked on several issues; begin() was
  // called for it.
  [[nodiscard]] Result<Unit> run(Unit unit, const Issue& issue, std::optional<Attempt> first,
                                 std::stop_token stop);
  // Counts the start of a turn and makes it durable. false: the unit has had too many and has failed.
  [[nodiscard]] Result<bool> begin(Unit& unit, const Issue& issue);
  // An attempt that was cancelled does not count: the unit is pending again.
  [[nodiscard]] Status put_back(Unit& unit, Attempt& attempt);
  // The unit has failed for a reason of its own: its issue is FAILED.
  [[nodiscard]] Status give_up(Unit& unit, const Issue& issue, const std::string& reason,
                               const std::string& detail) {
    return fail_unit(unit, issue, reason, detail, 0);
  }

private:
  struct Turn;
  [[nodiscard]] Result<bool> one_turn(Unit& unit, const Issue& issue, std::optional<Attempt> made,
                                      std::optional<Attempt>& last, std::stop_token stop);
  [[nodiscard]] Result<FixRun> make_attempt(const Unit& unit, const Issue& issue, const Patch& previous,
                                            std::stop_token stop);
  [[nodiscard]] bool refuse_violation(Turn& turn);
  [[nodiscard]] Status judge(Turn& turn, std::stop_token stop);
  [[nodiscard]] Status judge_unchanged(Turn& turn);
  [[nodiscard]] Result<bool> judge_repeated(Turn& turn); // true: it is judged
  [[nodiscard]] Result<bool> judge_rejected(Turn& turn); // likewise
  [[nodiscard]] Status judge_verified(Turn& turn, std::stop_token stop);
  [[nodiscard]] Result<bool> confirmed_by_others(Turn& turn, const std::vector<VerifyCommand>& commands,
                                                 const Verification& baseline, std::stop_token stop);
  [[nodiscard]] Result<bool> fails_again_without(Turn& turn, const std::vector<VerifyCommand>& commands,
                                                 const Comparison& comparison, std::stop_token stop);
  [[nodiscard]] bool combination_may_confirm(const Issue& issue, const Verification& baseline) const;
  [[nodiscard]] bool ended_by(Turn& turn, const Comparison& comparison, const std::string& where) const;
  [[nodiscard]] Status judge_reproduced(Turn& turn, const Verification* verification, Evidence otherwise,
                                        std::stop_token stop);
  [[nodiscard]] Status judge_rescanned(Turn& turn, const Verification* verification, std::stop_token stop);
  [[nodiscard]] Status judge_by_rubric(Turn& turn, const Verification* verification,
                                       const Verification& rescan);
  [[nodiscard]] Status judge_challenged(Turn& turn, const Verification* verification, std::stop_token stop);
  [[nodiscard]] bool enough(Turn& turn, Evidence best) const;
  [[nodiscard]] Status finish_turn(Turn& turn);
  [[nodiscard]] Status fail_unit(Unit& unit, const Issue& issue, const std::string& reason,
                                 const std::string& detail, int score);
  [[nodiscard]] std::vector<VerifyCommand> commands_alone(const Unit& unit, const Issue& issue,
                                                          const Verification& baseline) const;

  RunContext& context_;
  Stages& stages_;
  bool batch_;
};

} // namespace emend
