#include "engine/plan/plan_approval.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/claims/repository_lock.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/plan/plan.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

fs::path folder_of(const std::string& home, const Session& session) {
  return fs::path(home) / "sessions" / session.id;
}

Result<std::vector<Issue>> issues_of(const Ports& ports, const Session& session) {
  std::vector<Issue> issues;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(Issue issue, ports.store.issue(session.repository_id, id));
    issues.push_back(std::move(issue));
  }
  return issues;
}

} // namespace

Result<PlanFiles> plan_for(const Ports& ports, const std::string& home, const Session& session) {
  PlanRequest request;
  TRY_ASSIGN(request.issues, issues_of(ports, session));
  request.base_ref = session.base;
  request.policy = session.policy;
  request.strategy = session.policy.strategy;
  request.limits = session.policy.batch;
  request.session_id = session.id;
  TRY_ASSIGN(Plan plan, make_plan(ports, home, request));
  return std::move(plan.files);
}

Result<Session> waiting_session(const Ports& ports, const std::string& session_id) {
  TRY_ASSIGN(Session session, ports.store.session(session_id));
  if (session.repository_id != ports.repository.id())
    return fail(ErrorCode::usage, "session " + session.id + " belongs to another repository",
                "run the command in that repository (or use -C)");
  if (session.status != SessionStatus::planned)
    return fail(ErrorCode::conflict,
                fmt::format("session {} is not waiting for approval: it is {}", session.id,
                            to_string(session.status)),
                "emend sessions show " + session.id);
  return session;
}

Result<std::vector<std::string>> planned_issues(const Ports& ports, const std::string& home,
                                                const Session& session) {
  TRY_ASSIGN(const PlanFiles plan, read_plan_files(folder_of(home, session) / "master_todo.json"));
  TRY_ASSIGN(const std::vector<Issue> issues, issues_of(ports, session));
  std::vector<std::string> ids;
  for (const PlanStep& step : steps_of(plan.master))
    for (const std::string& code : step.codes) {
      const auto known =
          std::find_if(issues.begin(), issues.end(), [&](const Issue& issue) { return issue.code == code; });
      if (known == issues.end())
        return fail(ErrorCode::usage,
                    "the plan names " + code + ", which is not an issue of session " + session.id);
      ids.push_back(known->id);
    }
  return ids;
}

Result<bool> never_approved(Journal& store, const std::string& session_id) {
  TRY_ASSIGN(const std::vector<Event> events,
             store.events_after(0, session_id, 1'000)); // one that was never begun has few
  return std::any_of(events.begin(), events.end(), is<FixSessionPlanned>) &&
         std::none_of(events.begin(), events.end(), is<FixSessionApproved>);
}

Result<PlanFiles> change_plan(const Ports& ports, const std::string& home,
                              const std::function<void(const Event&)>& on_event, const PlanChange& change,
                              const std::function<Status(const MasterTodo&)>& still) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home, ports)); // nobody approves it meanwhile
  TRY_ASSIGN(const Session session, waiting_session(ports, change.session_id));
  const fs::path folder = folder_of(home, session);
  TRY_ASSIGN(PlanFiles plan, read_plan_files(folder / "master_todo.json"));
  if (still) TRY(still(plan.master));
  TRY_ASSIGN(std::vector<Issue> issues, issues_of(ports, session));
  std::erase_if(issues, [&](const Issue& issue) { // left the plan before
    return std::none_of(plan.todos.begin(), plan.todos.end(),
                        [&](const FixTodo& todo) { return todo.issue_code == issue.code; });
  });
  std::vector<Work> works = work_of(issues);
  TRY(check_plan(works, change.steps, change.skipped));
  if (change.steps.empty())
    return fail(ErrorCode::usage, "nothing would be left of the plan", "emend sessions cancel " + session.id);
  const auto skipped = [&](const std::string& code) {
    return std::find(change.skipped.begin(), change.skipped.end(), code) != change.skipped.end();
  };
  std::erase_if(works, [&](const Work& work) { return skipped(work.code); });
  plan.master = make_master_todo(session.id, session.branch, with_reasons(works, change.steps), folder);
  std::erase_if(plan.todos, [&](const FixTodo& todo) { return skipped(todo.issue_code); });
  TRY(write_plan_files(folder, plan));
  EventLog log(ports.store, ports.clock, on_event, lock.fence());
  Change stored;
  note_audit(stored, ports, "plan.changed", session.id, session.id, {{"skipped", change.skipped}});
  stored.events.push_back(make_event(
      session.id, "", FixPlanChanged{plan.master.steps.size(), plan.todos.size(), change.skipped}));
  TRY(log.apply(std::move(stored)));
  return plan;
}

} // namespace emend
