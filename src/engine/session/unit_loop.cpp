#include "engine/session/unit_loop.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/fix/fix.hpp"
#include "engine/fix/fixer_prompt.hpp"
#include "engine/fix/fixit_fixer.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/intake/triage.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/notes.hpp"
#include "engine/plan/answered_checks.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/session/unit_turn.hpp"
#include "model/events.hpp"
#include "model/next_step.hpp"

namespace emend {
namespace {

std::string_view why_unworkable(const Issue& issue) {
  const auto& notes = issue.finding.annotations;
  for (const std::string_view gone : {kFileMissing, kOutside})
    if (std::find(notes.begin(), notes.end(), gone) != notes.end()) return gone;
  return {};
}

bool passed(const Candidate& one) { return one.end.result == AttemptResult::accepted; }

// Of a change that passed, beside the best one. undecided: a person is asked first.
std::string why_not_chosen(const std::string& best, bool undecided, bool different) {
  if (!undecided) return fmt::format("passed too; the change of {} was chosen", best);
  return different ? fmt::format(
                         "passed too, and behaves otherwise than the change of {}: a person is asked "
                         "which is right",
                         best)
                   : "passed too; none was chosen, because two others behave differently";
}

std::string what_goes_on(const Candidate& best, bool undecided) {
  if (undecided) return "none goes on: they behave differently, and a person is asked";
  return fmt::format("that of {} goes on ({}{})", best.attempt.agent, to_string(best.level),
                     best.end.score < 0 ? "" : fmt::format(", scored {}", best.end.score));
}

Json changed_files(const Patch& patch) {
  Json files = Json::array();
  for (const FileChange& change : patch.changes) files.push_back(clean_text(change.path));
  return files;
}

} // namespace

bool unworkable(const Issue& issue) { return !why_unworkable(issue).empty(); }

Status fail_unit(RunContext& context, Unit& unit, const Issue& issue, const std::string& reason,
                 const std::string& detail, int score) {
  unit.status = UnitStatus::finished;
  unit.accepted_attempt.clear();
  IssueMove move;
  move.issue_id = issue.id;
  move.from = IssueStatus::in_progress;
  move.to = IssueStatus::failed;
  move.reason = reason;
  move.detail = detail;
  move.session_id = context.session.id;
  move.add_attempts = unit.cycles;
  if (score >= 0) move.last_score = score;
  Change change;
  change.units.push_back(unit);
  change.moves.push_back(std::move(move));
  change.events.push_back(context.event(
      issue.code, FixIssueCompleted{"FAILED", reason, detail, only_if(score >= 0, score), {}, {}}));
  return context.log.apply(std::move(change));
}

Result<Unit> UnitLoop::run(Unit unit, const Issue& issue, std::optional<Attempt> first,
                           std::stop_token stop) {
  if (const std::string_view gone = why_unworkable(issue); !gone.empty()) {
    TRY(fail_unit(
        context_, unit, issue, std::string(gone),
        issue.finding.file + (gone == kOutside ? " is outside the repository" : " is not in the base"), -1));
    return unit;
  }
  if (!first)
    TRY(context_.publish(issue.code, FixIssueStarted{context_.policy().fixer.name, unit.cycles + 1}));
  while (unit.status != UnitStatus::accepted && unit.status != UnitStatus::finished) {
    if (!first && (stop.stop_requested() || context_.queue_stop())) return unit;
    if (const auto over = stages_.meter.issue_over(issue.id); over && !first) {
      TRY(fail_unit(context_, unit, issue, "budget", *over, -1));
      break;
    }
    TRY_ASSIGN(const bool go_on, one_turn(unit, issue, std::exchange(first, std::nullopt), stop));
    if (!go_on) break;
  }
  return unit;
}

Result<bool> UnitLoop::begin(Unit& unit, const Issue& issue) {
  const Policy& policy = context_.policy();
  // Durable before the start: an input that kills the engine every time must not do so for ever.
  const int allowed =
      policy.max_fix_cycles + policy.max_iterations + policy.deferred_retries + policy.spare_starts;
  if (++unit.starts > allowed) {
    TRY(fail_unit(context_, unit, issue, "agent_failed",
                  fmt::format("started {} times and never finished", unit.starts - 1), -1));
    return false;
  }
  unit.status = UnitStatus::running;
  Change begin;
  begin.units.push_back(unit);
  begin.events.push_back(context_.event(issue.code, FixCycleStarted{unit.cycles + 1, policy.max_fix_cycles}));
  TRY(context_.log.apply(std::move(begin)));
  return true;
}

struct UnitLoop::Round {
  const Unit& unit;
  const Issue& issue;
  const Scope& scope;
  const PathSet& called;
  const std::vector<OpenedTest>& decisions; // about existing tests
  const std::vector<OpenedTest>& opened;    // by a person
  const EarlierRounds& earlier;
  const std::stop_token stop;
};

Result<bool> UnitLoop::one_turn(Unit& unit, const Issue& issue, std::optional<Attempt> made,
                                std::stop_token stop) {
  if (!made) {
    TRY_ASSIGN(const bool begun, begin(unit, issue));
    if (!begun) return false;
  }
  TRY_ASSIGN(const EarlierRounds earlier,
             earlier_rounds(context_.ports.store, unit, context_.policy().panel));
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(unit.base));
  TRY_ASSIGN(const PathSet called, called_scripts(context_.ports.repository, context_.policy(), unit.base));
  TRY_ASSIGN(const std::vector<OpenedTest> decisions, context_.ports.store.opened_tests(issue.id));
  const std::vector<OpenedTest> opened = open_for(decisions);
  const Scope scope(context_.policy(), *tree, called, opened);
  const Round round{unit, issue, scope, called, decisions, opened, earlier, stop};
  const std::size_t wanted =
      made || stages_.candidates.empty()
          ? 1
          : candidates_wanted(context_.policy().candidates, unit.cycles > 0, stages_.candidates.size(),
                              stages_.meter.mean_cost(), stages_.meter.cost_left({issue.id}));
  std::vector<Candidate> candidates;
  if (made) {
    candidates.push_back({*std::move(made)});
  } else {
    TRY_ASSIGN(candidates, make_candidates(round, wanted));
  }
  TRY_ASSIGN(Candidate best, choose(round, std::move(candidates)));
  const bool go_on = !best.end.cancelled();
  TRY(finish_turn(unit, issue, best.attempt, std::move(best.end)));
  return go_on;
}

