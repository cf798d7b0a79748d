// One turn of a unit: an attempt was made, and a list of steps says what it is worth. No step knows the
// others.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/fix/earlier_rounds.hpp"
#include "engine/fix/fixer_prompt.hpp"
#include "engine/judge/challenge.hpp"
#include "engine/patch/scope.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/reproduction.hpp"
#include "engine/verify/rescan.hpp"
#include "engine/verify/verify.hpp"
#include "model/attempt.hpp"

namespace emend {

// What the units of a session are worked on with.
struct Stages {
  Verifier& verifier;
  Rescanner& rescanner;
  Reproduction& reproduction;
  Meter& meter;
  RoleAgents* fixer;                   // null: the engine itself applies fix-its
  std::vector<RoleAgents*> candidates; // further fixers, in the order they are asked; may be empty
  Challenger* challenger; // null: the rubric judges, or nobody does (fix_challenger.enabled = false)
};

// What is known of an attempt. Lives on one thread, and is not moved while steps look at it.
struct UnitTurn {
  RunContext& context;
  Stages& stages;
  const bool batch; // commands without paths, and the rubric, are left to the combination
  const Unit& unit;
  const Issue& issue;
  const Scope& scope;
  const PathSet& called;
  const std::stop_token stop;
  const Attempt& attempt;
  const EarlierRounds& earlier; // the workspace began with the best change of these

  // Found out by the steps, for those after them.
  std::shared_ptr<const Verification> baseline = {}; // null: no commands are configured
  std::vector<VerifyCommand> commands = {};          // that check this change alone
  Verification run = {};                             // of those commands
  Comparison comparison = {};                        // of that run with the baseline
  Patch product = {};                                // the change without the tests it brings along
  Verification product_run = {};                     // the same commands on that
  Verification own_tests_run = {};                   // of those tests on the base; no commands: none was made
  std::optional<ExecutedLines> executed = {};        // seen in the run with probes
  bool no_coverage = false;                          // no tool that would see it was there then
  Support support = {};                              // what speaks for the change, or could at best
  std::optional<Verification> rescan = {};           // nullopt: the analyzers were not run
  bool contested = false;                            // the same change again, for a second judgement
  std::vector<OpenedTest> opened = {};               // existing tests this issue's fix may change
  std::vector<std::string> notes = {};               // for the judge and people, one sentence each
  std::vector<std::string> doubts = {};              // those of them that the look of the patch gave
  std::string hidden_note = {};                      // for the judge alone: it names inputs of a hidden check
  HiddenWords hidden = {};                           // those it names

  [[nodiscard]] const Policy& policy() const { return context.policy(); }
  [[nodiscard]] const Patch& patch() const { return attempt.patch; }
  [[nodiscard]] bool judged_by_rubric() const {
    return stages.challenger == nullptr && policy().challenger_enabled;
  }
};

// How a turn ended.
struct TurnEnd {
  AttemptResult result = AttemptResult::interrupted; // interrupted: it was cancelled and does not count
  std::string detail = {};
  Feedback next = {};      // for the next attempt
  bool final = false;      // another attempt could not do better
  std::string reason = {}; // of the issue's failure, where `result` does not say it
  int score = -1;          // the judge's; -1 = nobody judged

  [[nodiscard]] bool cancelled() const { return result == AttemptResult::interrupted; }
};

// A step ends the turn, or lets it go on.
using StepEnd = Result<std::optional<TurnEnd>>;
using Step = StepEnd (*)(UnitTurn&);
struct StepStop {
  Step step = nullptr;
  TurnEnd end = {};
};

// Ends the turn if a test that the change adds fails with the change, naming it. turn.run is there.
[[nodiscard]] std::optional<TurnEnd> own_tests_fail(const UnitTurn& turn);

// Existing tests of which the judge must say whether they assert the bug.
[[nodiscard]] std::vector<std::string> asked_tests(const UnitTurn& turn);
// Keeps the yes of a verdict that passes, for this change alone.
[[nodiscard]] Status keep_allowed_tests(UnitTurn& turn, const Verdict& verdict);

// Goes through the steps until one ends the turn. Everything they ran is in the store before it returns.
[[nodiscard]] Result<TurnEnd> judge_turn(UnitTurn& turn);
// The same without a judge: nullopt = no step speaks against the change.
[[nodiscard]] Result<std::optional<StepStop>> steps_before_judge(UnitTurn& turn);

// The steps, in their order.
[[nodiscard]] StepEnd is_changed(UnitTurn& turn);         // something was changed, or is contested
[[nodiscard]] StepEnd is_not_rejected(UnitTurn& turn);    // no person has rejected this very change
[[nodiscard]] StepEnd is_not_repeated(UnitTurn& turn);    // it was not tried before
[[nodiscard]] StepEnd keeps_static_rules(UnitTurn& turn); // clauses P1 to P3
[[nodiscard]] StepEnd notes_other_files(UnitTurn& turn);  // files that nothing leads to: the judge decides
[[nodiscard]] StepEnd passes_checks(
    UnitTurn& turn); // nothing that passed fails, and something can confirm it
[[nodiscard]] StepEnd passes_without_tests(
    UnitTurn& turn);                                   // the same without the tests the change brings along
[[nodiscard]] StepEnd shows_own_tests(UnitTurn& turn); // do those tests fail without the change?
[[nodiscard]] StepEnd fails_without_change(UnitTurn& turn); // the issue's own checks fail again without it
[[nodiscard]] StepEnd check_can_fail(UnitTurn& turn);       // a test that is turned around fails
[[nodiscard]] StepEnd passes_reproducer(UnitTurn& turn);    // a check the fixer never saw
[[nodiscard]] StepEnd can_be_sure_enough(UnitTurn& turn);   // it could have the evidence the policy asks for
[[nodiscard]] StepEnd is_not_found_again(UnitTurn& turn);   // analyzers do not report the issue any more
[[nodiscard]] StepEnd executes_change(UnitTurn& turn);      // a note: do the checks execute its lines?
[[nodiscard]] StepEnd notes_form(UnitTurn& turn);        // what a judge should look at; never ends the turn
[[nodiscard]] Result<TurnEnd> is_judged(UnitTurn& turn); // by another agent, or the rubric

// --- Does a fix loop still get anywhere? A change that was there before, or the same answer to it again,
// says no. Pure.

// Why an issue failed whose fixer came back to an earlier change; what a clause refuses keeps that reason.
inline constexpr const char* kNoProgress = "no_progress";

// Begins the detail of an attempt that was refused for what was changed outside of its workspace: of the
// change itself it says nothing.
inline constexpr std::string_view kContainment = "containment: ";

// The attempt before `attempt`, of the same unit and on the same base, that made exactly its change; null =
// it is new. What was interrupted, or refused for what was done beside it, does not count.
[[nodiscard]] const Attempt* same_change(const std::vector<Attempt>& attempts, const Attempt& attempt);

// Only now the fixer says which failing tests are another bug's: then its change is looked at again.
[[nodiscard]] bool says_what_is_left(const Attempt& earlier, const Attempt& attempt);

// Was something else tried after it? Then making its change again is going round in circles, not only
// standing still.
[[nodiscard]] bool returned_to(const std::vector<Attempt>& attempts, const Attempt& earlier);

// Was the fixer told the same before? Times, addresses and temporary paths aside, word for word.
[[nodiscard]] bool same_feedback(const Feedback& before, const Feedback& now);

} // namespace emend
