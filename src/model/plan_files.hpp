// A plan as agents and other programs read it: the steps, and one TODO for each issue. See
// docs/plan-files.md.
#pragma once

#include <string>
#include <vector>

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

struct PlanFiles {
  MasterTodo master;
  std::vector<FixTodo> todos; // one per planned issue
};

} // namespace emend
