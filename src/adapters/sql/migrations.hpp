// The schema's history: numbered steps, forward only, each in one transaction.
#pragma once

#include <string>
#include <vector>

#include "adapters/sql/database.hpp"

namespace emend {

struct Migration {
  int number = 0; // 1, 2, 3, ...
  std::string name;
  // In the dialect all drivers share; "{numbering}" stands for the driver's self-numbering column.
  std::string sql;
  // What the shared dialect cannot say.
  std::string sqlite_triggers;
};

[[nodiscard]] const std::vector<Migration>& schema_migrations();

// Brings the database to the newest step and does nothing when it is there. Before a database with content is changed, the driver
// keeps a backup. Refused, untouched: a database of another program, or of a newer emend.
[[nodiscard]] Status migrate(Database& database, const std::vector<Migration>& migrations);

} // namespace emend