Result<TurnEnd> UnitLoop::judge(UnitTurn& turn) {
  if (auto refused = left_workspace(turn.issue)) return *std::move(refused);
  TRY_ASSIGN(TurnEnd end, judge_turn(turn));
  auto refused = left_workspace(turn.issue);
  if (!refused || end.cancelled()) return end;
  refused->final = end.final;
  refused->score = end.score;
  return *std::move(refused);
}

// Whatever else the attempt is worth: somebody who worked for it left the workspace.
std::optional<TurnEnd> UnitLoop::left_workspace(const Issue& issue) {
  const std::optional<std::string> what = context_.take_blame(issue.code);
  if (!what) return std::nullopt;
  return TurnEnd{
      .result = AttemptResult::refused,
      .detail = std::string(kContainment) + *what,
      .next = {"",
               "The change was refused and discarded, because files outside the workspace were changed: " +
                   *what + ". Read and write only what is below the working directory."},
      .reason = "containment"};
}

Result<FixOrder> UnitLoop::order_for(const Unit& unit, const Issue& issue, const EarlierRounds& earlier,
                                     std::stop_token stop) {
  FixOrder order{{{unit, issue}}, "fixer", {}, {}};
  if (stages_.fixer == nullptr) return order;
  std::shared_ptr<const Verification> baseline;
  if (!context_.policy().commands.empty() && !stop.stop_requested()) {
    auto known = stages_.verifier.baseline_for(unit.base, commands_for(context_.policy(), issue), stop);
    if (!known && known.error().code != ErrorCode::cancelled) return fail(std::move(known).error());
    if (known) baseline = *std::move(known);
  }
  TRY_ASSIGN(TurnPrompt prompt, turn_prompt(context_, unit, issue, earlier, baseline.get()));
  order.role = std::move(prompt.role);
  order.prompt = std::move(prompt.text);
  if (earlier.best) order.start = earlier.best->patch;
  return order;
}

// Nobody judged them yet. One whose agent could not work is left out, unless it is the only one.
Result<std::vector<Candidate>> UnitLoop::make_candidates(const Round& round, std::size_t count) {
  TRY_ASSIGN(const FixOrder order, order_for(round.unit, round.issue, round.earlier, round.stop));
  if (stages_.fixer == nullptr) {
    TRY_ASSIGN(Attempt applied, apply_fixit(context_, stages_.rescanner, order, round.stop));
    return std::vector<Candidate>{{std::move(applied)}};
  }
  std::vector<Result<FixRun>> runs(count, FixRun{});
  parallel_for(count, count, [&](std::size_t i) {
    FixOrder own = order;
    if (i > 0) own.mark = fmt::format("candidate{}", i + 1);
    runs[i] = run_fixer(context_, i == 0 ? *stages_.fixer : *stages_.candidates[i - 1], own, round.stop);
  });
  std::vector<Candidate> made, idle;
  for (Result<FixRun>& run : runs) {
    TRY_ASSIGN(FixRun done, std::move(run));
    const bool ran = done.end == RoleRun::End::ran;
    (ran ? made : idle).push_back({std::move(done.attempts.front()), ran});
  }
  if (made.empty()) made.push_back(std::move(idle.front()));
  return made;
}

