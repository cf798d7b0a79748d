#include "engine/session/unit_turn.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agents/answers.hpp"
#include "engine/fix/fix.hpp"
#include "engine/judge/rubric.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/static_clauses.hpp"

namespace emend {
namespace {

constexpr Step kSteps[] = {
    is_changed,        is_not_rejected,      is_not_repeated,    keeps_static_rules,   notes_other_files,
    passes_checks,     passes_without_tests, shows_own_tests,    fails_without_change, check_can_fail,
    passes_reproducer, can_be_sure_enough,   is_not_found_again, executes_change,      notes_form,
};

TurnEnd scored(const UnitTurn& turn, const Verdict& verdict, const std::string& problem) {
  const int score = *verdict.score, threshold = turn.policy().satisfaction_threshold;
  TurnEnd end{.score = score};
  if (score >= threshold) {
    end.result = AttemptResult::accepted;
    end.detail = fmt::format("scored {}", score);
  } else {
    end.result = AttemptResult::below_threshold;
    end.detail = fmt::format("scored {}, the threshold is {}{}", score, threshold,
                             problem.empty() ? "" : ": " + problem);
    end.next.feedback = verdict_words(verdict);
  }
  return end;
}

// Ends a turn whose change is not known to be bad: only a person or a later session should go on.
TurnEnd unevaluated(std::string detail, std::string reason = {}) {
  return {.result = AttemptResult::unevaluated,
          .detail = std::move(detail),
          .final = true,
          .reason = std::move(reason)};
}

Result<TurnEnd> judged_by_rubric(UnitTurn& turn) {
  if (!turn.stages.rescanner.can_judge(turn.issue))
    return unevaluated(
        "the analyzer that found it cannot run here, so the fix cannot be judged without an agent");
  if (turn.batch)
    return TurnEnd{.result = AttemptResult::accepted, .detail = "applied; judged together with the others"};
  const std::optional<bool> verified =
      turn.commands.empty() ? std::nullopt : std::optional<bool>(true); // failing ones do not come this far
  const Verdict verdict = rubric_verdict(turn.context, turn.issue, turn.attempt, *turn.rescan, verified);
  TRY(store_verdict(turn.context, turn.issue, verdict));
  return scored(turn, verdict, rescan_problem(*turn.rescan->rescan, turn.issue, turn.patch()));
}

} // namespace

Result<std::optional<StepStop>> steps_before_judge(UnitTurn& turn) {
  for (const Step step : kSteps) {
    TRY_ASSIGN(std::optional<TurnEnd> end, step(turn));
    if (end) return StepStop{step, *std::move(end)};
  }
  return std::optional<StepStop>{};
}

Result<TurnEnd> judge_turn(UnitTurn& turn) {
  TRY_ASSIGN(std::optional<StepStop> stop, steps_before_judge(turn));
  if (stop) return std::move(stop->end);
  return is_judged(turn);
}

// In this session or in one before it.
StepEnd is_not_rejected(UnitTurn& turn) {
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawals,
             turn.context.ports.store.withdrawals(turn.issue.id, ""));
  const std::string sha = turn.patch().sha256();
  for (const Withdrawal& one : withdrawals)
    if (one.kind == WithdrawalKind::rejected && one.patch_sha256 == sha)
      return TurnEnd{
          .result = AttemptResult::refused,
          .detail = "a person rejected exactly this change: " + first_line(one.reason, 300),
          .next = {"", "A person has rejected exactly this change before, and it was discarded. They said: " +
                           one.reason},
          .reason = "rejected"};
  return std::nullopt;
}

// Going back to an earlier change is no progress, and asking again until somebody says yes is no judgement.
StepEnd is_not_repeated(UnitTurn& turn) {
  if (turn.unit.cycles == 0 || turn.contested) return std::nullopt;
  TRY_ASSIGN(const std::vector<Attempt> attempts,
             turn.context.ports.store.attempts_of_session(turn.unit.session_id));
  const Attempt* same = same_change(attempts, turn.attempt);
  if (same == nullptr || says_what_is_left(*same, turn.attempt)) return std::nullopt;
  TurnEnd end{
      .result = same->result == AttemptResult::accepted ? AttemptResult::verification_failed : same->result,
      .detail = fmt::format("no progress: the fixer made the same change as in round {}, which failed: {}",
                            same->cycle, same->detail),
      .final = true};
  if (returned_to(attempts, *same) && end.result != AttemptResult::refused)
    end.reason = kNoProgress; // a clause's refusal keeps its name
  return end;
}

