#include "adapters/sql/sql_tools.hpp"

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/database_check.hpp"
#include "adapters/sql/database_copy.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/postgres_database.hpp"
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
    TRY_ASSIGN(const auto names, database->tables());
    std::vector<TableRows> tables;
    for (const std::string& name : names) {
      if (name == "schema_migrations") continue;
      TRY_ASSIGN(const std::int64_t rows, count_rows(*database, name));
      tables.push_back({name, rows});
    }
    return tables;
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
};

} // namespace

std::unique_ptr<DatabaseTools> make_sql_tools() { return std::make_unique<SqlTools>(); }

} // namespace emend
