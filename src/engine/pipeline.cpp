#include "engine/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/crash_point.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/called_scripts.hpp"
#include "engine/challenge.hpp"
#include "engine/comparison.hpp"
#include "engine/gate.hpp"
#include "engine/git_proposals.hpp"
#include "engine/preflight.hpp"
#include "engine/proof_bundle.hpp"
#include "engine/rubric.hpp"

namespace emend {
namespace {

// auto: verify each fix alone unless the suite is so slow that doing it for every issue would take longer
// than this.
constexpr std::int64_t kPatienceMs = 60'000;

constexpr const char* kStackedFeedback =
    "Another fix was accepted first and changed the same lines. It is in your working directory now; fix "
    "this issue on top of it.";

IssueMove move_of(const Issue& issue, IssueStatus to, const std::string& session_id) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = to;
  move.session_id = session_id;
  return move;
}

} // namespace

Pipeline::Pipeline(RunContext& context, Crew& crew)
    : context_(context), stages_(crew.stages()), tip_(context.session.base) {}

Result<SessionStatus> Pipeline::run(std::stop_token stop) {
  TRY(take_issues());
  TRY(plan_units());
  TRY(use_plan());
  TRY(look_at_base(stop));
  if (!cancelled_ && steps_.empty()) TRY(run_units({}, stop));
  if (!cancelled_) TRY(commit_fixes(stop));
  if (!cancelled_) TRY(pass_issues_through_gate());
  if (cancelled_) {
    TRY(release_issues("interrupted", "the session was stopped"));
    return SessionStatus::cancelled;
  }
  if (const auto stopped = context_.queue_stop()) TRY(release_issues(stopped->reason, stopped->detail));
  return finish();
}

