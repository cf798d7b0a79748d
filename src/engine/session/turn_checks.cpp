// The steps of a turn that run something: the project's checks, the issue's reproducer, the analyzers.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/session/unit_turn.hpp"
#include "engine/verify/coverage.hpp"
#include "engine/verify/executed_lines.hpp"
#include "engine/verify/failing_part.hpp"
#include "engine/verify/probing.hpp"
#include "engine/verify/requirement.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

constexpr const char* kStillThere =
    "A check of this issue, which you cannot see, still finds it with your change. Think of every place and "
    "every input the issue concerns, not "
    "only of the ones it names.";

constexpr const char* kNotAsAnswered =
    "The change does not do what the person answered to the question about this issue. A check of exactly "
    "that answer, which you cannot see, fails with it.";

TurnEnd verification_failed(std::string detail, std::string feedback) {
  return {.result = AttemptResult::verification_failed,
          .detail = std::move(detail),
          .next = {"", std::move(feedback)}};
}

// The commands that check this change alone.
std::vector<VerifyCommand> commands_alone(const UnitTurn& turn) {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : turn.policy().commands) {
    const bool ours = command.applies_to(turn.issue.finding.file);
    const bool deferred = turn.batch && command.paths.empty();
    const CommandRun* before = turn.baseline->find(command.name);
    // On top of other fixes, their checks must stay green too.
    const bool guards_others = turn.unit.stacked && !turn.batch && before != nullptr && before->passed();
    if ((ours && !deferred) || guards_others) chosen.push_back(command);
  }
  return chosen;
}

// In a batch, commands without paths run on the combination only. Those that can confirm nothing cannot do
// so there either.
bool combination_may_confirm(const UnitTurn& turn) {
  const auto commands = commands_for(turn.policy(), turn.issue);
  return turn.batch && std::any_of(commands.begin(), commands.end(), [&](const VerifyCommand& command) {
           const CommandRun* before = turn.baseline->find(command.name);
           return command.paths.empty() && before != nullptr && can_confirm(*before);
         });
}

// Ends the turn if something that passed on the base does not pass any more.
std::optional<TurnEnd> broken(const UnitTurn& turn, const Comparison& comparison, const std::string& where) {
  std::vector<std::string> why = comparison.failures;
  why.insert(why.end(), comparison.lost_tests.begin(), comparison.lost_tests.end());
  if (why.empty()) return std::nullopt;
  const std::string detail = where + join(why, "; ");
  TurnEnd end = verification_failed(detail, "Verification failed with your change: " + detail);
  if (const CommandRun* run = comparison.first_failure)
    end.next.failure = failure_text(*run, turn.baseline->find(run->name));
  return end;
}

// Another edit cannot make a check speak that fails on the base.
TurnEnd nothing_confirms(const UnitTurn& turn) {
  const bool none = commands_for(turn.policy(), turn.issue).empty();
  return {.result = AttemptResult::verification_failed,
          .detail = none ? "no check applies to " + turn.issue.finding.file : unconfirmed(turn.comparison),
          .final = true};
}

Result<Verification> run_without(UnitTurn& turn, const Patch& rest) {
  return turn.stages.verifier.run(VerificationKind::without_patch, turn.attempt.base, rest, turn.commands,
                                  &turn.issue, turn.stop);
}

// The checks without the change of the issue's own file, where the fix has others, too. If they pass, another
// part of it makes them pass: a note.
Result<Verification> run_without_own_file(UnitTurn& turn) {
  const std::string& own = turn.issue.finding.file;
  const Patch rest = other_files(turn.product, own);
  if (rest.empty()) return Verification{};
  TRY_ASSIGN(Verification run, run_without(turn, rest));
  if (was_cancelled(run)) return run;
  const Comparison without_own =
      compare(turn.commands, *turn.baseline, run, about_fix(turn.issue, turn.attempt));
  if (!without_own.reproducers.empty())
    turn.notes.push_back(
        fmt::format("{} passes without the change of {}, too: another part of the fix makes it pass",
                    join(without_own.reproducers, ", "), clean_text(own)));
  return run;
}

// One place that a check executed for sure needs no tool to say so.
bool wants_coverage(const UnitTurn& turn) {
  const bool shown = turn.support.reproduced && !turn.comparison.reproducers.empty();
  if (shown && is_in_one_place(turn.product)) return false;
  const bool slow = turn.run.duration_ms > turn.policy().each_limit_ms;
  return !turn.commands.empty() && turn.policy().coverage != Coverage::off && !slow &&
         !turn.judged_by_rubric();
}

} // namespace

