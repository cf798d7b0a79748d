#include "engine/session_manager.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/artifacts.hpp"
#include "engine/cancel_watch.hpp"
#include "engine/crew.hpp"
#include "engine/event_log.hpp"
#include "engine/git_proposals.hpp"
#include "engine/importer.hpp"
#include "engine/pipeline.hpp"
#include "engine/plan.hpp"
#include "engine/plan_approval.hpp"
#include "engine/preflight.hpp"
#include "engine/recovery.hpp"
#include "engine/report.hpp"
#include "engine/repository_lock.hpp"
#include "engine/review.hpp"
#include "engine/run_context.hpp"
#include "engine/running_sessions.hpp"
#include "engine/sandbox_mode.hpp"
#include "engine/service_process.hpp"
#include "engine/shared_sessions.hpp"
#include "engine/sightings.hpp"
#include "engine/storage_check.hpp"
#include "engine/sync.hpp"
#include "engine/triage.hpp"
#include "engine/turn_prompt.hpp"
#include "engine/uncommitted.hpp"
#include "model/branch_name.hpp"
#include "ports/machine.hpp"

namespace emend {
namespace {

Status tell_cancelled(EventLog& log, const std::string& session_id) {
  Event event;
  event.session_id = session_id;
  event.type = "fix_session_cancelled";
  event.data = {{"partial", true}};
  return log.publish(std::move(event));
}

ProcessIdentity own_identity() {
  return {::getpid(), process_start_ticks(::getpid()).value_or(0), boot_and_machine()};
}

// Where the session finds it again, also after a crash. Issues are worked on in the plan's order.
Status keep_plan(const std::string& home, Session& session, Store& store,
                 const std::optional<PlanFiles>& plan) {
  if (!plan) return {};
  std::vector<Issue> issues;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(Issue issue, store.issue(session.repository_id, id));
    issues.push_back(std::move(issue));
  }
  const std::vector<PlanStep> steps = steps_of(plan->master);
  TRY(check_plan(work_of(issues), steps));
  session.issue_ids.clear();
  for (const PlanStep& step : steps)
    for (const std::string& code : step.codes)
      for (const Issue& issue : issues)
        if (issue.code == code) session.issue_ids.push_back(issue.id);
  PlanFiles own = *plan;
  const fs::path directory = fs::path(home) / "sessions" / session.id;
  own.master = make_master_todo(session.id, session.branch, steps, directory);
  TRY(write_plan_files(directory, own));
  return {};
}

// The issues to work on, each once, without those that no commit has yet: they stay as they are.
Result<std::vector<std::string>> workable_issues(const Ports& ports, const std::vector<std::string>& ids) {
  std::vector<std::string> once;
  std::vector<Issue> issues;
  for (const std::string& id : ids) { // two findings may be one issue
    if (std::find(once.begin(), once.end(), id) != once.end()) continue;
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

void say_which_sandbox(RunContext& context) {
  const SandboxPolicy& sandbox = context.policy().sandbox;
  if (sandbox.kind == SandboxKind::full) return;
  const std::string_view why = sandbox.mode == SandboxMode::off ? " (sandbox.mode = \"off\")" : "";
  context.notice(fmt::format("sandbox {}{}: {}", to_string(sandbox.kind), why, describe(sandbox.kind)));
}

} // namespace

SessionManager::SessionManager(Ports ports, std::string home, std::function<void(const Event&)> on_event)
    : ports_(ports), home_(std::move(home)), on_event_(std::move(on_event)) {}

Result<std::vector<Issue>> SessionManager::add_findings(const std::vector<Finding>& findings,
                                                        const std::string& base_ref) {
  std::vector<Issue> issues;
  const auto give_each = [&](const TakeFinding& take) -> Status {
    for (const Finding& finding : findings) TRY(take(finding));
    return {};
  };
  TRY(import_findings(base_ref, give_each, [&](Issue&& issue) { issues.push_back(std::move(issue)); }));
  return issues;
}

Status SessionManager::import_findings(const std::string& base_ref,
                                       const std::function<Status(const TakeFinding&)>& findings,
                                       const std::function<void(Issue&&)>& stored) {
  TRY_ASSIGN(const std::string base, ports_.repository.resolve(base_ref));
  TRY_ASSIGN(Importer importer, Importer::begin(ports_, base, stored));
  TRY(findings([&](Finding finding) { return importer.take(std::move(finding)); }));
  return importer.finish();
}

Result<std::vector<Issue>> SessionManager::preview_findings(const std::vector<Finding>& findings,
                                                            const std::string& base_ref) {
  TRY_ASSIGN(const std::string base, ports_.repository.resolve(base_ref));
  TRY_ASSIGN(const Tree* tree, ports_.repository.tree(base));
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports_.repository, base));
  Sighting sighting = new_sighting(base, [tree](const std::string& file) { return tree->contains(file); });
  sighting.dry = true;
  TRY_ASSIGN(issues, ports_.store.add_issues(std::move(issues), ports_.clock.wall_ms(), sighting));
  EventLog log(ports_.store, ports_.clock, {});
  TRY_ASSIGN(const auto seen, judge_sightings(issues, base, false, ports_.repository, ports_.store, log));
  std::size_t fresh = 0;
  for (Issue& issue : issues) {
    if (const auto as = seen.find(issue.fingerprint); as != seen.end() && as->second == SeenAs::regressed)
      issue.status = IssueStatus::open;
    if (!issue.id.empty()) continue;
    issue.id = new_uuid();
    issue.code = fmt::format("NEW-{:03}", ++fresh);
  }
  return issues;
}

