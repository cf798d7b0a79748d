// Issues and their codes as rows.
#pragma once

#include <optional>
#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/store.hpp"

namespace emend {

// The issue as stored: the known one with this fingerprint, or a new one with id and code. Inside a transaction.
[[nodiscard]] Result<Issue> add_issue(Database& database, const Issue& issue, std::int64_t now_ms);
[[nodiscard]] Status move_issue(Database& database, const IssueMove& move, std::int64_t now_ms);
[[nodiscard]] Result<std::vector<Issue>> select_issues(Database& database, const IssueFilter& filter);
[[nodiscard]] Result<Issue> select_issue(Database& database, const std::string& repository_id, const std::string& code_or_id);

} // namespace emend
