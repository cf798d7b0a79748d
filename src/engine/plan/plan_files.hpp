// A plan as files that agents and other programs read: master_todo.json, and one fix_todo_CODE.json an issue.
// See docs/plan-files.md.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "engine/plan/planner.hpp"
#include "model/issue.hpp"
#include "model/plan_files.hpp"

namespace emend {

[[nodiscard]] Json to_json(const MasterTodo& todo);
[[nodiscard]] Json to_json(const FixTodo& todo);
// Strict: anything missing, of another type or beyond its bounds is ErrorCode::usage with the member's name.
[[nodiscard]] Result<MasterTodo> master_todo_from_json(const Json& json);
[[nodiscard]] Result<FixTodo> fix_todo_from_json(const Json& json);

// "fix_todo_BE-001.json": only letters, digits, '-', '_' and '.' of a code reach a file's name; a code that
// had others gets a hash, so that two codes never share a file.
[[nodiscard]] std::string fix_todo_name(std::string_view code);

// What the engine itself knows of an issue, before an agent has looked at it. `content`: the file in the
// base, empty when unknown.
[[nodiscard]] FixTodo make_fix_todo(const Issue& issue, std::string_view content, int context_lines,
                                    const std::vector<std::string>& verify_names);
[[nodiscard]] MasterTodo make_master_todo(const std::string& session_id, const std::string& branch,
                                          const std::vector<PlanStep>& steps, const fs::path& directory);
[[nodiscard]] std::vector<PlanStep> steps_of(const MasterTodo& todo);

// The TODO files first, the master last: a reader that finds the master finds everything. Files are 0600.
// Returns the master's path.
[[nodiscard]] Result<fs::path> write_plan_files(const fs::path& directory, const PlanFiles& files);
// Reads a plan back. Every TODO file must lie beside the master, exist, and be about the issue it is named
// for.
[[nodiscard]] Result<PlanFiles> read_plan_files(const fs::path& master);

} // namespace emend
