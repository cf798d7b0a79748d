// The rows of any table, page by page in the order of its key, as text; and a digest over them that every
// database computes alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/catalog.hpp"

namespace emend {

using TableRow = std::vector<std::optional<std::string>>; // in the order of Table::columns; nullopt = null

// Holds one page in memory, however large the table is.
[[nodiscard]] Status for_each_table_row(Database& database, const Table& table,
                                        const std::function<Status(const TableRow&)>& take);
[[nodiscard]] Status insert_table_row(Database& database, const Table& table, const TableRow& row);
[[nodiscard]] Result<std::int64_t> count_rows(Database& database, const std::string& table);

class RowDigest {
public:
  void add(const Table& table, const TableRow& row);
  [[nodiscard]] std::string hex() const { return digest_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }

private:
  std::string digest_;
  std::int64_t rows_ = 0;
};

} // namespace emend
