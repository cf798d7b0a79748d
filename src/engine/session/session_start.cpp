// How a session begins: its base, branch, issues and plan; and how one that waited is approved.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/git_proposals.hpp"
#include "engine/branch/ledger.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/claims/repository_lock.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/run_context.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/intake/uncommitted.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/plan_approval.hpp"
#include "engine/session/session_forecast.hpp"
#include "engine/session/session_manager.hpp"
#include "engine/session/shared_sessions.hpp"
#include "engine/session/strategy_choice.hpp"
#include "engine/verify/preflight.hpp"
#include "model/branch_name.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// Where the session finds it again, also after a crash. Issues are worked on in the plan's order.
Status keep_plan(const std::string& home, Session& session, IssueStore& store,
                 const std::optional<PlanFiles>& plan) {
  if (!plan) return {};
  std::vector<Issue> issues;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(Issue issue, store.issue(session.repository_id, id));
    issues.push_back(std::move(issue));
  }
  const std::vector<PlanStep> steps = steps_of(plan->master);
  TRY(check_plan(work_of(issues), steps));
  std::map<std::string, std::string> ids;
  for (const Issue& issue : issues) ids.emplace(issue.code, issue.id);
  session.issue_ids.clear();
  for (const PlanStep& step : steps)
    for (const std::string& code : step.codes) session.issue_ids.push_back(ids.at(code));
  PlanFiles own = *plan;
  const fs::path directory = fs::path(home) / "sessions" / session.id;
  own.master = make_master_todo(session.id, session.branch, steps, directory);
  TRY(write_plan_files(directory, own));
  return {};
}

// The issues to work on, each once, without those that no commit has yet: they stay as they are.
Result<std::vector<std::string>> workable_issues(const Ports& ports, const std::vector<std::string>& ids) {
  std::vector<std::string> once;
  std::set<std::string> seen;
  std::vector<Issue> issues;
  for (const std::string& id : ids) { // two findings may be one issue
    if (!seen.insert(id).second) continue;
    once.push_back(id);
    TRY_ASSIGN(Issue issue, ports.store.issue(ports.repository.id(), id));
    issues.push_back(std::move(issue));
  }
  TRY_ASSIGN(const auto uncommitted, uncommitted_issues(ports.repository, issues));
  std::erase_if(once, [&](const std::string& id) { return uncommitted.contains(id); });
  if (once.empty() && !ids.empty())
    return fail(ErrorCode::usage,
                uncommitted.size() == 1 ? "the finding is in code that is not committed yet"
                                        : "all findings are in code that is not committed yet",
                "commit it, then fix again");
  return once;
}

std::string earned_text(const std::string& agent) {
  return fmt::format(
      "the plan was not shown for approval: {} has at least {} merged fixes for each of these rules "
      "and none was reverted (fix.autonomy = \"earned\")",
      agent, kEarnedFixes);
}

} // namespace

// What was earned was earned by one agent, so nobody else may take over.
Result<bool> SessionManager::needs_no_approval(Session& session) {
  if (session.policy.autonomy != Autonomy::earned || session.issue_ids.empty()) return false;
  TRY_ASSIGN(const std::vector<FixOutcome> known, outcomes("", {}));
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(const Issue issue, ports_.store.issue(session.repository_id, id));
    if (!has_earned(known, session.policy.fixer.name, rule_of(issue.finding))) return false;
  }
  session.policy.fixer_fallbacks.clear();
  return true;
}

