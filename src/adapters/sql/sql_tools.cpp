#include "adapters/sql/sql_tools.hpp"

#include "adapters/sql/catalog.hpp"
#include "adapters/sql/database_address.hpp"
#include "adapters/sql/database_check.hpp"
#include "adapters/sql/database_copy.hpp"
#include "adapters/sql/database_expiry.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/postgres_database.hpp"
#include "adapters/sql/sqlite_database.hpp"
#include "adapters/sql/table_rows.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kPatienceMs = 5'000;

std::string file_of(const std::string& address) {
  return address.starts_with("sqlite:") ? address.substr(7) : address;
}

Result<std::unique_ptr<Database>> open_existing(const std::string& address) {
  std::error_code problem;
  if (!is_postgres_address(address) && !fs::exists(file_of(address), problem))
    return fail(ErrorCode::not_found, "there is no database " + file_of(address),
                "check the path; an address of PostgreSQL starts with postgresql://");
  return open_database(address, kPatienceMs);
}

Result<std::string> first_text(Database& database, const std::string& sql) {
  TRY_ASSIGN(auto found, select(database, sql, {}, [](RowReader& row) { return row.text(); }));
  return found.empty() ? std::string() : std::move(found.front());
}

Result<std::int64_t> first_number(Database& database, const std::string& sql) {
  TRY_ASSIGN(const auto found, select(database, sql, {}, [](RowReader& row) { return row.integer(); }));
  return found.empty() ? 0 : found.front();
}

Status add_sqlite_facts(Database& database, DatabaseFacts& facts) {
  TRY_ASSIGN(const std::string version, first_text(database, "select sqlite_version()"));
  TRY_ASSIGN(
      facts.bytes,
      first_number(database, "select page_count * page_size from pragma_page_count(), pragma_page_size()"));
  facts.program = "SQLite " + version;
  return {};
}

Status add_postgres_facts(Database& database, DatabaseFacts& facts) {
  TRY_ASSIGN(const std::string version, first_text(database, "select current_setting('server_version')"));
  TRY_ASSIGN(facts.bytes, first_number(database, "select pg_database_size(current_database())"));
  facts.program = "PostgreSQL " + version.substr(0, version.find(' '));
  const auto* server = dynamic_cast<const PostgresDatabase*>(&database);
  if (server == nullptr || !server->came_in_without_password()) return {};
  facts.warning =
      "the server asks this user for no password, so agents and commands on this machine could change what "
      "emend has stored";
  facts.remedy =
      "let pg_hba.conf demand scram-sha-256 for emend's user, and put the password into EMEND_DATABASE or "
      "~/.pgpass";
  return {};
}

std::int64_t bytes_with_log(const std::string& file) {
  std::int64_t sum = 0;
  for (const char* part : {"", "-wal"}) {
    std::error_code problem;
    const auto size = fs::file_size(file + part, problem);
    if (!problem) sum += static_cast<std::int64_t>(size);
  }
  return sum;
}

Result<std::vector<TableRows>> count_tables(Database& database) {
  TRY_ASSIGN(const auto names, stored_tables(database));
  std::vector<TableRows> tables;
  for (const std::string& name : names) {
    TRY_ASSIGN(const std::int64_t rows, count_rows(database, name));
    tables.push_back({name, rows});
  }
  return tables;
}

// A database without a row goes; one with rows is somebody's.
Status make_room(const std::string& file) {
  std::error_code problem;
  if (!fs::exists(file, problem)) return {};
  {
    TRY_ASSIGN(const auto there, open_existing(file));
    TRY_ASSIGN(const std::vector<TableRows> tables, count_tables(*there));
    for (const TableRows& table : tables)
      if (table.rows > 0)
        return fail(ErrorCode::conflict,
                    "the database " + file + " is not empty (" + table.table + " has rows)",
                    "copy into a new one; nothing was changed");
  }
  for (const char* part : {"", "-wal", "-shm"}) fs::remove(file + part, problem);
  return {};
}