// OPEN or FAILED -> IN_PROGRESS. What a person ignored or somebody else resolved meanwhile is left alone.
Status Pipeline::take_issues() {
  TRY_ASSIGN(const std::vector<Unit> units, context_.ports.store.units(context_.session.id));
  Change reopen, take;
  for (const std::string& id : context_.session.issue_ids) {
    TRY_ASSIGN(Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    const bool finished = std::any_of(units.begin(), units.end(), [&](const Unit& unit) {
      return unit.status == UnitStatus::finished && unit.issue_ids == std::vector<std::string>{id};
    });
    if (!finished && issue.status == IssueStatus::failed) {
      reopen.moves.push_back(move_of(issue, IssueStatus::open, context_.session.id));
      issue.status = IssueStatus::open;
    }
    if (!finished && issue.status == IssueStatus::open) {
      take.moves.push_back(move_of(issue, IssueStatus::in_progress, context_.session.id));
      issue.status = IssueStatus::in_progress;
    }
    issues_[id] = std::move(issue);
  }
  if (!reopen.moves.empty()) TRY(context_.log.apply(std::move(reopen)));
  return context_.log.apply(std::move(take));
}

// One unit per issue. A resumed session has its units already.
Status Pipeline::plan_units() {
  TRY_ASSIGN(units_, context_.ports.store.units(context_.session.id));
  if (!units_.empty()) return drop_settled_units();
  Change change;
  Json codes = Json::array();
  for (const std::string& id : context_.session.issue_ids) {
    const Issue& issue = issues_.at(id);
    if (issue.status != IssueStatus::in_progress) continue;
    Unit unit;
    unit.id = new_uuid();
    unit.session_id = context_.session.id;
    unit.position = static_cast<int>(units_.size());
    unit.issue_ids = {id};
    unit.base = context_.session.base;
    units_.push_back(unit);
    codes.push_back(issue.code);
  }
  change.units = units_;
  change.events.push_back(context_.event(
      "fix_session_started", "",
      {{"branch_name", context_.session.branch},
       {"base_sha", context_.session.base},
       {"issue_codes", codes},
       {"agent", context_.policy().fixer.name},
       {"challenger",
        context_.policy().challenger_enabled ? Json(context_.policy().challenger.name) : Json()}}));
  return context_.log.apply(std::move(change));
}

// Since the session was interrupted a person may have ignored an issue, or another session may have resolved
// it: it is not ours any more.
Status Pipeline::drop_settled_units() {
  Change change;
  for (Unit& unit : units_) {
    const Issue& issue = issues_.at(unit.issue_ids.front());
    const bool done = issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
    const bool ours =
        issue.status == IssueStatus::in_progress || (done && issue.session_id == context_.session.id);
    if (ours || unit.status == UnitStatus::finished) continue;
    unit.status = UnitStatus::finished;
    unit.accepted_attempt.clear();
    change.units.push_back(unit);
    context_.notice(fmt::format("{} is {} by now and is left alone", issue.code, to_string(issue.status)));
  }
  return change.units.empty() ? Status{} : context_.log.apply(std::move(change));
}

// The untouched base first, so that what failed before is told apart; then how to verify.
Status Pipeline::look_at_base(std::stop_token stop) {
  const Policy& policy = context_.policy();
  // Edits that cost nothing to make are never worth a run of the suite each.
  batch_ = policy.verify_mode == VerifyMode::batch ||
           (stages_.fixer == nullptr && policy.verify_mode == VerifyMode::automatic);
  std::vector<std::string> files;
  for (const auto& [id, issue] : issues_)
    if (issue.status == IssueStatus::in_progress && stages_.rescanner.can_judge(issue))
      files.push_back(issue.finding.file);
  if (!files.empty()) TRY(stages_.rescanner.look_at(context_.session.base, files, stop));
  cancelled_ = stop.stop_requested();
  if (cancelled_) return {};
  if (policy.commands.empty()) {
    context_.notice("no verification commands are configured: the best evidence a fix can have is 'judged'");
    return refuse_hopeless(nullptr);
  }
  auto baseline = stages_.verifier.baseline(context_.session.base, stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) {
    cancelled_ = true;
    return {};
  }
  TRY(baseline);
  TRY(check_base(policy, **baseline));
  TRY(refuse_hopeless(baseline->get()));
  std::int64_t shared_ms = 0;
  for (const CommandRun& run : (*baseline)->commands) {
    if (!run.scoped) shared_ms += run.duration_ms;
    if (!run.scoped && !run.passed())
      context_.notice(fmt::format("{} already fails on the base ({}); it cannot confirm any fix", run.name,
                                  to_string(run.result)));
  }
  if (policy.verify_mode == VerifyMode::automatic && !batch_) {
    const auto total = shared_ms * static_cast<std::int64_t>(units_.size());
    batch_ = units_.size() > 1 && total > kPatienceMs;
    if (batch_)
      context_.notice(fmt::format("verify.mode = batch: checking {} fixes one by one would take about {}",
                                  units_.size(), format_duration_ms(total)));
  }
  return {};
}

// What no fix could resolve ends here, before an agent is paid. baseline: null = there are no commands.
Status Pipeline::refuse_hopeless(const Verification* baseline) {
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(context_.session.base));
  TRY_ASSIGN(const PathSet called,
             called_scripts(context_.ports.repository, context_.policy(), context_.session.base));
  const Scope scope(context_.policy(), *tree, called);
  for (const Unit& unit : units_) {
    const Issue& issue = issues_.at(unit.issue_ids.front());
    if (unit.status != UnitStatus::pending || unit.cycles > 0 || unit.stacked || unworkable(issue)) continue;
    TRY_ASSIGN(const bool reproducible, stages_.reproduction.possible(issue));
    const Outlook outlook{baseline, reproducible, stages_.rescanner.can_judge(issue)};
    const auto refusal = why_hopeless(context_.policy(), scope, *tree, called, issue, outlook);
    if (refusal) TRY(give_up({unit, issue, {}, 0, Evidence::judged}, refusal->reason, refusal->detail));
  }
  return {};
}

Status Pipeline::run_units(const UnitChoice& choice, std::stop_token stop) {
  UnitQueue queue(context_, stages_, batch_);
  TRY(queue.run(units_, issues_, choice, stop));
  cancelled_ = stop.stop_requested();
  return {};
}