StepEnd keeps_static_rules(UnitTurn& turn) {
  const auto clauses = static_clauses(turn.issue, turn.attempt, turn.scope, turn.context.redactor);
  const Clause* failure = first_failure(clauses);
  if (failure == nullptr) return std::nullopt;
  return TurnEnd{
      .result = AttemptResult::refused,
      .detail = fmt::format("{} [{} {}]", failure->detail, failure->id, failure->name),
      .next = {"", "The change was refused before verification, and discarded. " + failure->detail}};
}

Result<TurnEnd> is_judged(UnitTurn& turn) {
  if (turn.judged_by_rubric()) return judged_by_rubric(turn);
  if (turn.stages.challenger == nullptr)
    return unevaluated("fix_challenger.enabled is false, so no judge scored it");
  if (const auto over = turn.stages.meter.issue_over(turn.issue.id))
    return unevaluated(*over + ", so no judge scored it", "budget");
  const SeenOfChange seen{turn.commands.empty() ? nullptr : &turn.run,
                          turn.batch && !turn.policy().commands.empty(),
                          turn.notes,
                          asked_tests(turn),
                          turn.hidden_note,
                          turn.hidden};
  TRY_ASSIGN(const std::optional<Verdict> verdict,
             turn.stages.challenger->judge(turn.issue, turn.attempt, seen, turn.stop));
  if (!verdict) return TurnEnd{};
  if (!verdict->valid) return unevaluated("no valid verdict: " + verdict->problem);
  for (const std::string& wish : turn.hidden.left_of(suggestions(verdict->answer, turn.issue)))
    turn.notes.push_back("the judge suggests: " + first_line(wish, 500));
  if (*verdict->score >= turn.policy().satisfaction_threshold) // of a panel: one judge was outvoted
    for (const std::string& wish : verdict->improvements_needed)
      turn.notes.push_back("one of the judges would change: " + first_line(wish, 500));
  TurnEnd end = scored(turn, *verdict, "");
  if (end.result == AttemptResult::accepted) TRY(keep_allowed_tests(turn, *verdict));
  return end;
}

namespace {

// What differs from run to run although nothing else does.
std::string settled(const Feedback& feedback) {
  static const RE2 time(R"(\b\d+(?:\.\d+)?\s*(?:ms|s|sec|secs|seconds|µs|us)\b)");
  static const RE2 address(R"(\b0x[0-9a-fA-F]{4,}\b)");
  static const RE2 clock(R"(\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b)");
  static const RE2 place(R"((?:/[\w.+-]+)*/(?:tmp|workspaces?)/[\w.+-]+)");
  static const RE2 space(R"(\s+)");
  std::string text = feedback.failure + "\n" + feedback.feedback;
  for (const RE2* pattern : {&time, &address, &clock, &place}) RE2::GlobalReplace(&text, *pattern, "#");
  RE2::GlobalReplace(&text, space, " ");
  return text;
}

} // namespace

const Attempt* same_change(const std::vector<Attempt>& attempts, const Attempt& attempt) {
  if (attempt.patch.empty()) return nullptr;
  const std::string sha = attempt.patch.sha256();
  for (const Attempt& earlier : attempts) {
    if (earlier.id == attempt.id || earlier.unit_id != attempt.unit_id ||
        earlier.issue_id != attempt.issue_id || earlier.base != attempt.base)
      continue;
    if (earlier.result == AttemptResult::interrupted || earlier.detail.starts_with(kContainment)) continue;
    if (!earlier.patch.empty() && earlier.patch.sha256() == sha) return &earlier;
  }
  return nullptr;
}

bool says_what_is_left(const Attempt& earlier, const Attempt& attempt) {
  const auto says = [](const Attempt& one) {
    return std::any_of(one.notes.begin(), one.notes.end(),
                       [](const std::string& note) { return note.starts_with(kLeftFailingNote); });
  };
  return says(attempt) && !says(earlier) && earlier.result == AttemptResult::verification_failed;
}

bool returned_to(const std::vector<Attempt>& attempts, const Attempt& earlier) {
  return std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& other) {
    return other.unit_id == earlier.unit_id && other.issue_id == earlier.issue_id &&
           other.cycle > earlier.cycle && !other.patch.empty() &&
           other.result != AttemptResult::interrupted && other.patch.sha256() != earlier.patch.sha256();
  });
}

bool same_feedback(const Feedback& before, const Feedback& now) {
  if (now.failure.empty() && now.feedback.empty()) return false;
  return settled(before) == settled(now);
}

} // namespace emend
