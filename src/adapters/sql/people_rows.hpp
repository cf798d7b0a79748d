// Accounts, tokens and roles as rows.
#pragma once

#include "adapters/sql/database.hpp"
#include "model/account.hpp"
#include "ports/store.hpp"

namespace emend {

// What a change says of accounts, tokens and roles; the directory's version grows with it.
[[nodiscard]] Status write_people(Database& database, const Change& change);
[[nodiscard]] Result<std::int64_t> select_directory_version(Database& database);
[[nodiscard]] Result<Directory> select_directory(Database& database);

} // namespace emend