// A plan that was made for this session, by a person or with an agent's help: its order and its notes.
Status Pipeline::use_plan() {
  const fs::path master = fs::path(context_.home) / "sessions" / context_.session.id / "master_todo.json";
  std::error_code problem;
  if (stages_.fixer == nullptr || !fs::exists(master, problem)) return {};
  TRY_ASSIGN(context_.plan, read_plan_files(master));
  if (context_.policy().strategy == Strategy::one_call)
    return {}; // its one process gets the plan whole and works step by step itself
  steps_ = steps_of(context_.plan->master);
  PlanStep rest; // a plan is checked when it is taken; an issue it does not name must still not be forgotten
  for (const Unit& unit : units_)
    if (std::none_of(steps_.begin(), steps_.end(), [&](const PlanStep& step) { return in_step(unit, step); }))
      rest.codes.push_back(issue_of(unit).code);
  if (!rest.codes.empty()) steps_.push_back(std::move(rest));
  return {};
}

const Issue& Pipeline::issue_of(const Unit& unit) const { return issues_.at(unit.issue_ids.front()); }

bool Pipeline::in_step(const Unit& unit, const PlanStep& step) const {
  return std::find(step.codes.begin(), step.codes.end(), issue_of(unit).code) != step.codes.end();
}

// One step of the plan: made on top of what the steps before it came to, and settled before the next one
// begins. After a crash the steps that are over come to the same commits again, so the units of the one that
// was interrupted are found on the tip they were put on.
Status Pipeline::run_step(const PlanStep& step, std::stop_token stop) {
  if (!context_.queue_stop()) {
    for (Unit& unit : units_) {
      const bool waits = unit.status == UnitStatus::pending || unit.status == UnitStatus::running;
      if (in_step(unit, step) && waits && !unit.stacked && tip_ != context_.session.base)
        TRY(put_on_tip(unit, issue_of(unit)));
    }
    TRY(run_units({false, &step, tip_}, stop));
  }
  return cancelled_ ? Status{} : settle_units(&step, stop);
}

Result<AcceptedFix> Pipeline::accepted_fix(const Unit& unit) {
  AcceptedFix fix{unit, issues_.at(unit.issue_ids.front()), {}, 0, Evidence::judged};
  TRY_ASSIGN(fix.attempt, context_.ports.store.attempt(unit.accepted_attempt));
  return fix;
}