Result<Review> SessionManager::review(const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                      const ReviewRequest& request, std::stop_token stop) {
  return emend::review(ports_, analyzers, request, stop);
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
  session.started_ms = ports_.clock.wall_ms();
  const bool told =
      request.plan && request.plan->master.session_id == session.id; // with the plan, which named the branch
  if (request.branch.empty() && !told && session.policy.git_agents && !session.policy.fixer.builtin())
    TRY(name_branch(session, log, stop));
  TRY_ASSIGN(const std::optional<std::string> existing, ports_.repository.branch_tip(session.branch));
  if (existing)
    return fail(ErrorCode::usage, "the branch " + session.branch + " exists already",
                "choose another with --branch, or delete it");
  std::optional<PlanFiles> plan = request.plan;
  if (request.wait_for_approval && !plan) {
    TRY_ASSIGN(plan, plan_for(ports_, home_, session));
  }
  TRY(keep_plan(home_, session, ports_.store, plan));
  if (request.wait_for_approval) return keep_waiting(std::move(session), log);
  if (request.for_workers) return leave_to_workers(std::move(session), log);
  return run_session(std::move(session), log, lock, stop);
}

Result<FixReport> SessionManager::keep_waiting(Session session, EventLog& log) {
  session.status = SessionStatus::planned;
  session.detail = "its plan waits for approval";
  session.updated_ms = session.started_ms;
  Event event;
  event.session_id = session.id;
  event.type = "fix_session_planned";
  event.data = {
      {"branch_name", session.branch}, {"base_sha", session.base}, {"issues", session.issue_ids.size()}};
  Change change;
  change.sessions.push_back(session);
  change.events.push_back(std::move(event));
  TRY(log.apply(std::move(change)));
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
    return fail(ErrorCode::conflict, "the branch " + session.branch + " exists by now",
                "rename or delete it, then approve again");
  TRY_ASSIGN(session.issue_ids, planned_issues(ports_, home_, session));
  Event event;
  event.session_id = session.id;
  event.type = "fix_session_approved";
  event.data = {{"issues", session.issue_ids.size()}};
  TRY(log.publish(std::move(event)));
  return run_session(std::move(session), log, lock, stop);
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

Result<FixReport> SessionManager::resume(const std::string& session_id, std::stop_token stop,
                                         HeldClaim* claim) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home_, ports_));
  EventLog log(ports_.store, ports_.clock, on_event_, lock.fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session session, ports_.store.session(session_id));
  if (session.repository_id != ports_.repository.id())
    return fail(ErrorCode::usage, "session " + session.id + " belongs to another repository",
                "run the command in that repository (or use -C)");
  if (runs_elsewhere(ports_, session))
    return fail(ErrorCode::conflict, "session " + session.id + " runs on another machine",
                "wait for it; when that machine is gone, say twice: emend sessions cancel " + session.id);
  if (session.status == SessionStatus::planned)
    return fail(ErrorCode::usage, "session " + session.id + " waits for the approval of its plan",
                "emend sessions approve " + session.id);
  TRY_ASSIGN(const bool unapproved, never_approved(ports_.store, session.id));
  if (unapproved)
    return fail(ErrorCode::usage,
                "the plan of session " + session.id + " was never approved, so it does not go on",
                "plan again: emend fix --approve plan CODE");
  const bool may_go_on = session.status == SessionStatus::cancelled ||
                         (session.status == SessionStatus::stopped && session.tip.empty());
  if (is_final(session.status) && !may_go_on) return over_already(session, claim);
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawn, ports_.store.withdrawals("", session.id));
  if (!withdrawn.empty())
    return fail(ErrorCode::usage, "fixes of session " + session.id + " were taken back: it does not go on",
                "begin a new one: emend fix CODE");
  TRY(check_judge(session.policy));
  TRY(check_sandbox(session.policy, ports_.repository.sandbox()));
  session.cancel_requested = false;
  return run_session(std::move(session), log, lock, stop, claim);
}