// What one change is worth.
Result<Candidate> UnitLoop::weigh(const Round& round, Attempt attempt, bool batch) {
  Candidate candidate{std::move(attempt)};
  std::vector<OpenedTest> opened = round.opened;
  std::optional<Scope> wider; // by what the judge is going to be asked about
  if (stages_.challenger != nullptr && context_.policy().changed_tests == ChangedTests::judge) {
    for (OpenedTest& one : left_to_judge(round.issue, candidate.attempt.patch, round.decisions))
      opened.push_back(std::move(one));
    TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(round.unit.base));
    wider.emplace(context_.policy(), *tree, round.called, opened);
  }
  UnitTurn turn{context_,     stages_,     batch,
                round.unit,   round.issue, wider ? *wider : round.scope,
                round.called, round.stop,  candidate.attempt,
                round.earlier};
  turn.opened = std::move(opened);
  TRY_ASSIGN(candidate.end, judge(turn));
  std::vector<std::string> notes = std::move(turn.notes);
  candidate.level = evidence_of(turn.support);
  candidate.commands = std::move(turn.commands);
  for (const std::string& note : notes)
    candidate.attempt.notes.push_back(std::string(kSeenNote) + context_.safe(note));
  return candidate;
}

// Each different change once; the others are stored as what they are. An empty vector: it was cancelled.
// Where several are left none waits for a combination: what its own checks say ranks them.
Result<std::vector<Candidate>> UnitLoop::weigh_all(const Round& round, std::vector<Candidate>& candidates,
                                                   std::vector<Attempt>& others) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) different += first_same(candidates, i) == i ? 1 : 0;
  std::vector<Candidate> weighed;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (const std::size_t same = first_same(candidates, i); same != i) {
      Attempt& again = candidates[i].attempt;
      again.result = AttemptResult::not_chosen;
      again.detail = fmt::format("the same change as {} made", candidates[same].attempt.agent);
      others.push_back(again);
      continue;
    }
    TRY_ASSIGN(Candidate one, weigh(round, candidates[i].attempt, batch_ && different == 1));
    if (one.end.cancelled()) return std::vector<Candidate>{};
    weighed.push_back(std::move(one));
  }
  return weighed;
}

// Which of those that passed behave otherwise than the best one. A person is asked about each.
Result<std::set<std::size_t>> UnitLoop::ask_where_they_differ(const Round& round,
                                                              std::vector<Candidate>& weighed,
                                                              std::size_t best) {
  std::set<std::size_t> different;
  if (!passed(weighed[best])) return different;
  std::string first;
  for (std::size_t i = 0; i < weighed.size(); ++i) {
    if (i == best || !passed(weighed[i])) continue;
    TRY_ASSIGN(Disagreement difference,
               disagreement(context_, stages_.verifier, round.issue, weighed[best], weighed[i], round.stop));
    if (round.stop.stop_requested()) break;
    if (!difference.any()) continue;
    different.insert(i);
    if (first.empty()) first = context_.safe(difference.what);
    TRY(ask_person(round.issue, std::move(difference)));
  }
  if (!different.empty())
    weighed[best].end = {.result = AttemptResult::blocked,
                         .detail = "two changes pass every check and behave differently: " + first,
                         .final = true,
                         .reason = "needs_decision"};
  return different;
}

// The best of them goes on; the others are stored with why they do not.
Result<Candidate> UnitLoop::choose(const Round& round, std::vector<Candidate> candidates) {
  if (round.stop.stop_requested() || !candidates.front().ran)
    return Candidate{std::move(candidates.front().attempt)};
  if (candidates.size() == 1) return weigh(round, std::move(candidates.front().attempt), batch_);
  if (auto refused = left_workspace(round.issue)) { // nobody knows which of them it was
    candidates.front().end = *std::move(refused);
    return std::move(candidates.front());
  }
  Change others;
  TRY_ASSIGN(std::vector<Candidate> weighed, weigh_all(round, candidates, others.attempts));
  if (weighed.empty()) return Candidate{std::move(candidates.front().attempt)};
  const std::size_t best = best_candidate(weighed);
  const bool best_passed = passed(weighed[best]);
  TRY_ASSIGN(const std::set<std::size_t> different, ask_where_they_differ(round, weighed, best));
  if (round.stop.stop_requested()) return Candidate{std::move(weighed[best].attempt)};
  for (std::size_t i = 0; i < weighed.size(); ++i) {
    if (i == best) continue;
    Attempt& other = weighed[i].attempt;
    const bool passed_too = best_passed && passed(weighed[i]);
    other.result = passed_too ? AttemptResult::not_chosen : weighed[i].end.result;
    other.detail =
        passed_too ? why_not_chosen(weighed[best].attempt.agent, !different.empty(), different.contains(i))
                   : weighed[i].end.detail;
    others.attempts.push_back(other);
  }
  TRY(context_.log.apply(std::move(others)));
  context_.notice(fmt::format("{}: {} candidates, {} different; {}", round.issue.code, candidates.size(),
                              weighed.size(), what_goes_on(weighed[best], !different.empty())));
  return std::move(weighed[best]);
}

