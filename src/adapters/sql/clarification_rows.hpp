// The questions about issues, and their answers.
#pragma once

#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/store.hpp"

namespace emend {

// Gives each issue its clarifications, in the order they were asked.
[[nodiscard]] Status attach_clarifications(Database& database, std::vector<Issue>& issues);

} // namespace emend
