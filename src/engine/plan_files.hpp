// A plan as files that agents and other programs read: master_todo.json, and one fix_todo_CODE.json an issue.
// See docs/plan-files.md.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "engine/planner.hpp"
#include "model/issue.hpp"

namespace emend {

// master_todo.json.
struct MasterTodo {
  struct Item {
    std::string code;
    std::string todo_file; // absolute
    std::string agent_type = "fixer-single";
  };
  struct Step {
    int step = 0; // from 1
    std::string reason;
    std::vector<Item> issues;
  };
  std::string session_id;
  std::string branch_name;
  std::vector<Step> steps;
};

// fix_todo_CODE.json. Texts are for people and agents; nothing in here is ever run.
struct FixTodo {
  struct Related {
    std::string path;
    std::string reason;
  };
  struct Answer {
    std::string question_id, question, answer, context;
  };
  std::string issue_code, issue_id, file;
  std::string file_id; // git's id of the file's content in the base the plan was made for, "-" = not there;
                       // empty = not known
  int line = 0;
  std::string title, description;
  std::vector<Answer> clarifications;
  std::string snippet; // of the file, around the line
  std::vector<Related> related_files;
  std::vector<std::string> existing_patterns;
  std::string approach = "patch";
  std::vector<std::string> steps;
  int estimated_lines_changed = 0;
  std::vector<std::string> risks;
  std::string verification;
};

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

struct PlanFiles {
  MasterTodo master;
  std::vector<FixTodo> todos; // one per planned issue
};

// The TODO files first, the master last: a reader that finds the master finds everything. Files are 0600.
// Returns the master's path.
[[nodiscard]] Result<fs::path> write_plan_files(const fs::path& directory, const PlanFiles& files);
// Reads a plan back. Every TODO file must lie beside the master, exist, and be about the issue it is named
// for.
[[nodiscard]] Result<PlanFiles> read_plan_files(const fs::path& master);

} // namespace emend
