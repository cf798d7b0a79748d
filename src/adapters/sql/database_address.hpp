// Which database program an address means: a file is SQLite's, "postgresql://..." and "host=... dbname=..."
// are PostgreSQL's.
#pragma once

#include <memory>
#include <string>

#include "adapters/sql/database.hpp"

namespace emend {

// A file ("/path", "sqlite:/path") is created when it is missing (0600, its directories 0700); ":memory:" is
// one that is nowhere.
[[nodiscard]] Result<std::unique_ptr<Database>> open_database(const std::string& address,
                                                              int busy_timeout_ms);

} // namespace emend