// Its end was stored, and perhaps nobody could be told.
Result<FixReport> SessionManager::over_already(const Session& session, HeldClaim* claim) {
  Result<FixReport> made = report(session.id);
  std::unique_ptr<HeldClaim> own;
  if (claim == nullptr && ports_.presence != nullptr) {
    TRY_ASSIGN(own, claim_if_offered(*ports_.presence, session));
    claim = own.get();
  }
  if (claim != nullptr) TRY(finish_session(*claim, ports_.store, made));
  return made;
}

// Where others could be given the session, it is claimed first.
Result<FixReport> SessionManager::run_session(Session session, EventLog& log, const RepositoryLock& lock,
                                              std::stop_token stop, HeldClaim* given) {
  std::unique_ptr<HeldClaim> own;
  if (given == nullptr && ports_.presence != nullptr) {
    TRY_ASSIGN(own, claim_session(*ports_.presence, session));
    given = own.get();
  }
  auto report = run_claimed(std::move(session), log, lock, stop);
  if (given != nullptr) TRY(finish_session(*given, ports_.store, report));
  return report;
}

Result<FixReport> SessionManager::leave_to_workers(Session session, EventLog& log) {
  if (ports_.presence == nullptr)
    return fail(ErrorCode::config, "there are no workers without a PostgreSQL database",
                "set EMEND_DATABASE=postgresql://USER@HOST/NAME (docs/workers.md)");
  session.status = SessionStatus::interrupted;
  session.detail = "it waits for a worker";
  session.updated_ms = session.started_ms;
  Event event;
  event.session_id = session.id;
  event.type = "fix_session_queued";
  event.data = {
      {"branch_name", session.branch}, {"base_sha", session.base}, {"issues", session.issue_ids.size()}};
  Change change;
  change.sessions.push_back(session);
  change.events.push_back(std::move(event));
  TRY(log.apply(std::move(change)));
  TRY(offer_session(ports_.presence->board(), session));
  return report(session.id);
}

Result<FixReport> SessionManager::follow(const std::string& session_id, std::stop_token stop) {
  TRY_ASSIGN(const Session session, ports_.store.session(session_id));
  TRY(follow_session(ports_.presence->board(), session, stop));
  return report(session.id);
}

// The top of a session's thread: whatever goes wrong below, the session ends in a status that says so. Only
// when that cannot be stored the row says `running` for longer; nobody takes it for that (present_status),
// and whoever has the repository's lock next recovers it.
Result<FixReport> SessionManager::run_claimed(Session session, EventLog& log, const RepositoryLock& lock,
                                              std::stop_token stop) {
  const RunningHere here(session.id);
  settle_sandbox(ports_.repository, session.policy);
  session.status = SessionStatus::running;
  session.detail.clear();
  session.owner = own_identity();
  Change begin;
  begin.sessions.push_back(session);
  TRY(log.apply(std::move(begin)));
  const std::int64_t start = ports_.clock.steady_ms();
  auto outcome = run_stages(session, log, lock, stop);
  session.duration_ms += ports_.clock.steady_ms() - start;
  auto made =
      end_session(session, std::move(outcome), log, lock.lost().stop_requested() && !stop.stop_requested());
  if (made) return made;
  Error error = std::move(made).error();
  const std::string resume = "emend sessions resume " + session.id;
  error.remedy =
      error.remedy.empty() ? "when that is repaired: " + resume : error.remedy + "; then: " + resume;
  return fail(std::move(error));
}

