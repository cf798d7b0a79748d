#include "engine/pipeline.hpp"

#include <fmt/format.h>

#include <mutex>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/comparison.hpp"
#include "engine/gate.hpp"

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

Pipeline::Pipeline(RunContext& context, Agent& fixer, Agent* challenger)
    : context_(context), verifier_(context), fixer_(fixer), challenger_(challenger), tip_(context.session.base) {}

Result<SessionStatus> Pipeline::run(std::stop_token stop) {
  TRY(take_issues());
  TRY(plan_units());
  TRY(look_at_base(stop));
  if (!cancelled_) TRY(run_units(stop));
  if (!cancelled_) TRY(commit_fixes(stop));
  if (!cancelled_) TRY(pass_issues_through_gate());
  if (cancelled_) {
    TRY(release_issues("the session was cancelled"));
    return SessionStatus::cancelled;
  }
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
                                          {"issue_codes", codes}, {"agent", fixer_.binding().name},
                                          {"challenger", challenger_ == nullptr ? Json() : Json(challenger_->binding().name)}}));
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
  if (policy.commands.empty()) {
    context_.notice("no verification commands are configured: the best evidence a fix can have is 'judged'");
    return {};
  }
  auto baseline = verifier_.baseline(context_.session.base, stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) {
    cancelled_ = true;
    return {};
  }
  TRY(baseline);
  std::int64_t shared_ms = 0;
  for (const CommandRun& run : (*baseline)->commands) {
    if (!run.scoped) shared_ms += run.duration_ms;
    if (!run.scoped && !run.passed())
      context_.notice(fmt::format("red before us: {} ({}); it cannot vouch for any fix", run.name, to_string(run.result)));
  }
  batch_ = policy.verify_mode == VerifyMode::batch;
  if (policy.verify_mode == VerifyMode::automatic) {
    const auto total = shared_ms * static_cast<std::int64_t>(units_.size());
    batch_ = units_.size() > 1 && total > kPatienceMs;
    if (batch_)
      context_.notice(fmt::format("verify.mode = batch: checking {} fixes one by one would take about {}", units_.size(), format_duration_ms(total)));
  }
  return {};
}

Status Pipeline::run_units(std::stop_token stop) {
  UnitLoop loop(context_, verifier_, fixer_, challenger_, batch_);
  std::stop_source halt; // one broken unit (disk, database) ends the others too
  const std::stop_callback forward(stop, [&] { halt.request_stop(); });
  std::mutex mutex;
  Status first_error;
  parallel_for(units_.size(), static_cast<std::size_t>(std::max(1, context_.policy().parallel)), [&](std::size_t i) {
    Unit& unit = units_[i];
    if (unit.stacked || (unit.status != UnitStatus::pending && unit.status != UnitStatus::running)) return;
    auto done = loop.run(unit, issues_.at(unit.issue_ids.front()), halt.get_token());
    const std::lock_guard lock(mutex);
    if (done) {
      unit = *std::move(done);
    } else {
      if (first_error) first_error = fail(std::move(done).error());
      halt.request_stop();
    }
  });
  TRY(first_error);
  cancelled_ = stop.stop_requested();
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
      if (run.kind == VerificationKind::without_patch && run.issue_id == fix.issue.id && run.base == fix.attempt.base) fix.evidence = Evidence::proven;
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

Unit& Pipeline::unit_of(const AcceptedFix& fix) {
  return *std::find_if(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.id == fix.unit.id; });
}

Status Pipeline::commit_fixes(std::stop_token stop) {
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> on_base, again;
  for (const AcceptedFix& fix : fixes) (fix.unit.stacked ? again : on_base).push_back(fix);
  TRY_ASSIGN(Combination combination, combine(context_, verifier_, on_base, stop));
  if (combination.cancelled) {
    cancelled_ = true;
    return {};
  }
  for (AcceptedFix& fix : combination.conflicting) {
    unit_of(fix).feedback = dump_json(Json{{"failure", ""}, {"feedback", kStackedFeedback}});
    again.push_back(std::move(fix));
  }
  for (const Combination::Dropped& dropped : combination.dropped) TRY(drop(dropped, again));
  if (!combination.kept.empty()) {
    TRY_ASSIGN(commits_, make_commits(context_, context_.session.base, combination.kept));
    tip_ = commits_.back().sha;
    TRY_ASSIGN(const Patch whole, context_.ports.repository.diff(context_.session.base, tip_));
    if (whole.sha256() != combination.patch.sha256()) return fail(ErrorCode::internal, "the commits do not add up to what was verified");
  }
  for (const Unit& unit : units_) // interrupted while being fixed again
    if (unit.stacked && unit.accepted_attempt.empty() && unit.status != UnitStatus::finished) {
      again.push_back({unit, issues_.at(unit.issue_ids.front()), {}, 0, Evidence::judged});
    }
  for (const AcceptedFix& fix : again) {
    TRY(stack(fix, stop));
    if (cancelled_) return {};
  }
  if (!commits_.empty()) TRY(publish_branch(context_, commits_));
  return {};
}

