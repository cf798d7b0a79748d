#include "adapters/sql/catalog.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/issue_texts.hpp"
#include "adapters/sql/migrations.hpp"

namespace emend {

namespace {

bool is_sqlite(const Database& database) { return database.dialect() == SqlDialect::sqlite; }

Result<std::vector<std::string>> texts(Database& database, const std::string& sql, const Values& values) {
  return select(database, sql, values, [](RowReader& row) { return row.text(); });
}

Result<std::vector<std::string>> columns_of(Database& database, const std::string& table) {
  if (is_sqlite(database))
    return texts(database, "select name from pragma_table_info($1) order by name", {table});
  return texts(database,
               "select cast(column_name as text) collate \"C\" from information_schema.columns "
               "where table_schema = current_schema() and table_name = $1 order by 1",
               {table});
}

Result<std::vector<std::string>> key_of(Database& database, const std::string& table) {
  if (is_sqlite(database))
    return texts(database, "select name from pragma_table_info($1) where pk > 0 order by pk", {table});
  return texts(database,
               "select cast(column_name as text) from information_schema.key_column_usage join "
               "information_schema.table_constraints "
               "using (constraint_schema, constraint_name, table_name) "
               "where constraint_schema = current_schema() and table_name = $1 and constraint_type = "
               "'PRIMARY KEY' order by ordinal_position",
               {table});
}

// Only columns that number their rows are a key alone and whole numbers.
Result<std::string> numbered_of(Database& database, const std::string& table) {
  const std::string sql = is_sqlite(database)
                              ? "select name from pragma_table_info($1) where pk = 1 and type = 'INTEGER' "
                                "and exists (select 1 from sqlite_master where name = $1 and "
                                "lower(sql) like '%autoincrement%')"
                              : "select cast(column_name as text) from information_schema.columns where "
                                "table_schema = current_schema() and table_name = $1 and is_identity = 'YES'";
  TRY_ASSIGN(const auto found, texts(database, sql, {table}));
  return found.empty() ? std::string() : found.front();
}

using References = std::map<std::string, std::set<std::string>>;

Result<References> references_in(Database& database) {
  const std::string sql = is_sqlite(database)
                              ? "select m.name, f.\"table\" from sqlite_master m join "
                                "pragma_foreign_key_list(m.name) f where m.type = 'table'"
                              : "select cast(a.relname as text), cast(b.relname as text) from pg_constraint "
                                "join pg_class a on a.oid = conrelid join pg_class b on b.oid = confrelid "
                                "where contype = 'f' and connamespace = (select oid from pg_namespace where "
                                "nspname = current_schema())";
  References references;
  TRY(for_each_row(database, sql, {}, [&](RowReader& row) -> Status {
    const std::string from = row.text(), to = row.text();
    if (from != to) references[from].insert(to);
    return {};
  }));
  return references;
}

std::vector<std::string> in_order(std::vector<std::string> names, References references) {
  std::vector<std::string> ordered;
  while (!names.empty()) {
    const auto next = std::find_if(names.begin(), names.end(),
                                   [&](const std::string& name) { return references[name].empty(); });
    const std::string taken = next == names.end() ? names.front() : *next;
    std::erase(names, taken);
    for (auto& [from, to] : references) to.erase(taken);
    ordered.push_back(taken);
  }
  return ordered;
}

} // namespace

Result<std::vector<std::string>> stored_tables(Database& database) {
  TRY_ASSIGN(std::vector<std::string> names, database.tables());
  std::erase_if(names, [](const std::string& name) {
    return name == "schema_migrations" || name == kIssueKinds || is_text_index(name);
  });
  return names;
}

Result<std::vector<Table>> tables_in_order(Database& database) {
  TRY_ASSIGN(std::vector<std::string> names, stored_tables(database));
  TRY_ASSIGN(References references, references_in(database));
  std::vector<Table> tables;
  for (std::string& name : in_order(std::move(names), std::move(references))) {
    Table table;
    TRY_ASSIGN(table.columns, columns_of(database, name));
    TRY_ASSIGN(table.key, key_of(database, name));
    TRY_ASSIGN(table.numbered, numbered_of(database, name));
    table.name = std::move(name);
    tables.push_back(std::move(table));
  }
  return tables;
}

Result<std::int64_t> last_number(Database& database, const Table& table) {
  const auto given = is_sqlite(database) ? select(database, "select seq from sqlite_sequence where name = $1",
                                                  {table.name}, [](RowReader& row) { return row.integer(); })
                                         : select(database,
                                                  "select coalesce(last_value, 0) from pg_sequences where "
                                                  "schemaname = current_schema() and sequencename = $1",
                                                  {table.name + "_" + table.numbered + "_seq"},
                                                  [](RowReader& row) { return row.integer(); });
  TRY(given);
  return given->empty() ? 0 : given->front();
}

Status set_last_number(Database& database, const Table& table, std::int64_t number) {
  if (number == 0) return {};
  if (!is_sqlite(database)) {
    TRY(run(database, "select setval(cast(pg_get_serial_sequence($1, $2) as regclass), $3)",
            {table.name, table.numbered, number}));
    return {};
  }
  TRY_ASSIGN(const int known,
             run(database, "update sqlite_sequence set seq = max(seq, $1) where name = $2 returning seq",
                 {number, table.name}));
  if (known == 0)
    TRY(run(database, "insert into sqlite_sequence (name, seq) values ($1, $2)", {table.name, number}));
  return {};
}

Result<std::vector<std::string>> missing_rules(Database& database) {
  const std::string sql =
      is_sqlite(database)
          ? "select name from sqlite_master where type = 'trigger'"
          : "select cast(tgname as text) from pg_trigger join pg_class on pg_class.oid = tgrelid where not "
            "tgisinternal and tgenabled in ('O', 'A') "
            "and relnamespace = (select oid from pg_namespace where nspname = current_schema())";
  TRY_ASSIGN(const auto found, texts(database, sql, {}));
  TRY_ASSIGN(const int version, schema_version(database));
  std::vector<std::string> missing;
  for (const Migration& step : schema_migrations())
    for (const Rule& rule : step.rules)
      if (step.number <= version && std::find(found.begin(), found.end(), rule.name) == found.end())
        missing.push_back(rule.name);
  return missing;
}

} // namespace emend
