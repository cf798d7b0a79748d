// Choosing issues in the database: pages of them, and how many there are of each kind.
#pragma once

#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/ledger.hpp"
#include "ports/store.hpp"

namespace emend {

// At most `size` issues after the row `after`, which is moved on to the last row looked at; false = there are
// no further ones.
[[nodiscard]] Result<bool> select_issue_page(Database& database, const IssueSearch& filter,
                                             std::int64_t& after, std::size_t size, std::vector<Issue>& page);
// At most `size` issues in filter.order, after filter.offset of them.
[[nodiscard]] Result<std::vector<Issue>> select_issue_rows(Database& database, const IssueSearch& filter,
                                                           std::size_t size);
// For issues that were stored before they could be searched.
[[nodiscard]] Status fill_search_columns(Database& database);
[[nodiscard]] Result<std::vector<IssueKindCount>> select_issue_kinds(Database& database,
                                                                     const IssueSearch& filter);
[[nodiscard]] Result<std::vector<Issue>> select_issues(Database& database, const IssueFilter& filter);

} // namespace emend
