// A session whose plan a person looks at before anything is done: the plan, changes of it, and what comes of
// it. master_todo.json in the session's folder is the plan; whoever changes it, the same function checks it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/plan/plan_files.hpp"

namespace emend {

// The planner's own steps for the session's issues. Reads the base, writes nothing.
[[nodiscard]] Result<PlanFiles> plan_for(const Ports& ports, const std::string& home, const Session& session);

// ErrorCode::conflict when it does not wait for approval.
[[nodiscard]] Result<Session> waiting_session(const Ports& ports, const std::string& session_id);

// Ids of the issues the plan names, in its order.
[[nodiscard]] Result<std::vector<std::string>> planned_issues(const Ports& ports, const std::string& home,
                                                              const Session& session);

// It waited for approval and was stopped before anybody gave it.
[[nodiscard]] Result<bool> never_approved(Journal& store, const std::string& session_id);

struct PlanChange {
  std::string session_id;
  std::vector<PlanStep>
      steps; // every issue of the plan in exactly one of them, none shares a file with another of its step
  std::vector<std::string> skipped; // codes that leave the plan
};
// Returns the plan as it is now. ErrorCode::usage names what is wrong with the steps. `still`: asked with the
// lock held, whether the plan is the one the person saw.
[[nodiscard]] Result<PlanFiles> change_plan(const Ports& ports, const std::string& home,
                                            const std::function<void(const Event&)>& on_event,
                                            const PlanChange& change,
                                            const std::function<Status(const MasterTodo&)>& still = {});

} // namespace emend
