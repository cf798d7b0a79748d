#include "engine/unit_loop.hpp"

#include <fmt/format.h>

#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "engine/agent_file.hpp"
#include "engine/called_scripts.hpp"
#include "engine/convergence.hpp"
#include "engine/fix.hpp"
#include "engine/fixit_fixer.hpp"
#include "engine/new_files.hpp"
#include "engine/triage.hpp"
#include "engine/turn_prompt.hpp"
#include "engine/unit_turn.hpp"

namespace emend {
namespace {

// An attempt whose patch is worth going on from. What was refused is thrown away with its cheats.
bool continues(AttemptResult result) {
  return result == AttemptResult::verification_failed || result == AttemptResult::below_threshold ||
         result == AttemptResult::unevaluated;
}

Result<std::optional<Attempt>> last_counted(Store& store, const Unit& unit) {
  TRY_ASSIGN(std::vector<Attempt> attempts, store.attempts_of_session(unit.session_id));
  std::optional<Attempt> last;
  for (Attempt& attempt : attempts)
    if (attempt.unit_id == unit.id && attempt.base == unit.base &&
        attempt.result != AttemptResult::interrupted)
      last = std::move(attempt);
  return last;
}

std::string_view why_unworkable(const Issue& issue) {
  const auto& notes = issue.finding.annotations;
  for (const std::string_view gone : {kFileMissing, kOutside})
    if (std::find(notes.begin(), notes.end(), gone) != notes.end()) return gone;
  return {};
}

Json changed_files(const Patch& patch) {
  Json files = Json::array();
  for (const FileChange& change : patch.changes) files.push_back(clean_text(change.path));
  return files;
}

} // namespace

bool unworkable(const Issue& issue) { return !why_unworkable(issue).empty(); }

Result<Unit> UnitLoop::run(Unit unit, const Issue& issue, std::optional<Attempt> first,
                           std::stop_token stop) {
  if (const std::string_view gone = why_unworkable(issue); !gone.empty()) {
    TRY(fail_unit(
        unit, issue, std::string(gone),
        issue.finding.file + (gone == kOutside ? " is outside the repository" : " is not in the base"), -1));
    return unit;
  }
  if (!first)
    TRY(context_.publish("fix_issue_started", issue.code,
                         {{"agent", context_.policy().fixer.name}, {"cycle", unit.cycles + 1}}));
  std::optional<Attempt> last;
  if (unit.cycles > 0) {
    TRY_ASSIGN(last, last_counted(context_.ports.store, unit));
  }
  while (unit.status != UnitStatus::accepted && unit.status != UnitStatus::finished) {
    if (!first && (stop.stop_requested() || context_.queue_stop())) return unit;
    if (const auto over = stages_.meter.issue_over(issue.id); over && !first) {
      TRY(fail_unit(unit, issue, "budget", *over, -1));
      break;
    }
    TRY_ASSIGN(const bool go_on, one_turn(unit, issue, std::exchange(first, std::nullopt), last, stop));
    if (!go_on) break;
  }
  return unit;
}

Result<bool> UnitLoop::begin(Unit& unit, const Issue& issue) {
  const Policy& policy = context_.policy();
  // Durable before the start: an input that kills the engine every time must not do so for ever.
  const int allowed = policy.max_fix_cycles + policy.max_iterations + policy.deferred_retries + 5;
  if (++unit.starts > allowed) {
    TRY(fail_unit(unit, issue, "agent_failed",
                  fmt::format("started {} times without coming to an end", unit.starts - 1), -1));
    return false;
  }
  unit.status = UnitStatus::running;
  Change begin;
  begin.units.push_back(unit);
  begin.events.push_back(context_.event("fix_cycle_started", issue.code,
                                        {{"cycle", unit.cycles + 1}, {"max_cycles", policy.max_fix_cycles}}));
  if (!without("R6")) TRY(context_.log.apply(std::move(begin)));
  return true;
}

Result<bool> UnitLoop::one_turn(Unit& unit, const Issue& issue, std::optional<Attempt> made,
                                std::optional<Attempt>& last, std::stop_token stop) {
  if (!made) {
    TRY_ASSIGN(const bool begun, begin(unit, issue));
    if (!begun) return false;
  }
  const Patch previous = last && continues(last->result) ? last->patch : Patch{};
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(unit.base));
  TRY_ASSIGN(const PathSet called, called_scripts(context_.ports.repository, context_.policy(), unit.base));
  const Scope scope(context_.policy(), *tree, called);
  FixRun run;
  if (made) {
    run.attempts.push_back(*std::move(made));
  } else {
    TRY_ASSIGN(run, make_attempt(unit, issue, previous, stop));
  }
  const bool cancelled = stop.stop_requested() || run.end != RoleRun::End::ran;
  Turn turn{unit,
            issue,
            scope,
            called,
            std::move(run.attempts.front()),
            previous.empty() ? "" : previous.sha256(),
            {},
            -1,
            false,
            cancelled,
            ""};
  if (!turn.cancelled && !refuse_violation(turn)) {
    TRY(judge(turn, stop));
    (void)refuse_violation(turn);
  }
  TRY(finish_turn(turn));
  last = std::move(turn.attempt);
  return !turn.cancelled;
}