// From file to file its pages are copied, whatever its schema is: it is brought up to date when it is used.
Result<DatabaseSnapshot> copy_pages(const SqliteDatabase& from, const std::string& to, int schema) {
  TRY(make_room(to));
  TRY(make_directories(fs::path(to).parent_path()));
  TRY(from.copy_to(to));
  TRY_ASSIGN(const auto copy, open_existing(to));
  TRY_ASSIGN(std::vector<TableRows> tables, count_tables(*copy));
  return DatabaseSnapshot{schema, std::move(tables)};
}

Result<DatabaseSnapshot> copy_as_rows(Database& from, const std::string& to, int schema) {
  if (const int known = schema_migrations().back().number; schema != known)
    return fail(ErrorCode::database,
                "the database " + from.location() + " has schema " + std::to_string(schema) +
                    ", this program copies schema " + std::to_string(known),
                schema < known
                    ? "any other command of this emend brings it up to date, such as emend issues list"
                    : "use the newer emend");
  TRY_ASSIGN(const auto target, open_database(to, kPatienceMs));
  TRY(migrate(*target, schema_migrations()));
  TRY_ASSIGN(std::vector<TableRows> tables, copy_as_of_now(from, *target));
  return DatabaseSnapshot{schema, std::move(tables)};
}

class SqlTools final : public DatabaseTools {
public:
  Result<DatabaseFacts> facts(const std::string& address) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    DatabaseFacts facts;
    facts.location = database->location();
    facts.known_schema = schema_migrations().back().number;
    TRY_ASSIGN(facts.schema, schema_version(*database));
    TRY(database->dialect() == SqlDialect::sqlite ? add_sqlite_facts(*database, facts)
                                                  : add_postgres_facts(*database, facts));
    return facts;
  }

  Result<std::vector<TableRows>> tables(const std::string& address) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    return count_tables(*database);
  }

  Result<DatabaseCheck> check(const std::string& address) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    return check_database(*database);
  }

  Result<DatabaseCopy> copy(const std::string& from, const std::string& to,
                            const std::function<Status(const std::vector<Session>&)>& may_copy) override {
    TRY_ASSIGN(const auto source, open_existing(from));
    TRY_ASSIGN(const auto target, open_database(to, kPatienceMs));
    if (source->location() == target->location())
      return fail(ErrorCode::usage, "source and target are the same database: " + source->location(),
                  "give two different ones");
    TRY(migrate(*source, schema_migrations()));
    TRY(migrate(*target, schema_migrations()));
    return copy_database(*source, *target, may_copy);
  }

  Result<DatabaseSnapshot> snapshot(const std::string& from, const std::string& to) override {
    TRY_ASSIGN(const auto source, open_existing(from));
    TRY_ASSIGN(const int schema, schema_version(*source));
    const auto* file = dynamic_cast<const SqliteDatabase*>(source.get());
    if (file != nullptr && !is_postgres_address(to)) return copy_pages(*file, file_of(to), schema);
    return copy_as_rows(*source, to, schema);
  }

  Result<DatabaseExpiry> expire(const std::string& address, std::int64_t before_ms, bool dry) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    return expire_rows(*database, before_ms, dry);
  }

  Result<std::int64_t> compact(const std::string& address) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    if (database->dialect() != SqlDialect::sqlite) return 0; // the server does that by itself
    const std::int64_t before = bytes_with_log(file_of(address));
    TRY(database->execute("vacuum"));
    TRY(database->execute("pragma wal_checkpoint(truncate)"));
    return before - bytes_with_log(file_of(address));
  }

  Status trim_log(const std::string& address) override {
    TRY_ASSIGN(const auto database, open_existing(address));
    return database->dialect() == SqlDialect::sqlite ? database->execute("pragma wal_checkpoint(truncate)")
                                                     : Status();
  }
};

} // namespace

std::unique_ptr<DatabaseTools> make_sql_tools() { return std::make_unique<SqlTools>(); }

} // namespace emend
