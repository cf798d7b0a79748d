// What a delivery of a forge asks to be done beside looking for merges. Only numbers and names come from it:
// what they stand for is asked of the forge when it is done.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

enum class ErrandKind {
  none,
  command,  // a comment may hold a command
  head,     // a pull request has a new head
  queue,    // a merge queue wants an answer
  pipeline, // a pipeline failed
  label,    // a label was put on a pull request, or taken off
  press,    // a button of a check run was pressed
  tidy,     // what an interrupted server left open at the forge is to be closed
};

struct ForgeErrand {
  ErrandKind kind = ErrandKind::none;
  int pull = 0;        // number of the pull request
  std::string comment; // its number
  bool inline_comment = false;
  std::string ref; // of the queue's commit: "refs/heads/..."
  std::string run; // number of the pipeline, or of the check run
  std::string by;  // the login of who pressed the button
};

// The kind of its job: "pr_command", "pr_head", "merge_queue", "ci_fix", "pr_label", "pr_press", "pr_tidy".
[[nodiscard]] std::string_view to_string(ErrandKind kind);
[[nodiscard]] const std::vector<ErrandKind>& errand_kinds(); // without `none`
[[nodiscard]] Json to_json(const ForgeErrand& errand);
[[nodiscard]] ForgeErrand errand_of(ErrandKind kind, const Json& order); // as to_json() wrote it

// Does it in the repository of this directory; its answer is the job's result.
using RunErrand = std::function<Result<Json>(const std::string& directory, const ForgeErrand& errand,
                                             std::stop_token stop)>;

} // namespace emend