// Whatever else the attempt is worth: somebody who worked for it left the workspace.
bool UnitLoop::refuse_violation(Turn& turn) {
  const std::optional<std::string> what = context_.take_blame(turn.issue.code);
  if (!what || turn.cancelled) return false;
  turn.reason = "containment";
  turn.end(AttemptResult::refused, std::string(kContainment) + *what);
  turn.next = {};
  turn.next.feedback =
      "The change was refused and thrown away, because files outside of the workspace were changed: " +
      *what + ". Read and write only what is below the working directory.";
  return true;
}

Result<FixRun> UnitLoop::make_attempt(const Unit& unit, const Issue& issue, const Patch& previous,
                                      std::stop_token stop) {
  if (stages_.fixer == nullptr) {
    TRY_ASSIGN(Attempt attempt,
               apply_fixit(context_, stages_.rescanner, FixOrder{{{unit, issue}}, "fixer", {}, {}}, stop));
    return FixRun{RoleRun::End::ran, {std::move(attempt)}};
  }
  TRY_ASSIGN(const TurnPrompt prompt, turn_prompt(context_, unit, issue, previous));
  return run_fixer(context_, *stages_.fixer, FixOrder{{{unit, issue}}, prompt.role, prompt.text, previous},
                   stop);
}

Status UnitLoop::put_back(Unit& unit, Attempt& attempt) {
  attempt.result = AttemptResult::interrupted;
  unit.status = UnitStatus::pending;
  Change change;
  change.units.push_back(unit);
  change.attempts.push_back(attempt);
  return context_.log.apply(std::move(change));
}

// Counts the turn, stores it, and decides whether there is another.
Status UnitLoop::finish_turn(Turn& turn) {
  const Policy& policy = context_.policy();
  Unit& unit = turn.unit;
  Attempt& attempt = turn.attempt;
  if (turn.cancelled) return put_back(unit, attempt);
  const Feedback before = unit.cycles == 0 ? Feedback{} : Feedback::decode(unit.feedback);
  ++unit.cycles;
  for (const std::string& note : attempt.notes) // the fixer may count on a file that is not there
    if (note.starts_with(kLeftOutNote) && !turn.next.feedback.empty())
      turn.next.feedback += "\nNot part of your change: " + note + ".";
  unit.feedback = turn.next.encode();
  bool exhausted =
      turn.stop_retrying || stages_.fixer == nullptr; // the same edits again would end the same way
  switch (attempt.result) {
    case AttemptResult::accepted:
      unit.status = UnitStatus::accepted;
      unit.accepted_attempt = attempt.id;
      break;
    case AttemptResult::deferred: exhausted = exhausted || ++unit.deferrals > policy.deferred_retries; break;
    case AttemptResult::below_threshold:
    case AttemptResult::unevaluated:
      exhausted = exhausted || ++unit.challenges >= policy.max_iterations;
      break;
    default: exhausted = exhausted || ++unit.verify_failures >= policy.max_fix_cycles; break;
  }
  // Where nothing was changed the counters decide: the agent may have been cut short.
  if (!exhausted && attempt.result != AttemptResult::accepted && !attempt.patch.empty() &&
      same_feedback(before, turn.next)) {
    exhausted = true;
    attempt.detail = "no progress: the same answer to another change, twice in a row: " + attempt.detail;
  }
  const DiffStat stat = diff_stat(attempt.patch);
  Change change;
  change.units.push_back(unit);
  change.attempts.push_back(attempt);
  change.events.push_back(context_.event("fix_cycle_completed", turn.issue.code,
                                         {{"cycle", attempt.cycle},
                                          {"result", to_string(attempt.result)},
                                          {"detail", attempt.detail},
                                          {"changed_files", changed_files(attempt.patch)},
                                          {"insertions", stat.insertions},
                                          {"deletions", stat.deletions},
                                          {"no_changes", attempt.patch.empty()}}));
  TRY(context_.log.apply(std::move(change)));
  if (attempt.result == AttemptResult::accepted || !exhausted) return {};
  const std::string reason =
      !turn.reason.empty()                        ? turn.reason
      : attempt.result == AttemptResult::deferred ? "blocked"
      : attempt.claim == Claim::false_positive && attempt.result == AttemptResult::blocked
          ? "claimed_false_positive"
          : std::string(to_string(attempt.result));
  return fail_unit(unit, turn.issue, reason, attempt.detail, turn.score);
}

Status UnitLoop::fail_unit(Unit& unit, const Issue& issue, const std::string& reason,
                           const std::string& detail, int score) {
  unit.status = UnitStatus::finished;
  IssueMove move;
  move.issue_id = issue.id;
  move.from = IssueStatus::in_progress;
  move.to = IssueStatus::failed;
  move.reason = reason;
  move.detail = detail;
  move.session_id = context_.session.id;
  move.add_attempts = unit.cycles;
  if (score >= 0) move.last_score = score;
  Change change;
  change.units.push_back(unit);
  change.moves.push_back(std::move(move));
  change.events.push_back(context_.event("fix_issue_completed", issue.code,
                                         {{"status", "FAILED"},
                                          {"reason", reason},
                                          {"detail", detail},
                                          {"score", score >= 0 ? Json(score) : Json()},
                                          {"evidence", Json()},
                                          {"commit", Json()}}));
  return context_.log.apply(std::move(change));
}

} // namespace emend
