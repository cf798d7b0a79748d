#include "adapters/sql/database_check.hpp"
#include "adapters/sql/record_tables.hpp"

#include "adapters/sql/catalog.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/table_rows.hpp"
#include "model/event.hpp"

namespace emend {

namespace {

constexpr std::size_t kPage = 1'000;
constexpr std::size_t kMostProblems = 100; // one cause often has thousands of effects

using Problems = std::vector<std::string>;

Status check_file(Database& database, Problems& problems) {
  TRY(for_each_row(database, "pragma integrity_check(100)", {}, [&](RowReader& row) -> Status {
    if (const std::string said = row.text(); said != "ok") problems.push_back(said);
    return {};
  }));
  return for_each_row(database, "pragma foreign_key_check", {}, [&](RowReader& row) -> Status {
    const std::string table = row.text(), id = row.text(), parent = row.text();
    problems.push_back("row " + id + " of " + table + " refers to a row of " + parent + " that is not there");
    return {};
  });
}

Status check_rules(Database& database, Problems& problems) {
  TRY_ASSIGN(const auto missing, missing_rules(database));
  for (const std::string& name : missing)
    problems.push_back("the rule " + name + " is missing in this database");
  return {};
}

// An event without a digest is from before there were any; after one with a digest there is none without.
void check_event(const Event& before, const Event& event, Problems& problems) {
  const Event& previous = before.session_id == event.session_id ? before : Event{};
  if (event.digest.empty() && previous.digest.empty()) return;
  if (event.digest == chained_digest(previous, event)) return;
  problems.push_back("event " + std::to_string(event.seq) + " of session " + event.session_id +
                     " does not fit its digest: it, or one before it, was changed, added or taken away");
}

Status check_events(Database& database, DatabaseCheck& check) {
  const std::string order = " order by session_id, seq" + limit_sql(kPage);
  Event before;
  std::vector<Event> page;
  do {
    TRY_ASSIGN(page, check.events == 0 ? select_rows<Event>(database, "1 = 1" + order, {})
                                       : select_rows<Event>(database, "(session_id, seq) > ($1, $2)" + order,
                                                            {before.session_id, before.seq}));
    for (Event& event : page) {
      check_event(before, event, check.problems);
      before = std::move(event);
      ++check.events;
    }
  } while (page.size() == kPage && check.problems.size() < kMostProblems);
  return {};
}

Status check_proofs(Database& database, DatabaseCheck& check) {
  const std::string closed = " from issues where status in ('RESOLVED', 'MERGED')";
  TRY_ASSIGN(const auto counted,
             select(database, "select count(*)" + closed, {}, [](RowReader& row) { return row.integer(); }));
  check.resolved = counted.empty() ? 0 : counted.front();
  return for_each_row(
      database,
      "select code" + closed +
          " and not exists (select 1 from proofs where issue_id = issues.id and session_id = "
          "issues.session_id and commit_sha <> '' "
          "and (commit_sha = issues.commit_sha or issues.status = 'MERGED')) order by n" +
          limit_sql(kMostProblems),
      {}, [&](RowReader& row) -> Status {
        check.problems.push_back(row.text() + " is RESOLVED without a proof of its session and commit");
        return {};
      });
}

} // namespace

Result<DatabaseCheck> check_database(Database& database) {
  TRY_ASSIGN(const int version, schema_version(database));
  const int known = schema_migrations().back().number;
  if (version != known)
    return fail(ErrorCode::database,
                "the database " + database.location() + " has schema " + std::to_string(version) +
                    ", this program checks schema " + std::to_string(known),
                version < known
                    ? "any other command of this emend brings it up to date, such as emend issues list"
                    : "use the newer emend");
  DatabaseCheck check;
  if (database.dialect() == SqlDialect::sqlite) TRY(check_file(database, check.problems));
  TRY(check_rules(database, check.problems));
  TRY(check_events(database, check));
  TRY(check_proofs(database, check));
  if (check.problems.size() > kMostProblems) check.problems.resize(kMostProblems);
  return check;
}

} // namespace emend
