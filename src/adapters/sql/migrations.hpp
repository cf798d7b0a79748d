// The schema's history: numbered steps, forward only, each in one transaction.
#pragma once

#include <string>
#include <vector>

#include "adapters/sql/database.hpp"
#include "adapters/sql/schema_rule.hpp"

namespace emend {

struct Migration {
  int number = 0; // 1, 2, 3, ...
  std::string name;
  // In the dialect all drivers share; "{numbering}" stands for the driver's self-numbering column.
  std::string sql;
  std::vector<Rule> rules;
  // Carries the rows of older files over. Only SQLite has those: no PostgreSQL database is older than step 9.
  std::string sqlite_rows;
  // The same for what SQL cannot say in one way for both. It may rely on the columns of its step, and on
  // nothing newer.
  Status (*carry_over)(Database& database) = nullptr;
  // What each driver says in its own words besides; mostly empty.
  std::string sqlite_sql = {}, postgres_sql = {};
  // Programs that know this step and no later one can still work with the database: what the step adds does
  // not disturb them. 0 = only programs that know the step itself.
  int oldest = 0;
};

[[nodiscard]] const std::vector<Migration>& schema_migrations();

// The number of the newest step that was applied; 0 = an empty database. Refused: a database of another
// program.
[[nodiscard]] Result<int> schema_version(Database& database);

// Brings the database to the newest step and does nothing when it is there. Before a database with content is
// changed, the driver keeps a backup. Refused, untouched: a database of another program, or of a newer emend
// whose steps this one cannot work with.
[[nodiscard]] Status migrate(Database& database, const std::vector<Migration>& migrations);

} // namespace emend