StepEnd passes_checks(UnitTurn& turn) {
  if (turn.policy().commands.empty()) return std::nullopt;
  const std::vector<VerifyCommand> own = commands_for(turn.policy(), turn.issue);
  auto baseline = turn.stages.verifier.baseline_for(turn.attempt.base, own, turn.stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) return TurnEnd{};
  TRY_ASSIGN(turn.baseline, std::move(baseline));
  turn.commands = commands_alone(turn);
  if (!turn.commands.empty()) {
    TRY_ASSIGN(turn.run, turn.stages.verifier.run(VerificationKind::alone, turn.attempt.base, turn.patch(),
                                                  turn.commands, &turn.issue, turn.stop));
    if (was_cancelled(turn.run)) return TurnEnd{};
  }
  TRY_ASSIGN(turn.baseline,
             turn.stages.verifier.baseline_for(turn.attempt.base, own, turn.stop)); // may waver since
  turn.comparison = compare(turn.commands, *turn.baseline, turn.run, about_fix(turn.issue, turn.attempt));
  turn.product = turn.patch();
  turn.product_run = turn.run;
  if (auto end = own_tests_fail(turn)) return end;
  if (auto end = broken(turn, turn.comparison, "")) return end;
  turn.support = support_of(turn.comparison);
  turn.support.confirmed = turn.comparison.passed || combination_may_confirm(turn);
  turn.support.alive = turn.support.confirmed;
  if (turn.support.confirmed || judge_may_decide(turn.policy(), turn.issue, turn.patch()))
    return std::nullopt;
  TRY_ASSIGN(const bool reproducible, turn.stages.reproduction.possible(turn.issue));
  if (reproducible) return std::nullopt;
  return nothing_confirms(turn);
}

// An issue about a test may change that test, and a fix may bring tests along. Does anything but those
// confirm the patch? The rest of it is held against the tests as the base has them. With new tests only, they
// must pass: the turn ends if they do not. With a changed test, failing is no fault, because a test that was
// wrong may well refuse what is right.
StepEnd passes_without_tests(UnitTurn& turn) {
  if (!turn.baseline) return std::nullopt;
  const ApartPatch parts = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened);
  if (parts.judges.empty() && parts.own_tests.empty()) return std::nullopt;
  turn.support.own_analyzer = changes_analyzers(turn.patch());
  if (parts.product.empty() || turn.commands.empty() || (turn.batch && !parts.judges.empty())) {
    turn.support.own_judge = parts.product.empty() || !parts.judges.empty(); // else the combination shows it
    return std::nullopt;
  }
  TRY_ASSIGN(const Verification run,
             turn.stages.verifier.run(VerificationKind::alone, turn.attempt.base, parts.product,
                                      turn.commands, &turn.issue, turn.stop));
  if (was_cancelled(run)) return TurnEnd{};
  TRY_ASSIGN(turn.baseline, turn.stages.verifier.baseline_for(turn.attempt.base, turn.commands, turn.stop));
  const Comparison comparison =
      compare(turn.commands, *turn.baseline, run, left_by_fix(turn.issue, turn.attempt));
  if (parts.judges.empty()) {
    turn.product = parts.product;
    turn.product_run = run;
    return broken(turn, comparison, "without the tests you added, ");
  }
  turn.support.own_judge = !comparison.passed;
  return std::nullopt;
}

// A run that is made for another reason says it as well, if the checks fail in it as they do on the base.
StepEnd fails_without_change(UnitTurn& turn) {
  if (turn.comparison.reproducers.empty()) return std::nullopt;
  TRY_ASSIGN(Verification again, run_without_own_file(turn));
  if (was_cancelled(again)) return TurnEnd{};
  if (!fails_as_on_base(turn.comparison.reproducers, *turn.baseline, again)) {
    const bool seen = repaired_tests_fail(turn.comparison, turn.own_tests_run);
    TRY_ASSIGN(again, seen ? turn.own_tests_run : run_without(turn, Patch{}));
  }
  if (was_cancelled(again)) return TurnEnd{};
  const FailsAgain seen = fails_again(turn.commands, turn.comparison, again);
  if (!seen.refusal.empty()) return verification_failed(seen.refusal, seen.refusal);
  turn.support.reproduced = seen.reproduced;
  return std::nullopt;
}

