// Whether what a database holds is whole: its file, its references, its rules, the digests of its events, the
// proofs of what is RESOLVED.
#pragma once

#include "adapters/sql/database.hpp"
#include "ports/database_tools.hpp"

namespace emend {

[[nodiscard]] Result<DatabaseCheck> check_database(Database& database);

} // namespace emend
