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

// auto: verify each fix alone unless the suite is so slow that doing it for every issue would take longer than this.
constexpr std::int64_t kPatienceMs = 60'000;

constexpr const char* kStackedFeedback =
    "Another fix was accepted first and changed the same lines. It is in your working directory now; fix this issue on top of it.";

IssueMove move_of(const Issue& issue, IssueStatus to, const std::string& session_id) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = to;
  move.session_id = session_id;
  return move;
}

} // namespace

Pipeline::Pipeline(RunContext& context, Crew& crew) : context_(context), stages_(crew.stages()), tip_(context.session.base) {}

Result<SessionStatus> Pipeline::run(std::stop_token stop) {
  TRY(take_issues());
  TRY(plan_units());
  TRY(use_plan());
  TRY(look_at_base(stop));
  if (!cancelled_) TRY(run_units(false, stop));
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
  change.events.push_back(context_.event("fix_session_started", "",
                                         {{"branch_name", context_.session.branch}, {"base_sha", context_.session.base},
                                          {"issue_codes", codes}, {"agent", context_.policy().fixer.name},
                                          {"challenger", context_.policy().challenger_enabled ? Json(context_.policy().challenger.name) : Json()}}));
  return context_.log.apply(std::move(change));
}

// Since the session was interrupted a person may have ignored an issue, or another session may have resolved it: it is not ours any more.
Status Pipeline::drop_settled_units() {
  Change change;
  for (Unit& unit : units_) {
    const Issue& issue = issues_.at(unit.issue_ids.front());
    const bool done = issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
    const bool ours = issue.status == IssueStatus::in_progress || (done && issue.session_id == context_.session.id);
    if (ours || unit.status == UnitStatus::finished) continue;
    unit.status = UnitStatus::finished;
    unit.accepted_attempt.clear();
    change.units.push_back(unit);
    context_.notice(fmt::format("{} is {} by now and is left alone", issue.code, to_string(issue.status)));
  }
  return change.units.empty() ? Status{} : context_.log.apply(std::move(change));
}

// The untouched base first, so that what was red before us is told apart; then how to verify.
Status Pipeline::look_at_base(std::stop_token stop) {
  const Policy& policy = context_.policy();
  // Edits that cost nothing to make are never worth a run of the suite each.
  batch_ = policy.verify_mode == VerifyMode::batch || (stages_.fixer == nullptr && policy.verify_mode == VerifyMode::automatic);
  std::vector<std::string> files;
  for (const auto& [id, issue] : issues_)
    if (issue.status == IssueStatus::in_progress && stages_.rescanner.can_judge(issue)) files.push_back(issue.finding.file);
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
      context_.notice(fmt::format("red before us: {} ({}); it cannot vouch for any fix", run.name, to_string(run.result)));
  }
  if (policy.verify_mode == VerifyMode::automatic && !batch_) {
    const auto total = shared_ms * static_cast<std::int64_t>(units_.size());
    batch_ = units_.size() > 1 && total > kPatienceMs;
    if (batch_)
      context_.notice(fmt::format("verify.mode = batch: checking {} fixes one by one would take about {}", units_.size(), format_duration_ms(total)));
  }
  return {};
}

// What no fix could resolve ends here, before an agent is paid. baseline: null = there are no commands.
Status Pipeline::refuse_hopeless(const Verification* baseline) {
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(context_.session.base));
  TRY_ASSIGN(const PathSet called, called_scripts(context_.ports.repository, context_.policy(), context_.session.base));
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

Status Pipeline::run_units(bool stacked, std::stop_token stop) {
  UnitQueue queue(context_, stages_, batch_);
  TRY(queue.run(units_, issues_, stacked, stop));
  cancelled_ = stop.stop_requested();
  return {};
}

// A plan that was made for this session, by a person or with an agent's help: its order and its notes.
Status Pipeline::use_plan() {
  const fs::path master = fs::path(context_.home) / "sessions" / context_.session.id / "master_todo.json";
  std::error_code problem;
  if (stages_.fixer == nullptr || !fs::exists(master, problem)) return {};
  TRY_ASSIGN(context_.plan, read_plan_files(master));
  return {};
}