// Whatever makes a check pass without doing what it asks for also passes its opposite.
StepEnd check_can_fail(UnitTurn& turn) {
  if (!turn.baseline || turn.commands.empty() || turn.support.own_judge) return std::nullopt;
  Measurement measurement(turn.product);
  const bool measured = measurement.possible() && wants_coverage(turn);
  const ProbedTree tree{turn.attempt.base, turn.product, *turn.baseline, turn.product_run,
                        measured ? &measurement : nullptr};
  const ProbedFix fix{turn.issue, compare(turn.commands, *turn.baseline, turn.product_run,
                                          about_fix(turn.issue, turn.attempt))};
  TRY_ASSIGN(const std::optional<Probed> probed,
             Prober(turn.context, turn.stages.verifier).probe(tree, fix, turn.stop));
  if (!probed) return TurnEnd{};
  turn.executed = measurement.lines();
  turn.no_coverage = measurement.none_there();
  const bool failed_as_asked = probed->end == Probed::End::passed;
  turn.support.probed = failed_as_asked && probed->exact;
  const auto& own = fix.comparison.reproducers;
  const bool own_alive = turn.batch || is_alive(probed->alive, own);
  turn.support.alive = turn.batch || (failed_as_asked && !probed->doubted && (own.empty() || own_alive));
  turn.support.reproduced = turn.support.reproduced && own_alive;
  if (probed->doubted)
    turn.notes.push_back(
        "a test passes with this change whatever the data says that it is compared with: the "
        "change may read that data");
  if (probed->end != Probed::End::failed) return std::nullopt;
  return verification_failed("the check cannot fail with this change: " + probed->detail,
                             "The tests were run once more with one expectation turned around, and did not "
                             "fail as they must: " +
                                 probed->detail +
                                 ". Fix the cause; a change must not make tests pass in any other way.");
}

// All the fixer learns of the check is that the issue is still found.
StepEnd passes_reproducer(UnitTurn& turn) {
  TRY_ASSIGN(const Reproduced check, turn.stages.reproduction.judge(turn.issue, turn.attempt, turn.stop));
  if (check.end == Reproduced::End::cancelled) return TurnEnd{};
  if (check.end == Reproduced::End::refuted)
    return verification_failed(check.detail, check.of_answer ? kNotAsAnswered : kStillThere);
  const bool repaired = check.end == Reproduced::End::repaired;
  turn.support.reproduced = turn.support.reproduced || repaired;
  turn.support.alive = turn.support.alive || repaired;
  turn.notes.insert(turn.notes.end(), check.notes.begin(), check.notes.end());
  turn.hidden_note = check.for_judge;
  turn.hidden = check.hidden;
  return std::nullopt;
}

// A fix the gate would have to refuse for want of evidence must not reach the branch; another attempt could
// not get more.
StepEnd can_be_sure_enough(UnitTurn& turn) {
  turn.support.marks.rescanned = turn.stages.rescanner.can_judge(turn.issue);
  Support possible = turn.support;
  possible.probed = possible.probed || turn.batch; // the combination may show it
  const Evidence best = evidence_of(possible);
  const Evidence required = required_evidence(turn.policy(), turn.issue, turn.patch());
  if (best >= required) return std::nullopt;
  return TurnEnd{.result = AttemptResult::verification_failed,
                 .detail = fmt::format("the evidence can be {} at best, but resolve.minimum_evidence is {}",
                                       to_string(best), to_string(required)),
                 .final = true,
                 .reason = "evidence_too_weak"};
}

// In a batch the combination is looked at once for all. What the rubric judges, it judges by this run.
StepEnd is_not_found_again(UnitTurn& turn) {
  if (turn.batch || !turn.stages.rescanner.can_judge(turn.issue)) return std::nullopt;
  TRY_ASSIGN(turn.rescan, turn.stages.rescanner.run(turn.attempt.base, turn.patch(), {&turn.issue},
                                                    &turn.issue, turn.stop));
  if (!turn.rescan) return TurnEnd{};
  const std::string problem = rescan_problem(*turn.rescan->rescan, turn.issue, turn.patch());
  if (turn.judged_by_rubric() || problem.empty()) return std::nullopt;
  return verification_failed(problem, "The analyzers were run again on your change: " + problem);
}

// Never ends the turn. Only for a change that got this far, and where one more run does not take long. The
// run with probes has told it already if it executed every line: a test that it made fail may have ended too
// soon to execute the others.
StepEnd executes_change(UnitTurn& turn) {
  if (!wants_coverage(turn) || turn.no_coverage) return std::nullopt;
  const Patch product = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened).product;
  const MeasuredChange change{turn.issue, turn.attempt.base, turn.patch(), product};
  Measured measured{turn.executed};
  if (!measured.lines || !measured.lines->all()) {
    TRY_ASSIGN(measured, measure_coverage(turn.stages.verifier, change, turn.commands, turn.stop));
  }
  if (turn.stop.stop_requested()) return TurnEnd{};
  const std::optional<ExecutedLines>& lines = measured.lines;
  if (lines || !measured.runs.empty()) TRY(keep_executed(turn.context, change, measured));
  if (!lines || lines->sentence().empty()) return std::nullopt;
  turn.notes.push_back(lines->sentence());
  if (!lines->all()) turn.context.notice(turn.issue.code + ": " + turn.notes.back());
  return std::nullopt;
}

} // namespace emend
