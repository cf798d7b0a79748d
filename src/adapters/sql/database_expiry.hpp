// Removes what is old and nobody needs: never a proof, nor what one rests on.
#pragma once

#include "adapters/sql/database.hpp"
#include "ports/database_tools.hpp"

namespace emend {

// See DatabaseTools::expire().
[[nodiscard]] Result<DatabaseExpiry> expire_rows(Database& database, std::int64_t before_ms, bool dry);

} // namespace emend