Result<FixReport> SessionManager::end_session(const Session& session, Result<SessionStatus> outcome,
                                              EventLog& log, bool lost) {
  TRY_ASSIGN(Session latest, ports_.store.session(session.id));
  latest.duration_ms = session.duration_ms;
  if (!outcome) {
    // A service takes it up again by itself.
    const bool passes = is_service_process() && may_pass(outcome.error(), home_);
    TRY(set_aside(ports_, log, std::move(latest), passes ? SessionStatus::interrupted : SessionStatus::error,
                  outcome.error().message));
    return fail(std::move(outcome).error());
  }
  if (*outcome == SessionStatus::cancelled) {
    TRY_ASSIGN(const bool by_person, ports_.store.cancel_requested(session.id));
    if (!by_person && lost) {
      const std::string why = "the database was away for longer than the lease of this process";
      TRY(set_aside(ports_, log, std::move(latest), SessionStatus::interrupted, why));
      return fail(ErrorCode::database, why, "check the connection to the database");
    }
    if (!by_person && is_service_process()) {
      TRY(set_aside(ports_, log, std::move(latest), SessionStatus::interrupted, "the server was stopped"));
      return report(session.id);
    }
    TRY(tell_cancelled(log, session.id));
  }
  latest.status = *outcome;
  TRY(complete(std::move(latest), log));
  TRY_ASSIGN(FixReport made, report(session.id));
  keep_report(ports_, home_, made);
  return made;
}

Result<SessionStatus> SessionManager::run_stages(const Session& session, EventLog& log,
                                                 const RepositoryLock& lock, std::stop_token stop) {
  std::stop_source source;
  const std::stop_callback forward(stop, [&] { source.request_stop(); });
  const std::stop_callback taken_over(lock.lost(), [&] { source.request_stop(); });
  const CancelWatch watch(ports_.store, session.id, source);
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(session.policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  if (session.issue_ids.empty() || session.policy.max_fix_cycles == 0) return SessionStatus::passed;
  TRY_ASSIGN(const std::unique_ptr<Crew> crew, Crew::assemble(context));
  crew->introduce();
  say_which_sandbox(context);
  for (const std::string& warning : ports_.repository.warnings()) context.notice(warning);
  try {
    return Pipeline(context, *crew).run(source.get_token());
  } catch (const std::exception& exception) {
    return fail(ErrorCode::internal,
                std::string("a broken invariant ended the session: ") + exception.what());
  }
}

Status SessionManager::complete(Session session, EventLog& log) {
  int resolved = 0, failed = 0, open = 0;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(const Issue issue, ports_.store.issue(session.repository_id, id));
    ++(issue.status == IssueStatus::resolved ? resolved
       : issue.status == IssueStatus::failed ? failed
                                             : open);
  }
  Event event;
  event.session_id = session.id;
  event.type = "fix_session_completed";
  event.data = {{"status", to_string(session.status)},
                {"summary", {{"resolved", resolved}, {"failed", failed}, {"open", open}}},
                {"branch", session.tip.empty() ? Json() : Json(session.branch)}};
  TRY_ASSIGN(const std::vector<ChildRecord> children,
             ports_.store.children(session.id)); // none, unless one could not be forgotten
  for (const ChildRecord& child : children) TRY(ports_.store.remove_child(child));
  Change change;
  change.sessions.push_back(std::move(session));
  change.events.push_back(std::move(event));
  return log.apply(std::move(change));
}

Result<std::vector<DryRunPrompt>> SessionManager::dry_run(const FixRequest& request,
                                                          const std::vector<Issue>& issues) {
  EventLog log(ports_.store, ports_.clock, {});
  Session session;
  session.id = "dry-run";
  session.repository_id = ports_.repository.id();
  TRY_ASSIGN(session.base, ports_.repository.resolve(request.base_ref));
  session.review_report = request.review_report;
  session.policy = request.policy;
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  std::vector<DryRunPrompt> prompts;
  for (const Issue& issue : issues) {
    Unit unit;
    unit.session_id = session.id;
    unit.base = session.base;
    unit.issue_ids = {issue.id};
    TRY_ASSIGN(TurnPrompt prompt, turn_prompt(context, unit, issue, Patch{}));
    prompts.push_back({issue.code, prompt.role, request.policy.fixer.name, std::move(prompt.text)});
  }
  return prompts;
}

