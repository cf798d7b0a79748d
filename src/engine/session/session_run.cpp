// How a session runs, goes on, is cancelled and ends.
#include <fmt/format.h>
#include <unistd.h>

#include "engine/branch/recovery.hpp"
#include "engine/claims/repository_lock.hpp"
#include "engine/claims/running_sessions.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/run_context.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/context/service_process.hpp"
#include "engine/context/storage_check.hpp"
#include "engine/plan/plan_approval.hpp"
#include "engine/session/artifacts.hpp"
#include "engine/session/pipeline.hpp"
#include "engine/session/report.hpp"
#include "engine/session/session_agents.hpp"
#include "engine/session/session_manager.hpp"
#include "engine/session/shared_sessions.hpp"
#include "engine/verify/preflight.hpp"
#include "model/events.hpp"
#include "ports/machine.hpp"

namespace emend {
namespace {

ProcessIdentity own_identity() {
  return {::getpid(), process_start_ticks(::getpid()).value_or(0), boot_and_machine()};
}

void say_which_sandbox(RunContext& context) {
  const SandboxPolicy& sandbox = context.policy().sandbox;
  if (sandbox.kind == SandboxKind::full) return;
  const std::string_view why = sandbox.mode == SandboxMode::off ? " (sandbox.mode = \"off\")" : "";
  context.notice(fmt::format("sandbox {}{}: {}", to_string(sandbox.kind), why, describe(sandbox.kind)));
}

Error with_resume(Error error, const std::string& session_id) {
  const std::string resume = "emend sessions resume " + session_id;
  error.remedy = error.remedy.empty() ? "when that is fixed: " + resume : error.remedy + "; then: " + resume;
  return error;
}

} // namespace

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
                "wait for it. If that machine is gone, run this twice: emend sessions cancel " + session.id);
  if (session.status == SessionStatus::planned)
    return fail(ErrorCode::usage, "session " + session.id + " waits for the approval of its plan",
                "emend sessions approve " + session.id);
  TRY_ASSIGN(const bool unapproved, never_approved(ports_.store, session.id));
  if (unapproved)
    return fail(ErrorCode::usage,
                "the plan of session " + session.id + " was not approved, so it cannot continue",
                "plan again: emend fix --approve plan CODE");
  const bool may_go_on = session.status == SessionStatus::cancelled ||
                         (session.status == SessionStatus::stopped && session.tip.empty());
  if (is_final(session.status) && !may_go_on) return over_already(session, claim);
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawn, ports_.store.withdrawals("", session.id));
  if (!withdrawn.empty())
    return fail(ErrorCode::usage, "fixes of session " + session.id + " were rejected, so it cannot continue",
                "to start a new one: emend fix CODE");
  TRY(check_judge(session.policy));
  TRY(check_sandbox(session.policy, ports_.repository.sandbox()));
  session.cancel_requested = false;
  return run_session(std::move(session), "session.resumed", log, lock, stop, claim);
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

// A session while it runs: who may stop it, what its stages share, who works on it.
struct SessionManager::Work {
  Work(const Ports& ports, EventLog& log, const std::string& home, const Session& session, Redactor redactor,
       const RepositoryLock& lock, std::stop_token stop)
      : forward(stop, [this] { source.request_stop(); }),
        taken_over(lock.lost(), [this] { source.request_stop(); }),
        watch(ports.store, session.id, source),
        context(ports, log, home, session, std::move(redactor)) {}

  std::stop_source source;
  std::stop_callback<std::function<void()>> forward, taken_over;
  CancelWatch watch;
  RunContext context;
  std::unique_ptr<SessionAgents> agents; // null: there is nothing to do
};

Result<std::unique_ptr<SessionManager::Work>> SessionManager::prepare_work(const Session& session,
                                                                           EventLog& log,
                                                                           const RepositoryLock& lock,
                                                                           std::stop_token stop) {
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(session.policy.redact_patterns));
  auto work = std::make_unique<Work>(ports_, log, home_, session, std::move(redactor), lock, stop);
  if (session.issue_ids.empty() || session.policy.max_fix_cycles == 0) return work;
  TRY_ASSIGN(work->agents, SessionAgents::assemble(work->context));
  work->agents->introduce();
  say_which_sandbox(work->context);
  for (const std::string& warning : ports_.repository.warnings()) work->context.notice(warning);
  return work;
}

