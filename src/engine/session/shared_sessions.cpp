#include "engine/session/shared_sessions.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/session/artifacts.hpp"
#include "engine/session/session_agents.hpp"
#include "engine/session/unit_loop.hpp"

namespace emend {
namespace {

std::string job_id(const Session& session) { return "session/" + session.id; }

} // namespace

std::string session_label(const std::string& repository_id) { return "sessions of " + repository_id; }

Status offer_session(WorkBoard& board, const Session& session) {
  SharedJob job;
  job.id = job_id(session);
  job.kind = "session";
  job.repository_id = session.repository_id;
  job.session_id = session.id;
  job.needs = session_label(session.repository_id);
  return board.offer(job);
}

void withdraw_session(WorkBoard& board, const Session& session) {
  const auto taken_back = board.withdraw(job_id(session));
  if (!taken_back)
    log(LogLevel::warn, "the offer of session " + session.id + " stays: " + taken_back.error().message);
}

Result<std::unique_ptr<HeldClaim>> claim_session(Presence& presence, const Session& session) {
  TRY(offer_session(presence.board(), session));
  TRY_ASSIGN(std::unique_ptr<HeldClaim> claim, claim_if_offered(presence, session));
  if (!claim)
    return fail(ErrorCode::conflict, "a worker runs session " + session.id, "see `emend worker list`");
  return claim;
}

Status finish_session(HeldClaim& claim, SessionStore& store, const Result<FixReport>& report) {
  if (claim.lost()) return {};
  if (report && report->session.status == SessionStatus::interrupted) return {};
  if (!report) {
    const auto stored = store.session(claim.job().session_id);
    if (!stored || stored->status == SessionStatus::running || stored->status == SessionStatus::interrupted)
      return {};
  }
  return claim.finish({{"status", report ? to_string(report->session.status) : "error"},
                       {"problem", report ? "" : report.error().message}});
}

Result<bool> is_claimed(WorkBoard& board, const std::string& session_id) {
  TRY_ASSIGN(const SharedJob job, board.job("session/" + session_id));
  return job.state == SharedJobState::claimed;
}

Result<std::unique_ptr<HeldClaim>> claim_if_offered(Presence& presence, const Session& session) {
  ClaimQuery this_one;
  this_one.id = job_id(session);
  return presence.claim(this_one);
}

Status follow_session(WorkBoard& board, const Session& session, std::stop_token stop) {
  constexpr std::int64_t kLookAgain = 1'000;
  while (!stop.stop_requested()) {
    TRY_ASSIGN(const SharedJob job, board.job(job_id(session)));
    if (job.state == SharedJobState::failed)
      return fail(ErrorCode::agent, "session " + session.id + ": " + job.problem,
                  "emend sessions resume " + session.id);
    if (job.state == SharedJobState::done) return {};
    board.wait(kLookAgain, stop);
  }
  return fail(ErrorCode::cancelled, "session " + session.id + " continues in another process");
}

namespace {

Result<Unit> ordered_unit(SessionStore& store, const SharedJob& job) {
  TRY_ASSIGN(const std::vector<Unit> units, store.units(job.session_id));
  const std::string id = job.order.value("unit", "");
  for (const Unit& unit : units)
    if (unit.id == id) return unit;
  return fail(ErrorCode::not_found, "session " + job.session_id + " has no unit " + id);
}

Result<std::optional<PlanFiles>> ordered_plan(const SharedJob& job) {
  const Json json = job.order.value("plan", Json());
  if (!json.is_object()) return std::optional<PlanFiles>();
  PlanFiles plan;
  TRY_ASSIGN(plan.master, master_todo_from_json(json.value("master", Json())));
  for (const Json& item : json.value("todos", Json::array())) {
    TRY_ASSIGN(FixTodo todo, fix_todo_from_json(item));
    plan.todos.push_back(std::move(todo));
  }
  return std::optional(std::move(plan));
}

Json told(const Unit& unit, const RunContext& context) {
  Json stopped;
  if (const auto why = context.queue_stop()) stopped = {{"reason", why->reason}, {"detail", why->detail}};
  return {{"status", to_string(unit.status)}, {"stopped", stopped}};
}

bool over(const Unit& unit) {
  return unit.status != UnitStatus::pending && unit.status != UnitStatus::running;
}

} // namespace

Result<Json> work_on_unit(const Ports& ports, const std::string& home, const HeldClaim& claim,
                          std::stop_token stop) {
  const SharedJob& job = claim.job();
  TRY_ASSIGN(Session session, ports.store.session(job.session_id));
  TRY_ASSIGN(Unit unit, ordered_unit(ports.store, job));
  TRY_ASSIGN(const Issue issue, ports.store.issue(session.repository_id, job.order.value("issue", "")));
  TRY(check_sandbox(session.policy, ports.repository.sandbox()));
  settle_sandbox(ports.repository, session.policy);
  EventLog log(ports.store, ports.clock, {}, claim.fence());
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(session.policy.redact_patterns));
  RunContext context(ports, log, home, session, std::move(redactor));
  context.record_children = false;
  if (over(unit)) return told(unit, context);
  TRY_ASSIGN(context.plan, ordered_plan(job));

  std::stop_source source;
  const std::stop_callback forward(stop, [&] { source.request_stop(); });
  const std::stop_callback taken(claim.stop(), [&] { source.request_stop(); });
  const CancelWatch watch(ports.store, session.id, source);
  TRY_ASSIGN(const std::unique_ptr<SessionAgents> agents, SessionAgents::assemble(context));
  Stages stages = agents->stages();
  UnitLoop loop(context, stages, job.order.value("batch", false));
  TRY_ASSIGN(unit, loop.run(std::move(unit), issue, std::nullopt, source.get_token()));
  if (!over(unit) && source.stop_requested())
    return fail(ErrorCode::cancelled, "stopped before unit " + unit.id + " was done");
  send_artifacts(ports.presence->board(), home, session.id, issue.code);
  return told(unit, context);
}

} // namespace emend
