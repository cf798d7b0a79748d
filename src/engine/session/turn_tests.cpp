// The steps of a turn that look at the tests a change brings along.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/session/unit_turn.hpp"
#include "engine/verify/failing_part.hpp"
#include "engine/verify/own_tests.hpp"

namespace emend {
namespace {

// What a person allowed for this issue only; the judge looks at it with care.
void note_opened(UnitTurn& turn) {
  for (const TouchedTest& one : opened_and_changed(turn.issue.finding, turn.patch(), turn.opened))
    turn.notes.push_back(fmt::format("{}:{} changes the existing test {}{}; a person allowed this for {}",
                                     clean_text(one.file), one.test.line, clean_text(one.name()),
                                     from_to(one.test).empty() ? "" : " " + from_to(one.test),
                                     turn.issue.code));
}

} // namespace

std::optional<TurnEnd> own_tests_fail(const UnitTurn& turn) {
  const Patch own = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened).own_tests;
  if (own.empty()) return std::nullopt;
  const std::vector<std::string> ids = failing_own_tests(turn.commands, *turn.baseline, turn.run);
  if (ids.empty()) return std::nullopt;
  const std::string detail = "a test that the change adds fails with the change: " + join(ids, ", ");
  TurnEnd end{.result = AttemptResult::verification_failed,
              .detail = detail,
              .next = {"", "Verification failed with your change: " + detail}};
  for (const CommandRun& run : turn.run.commands)
    if (run.tests.by_id.contains(ids.front()))
      end.next.failure = failure_text(run, turn.baseline->find(run.name));
  return end;
}

// In a batch, what has to wait for the combination is shown there. It never refuses: a test that passes on
// the base too is kept, and said to show nothing.
StepEnd shows_own_tests(UnitTurn& turn) {
  note_opened(turn);
  const Patch own = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened).own_tests;
  if (own.empty()) return std::nullopt;
  const std::string brought = "the change brings tests along: " + path_list(own);
  if (!turn.baseline || turn.commands.empty()) {
    turn.notes.push_back(brought + "; whether they fail without the fix was not checked for this fix alone");
    return std::nullopt;
  }
  TRY_ASSIGN(turn.own_tests_run, turn.stages.verifier.run(VerificationKind::own_tests_base, turn.attempt.base,
                                                          own, turn.commands, &turn.issue, turn.stop));
  if (was_cancelled(turn.own_tests_run)) return TurnEnd{};
  const OwnTests seen = shown_by(turn.commands, *turn.baseline, turn.own_tests_run, turn.run, {});
  turn.support.marks.shown = seen.shown;
  turn.notes.push_back(brought + "; " + seen.sentence());
  if (!seen.shown) turn.context.notice(turn.issue.code + ": " + seen.sentence());
  return std::nullopt;
}

} // namespace emend
