#include "adapters/sql/table_rows.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kPage = 500;

std::string parameters(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= count; ++i) numbers.push_back("$" + std::to_string(i));
  return join(numbers, ", ");
}

std::string page_sql(const Table& table, bool first) {
  std::vector<std::string> values;
  for (const std::string& column : table.columns)
    values.push_back("coalesce('=' || cast(" + column + " as text), '-')");
  const std::string key = join(table.key, ", ");
  const std::string after = first ? "" : " where (" + key + ") > (" + parameters(table.key.size()) + ")";
  return "select " + join(values, ", ") + " from " + table.name + after + " order by " + key +
         limit_sql(kPage);
}

TableRow read_row(RowReader& reader, const Table& table) {
  TableRow row;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::string value = reader.text();
    if (value.starts_with('='))
      row.emplace_back(value.substr(1));
    else
      row.emplace_back();
  }
  return row;
}

Values key_values(const Table& table, const TableRow& row) {
  Values values;
  for (const std::string& column : table.key) {
    const auto at = std::find(table.columns.begin(), table.columns.end(), column) - table.columns.begin();
    values.emplace_back(row[static_cast<std::size_t>(at)].value_or(""));
  }
  return values;
}

} // namespace

Status for_each_table_row(Database& database, const Table& table,
                          const std::function<Status(const TableRow&)>& take) {
  const std::string first = page_sql(table, true), further = page_sql(table, false);
  std::vector<TableRow> page;
  do {
    const Values after = page.empty() ? Values() : key_values(table, page.back());
    TRY_ASSIGN(page, select(database, after.empty() ? first : further, after,
                            [&](RowReader& row) { return read_row(row, table); }));
    for (const TableRow& row : page) TRY(take(row));
  } while (page.size() == kPage);
  return {};
}

Status insert_table_row(Database& database, const Table& table, const TableRow& row) {
  Values values;
  for (const auto& value : row) values.push_back(value ? Value(*value) : Value(nullptr));
  TRY(run(database, insert_sql(table.name, join(table.columns, ", ")), values));
  return {};
}

Result<std::int64_t> count_rows(Database& database, const std::string& table) {
  TRY_ASSIGN(const auto counted, select(database, "select count(*) from " + table, {},
                                        [](RowReader& row) { return row.integer(); }));
  return counted.empty() ? 0 : counted.front();
}

void RowDigest::add(const Table& table, const TableRow& row) {
  std::string bytes = digest_ + table.name + "\n";
  for (std::size_t i = 0; i < row.size(); ++i)
    bytes +=
        table.columns[i] + " " + (row[i] ? std::to_string(row[i]->size()) + ":" + *row[i] : "null") + "\n";
  digest_ = sha256_hex(bytes);
  ++rows_;
}

} // namespace emend
