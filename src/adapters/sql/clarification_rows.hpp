// Questions about issues, and their answers, as rows.
#pragma once

#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/store.hpp"

namespace emend {

// A known question (issue and question id) gets its new state and answer; what was asked stays as it was.
[[nodiscard]] Status put_clarification(Database& database, const Clarification& clarification);
// Gives each issue its clarifications, in the order they were asked.
[[nodiscard]] Status attach_clarifications(Database& database, std::vector<Issue>& issues);

} // namespace emend