Result<std::vector<AcceptedFix>> Pipeline::accepted_fixes() {
  std::vector<AcceptedFix> fixes;
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  for (const Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(AcceptedFix fix, accepted_fix(unit));
    for (const Verdict& verdict : verdicts)
      if (verdict.attempt_id == fix.attempt.id && verdict.valid) fix.score = verdict.score.value_or(0);
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

Unit& Pipeline::unit_of(const AcceptedFix& fix) {
  return *std::find_if(units_.begin(), units_.end(),
                       [&](const Unit& unit) { return unit.id == fix.unit.id; });
}

Status Pipeline::commit_fixes(std::stop_token stop) {
  TRY_ASSIGN(const std::vector<CommitRecord> before, published_before(context_));
  if (!before.empty()) return publish_branch(context_, before);
  if (steps_.empty()) TRY(settle_units(nullptr, stop));
  for (const PlanStep& step : steps_)
    if (!cancelled_) TRY(run_step(step, stop));
  if (cancelled_ || planned_.empty()) return {};
  std::vector<CommitRecord> commits;
  for (const PlannedCommit& commit : planned_) commits.push_back(commit.record);
  return publish_branch(context_, commits);
}

// The accepted fixes, of one step of the plan or all, become commits; those that do not fit together are made
// again on top, one by one.
Status Pipeline::settle_units(const PlanStep* step, std::stop_token stop) {
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> on_base, again;
  for (const AcceptedFix& fix : fixes)
    if (step == nullptr || in_step(fix.unit, *step)) (fix.unit.base == tip_ ? on_base : again).push_back(fix);
  for (const Unit& unit : units_) { // interrupted while being fixed again
    const bool chosen = step == nullptr || (in_step(unit, *step) && unit.base != tip_);
    if (chosen && unit.stacked && unit.accepted_attempt.empty() && unit.status != UnitStatus::finished)
      again.push_back({unit, issue_of(unit), {}, 0, Evidence::judged});
  }
  TRY(settle(on_base, again, stop));
  if (stages_.fixer == nullptr) {
    while (!again.empty() && !cancelled_ && !context_.queue_stop()) TRY(stack_together(again, stop));
  } else {
    for (const AcceptedFix& fix : again) {
      if (!cancelled_ && !context_.queue_stop()) TRY(stack(fix, stop));
    }
  }
  return {};
}

CombineOrder Pipeline::order_on_tip(const std::vector<AcceptedFix>& fixes) const {
  CombineOrder order;
  order.base = tip_;
  order.fixes = fixes;
  for (const PlannedCommit& commit : planned_)
    for (const std::string& id : commit.record.issue_ids) order.settled.push_back(issues_.at(id));
  return order;
}

// Fixes made on the tip become commits on it, as far as they pass together and the gate takes them; those
// that must be made again are added to `again`. What the gate refuses is taken out and the rest is put
// together anew, until the gate takes all of it: no commit is ever published that it would refuse.
Status Pipeline::settle(const std::vector<AcceptedFix>& fixes, std::vector<AcceptedFix>& again,
                        std::stop_token stop) {
  CombineOrder order = order_on_tip(fixes);
  if (tip_ != context_.session.base) {
    TRY_ASSIGN(order.before, context_.ports.repository.diff(context_.session.base, tip_));
  }
  while (true) {
    TRY_ASSIGN(Combination combination,
               combine(context_, stages_.verifier, stages_.rescanner, stages_.reproduction, order, stop));
    cancelled_ = combination.cancelled;
    if (cancelled_) return {};
    for (AcceptedFix& fix : combination.conflicting) {
      unit_of(fix).feedback = dump_json(Json{{"failure", ""}, {"feedback", kStackedFeedback}});
      again.push_back(std::move(fix));
    }
    for (const Combination::Dropped& dropped : combination.dropped) TRY(drop(dropped, again));
    if (combination.kept.empty()) return {};
    TRY(judge_by_rubric(combination));
    TRY_ASSIGN(order.fixes, take_out_refused(combination));
    if (order.fixes.size() == combination.kept.size()) return put_on_branch(combination, stop);
  }
}

// Asks the gate about the branch as it would be with these fixes on it. Returns those it takes, and notes in
// `combination` how sure it is of each; the others have failed. A fix that makes the gate refuse, or be less
// sure of, one that is on the branch already is refused.
Result<std::vector<AcceptedFix>> Pipeline::take_out_refused(Combination& combination) {
  TRY_ASSIGN(const std::vector<PlannedCommit> made, make_commits(context_, tip_, combination.kept));
  std::vector<PlannedCommit> branch = planned_;
  branch.insert(branch.end(), made.begin(), made.end());
  TRY_ASSIGN(const SessionEvidence evidence,
             load_evidence(context_.ports.store, context_.ports.repository, context_.session.id, branch));
  const auto decision_of = [&](const std::string& id) -> Result<GateDecision> {
    TRY_ASSIGN(const GateInput in, gather(evidence, context_.ports.repository, issues_.at(id)));
    return decide(in, context_.redactor);
  };
  std::vector<AcceptedFix> taken;
  for (AcceptedFix& fix : combination.kept) {
    TRY_ASSIGN(const GateDecision decision, decision_of(fix.issue.id));
    fix.evidence = decision.evidence;
    if (decision.resolved)
      taken.push_back(fix);
    else
      TRY(give_up(fix, decision.reason, decision.detail));
  }
  if (taken.size() != combination.kept.size()) return taken;
  for (const PlannedCommit& commit : planned_)
    for (const std::string& id : commit.record.issue_ids) {
      TRY_ASSIGN(const GateDecision decision, decision_of(id));
      if (decision.resolved && decision.evidence == decided_.at(id)) continue;
      TRY(give_up(taken.back(), "combination_failed",
                  "with it, " + issues_.at(id).code +
                      " would not be shown to be fixed any more: " + decision.detail));
      taken.pop_back();
      return taken;
    }
  return taken;
}

// Still in the engine's own store: the branch appears when all is settled.
Status Pipeline::put_on_branch(const Combination& combination, std::stop_token stop) {
  if (context_.policy().git_agents && stages_.fixer != nullptr)
    for (const AcceptedFix& fix : combination.kept)
      TRY(propose_message(context_, stages_.fixer->first_agent(), fix, stop));
  TRY_ASSIGN(const std::vector<PlannedCommit> made, make_commits(context_, tip_, combination.kept));
  planned_.insert(planned_.end(), made.begin(), made.end());
  for (const AcceptedFix& fix : combination.kept) decided_[fix.issue.id] = fix.evidence;
  const std::string parent = std::exchange(tip_, planned_.back().record.sha);
  TRY_ASSIGN(const Patch whole, context_.ports.repository.diff(parent, tip_));
  if (whole.sha256() != combination.patch.sha256())
    return fail(ErrorCode::internal, "the commits do not add up to what was verified");
  if (combination.verified) TRY(stages_.verifier.adopt_baseline(tip_, *combination.verified));
  return {};
}

// Where the rubric judges, the combination is what it looks at.
Status Pipeline::judge_by_rubric(Combination& combination) {
  const bool by_rubric = stages_.challenger == nullptr && context_.policy().challenger_enabled;
  if (!by_rubric || !combination.rescan) return {};
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  for (AcceptedFix& fix : combination.kept) {
    const bool judged = std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) {
      return verdict.attempt_id == fix.attempt.id;
    });
    if (judged) continue;
    TRY_ASSIGN(const bool confirmed, checks_confirm(combination, fix.issue));
    const Verdict verdict = rubric_verdict(context_, fix.issue, fix.attempt, *combination.rescan,
                                           confirmed ? std::optional<bool>(true) : std::nullopt);
    TRY(store_verdict(context_, fix.issue, verdict));
    fix.score = verdict.score.value_or(0);
  }
  return {};
}

