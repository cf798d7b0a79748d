// The steps of a turn that look at the tests a change brings along.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/answers.hpp"
#include "engine/session/unit_turn.hpp"
#include "engine/verify/failing_part.hpp"
#include "engine/verify/own_tests.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

bool decides(const std::vector<OpenedTest>& asked, const TouchedTest& test) {
  return std::any_of(asked.begin(), asked.end(), [&](const OpenedTest& one) {
    return one.by_judge() && one.file == test.file && one.test == test.test.name;
  });
}

// What was allowed for this issue only; the judge looks at it with care, or allows it itself.
void note_opened(UnitTurn& turn) {
  for (const TouchedTest& one : opened_and_changed(turn.issue.finding, turn.patch(), turn.opened))
    turn.notes.push_back(
        fmt::format("{}:{} changes the existing test {}{}; {}", clean_text(one.file), one.test.line,
                    clean_text(one.name()), from_to(one.test).empty() ? "" : " " + from_to(one.test),
                    decides(turn.opened, one) ? "the judge was asked whether it asserts the bug"
                                              : "a person allowed this for " + turn.issue.code));
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

std::vector<std::string> asked_tests(const UnitTurn& turn) {
  std::vector<std::string> names;
  for (const OpenedTest& one : turn.opened)
    if (one.by_judge()) names.push_back(clean_text(one.name()));
  return names;
}

// A verdict that passes has said yes to each of them.
Status keep_allowed_tests(UnitTurn& turn, const Verdict& verdict) {
  Change change;
  for (OpenedTest one : turn.opened) {
    if (!one.by_judge()) continue;
    one.id = new_uuid();
    one.by = "judge " + verdict.agent;
    const std::string why = reason_for_test(verdict.answer, turn.issue, clean_text(one.name()));
    one.reason = first_line(turn.hidden.left_of(why), 1'000);
    one.created_ms = turn.context.ports.clock.wall_ms();
    change.events.push_back(turn.context.event(
        turn.issue.code,
        IssueTestOpened{one.name(), one.open, one.reason, one.by, rfc3339_utc(one.created_ms)}));
    change.opened_tests.push_back(std::move(one));
  }
  return change.opened_tests.empty() ? Status{} : turn.context.log.apply(std::move(change));
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
