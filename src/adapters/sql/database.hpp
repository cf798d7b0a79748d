// A thin driver: prepared statements with $1 parameters, rows, transactions. One implementation per database
// program; all SQL above it is written in the dialect SQLite and PostgreSQL share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "adapters/sql/schema_rule.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

using Value = std::variant<std::nullptr_t, std::int64_t, std::string>;
using Values = std::vector<Value>;

// A prepared statement. Columns are counted from 0 and read from the row the last step() stood on.
class Statement {
public:
  virtual ~Statement() = default;
  // Number 1 is $1. The value must stay as it is until reset().
  [[nodiscard]] virtual Status bind(int number, const Value& value) = 0;
  [[nodiscard]] virtual Result<bool> step() = 0;                    // false = no further row
  virtual void reset() = 0;                                         // lets go of locks and parameters
  [[nodiscard]] virtual std::int64_t integer(int column) const = 0; // null reads as 0
  [[nodiscard]] virtual std::string text(int column) const = 0;     // null reads as ""
};

// Reads the columns of one row from left to right and remembers the first thing that made no sense.
class RowReader {
public:
  explicit RowReader(const Statement& statement) : statement_(statement) {}

  [[nodiscard]] std::string text();
  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] int small(); // an int; anything larger is a problem
  [[nodiscard]] bool flag() { return integer() != 0; }
  [[nodiscard]] Json json();
  [[nodiscard]] std::vector<std::string> strings(); // a JSON array of strings
  // An enumeration by its words.
  template <typename Enum>
  [[nodiscard]] Enum word(std::optional<Enum> (*parse)(std::string_view)) {
    const std::string found = text();
    const std::optional<Enum> value = parse(found);
    if (!value) note("unknown word '" + found + "'");
    return value.value_or(Enum{});
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

private:
  void note(const std::string& what);

  const Statement& statement_;
  int next_ = 0;
  std::string problem_;
};

[[nodiscard]] std::string strings_to_text(const std::vector<std::string>& strings);

// One connection, used by one thread at a time.
class Database {
public:
  virtual ~Database() = default;
  // Owned by the database and kept for the next time; the same text gives the same statement, so finish with
  // it first.
  [[nodiscard]] virtual Result<Statement*> prepare(const std::string& sql) = 0;
  // Several statements without parameters.
  [[nodiscard]] virtual Status execute(const std::string& script) = 0;

  // Whether a commit survives a power cut from now on. One that need not still survives the death of the
  // process, and the next one that must carries it along.
  [[nodiscard]] virtual Status set_durable(bool durable) = 0;
  // begin() takes the write lock at once, so what a transaction reads cannot change under it.
  [[nodiscard]] virtual Status begin() = 0;
  // Takes the write lock of one scope: writers of other scopes go on beside it, begin() waits for them all.
  // Only for rows that no other scope writes. Where several write at once, the numbers of events do not
  // become visible in their order: see complete_events().
  [[nodiscard]] virtual Status begin_beside(const std::string& /*scope*/) { return begin(); }
  // What is read until rollback() is what was there at the first read; nobody is kept from writing.
  [[nodiscard]] virtual Status begin_reading() = 0;
  [[nodiscard]] virtual Status commit() = 0;
  virtual void rollback() noexcept = 0; // no transaction is fine

  [[nodiscard]] virtual Result<std::vector<std::string>> tables() = 0;
  [[nodiscard]] virtual SqlDialect dialect() const = 0;
  // Declarations of the shared dialect as this database takes them. "{numbering}" is a column that numbers
  // its rows: primary key, and no number is ever given twice. Texts compare by their bytes.
  [[nodiscard]] virtual std::string declared(const std::string& sql) const = 0;
  [[nodiscard]] virtual std::string ruled(const std::vector<Rule>& rules) const = 0;
  // Keeps a copy of what is committed now, where the driver is the one to care for that. Returns where; empty
  // = not this driver's job.
  [[nodiscard]] virtual Result<std::string> keep_backup(const std::string& label) = 0;
  [[nodiscard]] virtual const std::string& location() const = 0; // for messages; never with a password
  [[nodiscard]] virtual std::string_view elsewhere()
      const = 0; // how to choose another place, when this one is taken

  // Milliseconds of unix time by the database's own clock, as an expression.
  [[nodiscard]] virtual std::string_view clock_sql() const = 0;
  // From now on writes of this connection keep nobody from writing: for rows whose order nobody reads.
  virtual void let_others_write() {}
  // Up to this number whoever reads from now on sees every event there will ever be; nullopt = so it is with
  // all that can be seen.
  [[nodiscard]] virtual Result<std::optional<std::int64_t>> complete_events() { return std::nullopt; }
  // Put after a select that chooses what to update: leaves out rows somebody else is just choosing.
  [[nodiscard]] virtual std::string_view skip_locked() const { return ""; }
  // Rings for everybody who listens on the channel, when the transaction commits.
  [[nodiscard]] virtual Status ring(const std::string& /*channel*/) { return {}; }
  // From now on rings are heard on this connection. False = not here, or not now: a connection that does
  // nothing but listen would be missing elsewhere.
  [[nodiscard]] virtual Result<bool> listen(const std::string& /*channel*/) { return false; }
  // Nothing is asked of this process for a while: closes connections that were not used just now.
  virtual void rest() {}
  // Until it rings or the time is over, on this connection. Where nobody can ring it waits a little while and
  // says yes: look for yourself.
  [[nodiscard]] virtual Result<bool> wait_for_ring(std::int64_t timeout_ms);
};

// Rolled back unless committed. Each commit is a place where a test may end the process, just before and just
// after.
class Transaction {
public:
  static Result<Transaction> begin(Database& database);
  static Result<Transaction> begin_beside(Database& database, const std::string& scope);
  static Result<Transaction> begin_reading(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  [[nodiscard]] Status commit();

private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

// Runs a statement and calls on_row for each row it gives; stops at the first error.
[[nodiscard]] Status for_each_row(Database& database, const std::string& sql, const Values& values,
                                  const std::function<Status(RowReader&)>& on_row);
// Runs a statement; answers how many rows it gave (for `returning`).
[[nodiscard]] Result<int> run(Database& database, const std::string& sql, const Values& values);

// All rows, each turned into a value by `read`. A row that cannot be understood is ErrorCode::database.
template <typename Read>
[[nodiscard]] auto select(Database& database, const std::string& sql, const Values& values, Read read)
    -> Result<std::vector<decltype(read(std::declval<RowReader&>()))>> {
  std::vector<decltype(read(std::declval<RowReader&>()))> rows;
  TRY(for_each_row(database, sql, values, [&](RowReader& row) -> Status {
    rows.push_back(read(row));
    return {};
  }));
  return rows;
}

// SQL text from a column list ("a, b, c").
[[nodiscard]] std::string insert_sql(const std::string& table, const std::string& columns);
[[nodiscard]] std::string upsert_sql(const std::string& table, const std::string& columns,
                                     const std::string& key);
// " limit N", or nothing for 0 = all.
[[nodiscard]] std::string limit_sql(std::size_t limit);

// References that may be empty are stored as null, so that foreign keys hold for the others.
[[nodiscard]] inline Value or_null(const std::string& reference) {
  return reference.empty() ? Value(nullptr) : Value(reference);
}

} // namespace emend