Result<Verification> SessionManager::verify(const Policy& policy, const std::string& ref,
                                            const std::vector<std::string>& names, std::stop_token stop) {
  EventLog log(ports_.store, ports_.clock, {});
  Session session;
  session.id = "verify";
  session.policy = policy;
  TRY_ASSIGN(session.base, ports_.repository.resolve(ref));
  std::vector<VerifyCommand> commands;
  for (const VerifyCommand& command : policy.commands)
    if (names.empty() || std::find(names.begin(), names.end(), command.name) != names.end())
      commands.push_back(command);
  for (const std::string& name : names)
    if (std::none_of(commands.begin(), commands.end(),
                     [&](const VerifyCommand& command) { return command.name == name; }))
      return fail(ErrorCode::usage, "there is no verification command named " + name,
                  "see `emend verify --list`");
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  return Verifier(context).execute(VerificationKind::baseline, session.base, Patch{}, commands, stop);
}

Result<FixReport> SessionManager::report(const std::string& session_id) {
  return make_report(ports_, session_id);
}

Result<SessionManager::Explanation> SessionManager::explain(const std::string& code) {
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  return make_explanation(ports_, issue);
}

Status SessionManager::cancel(const std::string& session_id) {
  TRY_ASSIGN(const Session session, ports_.store.session(session_id));
  if (is_final(session.status))
    return fail(ErrorCode::usage,
                fmt::format("session {} is over ({})", session.id, to_string(session.status)));
  TRY(ports_.store.request_cancel(session.id));
  // On another machine it has a lock of its own. Who asks a second time has seen that nobody is left there to
  // hear it.
  if (runs_elsewhere(ports_, session) && !session.cancel_requested) return {};
  auto lock = lock_repository(home_, ports_);
  if (!lock) return {}; // somebody runs it and will see the request
  EventLog log(ports_.store, ports_.clock, on_event_, lock->fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session latest, ports_.store.session(session.id));
  return set_aside(ports_, log, std::move(latest), SessionStatus::cancelled, "cancelled by a person");
}

Status SessionManager::give_up(const std::string& session_id, const std::string& why) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home_, ports_));
  EventLog log(ports_.store, ports_.clock, on_event_, lock.fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session session, ports_.store.session(session_id));
  if (session.status != SessionStatus::interrupted) return {};
  return set_aside(ports_, log, std::move(session), SessionStatus::error, why);
}

Result<Issue> SessionManager::decide(const std::string& code, IssueStatus to, IssueMove move) {
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  if (!may_move(issue.status, to, Actor::person))
    return fail(
        ErrorCode::usage,
        fmt::format("{} is {}: it cannot become {}", issue.code, to_string(issue.status), to_string(to)),
        "see `emend explain " + issue.code + "`");
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = to;
  move.actor = Actor::person;
  Event event;
  event.type = "issue_updated";
  event.session_id = issue.session_id;
  event.issue_code = issue.code;
  event.data = {{"status", to_string(to)}, {"reason", move.reason}, {"detail", move.detail}};
  Change change;
  change.moves.push_back(std::move(move));
  change.events.push_back(std::move(event));
  EventLog log(ports_.store, ports_.clock, on_event_);
  TRY(log.apply(std::move(change)));
  return ports_.store.issue(issue.repository_id, issue.id);
}

Result<SyncReport> SessionManager::sync(const std::string& branch, std::stop_token stop) {
  EventLog log(ports_.store, ports_.clock, on_event_);
  return sync_merged(ports_, log, branch, stop);
}

Result<Issue> SessionManager::reopen(const std::string& code, const std::string& note) {
  IssueMove move;
  move.reason = "reopened";
  move.detail = note;
  return decide(code, IssueStatus::open, std::move(move));
}

Result<Issue> SessionManager::ignore(const std::string& code, const std::string& reason,
                                     const std::string& note) {
  IssueMove move;
  move.reason = reason;
  move.detail = note;
  return decide(code, IssueStatus::ignored, std::move(move));
}

Result<Issue> SessionManager::mark_duplicate(const std::string& code, const std::string& of) {
  TRY_ASSIGN(const Issue original, ports_.store.issue(ports_.repository.id(), of));
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  if (original.id == issue.id) return fail(ErrorCode::usage, issue.code + " cannot be a duplicate of itself");
  if (original.status == IssueStatus::duplicate)
    return fail(ErrorCode::usage, original.code + " is itself a duplicate of " + original.duplicate_of,
                "name that one instead");
  IssueMove move;
  move.reason = "duplicate";
  move.detail = "duplicate of " + original.code;
  move.duplicate_of = original.code;
  return decide(code, IssueStatus::duplicate, std::move(move));
}

} // namespace emend