// In batch mode a dropped fix was never checked alone: it may try again with the failure in hand. Otherwise it is out.
Status Pipeline::drop(const Combination::Dropped& dropped, std::vector<AcceptedFix>& again) {
  AcceptedFix fix = dropped.fix;
  Unit& unit = unit_of(fix);
  unit.accepted_attempt.clear();
  unit.feedback = dump_json(Json{{"failure", dropped.failure}, {"feedback", "Verification failed with your change: " + dropped.detail}});
  if (batch_ && ++unit.verify_failures < context_.policy().max_fix_cycles) {
    fix.unit = unit;
    again.push_back(std::move(fix));
    return {};
  }
  unit.status = UnitStatus::finished;
  const std::string reason = batch_ ? "verification_failed" : "combination_failed";
  const std::string detail = (batch_ ? "" : "passes alone, fails together with the others: ") + dropped.detail;
  IssueMove move = move_of(fix.issue, IssueStatus::failed, context_.session.id);
  move.reason = reason;
  move.detail = detail;
  move.last_score = fix.score;
  move.add_attempts = unit.cycles;
  Change change;
  change.units.push_back(unit);
  change.moves.push_back(std::move(move));
  change.events.push_back(context_.event("fix_issue_completed", fix.issue.code,
                                         {{"status", "FAILED"}, {"reason", reason}, {"detail", detail}, {"score", fix.score},
                                          {"evidence", Json()}, {"commit", Json()}}));
  return context_.log.apply(std::move(change));
}

// The fix cannot be merged with one that is in: it is made again on top of the branch as it is now, and verified there.
Status Pipeline::stack(const AcceptedFix& fix, std::stop_token stop) {
  Unit& unit = unit_of(fix);
  if (!unit.stacked || unit.base != tip_) {
    unit.stacked = true;
    unit.base = tip_;
    unit.status = UnitStatus::pending;
    unit.accepted_attempt.clear();
    context_.notice(fmt::format("{} is fixed again on top of the fixes accepted before it", fix.issue.code));
    Change change;
    change.units.push_back(unit);
    TRY(context_.log.apply(std::move(change)));
  }
  if (unit.status == UnitStatus::pending || unit.status == UnitStatus::running) {
    UnitLoop loop(context_, verifier_, fixer_, challenger_, false);
    TRY_ASSIGN(unit, loop.run(unit, fix.issue, stop));
  }
  if (stop.stop_requested() && unit.status != UnitStatus::accepted) {
    cancelled_ = true;
    return {};
  }
  if (unit.status != UnitStatus::accepted) return {};
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  for (const AcceptedFix& again : fixes) {
    if (again.unit.id != unit.id) continue;
    TRY_ASSIGN(const std::vector<CommitRecord> made, make_commits(context_, tip_, {again}));
    commits_.insert(commits_.end(), made.begin(), made.end());
    tip_ = commits_.back().sha;
  }
  return {};
}

Status Pipeline::pass_issues_through_gate() {
  if (commits_.empty()) return {};
  TRY_ASSIGN(const SessionEvidence evidence, load_evidence(context_.ports.store, context_.ports.repository, context_.session.id));
  for (Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, unit.issue_ids.front()));
    if (issue.status != IssueStatus::in_progress) continue;
    crash_point("gate.before_issue");
    TRY(pass_gate(context_, evidence, issue, unit));
  }
  return {};
}

Status Pipeline::release_issues(const std::string& why) {
  Change change;
  for (const auto& [id, taken] : issues_) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status != IssueStatus::in_progress) continue;
    IssueMove move = move_of(issue, IssueStatus::open, context_.session.id);
    move.reason = "interrupted";
    move.detail = why;
    change.moves.push_back(std::move(move));
  }
  change.events.push_back(context_.event("fix_session_cancelled", "", {{"partial", true}}));
  return context_.log.apply(std::move(change));
}

Result<SessionStatus> Pipeline::finish() {
  std::size_t resolved = 0;
  for (const std::string& id : context_.session.issue_ids) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged) ++resolved;
  }
  if (resolved == context_.session.issue_ids.size()) return SessionStatus::passed;
  return resolved == 0 ? SessionStatus::failed : SessionStatus::partial;
}

} // namespace emend
