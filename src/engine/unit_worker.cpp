#include "engine/unit_worker.hpp"

#include <algorithm>

#include "engine/artifacts.hpp"
#include "engine/cancel_watch.hpp"
#include "engine/crew.hpp"
#include "engine/event_log.hpp"
#include "engine/sandbox_mode.hpp"
#include "engine/unit_loop.hpp"

namespace emend {
namespace {

Result<Unit> ordered_unit(Store& store, const SharedJob& job) {
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
  TRY_ASSIGN(const std::unique_ptr<Crew> crew, Crew::assemble(context));
  Stages stages = crew->stages();
  UnitLoop loop(context, stages, job.order.value("batch", false));
  TRY_ASSIGN(unit, loop.run(std::move(unit), issue, std::nullopt, source.get_token()));
  if (!over(unit) && source.stop_requested())
    return fail(ErrorCode::cancelled, "stopped before unit " + unit.id + " was done");
  send_artifacts(ports.presence->board(), home, session.id, issue.code);
  return told(unit, context);
}

} // namespace emend
