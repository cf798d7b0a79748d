// A plan for some issues: steps, units of work, makespan and the files that carry it. Made here, checked
// here, whoever proposed it.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "engine/plan/plan_files.hpp"
#include "engine/plan/planner.hpp"
#include "model/policy.hpp"

namespace emend {

struct PlanRequest {
  std::vector<Issue> issues; // in the order of work
  std::string base_ref = "HEAD";
  Strategy strategy = Strategy::per_issue;
  BatchLimits limits;
  Policy policy;
  std::string session_id;           // empty = a new one
  std::string directory;            // empty = the session's own folder
  std::vector<PlanStep> steps;      // somebody's own; empty = the planner's
  std::vector<std::string> skipped; // codes that are left out on purpose
};

struct Plan {
  std::string session_id;
  std::string branch;
  Strategy strategy = Strategy::per_issue;
  std::vector<Work> works; // without the skipped ones
  std::vector<PlanStep> steps;
  std::vector<Batch> units; // what each agent process works on
  Makespan makespan;
  int slots = 1;
  std::vector<std::string> skipped;
  fs::path directory;
  PlanFiles files;
};

// Writes the files of a plan; those in the session's own folder are artifacts of it. Returns the path of
// master_todo.json.
[[nodiscard]] Result<fs::path> keep_plan_files(const Ports& ports, const std::string& home, const Plan& plan);

// Steps that break a rule (see plan_problems) are refused. Reads the base, writes nothing.
[[nodiscard]] Result<Plan> make_plan(const Ports& ports, const std::string& home, const PlanRequest& request);

// Whoever was told of a plan was told the id and branch of its session: the first session that runs it has
// that id. When it is taken, or the plan is not one of ours, a new one.
[[nodiscard]] Result<std::string> session_id_for(SessionStore& store, const PlanFiles& plan);

// The issues' files that are not in `commit` what they were when the plan was made.
[[nodiscard]] Result<std::vector<std::string>> stale_files(CommittedFiles& repository,
                                                           const std::string& commit, const PlanFiles& plan);

} // namespace emend