Result<AcceptedFix> Pipeline::accepted_fix(const Unit& unit) {
  AcceptedFix fix{unit, issues_.at(unit.issue_ids.front()), {}, 0, Evidence::judged};
  TRY_ASSIGN(fix.attempt, context_.ports.store.attempt(unit.accepted_attempt));
  return fix;
}

Result<std::vector<AcceptedFix>> Pipeline::accepted_fixes() {
  std::vector<AcceptedFix> fixes;
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  for (const Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(AcceptedFix fix, accepted_fix(unit));
    for (const Verdict& verdict : verdicts)
      if (verdict.attempt_id == fix.attempt.id && verdict.valid) fix.score = verdict.score.value_or(0);
    if (!commands_for(context_.policy(), fix.issue).empty()) fix.evidence = Evidence::verified;
    for (const Verification& run : runs)
      if ((run.kind == VerificationKind::without_patch || run.kind == VerificationKind::reproducer_without) && run.issue_id == fix.issue.id && run.base == fix.attempt.base) fix.evidence = Evidence::proven;
    if (!apart(fix.attempt.patch).judges.empty()) fix.evidence = Evidence::judged; // at least; the gate may know better
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

Unit& Pipeline::unit_of(const AcceptedFix& fix) {
  return *std::find_if(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.id == fix.unit.id; });
}

Status Pipeline::commit_fixes(std::stop_token stop) {
  TRY_ASSIGN(commits_, published_before(context_));
  if (!commits_.empty()) return publish_branch(context_, commits_);
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> on_base, again;
  for (const AcceptedFix& fix : fixes) (fix.unit.stacked ? again : on_base).push_back(fix);
  for (const Unit& unit : units_) // interrupted while being fixed again
    if (unit.stacked && unit.accepted_attempt.empty() && unit.status != UnitStatus::finished)
      again.push_back({unit, issues_.at(unit.issue_ids.front()), {}, 0, Evidence::judged});
  TRY(settle(on_base, again, stop));
  if (stages_.fixer == nullptr) {
    while (!again.empty() && !cancelled_ && !context_.queue_stop()) TRY(stack_together(again, stop));
  } else {
    for (const AcceptedFix& fix : again) {
      if (!cancelled_ && !context_.queue_stop()) TRY(stack(fix, stop));
    }
  }
  if (!cancelled_ && !commits_.empty()) TRY(publish_branch(context_, commits_));
  return {};
}

// Fixes made on the tip become commits on it, as far as they pass together; those that must be made again are added to `again`.
Status Pipeline::settle(const std::vector<AcceptedFix>& fixes, std::vector<AcceptedFix>& again, std::stop_token stop) {
  CombineOrder order;
  order.base = tip_;
  order.fixes = fixes;
  if (tip_ != context_.session.base) {
    TRY_ASSIGN(order.before, context_.ports.repository.diff(context_.session.base, tip_));
    for (const CommitRecord& commit : commits_)
      for (const std::string& id : commit.issue_ids) order.settled.push_back(issues_.at(id));
  }
  TRY_ASSIGN(Combination combination, combine(context_, stages_.verifier, stages_.rescanner, stages_.reproduction, order, stop));
  cancelled_ = combination.cancelled;
  if (cancelled_) return {};
  for (AcceptedFix& fix : combination.conflicting) {
    unit_of(fix).feedback = dump_json(Json{{"failure", ""}, {"feedback", kStackedFeedback}});
    again.push_back(std::move(fix));
  }
  for (const Combination::Dropped& dropped : combination.dropped) TRY(drop(dropped, again));
  if (combination.kept.empty()) return {};
  TRY(judge_combination(combination));
  if (context_.policy().git_agents && stages_.fixer != nullptr)
    for (const AcceptedFix& fix : combination.kept) TRY(propose_message(context_, stages_.fixer->first_agent(), fix, stop));
  TRY_ASSIGN(const std::vector<CommitRecord> made, make_commits(context_, tip_, combination.kept));
  commits_.insert(commits_.end(), made.begin(), made.end());
  const std::string parent = std::exchange(tip_, commits_.back().sha);
  TRY_ASSIGN(const Patch whole, context_.ports.repository.diff(parent, tip_));
  if (whole.sha256() != combination.patch.sha256()) return fail(ErrorCode::internal, "the commits do not add up to what was verified");
  if (combination.verified) TRY(stages_.verifier.adopt_baseline(tip_, *combination.verified));
  return {};
}

// What only the combination can show: how sure each fix is and, where the rubric judges, its verdict.
Status Pipeline::judge_combination(Combination& combination) {
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  const bool by_rubric = stages_.challenger == nullptr && context_.policy().challenger_enabled;
  for (AcceptedFix& fix : combination.kept) {
    const bool verified = !commands_for(context_.policy(), fix.issue).empty();
    if (combination.rescan && rescan_problem(*combination.rescan->rescan, fix.issue, fix.attempt.patch).empty() && verified)
      fix.evidence = std::max(fix.evidence, Evidence::rescanned);
    const bool judged = std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.attempt_id == fix.attempt.id; });
    if (!by_rubric || judged || !combination.rescan) continue;
    const Verdict verdict =
        rubric_verdict(context_, fix.issue, fix.attempt, *combination.rescan, verified ? std::optional<bool>(true) : std::nullopt);
    TRY(store_verdict(context_, fix.issue, verdict));
    fix.score = verdict.score.value_or(0);
  }
  return {};
}

