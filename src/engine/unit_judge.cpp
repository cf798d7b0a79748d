// The judging half of the unit's loop: an attempt is held against what was tried before, the clauses, the
// commands, the checks and the judge.
#include <fmt/format.h>

#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "engine/challenge.hpp"
#include "engine/clauses.hpp"
#include "engine/comparison.hpp"
#include "engine/convergence.hpp"
#include "engine/fix.hpp"
#include "engine/rubric.hpp"
#include "engine/unit_turn.hpp"

namespace emend {
namespace {

std::string failure_text(const CommandRun& run) {
  return fmt::format("$ {}\n[{}: {}, exit {}]\n{}", run.run, run.name, to_string(run.result), run.exit_code,
                     trim_middle(run.output, 12'000));
}

constexpr const char* kStillThere =
    "A check of this issue, which you cannot see, still finds it with your change. Think of every place and "
    "every input the issue concerns, not "
    "only of the ones it names.";

std::string feedback_of(const Verdict& verdict) {
  std::string text = fmt::format("An independent reviewer scored the change {} of 100.\n{}\n",
                                 verdict.score.value_or(0), verdict.feedback);
  for (const std::string& item : verdict.improvements_needed) text += "- " + item + "\n";
  return text;
}

} // namespace

Status UnitLoop::judge(Turn& turn, std::stop_token stop) {
  const Patch& patch = turn.attempt.patch;
  if (patch.empty() || patch.sha256() == turn.previous_sha) return judge_unchanged(turn);
  TRY_ASSIGN(const bool unwanted, judge_rejected(turn));
  if (unwanted) return {};
  TRY_ASSIGN(const bool seen_before, judge_repeated(turn));
  if (seen_before) return {};
  const auto clauses = static_clauses(turn.issue, turn.attempt, turn.scope, context_.redactor);
  if (const Clause* failure = first_failure(clauses)) {
    turn.end(AttemptResult::refused, fmt::format("{} {}: {}", failure->id, failure->name, failure->detail));
    turn.next.feedback = "The change was refused before verification, and thrown away. " + failure->detail;
    return {};
  }
  return judge_verified(turn, stop);
}

// Going back to an earlier change is no progress, and asking again until somebody says yes is no judgement.
Result<bool> UnitLoop::judge_repeated(Turn& turn) {
  if (turn.unit.cycles == 0) return false;
  TRY_ASSIGN(const std::vector<Attempt> attempts,
             context_.ports.store.attempts_of_session(turn.unit.session_id));
  const Attempt* same = same_change(attempts, turn.attempt);
  if (same == nullptr) return false;
  turn.stop_retrying = true;
  turn.end(
      same->result == AttemptResult::accepted ? AttemptResult::verification_failed : same->result,
      fmt::format("no progress: the same change as in cycle {}, which ended: {}", same->cycle, same->detail));
  if (returned_to(attempts, *same) && turn.attempt.result != AttemptResult::refused)
    turn.reason = kNoProgress; // a clause's refusal keeps its name
  return true;
}

// A person has said no to this very change, in this session or in one before it.
Result<bool> UnitLoop::judge_rejected(Turn& turn) {
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawals, context_.ports.store.withdrawals(turn.issue.id, ""));
  const std::string sha = turn.attempt.patch.sha256();
  for (const Withdrawal& one : withdrawals) {
    if (one.kind != WithdrawalKind::rejected || one.patch_sha256 != sha) continue;
    turn.reason = "rejected";
    turn.end(AttemptResult::refused, "a person rejected exactly this change: " + first_line(one.reason, 300));
    turn.next.feedback =
        "A person has rejected exactly this change before, and it was thrown away. They said: " + one.reason;
    return true;
  }
  return false;
}

// Nothing was changed: here, and only here, the claim says what to do next.
Status UnitLoop::judge_unchanged(Turn& turn) {
  const Attempt& attempt = turn.attempt;
  const std::string said = attempt.explanation.empty() ? "" : ": " + first_line(attempt.explanation, 400);
  for (const std::string& note : attempt.notes)
    if (note.starts_with(kViolationNote)) {
      turn.end(AttemptResult::refused, "P2 in_scope: " + note.substr(kViolationNote.size()));
      turn.next.feedback = "The change was refused and thrown away. " + turn.attempt.detail;
      return {};
    }
  if (!ended_well(attempt)) {
    turn.end(AttemptResult::agent_failed, "the agent ended by " + attempt.ending + " and changed nothing");
  } else if (attempt.claim == Claim::blocked || attempt.claim == Claim::false_positive) {
    turn.stop_retrying = true;
    turn.end(AttemptResult::blocked,
             (attempt.claim == Claim::blocked ? "the fixer says it is blocked"
                                              : "the fixer says it is a false positive") +
                 said);
  } else if (attempt.claim == Claim::deferred) {
    turn.end(AttemptResult::deferred, "the fixer asked to be called again" + said);
  } else if (attempt.claim == Claim::not_reported) {
    turn.end(AttemptResult::deferred, "not reported: the fixer changed nothing and did not answer for it");
  } else {
    turn.end(AttemptResult::no_change, "no changes applied, although the fixer says fixed");
    turn.next.feedback =
        "Nothing was changed in the last round, although it was reported as fixed. Edit the files.";
  }
  return {};
}

std::vector<VerifyCommand> UnitLoop::commands_alone(const Unit& unit, const Issue& issue,
                                                    const Verification& baseline) const {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : context_.policy().commands) {
    const bool ours = command.applies_to(issue.finding.file);
    const bool deferred = batch_ && command.paths.empty();
    const CommandRun* before = baseline.find(command.name);
    // On top of other fixes, their checks must stay green too.
    const bool guards_others = unit.stacked && !batch_ && before != nullptr && before->passed();
    if ((ours && !deferred) || guards_others) chosen.push_back(command);
  }
  return chosen;
}

// A fix the gate would have to refuse for want of evidence must not reach the branch; another attempt could
// not get more.
bool UnitLoop::enough(Turn& turn, Evidence best) const {
  const Evidence required = required_evidence(context_.policy(), turn.issue, turn.attempt.patch, turn.called);
  if (best >= required) return true;
  turn.stop_retrying = true;
  turn.reason = "evidence_too_weak";
  turn.end(AttemptResult::verification_failed,
           fmt::format("evidence could be {} at best, resolve.minimum_evidence is {}", to_string(best),
                       to_string(required)));
  return false;
}

// An issue about a test may change that test, and a fix may bring tests along. Does anything but those
// confirm the patch? The rest of it is held against the tests as the base has them. With new tests only, they
// must pass: the turn ends if they do not. With a changed test, failing is no fault, because a test that was
// wrong may well refuse what is right.
Result<bool> UnitLoop::confirmed_by_others(Turn& turn, const std::vector<VerifyCommand>& commands,
                                           const Verification& baseline, std::stop_token stop) {
  const ApartPatch parts = apart(turn.issue.finding.file, turn.attempt.patch, turn.called);
  if (parts.judges.empty() && parts.tests.empty()) return true;
  if (parts.rest.empty()) return false;
  if (commands.empty() || (batch_ && !parts.judges.empty()))
    return parts.judges.empty(); // the combination shows it
  TRY_ASSIGN(const Verification run, stages_.verifier.run(VerificationKind::alone, turn.attempt.base,
                                                          parts.rest, commands, &turn.issue, stop));
  turn.cancelled = was_cancelled(run);
  if (turn.cancelled) return false;
  const Comparison comparison = compare(commands, baseline, run);
  if (parts.judges.empty() && !ended_by(turn, comparison, "without the tests you added, ")) return true;
  return comparison.passed;
}

// Ends the turn if something that passed on the base does not pass any more.
bool UnitLoop::ended_by(Turn& turn, const Comparison& comparison, const std::string& where) const {
  std::vector<std::string> why = comparison.failures;
  why.insert(why.end(), comparison.lost_tests.begin(), comparison.lost_tests.end());
  if (why.empty()) return false;
  turn.end(AttemptResult::verification_failed, where + join(why, "; "));
  turn.next.feedback = "Verification failed with your change: " + turn.attempt.detail;
  if (comparison.first_failure != nullptr) turn.next.failure = failure_text(*comparison.first_failure);
  return true;
}

// In a batch, commands without paths run on the combination only. Those that fail on the base can confirm
// nothing there either.
bool UnitLoop::combination_may_confirm(const Issue& issue, const Verification& baseline) const {
  const auto commands = commands_for(context_.policy(), issue);
  return batch_ && std::any_of(commands.begin(), commands.end(), [&](const VerifyCommand& command) {
           const CommandRun* before = baseline.find(command.name);
           return command.paths.empty() && before != nullptr && before->passed();
         });
}

// A check of the issue's own must fail again once the patch is taken away. false: it does not, and the turn
// has ended, or was cancelled.
Result<bool> UnitLoop::fails_again_without(Turn& turn, const std::vector<VerifyCommand>& commands,
                                           const Comparison& comparison, std::stop_token stop) {
  if (comparison.reproducers.empty()) return true;
  TRY_ASSIGN(const Verification again_without,
             stages_.verifier.run(VerificationKind::without_patch, turn.attempt.base, Patch{}, commands,
                                  &turn.issue, stop));
  turn.cancelled = was_cancelled(again_without);
  if (turn.cancelled) return false;
  for (const std::string& name : comparison.reproducers) {
    const CommandRun* again = again_without.find(name);
    if (again != nullptr && !again->passed()) continue;
    turn.end(AttemptResult::verification_failed, name + " is green without the patch too: it proves nothing");
    turn.next.feedback = turn.attempt.detail;
    return false;
  }
  return true;
}

Status UnitLoop::judge_verified(Turn& turn, std::stop_token stop) {
  const Policy& policy = context_.policy();
  if (policy.commands.empty()) return judge_reproduced(turn, nullptr, Evidence::judged, stop);
  const Attempt& attempt = turn.attempt;
  auto baseline = stages_.verifier.baseline(attempt.base, stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) {
    turn.cancelled = true;
    return {};
  }
  TRY(baseline);
  const auto commands = commands_alone(turn.unit, turn.issue, **baseline);
  Verification run; // of nothing, where all is left to the combination
  if (!commands.empty()) {
    TRY_ASSIGN(run, stages_.verifier.run(VerificationKind::alone, attempt.base, attempt.patch, commands,
                                         &turn.issue, stop));
    turn.cancelled = was_cancelled(run);
    if (turn.cancelled) return {};
  }
  const Comparison comparison = compare(commands, **baseline, run);
  if (ended_by(turn, comparison, "")) return {};
  const bool confirmed = comparison.passed || combination_may_confirm(turn.issue, **baseline);
  TRY_ASSIGN(const bool reproducible, stages_.reproduction.possible(turn.issue));
  if (!confirmed && !reproducible && policy.required_evidence() > Evidence::judged) {
    turn.stop_retrying = true; // another edit cannot make a check speak that fails on the base
    const bool none = commands_for(policy, turn.issue).empty();
    turn.end(
        AttemptResult::verification_failed,
        none ? "no verification command applies to " + turn.issue.finding.file : unconfirmed(comparison));
    return {};
  }
  TRY_ASSIGN(const bool by_others, confirmed_by_others(turn, commands, **baseline, stop));
  if (turn.cancelled || turn.attempt.result == AttemptResult::verification_failed) return {};
  TRY_ASSIGN(const bool again, fails_again_without(turn, commands, comparison, stop));
  if (!again) return {};
  const bool can_rescan = stages_.rescanner.can_judge(turn.issue);
  const Evidence without_proof = can_rescan ? Evidence::rescanned : Evidence::verified,
                 by_itself = can_rescan ? Evidence::rescanned : Evidence::judged;
  const Evidence otherwise = !confirmed                       ? Evidence::judged
                             : !by_others                     ? by_itself
                             : comparison.reproducers.empty() ? without_proof
                                                              : Evidence::proven;
  return judge_reproduced(turn, commands.empty() ? nullptr : &run, otherwise, stop);
}

// A check the fixer never saw. All it learns of it is that the issue is still found. `otherwise`: the best
// evidence without the check.
Status UnitLoop::judge_reproduced(Turn& turn, const Verification* verification, Evidence otherwise,
                                  std::stop_token stop) {
  TRY_ASSIGN(const Reproduced check, stages_.reproduction.judge(turn.issue, turn.attempt, stop));
  turn.cancelled = check.end == Reproduced::End::cancelled;
  if (turn.cancelled) return {};
  if (check.end == Reproduced::End::refuted && !without("P6")) {
    turn.end(AttemptResult::verification_failed, check.detail);
    turn.next.feedback = kStillThere;
    return {};
  }
  if (!enough(turn, check.end == Reproduced::End::proven ? Evidence::proven : otherwise)) return {};
  return judge_rescanned(turn, verification, stop);
}

// What an analyzer reported, it must not report any more. In a batch the combination is looked at once for
// all.
Status UnitLoop::judge_rescanned(Turn& turn, const Verification* verification, std::stop_token stop) {
  const bool by_rubric = stages_.challenger == nullptr && context_.policy().challenger_enabled;
  if (!stages_.rescanner.can_judge(turn.issue)) {
    if (!by_rubric) return judge_challenged(turn, verification, stop);
    turn.stop_retrying = true;
    turn.end(AttemptResult::unevaluated,
             "what found it cannot be run again here, so the rubric has nothing to judge by");
    return {};
  }
  if (batch_) {
    if (!by_rubric) return judge_challenged(turn, verification, stop);
    turn.end(AttemptResult::accepted, "applied; judged together with the others");
    return {};
  }
  TRY_ASSIGN(const std::optional<Verification> rescan,
             stages_.rescanner.run(turn.attempt.base, turn.attempt.patch, {&turn.issue}, &turn.issue, stop));
  if (!rescan) {
    turn.cancelled = true;
    return {};
  }
  if (by_rubric) return judge_by_rubric(turn, verification, *rescan);
  const std::string problem = rescan_problem(*rescan->rescan, turn.issue, turn.attempt.patch);
  if (problem.empty()) return judge_challenged(turn, verification, stop);
  turn.end(AttemptResult::verification_failed, problem);
  turn.next.feedback = "The analyzers were run again on your change: " + problem;
  return {};
}

Status UnitLoop::judge_by_rubric(Turn& turn, const Verification* verification, const Verification& rescan) {
  const std::optional<bool> verified =
      verification == nullptr ? std::nullopt : std::optional<bool>(true); // red ones do not come this far
  const Verdict verdict = rubric_verdict(context_, turn.issue, turn.attempt, rescan, verified);
  TRY(store_verdict(context_, turn.issue, verdict));
  turn.score = *verdict.score;
  if (turn.score >= context_.policy().satisfaction_threshold) {
    turn.end(AttemptResult::accepted, fmt::format("scored {}", turn.score));
    return {};
  }
  const std::string problem = rescan_problem(*rescan.rescan, turn.issue, turn.attempt.patch);
  turn.end(AttemptResult::below_threshold,
           fmt::format("scored {}, the threshold is {}{}", turn.score,
                       context_.policy().satisfaction_threshold, problem.empty() ? "" : ": " + problem));
  turn.next.feedback = feedback_of(verdict);
  return {};
}

Status UnitLoop::judge_challenged(Turn& turn, const Verification* verification, std::stop_token stop) {
  if (stages_.challenger == nullptr) {
    turn.stop_retrying = true;
    turn.end(AttemptResult::unevaluated, "fix_challenger.enabled is false, so nobody judged it");
    return {};
  }
  if (const auto over = stages_.meter.issue_over(turn.issue.id)) {
    turn.stop_retrying = true;
    turn.reason = "budget";
    turn.end(AttemptResult::unevaluated, *over + ", so nobody judged it");
    return {};
  }
  TRY_ASSIGN(const std::optional<Verdict> verdict,
             stages_.challenger->judge(turn.issue, turn.attempt, verification, stop));
  if (!verdict) {
    turn.cancelled = true;
    return {};
  }
  if (without("P8")) {
    turn.end(AttemptResult::accepted, "not judged");
    return {};
  }
  if (!verdict->valid) {
    turn.stop_retrying =
        true; // the fix is not known to be bad; only a person or a later session should go on
    turn.end(AttemptResult::unevaluated, "no valid verdict: " + verdict->problem);
    return {};
  }
  turn.score = *verdict->score;
  if (turn.score < context_.policy().satisfaction_threshold) {
    turn.end(AttemptResult::below_threshold, fmt::format("scored {}, the threshold is {}", turn.score,
                                                         context_.policy().satisfaction_threshold));
    turn.next.feedback = feedback_of(*verdict);
    return {};
  }
  turn.end(AttemptResult::accepted, fmt::format("scored {}", turn.score));
  return {};
}

} // namespace emend
