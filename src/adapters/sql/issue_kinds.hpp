// How many issues there are of each kind, counted by the database itself whenever one changes: a million of
// them are counted without looking at any.
#pragma once

#include <string>

#include "adapters/sql/migrations.hpp"
#include "ports/ledger.hpp"

namespace emend {

inline constexpr const char* kIssueKinds = "issue_kinds"; // made from the issues: never copied with them
inline constexpr const char* kKindColumns = "status, severity, trend, rule, category, tool";

// The table, what keeps it right, and the indexes that lists of issues are read by.
[[nodiscard]] Migration issue_kinds_step(int number);

// The severity as a number, the worst first, just as the index has it.
[[nodiscard]] std::string worst_first_sql();

} // namespace emend
