// The loop of one unit: fix -> verify -> challenge, again with feedback while the policy's three counters
// allow.
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "engine/context/run_context.hpp"
#include "engine/fix/fix.hpp"
#include "engine/session/candidates.hpp"
#include "engine/session/unit_turn.hpp"

namespace emend {

// Nobody can work on an issue whose file is not there to be changed.
[[nodiscard]] bool unworkable(const Issue& issue);

// The unit has failed, and so has its issue. score: the judge's; -1 = nobody judged.
[[nodiscard]] Status fail_unit(RunContext& context, Unit& unit, const Issue& issue, const std::string& reason,
                               const std::string& detail, int score = -1);

// Shared by the units of a session; each run() is on the caller's thread.
class UnitLoop {
public:
  // batch: commands without paths, and the rubric, are left to the combination, unless several changes for an
  // issue are to be ranked.
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

private:
  [[nodiscard]] Result<bool> one_turn(Unit& unit, const Issue& issue, std::optional<Attempt> made,
                                      std::stop_token stop);
  [[nodiscard]] Result<FixOrder> order_for(const Unit& unit, const Issue& issue, const EarlierRounds& earlier,
                                           std::stop_token stop);
  struct Round; // what all candidates of a turn share
  [[nodiscard]] Result<Candidate> weigh(const Round& round, Attempt attempt, bool batch);
  [[nodiscard]] Result<std::vector<Candidate>> make_candidates(const Round& round, std::size_t count);
  [[nodiscard]] Result<std::vector<Candidate>> weigh_all(const Round& round,
                                                         std::vector<Candidate>& candidates,
                                                         std::vector<Attempt>& others);
  [[nodiscard]] Result<std::set<std::size_t>> ask_where_they_differ(const Round& round,
                                                                    std::vector<Candidate>& weighed,
                                                                    std::size_t best);
  [[nodiscard]] Result<Candidate> choose(const Round& round, std::vector<Candidate> candidates);
  [[nodiscard]] Status ask_person(const Issue& issue, Disagreement difference);
  [[nodiscard]] Result<TurnEnd> judge(UnitTurn& turn);
  [[nodiscard]] std::optional<TurnEnd> left_workspace(const Issue& issue);
  [[nodiscard]] Status finish_turn(Unit& unit, const Issue& issue, Attempt& attempt, TurnEnd end);

  RunContext& context_;
  Stages& stages_;
  bool batch_;
};

} // namespace emend