// Does one of the project's own checks speak for the fix? Those that fail on the base, too, say nothing.
Result<bool> Pipeline::checks_confirm(const Combination& combination, const Issue& issue) {
  if (!combination.verified) return false;
  TRY_ASSIGN(const auto baseline, stages_.verifier.baseline(tip_, {}));
  return compare(commands_for(context_.policy(), issue), *baseline, *combination.verified).passed;
}

// Fix-its that could not be merged with others: all of them are made anew on the branch as it is now, and
// checked together there.
Status Pipeline::stack_together(std::vector<AcceptedFix>& again, std::stop_token stop) {
  for (const AcceptedFix& fix : again) TRY(put_on_tip(unit_of(fix), fix.issue));
  TRY(run_units({true, nullptr, {}}, stop));
  if (cancelled_) return {};
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> ready, later;
  for (const AcceptedFix& fix : fixes)
    if (fix.unit.stacked && fix.unit.base == tip_) ready.push_back(fix);
  const std::string before = tip_;
  TRY(settle(ready, later, stop));
  if (tip_ == before &&
      !cancelled_) { // nothing of this round could be kept: another one would end the same way
    for (const AcceptedFix& fix : later)
      TRY(give_up(fix, "conflict", "its edits cannot be applied together with the others'"));
    later.clear();
  }
  again = std::move(later);
  return {};
}

// In batch mode a dropped fix was never checked alone: it may try again with the failure in hand. Otherwise
// it is out.
Status Pipeline::drop(const Combination::Dropped& dropped, std::vector<AcceptedFix>& again) {
  AcceptedFix fix = dropped.fix;
  Unit& unit = unit_of(fix);
  unit.accepted_attempt.clear();
  unit.status = UnitStatus::pending; // it may stand on the tip already
  unit.feedback = dump_json(Json{{"failure", dropped.failure},
                                 {"feedback", "Verification failed with your change: " + dropped.detail}});
  if (batch_ && stages_.fixer != nullptr && ++unit.verify_failures < context_.policy().max_fix_cycles) {
    fix.unit = unit;
    again.push_back(std::move(fix));
    return {};
  }
  return give_up(fix, batch_ ? "verification_failed" : "combination_failed",
                 (batch_ ? "" : "passes alone, fails together with the others: ") + dropped.detail);
}