// Fix-its that could not be merged with others: all of them are made anew on the branch as it is now, and checked together there.
Status Pipeline::stack_together(std::vector<AcceptedFix>& again, std::stop_token stop) {
  for (const AcceptedFix& fix : again) TRY(put_on_tip(unit_of(fix), fix.issue));
  TRY(run_units(true, stop));
  if (cancelled_) return {};
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> ready, later;
  for (const AcceptedFix& fix : fixes)
    if (fix.unit.stacked && fix.unit.base == tip_) ready.push_back(fix);
  const std::string before = tip_;
  TRY(settle(ready, later, stop));
  if (tip_ == before && !cancelled_) { // nothing of this round could be kept: another one would end the same way
    for (const AcceptedFix& fix : later) TRY(give_up(fix, "conflict", "its edits cannot be applied together with the others'"));
    later.clear();
  }
  again = std::move(later);
  return {};
}

// In batch mode a dropped fix was never checked alone: it may try again with the failure in hand. Otherwise it is out.
Status Pipeline::drop(const Combination::Dropped& dropped, std::vector<AcceptedFix>& again) {
  AcceptedFix fix = dropped.fix;
  Unit& unit = unit_of(fix);
  unit.accepted_attempt.clear();
  unit.feedback = dump_json(Json{{"failure", dropped.failure}, {"feedback", "Verification failed with your change: " + dropped.detail}});
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
                                         {{"status", "FAILED"}, {"reason", reason}, {"detail", detail},
                                          {"score", fix.score > 0 ? Json(fix.score) : Json()}, {"evidence", Json()}, {"commit", Json()}}));
  return context_.log.apply(std::move(change));
}

// The unit works on the branch as it is now. What it has there already is kept.
Status Pipeline::put_on_tip(Unit& unit, const Issue& issue) {
  if (unit.stacked && unit.base == tip_) return {};
  unit.stacked = true;
  unit.base = tip_;
  unit.status = UnitStatus::pending;
  unit.accepted_attempt.clear();
  if (stages_.fixer != nullptr) context_.notice(fmt::format("{} is fixed again on top of the fixes accepted before it", issue.code));
  Change change;
  change.units.push_back(unit);
  return context_.log.apply(std::move(change));
}

// The fix cannot be merged with one that is in: it is made again on top of the branch as it is now, and verified there.
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
  for (const AcceptedFix& again : refused) TRY(give_up(again, "combination_failed", "fails on top of the fixes before it"));
  return {};
}

Status Pipeline::pass_issues_through_gate() {
  if (commits_.empty()) return {};
  TRY_ASSIGN(const SessionEvidence evidence, load_evidence(context_.ports.store, context_.ports.repository, context_.session.id));
  TRY_ASSIGN(const ProofWriter proofs, ProofWriter::begin(context_));
  for (Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, unit.issue_ids.front()));
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