// The top of a session's thread: whatever goes wrong below, the session ends in a status that says so. Only
// when that cannot be stored the row says `running` for longer; nobody takes it for that (present_status),
// and whoever has the repository's lock next recovers it. Where others could be given the session, it is
// claimed first.
Result<FixReport> SessionManager::run_session(Session session, std::string_view deed, EventLog& log,
                                              const RepositoryLock& lock, std::stop_token stop,
                                              HeldClaim* given) {
  std::unique_ptr<HeldClaim> own;
  if (given == nullptr && ports_.presence != nullptr) {
    TRY_ASSIGN(own, claim_session(*ports_.presence, session));
    given = own.get();
  }
  const RunningHere here(session.id);
  settle_sandbox(ports_.repository, session.policy);
  session.status = SessionStatus::running;
  session.detail.clear();
  session.owner = own_identity();
  Change begin;
  begin.sessions.push_back(session);
  note_audit(begin, ports_, std::string(deed), session.id, session.id,
             {{"issues", session.issue_ids.size()}});
  Result<FixReport> report = fail(ErrorCode::internal, "");
  if (auto begun = log.apply(std::move(begin)); !begun) {
    report = fail(std::move(begun).error());
  } else {
    const std::int64_t start = ports_.clock.steady_ms();
    Result<SessionStatus> outcome = SessionStatus::passed;
    auto work = prepare_work(session, log, lock, stop);
    if (!work) outcome = fail(std::move(work).error());
    try {
      if (work && (*work)->agents)
        outcome = Pipeline((*work)->context, *(*work)->agents).run((*work)->source.get_token());
    } catch (const std::exception& exception) {
      outcome =
          fail(ErrorCode::internal, std::string("an internal error ended the session: ") + exception.what());
    }
    if (work) work->reset();
    session.duration_ms += ports_.clock.steady_ms() - start;
    const bool lost = lock.lost().stop_requested() && !stop.stop_requested();
    report = end_session(session, std::move(outcome), log, lost);
    if (!report) report = fail(with_resume(std::move(report).error(), session.id));
  }
  if (given != nullptr) TRY(finish_session(*given, ports_.store, report));
  return report;
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
      const std::string why = "the database was unreachable for longer than the lease of this process";
      TRY(set_aside(ports_, log, std::move(latest), SessionStatus::interrupted, why));
      return fail(ErrorCode::database, why, "check the connection to the database");
    }
    if (!by_person && is_service_process()) {
      TRY(set_aside(ports_, log, std::move(latest), SessionStatus::interrupted, "the server was stopped"));
      return report(session.id);
    }
    TRY(log.publish(make_event(session.id, "", FixSessionCancelled{{}, {}, {}, true})));
  }
  latest.status = *outcome;
  TRY(complete(std::move(latest), log));
  TRY_ASSIGN(FixReport made, report(session.id));
  keep_report(ports_, home_, made);
  return made;
}

Status SessionManager::complete(Session session, EventLog& log) {
  SessionSummary count;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(const Issue issue, ports_.store.issue(session.repository_id, id));
    ++(issue.status == IssueStatus::resolved ? count.resolved
       : issue.status == IssueStatus::failed ? count.failed
                                             : count.open);
  }
  Event event = make_event(session.id, "",
                           FixSessionCompleted{to_string(session.status), count,
                                               only_if<Text>(!session.tip.empty(), session.branch)});
  TRY_ASSIGN(const std::vector<ChildRecord> children,
             ports_.store.children(session.id)); // none, unless one could not be forgotten
  for (const ChildRecord& child : children) TRY(ports_.store.remove_child(child));
  Change change;
  change.sessions.push_back(std::move(session));
  change.events.push_back(std::move(event));
  return log.apply(std::move(change));
}

Result<FixReport> SessionManager::follow(const std::string& session_id, std::stop_token stop) {
  TRY_ASSIGN(const Session session, ports_.store.session(session_id));
  TRY(follow_session(ports_.presence->board(), session, stop));
  return report(session.id);
}

Status SessionManager::request_cancel(const Session& session) {
  Change change;
  change.cancels.push_back(session.id);
  note_audit(change, ports_, "session.cancelled", session.id, session.id);
  TRY(ports_.store.apply(change, ports_.clock.wall_ms()));
  return {};
}

Status SessionManager::cancel(const std::string& session_id) {
  TRY_ASSIGN(const Session session, ports_.store.session(session_id));
  if (is_final(session.status))
    return fail(ErrorCode::usage,
                fmt::format("session {} is over ({})", session.id, to_string(session.status)));
  TRY(request_cancel(session));
  // On another machine it has a lock of its own. Who asks a second time has seen that nobody is left there to
  // hear it.
  if (runs_elsewhere(ports_, session) && !session.cancel_requested) return {};
  auto lock = lock_repository(home_, ports_);
  if (!lock) return {}; // somebody runs it and will see the request
  EventLog log(ports_.store, ports_.clock, on_event_, lock->fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session latest, ports_.store.session(session.id));
  TRY(set_aside(ports_, log, std::move(latest), SessionStatus::cancelled, "cancelled by a person"));
  if (ports_.presence != nullptr) withdraw_session(ports_.presence->board(), session);
  return {};
}

Status SessionManager::give_up(const std::string& session_id, const std::string& why) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home_, ports_));
  EventLog log(ports_.store, ports_.clock, on_event_, lock.fence());
  TRY(recover(ports_, log));
  TRY_ASSIGN(Session session, ports_.store.session(session_id));
  if (session.status != SessionStatus::interrupted) return {};
  TRY(set_aside(ports_, log, session, SessionStatus::error, why));
  if (ports_.presence != nullptr) withdraw_session(ports_.presence->board(), session);
  return {};
}

} // namespace emend
