#include "adapters/sql/database_copy.hpp"

#include <algorithm>

#include "adapters/sql/issue_texts.hpp"
#include "adapters/sql/session_rows.hpp"
#include "adapters/sql/table_rows.hpp"

namespace emend {

namespace {

// RESOLVED needs its proof, and a proof needs its issue: such issues are copied as being worked on and closed
// when the proofs are there.
class ClosedLast {
public:
  TableRow open(const Table& table, const TableRow& row) {
    if (table.name != "issues") return row;
    TableRow opened = row;
    std::optional<std::string>& status = opened[place(table, "status")];
    if (status != "RESOLVED" && status != "MERGED") return row;
    closed_.push_back({row[place(table, "id")].value_or(""), *status});
    status = "IN_PROGRESS";
    return opened;
  }

  Status close(Database& database) const {
    for (const Closed& issue : closed_)
      TRY(run(database, "update issues set status = $1 where id = $2", {issue.status, issue.id}));
    return {};
  }

private:
  struct Closed {
    std::string id, status;
  };
  static std::size_t place(const Table& table, const char* column) {
    return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), column) -
                                    table.columns.begin());
  }
  std::vector<Closed> closed_;
};

// One side rests while the other works, for as long as it takes.
Status let_it_take_its_time(Database& database) {
  if (database.dialect() == SqlDialect::sqlite) return {};
  return database.execute(
      "set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0");
}

Status must_be_empty(Database& database, const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    TRY_ASSIGN(const std::int64_t rows, count_rows(database, table.name));
    if (rows > 0)
      return fail(ErrorCode::conflict,
                  "the database " + database.location() + " is not empty (" + table.name + " has rows)",
                  "copy into a new one; nothing was changed");
  }
  return {};
}

Status copy_table(Database& from, Database& to, const Table& table, ClosedLast& closed, RowDigest& digest) {
  TRY(for_each_table_row(from, table, [&](const TableRow& row) -> Status {
    digest.add(table, row);
    return insert_table_row(to, table, closed.open(table, row));
  }));
  if (table.numbered.empty()) return {};
  TRY_ASSIGN(const std::int64_t number, last_number(from, table));
  return set_last_number(to, table, number);
}

// Every table with its rows, those that refer to others last.
Result<RowDigest> copy_tables(Database& from, Database& to, const std::vector<Table>& tables,
                              std::vector<TableRows>& counted) {
  ClosedLast closed;
  RowDigest digest;
  for (const Table& table : tables) {
    const std::int64_t before = digest.rows();
    TRY(copy_table(from, to, table, closed, digest));
    counted.push_back({table.name, digest.rows() - before});
  }
  TRY(closed.close(to));
  TRY(index_new_texts(to));
  return digest;
}

Result<RowDigest> digest_of(Database& database, const std::vector<Table>& tables) {
  RowDigest digest;
  for (const Table& table : tables)
    TRY(for_each_table_row(database, table, [&](const TableRow& row) -> Status {
      digest.add(table, row);
      return {};
    }));
  return digest;
}

Status must_be_alike(const RowDigest& source, const RowDigest& target) {
  if (source.rows() == target.rows() && source.hex() == target.hex()) return {};
  return fail(ErrorCode::database,
              "the copy differs from what was copied (" + std::to_string(source.rows()) + " rows there, " +
                  std::to_string(target.rows()) + " here)",
              "nothing was stored; run emend db check on the source");
}

} // namespace

Result<DatabaseCopy> copy_database(Database& from, Database& to,
                                   const std::function<Status(const std::vector<Session>&)>& may_copy) {
  TRY_ASSIGN(const std::vector<Table> tables, tables_in_order(from));
  TRY_ASSIGN(const Transaction reading,
             Transaction::begin(from)); // never committed: it only keeps writers away
  TRY_ASSIGN(Transaction writing, Transaction::begin(to));
  TRY(let_it_take_its_time(from));
  TRY(let_it_take_its_time(to));
  TRY(must_be_empty(to, tables));
  TRY_ASSIGN(std::vector<Session> running, select_sessions(from, "", 0));
  std::erase_if(running, [](const Session& session) { return session.status != SessionStatus::running; });
  TRY(may_copy(running));

  DatabaseCopy copy{from.location(), to.location(), {}, {}};
  TRY_ASSIGN(const RowDigest digest, copy_tables(from, to, tables, copy.tables));
  TRY_ASSIGN(const RowDigest stored, digest_of(to, tables));
  TRY(must_be_alike(digest, stored));
  TRY(writing.commit());
  copy.digest = digest.hex();
  return copy;
}

Result<std::vector<TableRows>> copy_as_of_now(Database& from, Database& to) {
  TRY_ASSIGN(const Transaction reading, Transaction::begin_reading(from));
  TRY_ASSIGN(const std::vector<Table> tables, tables_in_order(from));
  TRY_ASSIGN(Transaction writing, Transaction::begin(to));
  TRY(let_it_take_its_time(from));
  TRY(let_it_take_its_time(to));
  TRY(must_be_empty(to, tables));
  std::vector<TableRows> copied;
  TRY_ASSIGN(const RowDigest digest, copy_tables(from, to, tables, copied));
  TRY_ASSIGN(const RowDigest stored, digest_of(to, tables));
  TRY(must_be_alike(digest, stored));
  TRY(writing.commit());
  return copied;
}

} // namespace emend
