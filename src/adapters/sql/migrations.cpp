#include "adapters/sql/migrations.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kHistory =
    "create table if not exists schema_migrations ("
    "number integer primary key, name text not null, applied timestamp not null default current_timestamp)";

// What the newer steps ask of a program: the highest number among them. Before they said so: their own.
Result<int> asked_of_programs(Database& database, int version, int known) {
  const auto asked = select(
      database,
      "select max(case when oldest = 0 then number else oldest end) from schema_migrations where number > $1",
      {std::int64_t{known}}, [](RowReader& row) { return row.small(); });
  return asked && !asked->empty() ? asked->front() : version;
}

Status refuse_newer(Database& database, int version, int known) {
  if (version <= known) return {};
  TRY_ASSIGN(const int asked, asked_of_programs(database, version, known));
  if (asked <= known) {
    log(LogLevel::info, "the database " + database.location() + " is used by a newer emend as well (schema " +
                            std::to_string(version) + ", this program knows " + std::to_string(known) +
                            "); this one goes on working");
    return {};
  }
  return fail(ErrorCode::database,
              "the database " + database.location() + " was written by a newer emend (schema " +
                  std::to_string(version) + ", this program knows " + std::to_string(known) + ")",
              "use the newer emend; nothing was changed");
}

Status apply_step(Database& database, const Migration& step) {
  TRY(database.execute(kHistory));
  TRY(database.execute(database.declared(step.sql)));
  TRY(database.execute(database.ruled(step.rules)));
  if (database.dialect() == SqlDialect::sqlite) TRY(database.execute(step.sqlite_rows));
  TRY(database.execute(database.dialect() == SqlDialect::sqlite ? step.sqlite_sql : step.postgres_sql));
  if (step.carry_over != nullptr) TRY(step.carry_over(database));
  TRY(run(database, insert_sql("schema_migrations", "number, name"), {std::int64_t{step.number}, step.name}));
  if (step.oldest > 0)
    TRY(run(database, "update schema_migrations set oldest = $1 where number = $2",
            {std::int64_t{step.oldest}, std::int64_t{step.number}}));
  return {};
}

// The version is read again inside: another process may have been first.
Status migrate_to(Database& database, const Migration& step, bool has_content) {
  TRY_ASSIGN(Transaction transaction, Transaction::begin(database));
  TRY_ASSIGN(const int version, schema_version(database));
  if (version >= step.number) return {};
  if (has_content) {
    TRY_ASSIGN(const std::string backup, database.keep_backup("schema-" + std::to_string(version)));
    if (!backup.empty()) log(LogLevel::info, "kept " + backup + " before changing the schema");
  }
  TRY(apply_step(database, step));
  return transaction.commit();
}

} // namespace

Result<int> schema_version(Database& database) {
  TRY_ASSIGN(const std::vector<std::string> tables, database.tables());
  if (tables.empty()) return 0;
  if (std::find(tables.begin(), tables.end(), "schema_migrations") == tables.end()) {
    return fail(ErrorCode::database, database.location() + " is a database of another program",
                std::string(database.elsewhere()));
  }
  TRY_ASSIGN(const auto newest, select(database, "select coalesce(max(number), 0) from schema_migrations", {},
                                       [](RowReader& row) { return row.small(); }));
  return newest.empty() ? 0 : newest.front();
}

Status migrate(Database& database, const std::vector<Migration>& migrations) {
  TRY_ASSIGN(const int version, schema_version(database));
  TRY(refuse_newer(database, version, migrations.empty() ? 0 : migrations.back().number));
  for (const Migration& step : migrations) {
    if (step.number <= version) continue;
    if (auto done = migrate_to(database, step, version > 0); !done) {
      return fail(std::move(done).error().with_context("schema step " + std::to_string(step.number) + " (" +
                                                       step.name + ")"));
    }
  }
  return {};
}

} // namespace emend