Result<FixReport> SessionManager::fix(const FixRequest& request, std::stop_token stop) {
  TRY(check_judge(request.policy));
  TRY(check_sandbox(request.policy, ports_.repository.sandbox()));
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home_, ports_));
  EventLog log(ports_.store, ports_.clock, on_event_, lock.fence());
  TRY(recover(ports_, log));
  Session session;
  session.id = request.session_id.empty() ? new_session_id() : request.session_id;
  if (request.session_id.empty() && request.plan) {
    TRY_ASSIGN(session.id, session_id_for(ports_.store, *request.plan));
  }
  session.repository_id = ports_.repository.id();
  session.base_ref = request.base_ref;
  TRY_ASSIGN(session.base, ports_.repository.resolve(request.base_ref));
  session.branch =
      request.branch.empty() ? replace_all(request.policy.branch, "{session}", session.id) : request.branch;
  if (const std::string problem = branch_name_problem(session.branch); !problem.empty())
    return fail(ErrorCode::usage,
                "\"" + visible_text(session.branch) + "\" cannot be the name of a branch: it " + problem,
                "choose another with --branch NAME, or set [fix] branch");
  TRY_ASSIGN(session.issue_ids, workable_issues(ports_, request.issue_ids));
  session.review_report = request.review_report;
  session.policy = request.policy;
  TRY_ASSIGN(const std::string chosen, settle_strategy(ports_.store, session.repository_id, session.policy));
  session.started_ms = ports_.clock.wall_ms();
  if (ports_.actor.kind != ActorKind::emend) session.started_by = ports_.actor.shown();
  const bool told =
      request.plan && request.plan->master.session_id == session.id; // with the plan, which named the branch
  if (request.branch.empty() && !told && session.policy.git_agents && !session.policy.fixer.builtin())
    TRY(name_branch(session, log, stop));
  TRY_ASSIGN(const std::optional<std::string> existing, ports_.repository.branch_tip(session.branch));
  if (existing)
    return fail(ErrorCode::usage, "the branch " + session.branch + " exists already",
                "choose another with --branch, or delete it");
  std::optional<PlanFiles> plan = request.plan;
  bool wait = request.wait_for_approval;
  if (wait) {
    TRY_ASSIGN(const bool earned, needs_no_approval(session));
    wait = !earned;
  }
  if (wait && !plan) {
    TRY_ASSIGN(plan, plan_for(ports_, home_, session));
  }
  TRY(keep_plan(home_, session, ports_.store, plan));
  TRY_ASSIGN(const std::optional<FixForecast> forecast, forecast_of(ports_.store, session));
  if (forecast) TRY(log.publish(make_event(session.id, "", *forecast)));
  if (wait) return keep_waiting(std::move(session), log);
  if (request.wait_for_approval)
    TRY(log.publish(make_event(session.id, "", FixNotice{earned_text(session.policy.fixer.name)})));
  if (!chosen.empty()) TRY(log.publish(make_event(session.id, "", FixNotice{chosen})));
  if (request.for_workers) return leave_to_workers(std::move(session), log);
  return run_session(std::move(session), "session.started", log, lock, stop);
}

Result<FixReport> SessionManager::keep_waiting(Session session, EventLog& log) {
  session.status = SessionStatus::planned;
  session.detail = "waiting for approval of its plan";
  session.updated_ms = session.started_ms;
  Event event =
      make_event(session.id, "", FixSessionPlanned{session.branch, session.base, session.issue_ids.size()});
  Change change;
  change.sessions.push_back(session);
  note_audit(change, ports_, "session.planned", session.id, session.id,
             {{"issues", session.issue_ids.size()}});
  change.events.push_back(std::move(event));
  TRY(log.apply(std::move(change)));
  return report(session.id);
}

Result<FixReport> SessionManager::leave_to_workers(Session session, EventLog& log) {
  if (ports_.presence == nullptr)
    return fail(ErrorCode::config, "workers need a PostgreSQL database",
                "set EMEND_DATABASE=postgresql://USER@HOST/NAME (docs/workers.md)");
  session.status = SessionStatus::interrupted;
  session.detail = "waiting for a worker";
  session.updated_ms = session.started_ms;
  Event event =
      make_event(session.id, "", FixSessionQueued{session.branch, session.base, session.issue_ids.size()});
  Change change;
  change.sessions.push_back(session);
  note_audit(change, ports_, "session.started", session.id, session.id,
             {{"issues", session.issue_ids.size()}});
  change.events.push_back(std::move(event));
  TRY(log.apply(std::move(change)));
  TRY(offer_session(ports_.presence->board(), session));
  return report(session.id);
}

Result<FixReport> SessionManager::approve(const std::string& session_id, std::stop_token stop) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home_, ports_));
  EventLog log(ports_.store, ports_.clock, on_event_, lock.fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session session, waiting_session(ports_, session_id));
  TRY(check_judge(session.policy));
  TRY(check_sandbox(session.policy, ports_.repository.sandbox()));
  TRY_ASSIGN(const std::optional<std::string> existing, ports_.repository.branch_tip(session.branch));
  if (existing)
    return fail(ErrorCode::conflict, "the branch " + session.branch + " exists now",
                "rename or delete it, then approve again");
  TRY_ASSIGN(session.issue_ids, planned_issues(ports_, home_, session));
  TRY(log.publish(make_event(session.id, "", FixSessionApproved{session.issue_ids.size()})));
  return run_session(std::move(session), "session.approved", log, lock, stop);
}

// By what the fixes have in common, if an agent finds a name that holds.
Status SessionManager::name_branch(Session& session, EventLog& log, std::stop_token stop) {
  std::vector<Issue> issues;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(Issue issue, ports_.store.issue(session.repository_id, id));
    issues.push_back(std::move(issue));
  }
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(session.policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  TRY_ASSIGN(const std::unique_ptr<Agent> agent, ports_.agents.make(session.policy.fixer));
  TRY_ASSIGN(std::optional<std::string> name, propose_branch(context, *agent, issues, stop));
  if (name) session.branch = *std::move(name);
  return {};
}

} // namespace emend
