// What tables a database of emend has, read from the database itself: columns, keys, who refers to whom.
#pragma once

#include <string>
#include <vector>

#include "adapters/sql/database.hpp"

namespace emend {

struct Table {
  std::string name;
  std::vector<std::string> columns; // by name
  std::vector<std::string> key;     // of the primary key, in its order
  std::string numbered;             // the column that numbers its rows; empty = none
};

// Names of the tables that hold what was stored: without the schema's own history and without what is made
// from other tables, such as an index of texts.
[[nodiscard]] Result<std::vector<std::string>> stored_tables(Database& database);

// The same with their columns, each after those it refers to.
[[nodiscard]] Result<std::vector<Table>> tables_in_order(Database& database);

// The highest number a table has ever given, and the promise to give only higher ones.
[[nodiscard]] Result<std::int64_t> last_number(Database& database, const Table& table);
[[nodiscard]] Status set_last_number(Database& database, const Table& table, std::int64_t number);

// Rules of the schema that do not guard this database, by name.
[[nodiscard]] Result<std::vector<std::string>> missing_rules(Database& database);

} // namespace emend
