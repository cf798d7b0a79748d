#include "adapters/sql/database.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "base/crash_point.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// A statement left standing on a row keeps a read lock.
struct ResetAtEnd {
  Statement& statement;
  ~ResetAtEnd() { statement.reset(); }
};

std::vector<std::string> names_of(const std::string& columns) {
  std::vector<std::string> names;
  for (const std::string& part : split(columns, ',')) names.emplace_back(trim(part));
  return names;
}

Error damaged(const Database& database, const std::string& what) {
  return {ErrorCode::database, "a record in " + database.location() + " cannot be understood: " + what,
          "it was written by something else or is damaged; restore a backup of it"};
}

} // namespace

Result<bool> Database::wait_for_ring(std::int64_t timeout_ms) {
  constexpr std::int64_t kLook = 100;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(timeout_ms, kLook)));
  return true;
}

Result<Transaction> Transaction::begin(Database& database) {
  TRY(database.begin());
  return Transaction(database);
}

Result<Transaction> Transaction::begin_beside(Database& database, const std::string& scope) {
  TRY(database.begin_beside(scope));
  return Transaction(database);
}

Result<Transaction> Transaction::begin_reading(Database& database) {
  TRY(database.begin_reading());
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ != nullptr) database_->rollback();
}

Status Transaction::commit() {
  crash_point("store.before_commit");
  TRY(database_->commit());
  database_ = nullptr;
  crash_point("store.after_commit");
  return {};
}

Status for_each_row(Database& database, const std::string& sql, const Values& values,
                    const std::function<Status(RowReader&)>& on_row) {
  TRY_ASSIGN(Statement * statement, database.prepare(sql));
  const ResetAtEnd reset{*statement};
  for (std::size_t i = 0; i < values.size(); ++i) TRY(statement->bind(static_cast<int>(i) + 1, values[i]));
  while (true) {
    TRY_ASSIGN(const bool row_found, statement->step());
    if (!row_found) return {};
    RowReader row(*statement);
    try {
      TRY(on_row(row));
    } catch (const Json::exception& problem) { // a stored document without the members its type needs
      return fail(damaged(database, problem.what()));
    }
    if (!row.problem().empty()) return fail(damaged(database, row.problem()));
  }
}

Result<int> run(Database& database, const std::string& sql, const Values& values) {
  int rows = 0;
  TRY(for_each_row(database, sql, values, [&](RowReader&) -> Status {
    ++rows;
    return {};
  }));
  return rows;
}

std::string insert_sql(const std::string& table, const std::string& columns) {
  std::vector<std::string> parameters;
  for (std::size_t i = 1; i <= names_of(columns).size(); ++i) parameters.push_back("$" + std::to_string(i));
  return "insert into " + table + " (" + columns + ") values (" + join(parameters, ", ") + ")";
}

std::string upsert_sql(const std::string& table, const std::string& columns, const std::string& key) {
  std::vector<std::string> settings;
  for (const std::string& name : names_of(columns)) settings.push_back(name + " = excluded." + name);
  return insert_sql(table, columns) + " on conflict (" + key + ") do update set " + join(settings, ", ");
}

std::string limit_sql(std::size_t limit) {
  return limit == 0 ? std::string() : " limit " + std::to_string(limit);
}

std::string RowReader::text() { return statement_.text(next_++); }

std::int64_t RowReader::integer() { return statement_.integer(next_++); }

int RowReader::small() {
  const std::int64_t value = integer();
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    note("number out of range");
    return 0;
  }
  return static_cast<int>(value);
}

// Not parse_json: its limits are for strangers, and what was stored once must always be readable again.
Json RowReader::json() {
  Json value = Json::parse(text(), nullptr, false);
  if (value.is_discarded()) {
    note("not JSON");
    return nullptr;
  }
  return value;
}

std::vector<std::string> RowReader::strings() {
  std::vector<std::string> result;
  const Json array = json();
  if (!array.is_array()) note("not a list");
  for (const Json& item : array) {
    if (item.is_string()) {
      result.push_back(item.get<std::string>());
    } else {
      note("not a list of texts");
    }
  }
  return result;
}

void RowReader::note(const std::string& what) {
  if (problem_.empty()) problem_ = what + " in column " + std::to_string(next_);
}

std::string strings_to_text(const std::vector<std::string>& strings) { return dump_json(Json(strings)); }

} // namespace emend