// Either answer is a check that waits to be chosen.
Status UnitLoop::ask_person(const Issue& issue, Disagreement difference) {
  Clarification question;
  question.issue_id = issue.id;
  TRY_ASSIGN(const Issue now, context_.ports.store.issue(issue.repository_id, issue.id));
  TRY_ASSIGN(const std::vector<Reproducer> known, context_.ports.store.reproducers(issue.id));
  question.question_id = question_id(issue.code, static_cast<int>(now.clarifications.size()) + 1);
  question.round = now.clarifications.empty() ? 1 : now.clarifications.back().round + 1;
  question.question = std::string(kTwoFixesDiffer) + context_.safe(difference.what) + ". Which is right?";
  question.context =
      (has_check_of_its_own(known)
           ? "The issue has a reproducer of yours, so the answer goes to the next fixer only.\n"
           : "What you choose becomes a check that the next fix must pass (emend issues reproducer " +
                 issue.code + " shows it); an answer in your own words goes to the next fixer only.\n") +
      context_.safe(difference.output);
  question.asked_ms = context_.ports.clock.wall_ms();
  Change change;
  for (Reproducer& answer : difference.answers) {
    answer.id = new_uuid();
    answer.issue_id = issue.id;
    answer.question_id = question.question_id;
    answer.state = ReproducerState::proposed;
    answer.explanation = first_line(context_.safe(answer.explanation), 400);
    answer.created_ms = question.asked_ms;
    question.suggestions.push_back(answer.explanation);
    change.reproducers.push_back(std::move(answer));
  }
  change.events.push_back(context_.event(
      issue.code,
      ClarifyQuestions{
          question.round,
          {AskedQuestion{
              question.question_id, question.question, question.context, question.suggestions, {}}}}));
  change.clarifications.push_back(std::move(question));
  return context_.log.apply(std::move(change));
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
Status UnitLoop::finish_turn(Unit& unit, const Issue& issue, Attempt& attempt, TurnEnd end) {
  if (end.cancelled()) return put_back(unit, attempt);
  const Policy& policy = context_.policy();
  attempt.result = end.result;
  attempt.detail = std::move(end.detail);
  if (attempt.result != AttemptResult::accepted) attempt.detail += wanted_hint(attempt, issue.code);
  const Feedback before = unit.cycles == 0 ? Feedback{} : Feedback::decode(unit.feedback);
  ++unit.cycles;
  for (const std::string& note : attempt.notes) // the fixer may count on a file that is not there
    if (note.starts_with(kLeftOutNote) && !end.next.feedback.empty())
      end.next.feedback += "\nNot part of your change: " + note + ".";
  unit.feedback = end.next.encode();
  bool exhausted = end.final || stages_.fixer == nullptr; // the same edits again would end the same way
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
  const bool contested = attempt.claim == Claim::contested; // a judge may well say no in the same words
  if (!exhausted && attempt.result != AttemptResult::accepted && !attempt.patch.empty() && !contested &&
      same_feedback(before, end.next)) {
    exhausted = true;
    attempt.detail = (attempt.result == AttemptResult::no_change
                          ? "no progress: "
                          : "no progress: two different changes in a row got the same result: ") +
                     attempt.detail;
  }
  const DiffStat stat = diff_stat(attempt.patch);
  Change change;
  change.units.push_back(unit);
  change.attempts.push_back(attempt);
  change.events.push_back(
      context_.event(issue.code, FixCycleCompleted{attempt.cycle, to_string(attempt.result), attempt.detail,
                                                   changed_files(attempt.patch), stat.insertions,
                                                   stat.deletions, attempt.patch.empty()}));
  TRY(context_.log.apply(std::move(change)));
  if (attempt.result == AttemptResult::accepted || !exhausted) return {};
  const std::string reason =
      !end.reason.empty()                         ? end.reason
      : attempt.result == AttemptResult::deferred ? "blocked"
      : attempt.claim == Claim::false_positive && attempt.result == AttemptResult::blocked
          ? "claimed_false_positive"
          : std::string(to_string(attempt.result));
  const bool has_step = contains(attempt.detail, "emend issues ");
  return fail_unit(context_, unit, issue, reason,
                   has_step ? attempt.detail : with_next_step(attempt.detail, reason, issue.code), end.score);
}

} // namespace emend
