// The first step of a turn: is there a change to look at? Where there is none, and only there, the fixer's
// claim says what to do next.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/fix/fix.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/static_clauses.hpp"
#include "engine/session/unit_turn.hpp"

namespace emend {
namespace {

std::string one_line(const std::string& text, std::size_t most) {
  return first_line(replace_all(std::string(trim(text)), "\n", " "), most);
}

// Two views on the change, in an order that says nothing about whose they are.
std::string dispute(const UnitTurn& turn) {
  constexpr std::size_t kMost = 1'500;
  const Verdict& verdict = *turn.earlier.verdict;
  std::string against = verdict.feedback;
  for (const std::string& item : verdict.improvements_needed) against += " " + item + ".";
  std::string first = one_line(against, kMost), second = one_line(turn.attempt.explanation, kMost);
  if (turn.patch().sha256().front() < '8') std::swap(first, second);
  return fmt::format(
      "This change is in dispute. One view: \"{}\" Another view: \"{}\" Trust neither: decide from the code",
      first, second);
}

// Only a judge's words can be contested, and only once: a check that fails is no matter of opinion.
StepEnd contested(UnitTurn& turn) {
  const bool may = turn.earlier.verdict && !turn.earlier.contested && !turn.attempt.explanation.empty();
  if (may) {
    turn.contested = true;
    turn.notes.push_back(dispute(turn));
    return std::nullopt;
  }
  const std::string why = !turn.earlier.verdict    ? "only a judge's score can be contested"
                          : turn.earlier.contested ? "this was done once already"
                                                   : "no reasons were given";
  TurnEnd end{.result = AttemptResult::no_change,
              .detail = "the fixer contests the result and left its change as it was, but " + why,
              .next = Feedback::decode(turn.unit.feedback)};
  end.next.feedback += "\nThe result cannot be contested: " + why + ". Change the code.";
  end.reason = to_string(turn.earlier.best->result);
  return end;
}

// It says that it fixed something, and there is nothing new to look at.
TurnEnd unchanged(const UnitTurn& turn) {
  TurnEnd end{.result = AttemptResult::no_change};
  const auto& best = turn.earlier.best;
  if (!turn.patch().empty()) { // as it was
    end.detail = fmt::format("the fixer left the change of round {} as it was, which failed: {}", best->cycle,
                             best->detail);
    end.next = Feedback::decode(turn.unit.feedback);
    end.next.feedback += "\nThe last round left the change as it was, so this still holds.";
    end.reason = to_string(best->result); // the issue fails for what is wrong with that change
    return end;
  }
  std::string left_out;
  for (const std::string& note : turn.attempt.notes)
    if (note.starts_with(kLeftOutNote)) left_out = note;
  if (!left_out.empty()) {
    end.detail = "the fixer wrote only files that cannot be part of a fix (" + left_out + ")";
    end.next.feedback = "The last round wrote only files that cannot be part of a fix. " + left_out;
  } else if (best) {
    end.detail = fmt::format("the fixer took the change of round {} back and made no other", best->cycle);
    end.next.feedback = "The last round took the change back and made no other. " + best->detail;
  } else {
    end.detail = "the fixer reported it as fixed, but changed nothing";
    end.next.feedback =
        "Nothing was changed in the last round, although it was reported as fixed. Edit the files.";
  }
  return end;
}

} // namespace

StepEnd is_changed(UnitTurn& turn) {
  const Attempt& attempt = turn.attempt;
  const bool kept = turn.earlier.best && attempt.patch.sha256() == turn.earlier.best->patch.sha256() &&
                    !says_what_is_left(*turn.earlier.best, attempt);
  if (!attempt.patch.empty() && !kept) return std::nullopt;
  const std::string said = attempt.explanation.empty() ? "" : ": " + first_line(attempt.explanation, 400);
  for (const std::string& note : attempt.notes)
    if (note.starts_with(kViolationNote)) {
      TurnEnd end{.result = AttemptResult::refused,
                  .detail = note.substr(kViolationNote.size()) + " [P2 in_scope]"};
      end.next.feedback = "The change was refused and discarded. " + end.detail;
      return end;
    }
  if (!ended_well(attempt))
    return TurnEnd{.result = AttemptResult::agent_failed,
                   .detail = "the agent stopped (" + attempt.ending + ") and changed nothing" +
                             (kept ? " in this round" : ""),
                   .next = kept ? Feedback::decode(turn.unit.feedback) : Feedback{}};
  switch (attempt.claim) {
    case Claim::blocked:
      return TurnEnd{
          .result = AttemptResult::blocked, .detail = "the fixer says it is blocked" + said, .final = true};
    case Claim::false_positive:
      return TurnEnd{.result = AttemptResult::blocked,
                     .detail = "the fixer says it is a false positive" + said,
                     .final = true};
    case Claim::deferred:
      return TurnEnd{.result = AttemptResult::deferred,
                     .detail = "the fixer asked to be called again" + said};
    case Claim::not_reported:
      return TurnEnd{.result = AttemptResult::deferred,
                     .detail = "the fixer changed nothing and did not mention this issue"};
    case Claim::contested:
      if (kept) return contested(turn);
      return unchanged(turn);
    default: return unchanged(turn);
  }
}

} // namespace emend
