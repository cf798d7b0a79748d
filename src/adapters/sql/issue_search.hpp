// Choosing issues in the database: pages of them, and how many there are of each kind.
#pragma once

#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/ledger.hpp"

namespace emend {

// At most `size` issues after the row `after`, which is moved on to the last row looked at; false = there are
// no further ones.
[[nodiscard]] Result<bool> select_issue_page(Database& database, const IssueSearch& filter,
                                             std::int64_t& after, std::size_t size, std::vector<Issue>& page);
// What IssueSearch::text is looked for in. In lower case, by our rule and not by a database's.
[[nodiscard]] std::string search_text(const Finding& finding, const std::string& code);
// For issues that were stored before they could be searched.
[[nodiscard]] Status fill_search_columns(Database& database);
[[nodiscard]] Result<std::vector<IssueKindCount>> select_issue_kinds(Database& database,
                                                                     const IssueSearch& filter);

} // namespace emend