Status Pipeline::give_up(const AcceptedFix& fix, const std::string& reason, const std::string& detail) {
  Unit& unit = unit_of(fix);
  unit.accepted_attempt.clear();
  unit.status = UnitStatus::finished;
  IssueMove move = move_of(fix.issue, IssueStatus::failed, context_.session.id);
  move.reason = reason;
  move.detail = detail;
  if (fix.score > 0) move.last_score = fix.score;
  move.add_attempts = unit.cycles;
  Change change;
  change.units.push_back(unit);
  change.moves.push_back(std::move(move));
  change.events.push_back(context_.event("fix_issue_completed", fix.issue.code,
                                         {{"status", "FAILED"},
                                          {"reason", reason},
                                          {"detail", detail},
                                          {"score", fix.score > 0 ? Json(fix.score) : Json()},
                                          {"evidence", Json()},
                                          {"commit", Json()}}));
  return context_.log.apply(std::move(change));
}

// The unit works on the branch as it is now. What it has there already is kept.
Status Pipeline::put_on_tip(Unit& unit, const Issue& issue) {
  if (unit.stacked && unit.base == tip_) return {};
  unit.stacked = true;
  unit.base = tip_;
  unit.status = UnitStatus::pending;
  unit.accepted_attempt.clear();
  if (stages_.fixer != nullptr && unit.cycles > 0)
    context_.notice(fmt::format("{} is fixed again on top of the fixes accepted before it", issue.code));
  Change change;
  change.units.push_back(unit);
  return context_.log.apply(std::move(change));
}

// The fix cannot be merged with one that is in: it is made again on top of the branch as it is now, and
// verified there.
Status Pipeline::stack(const AcceptedFix& fix, std::stop_token stop) {
  Unit& unit = unit_of(fix);
  TRY(put_on_tip(unit, fix.issue));
  if (unit.status == UnitStatus::pending || unit.status == UnitStatus::running) {
    UnitLoop loop(context_, stages_, false);
    TRY_ASSIGN(unit, loop.run(unit, fix.issue, std::nullopt, stop));
  }
  if (stop.stop_requested() && unit.status != UnitStatus::accepted) {
    cancelled_ = true;
    return {};
  }
  if (unit.status != UnitStatus::accepted) return {};
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> refused;
  for (const AcceptedFix& again : fixes)
    if (again.unit.id == unit.id) TRY(settle({again}, refused, stop));
  for (const AcceptedFix& again : refused)
    TRY(give_up(again, "combination_failed", "fails on top of the fixes before it"));
  return {};
}

Status Pipeline::pass_issues_through_gate() {
  TRY_ASSIGN(const SessionEvidence evidence,
             load_evidence(context_.ports.store, context_.ports.repository, context_.session.id));
  if (evidence.commits.empty()) return {};
  TRY_ASSIGN(const ProofWriter proofs, ProofWriter::begin(context_));
  for (Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(const Issue issue,
               context_.ports.store.issue(context_.session.repository_id, unit.issue_ids.front()));
    if (issue.status != IssueStatus::in_progress) continue;
    crash_point("gate.before_issue");
    TRY(pass_gate(context_, evidence, proofs, issue, unit));
  }
  return {};
}

// What is still in work is OPEN again.
Status Pipeline::release_issues(const std::string& reason, const std::string& why) {
  Change change;
  for (const auto& [id, taken] : issues_) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status != IssueStatus::in_progress) continue;
    IssueMove move = move_of(issue, IssueStatus::open, context_.session.id);
    move.reason = reason;
    move.detail = why;
    change.moves.push_back(std::move(move));
  }
  return context_.log.apply(std::move(change));
}

Result<SessionStatus> Pipeline::finish() {
  std::size_t resolved = 0;
  for (const std::string& id : context_.session.issue_ids) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged) ++resolved;
  }
  if (resolved == context_.session.issue_ids.size()) return SessionStatus::passed;
  if (context_.queue_stop()) return SessionStatus::stopped;
  return resolved == 0 ? SessionStatus::failed : SessionStatus::partial;
}

} // namespace emend
