// The issue state machine as one table. docs/issue-states.md draws it; a test compares the drawing with the
// table.
#pragma once

#include <string_view>
#include <vector>

#include "model/issue.hpp"

namespace emend {

// Who may cause a move. RESOLVED has exactly one actor: the gate.
enum class Actor { engine, gate, person, sync };
[[nodiscard]] std::string_view to_string(Actor actor);

struct Transition {
  IssueStatus from;
  IssueStatus to;
  Actor actor;
  std::string_view why; // in the product's words, for docs and `emend explain`
};

[[nodiscard]] const std::vector<Transition>& issue_transitions();
[[nodiscard]] bool may_move(IssueStatus from, IssueStatus to, Actor actor);

} // namespace emend
