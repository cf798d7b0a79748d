// All rows of one database into another one, under the same rules everybody who writes to it is held to.
#pragma once

#include <functional>

#include "adapters/sql/database.hpp"
#include "ports/database_tools.hpp"

namespace emend {

// Both have the newest schema. See DatabaseTools::copy().
[[nodiscard]] Result<DatabaseCopy> copy_database(
    Database& from, Database& to, const std::function<Status(const std::vector<Session>&)>& may_copy);
// What `from` has now into the empty `to`, while others write to `from`. See DatabaseTools::snapshot().
[[nodiscard]] Result<std::vector<TableRows>> copy_as_of_now(Database& from, Database& to);

} // namespace emend
