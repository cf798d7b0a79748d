#include "adapters/sql/database_address.hpp"

#include "adapters/sql/postgres_database.hpp"
#include "adapters/sql/sqlite_database.hpp"

namespace emend {

Result<std::unique_ptr<Database>> open_database(const std::string& address, int busy_timeout_ms) {
  constexpr std::string_view kFile = "sqlite:";
  if (is_postgres_address(address)) return PostgresDatabase::open(address, busy_timeout_ms);
  return SqliteDatabase::open(address.starts_with(kFile) ? address.substr(kFile.size()) : address,
                              busy_timeout_ms);
}

} // namespace emend
