#include "adapters/sql/journal_rows.hpp"

#include <iterator>
#include <limits>

#include "adapters/sql/record_tables.hpp"

namespace emend {

namespace {

// What never changes in a row once its issue is RESOLVED. $1 = the issue, $2 = the session.
struct EvidenceTable {
  const char* table;
  const char* id;
  std::vector<std::string> columns;
  const char* which;
};

const std::vector<EvidenceTable>& evidence_tables() {
  static const std::vector<EvidenceTable> tables = {
      {"sessions",
       "id",
       {"id", "repository_id", "base", "base_ref", "branch", "tip", "issue_ids", "review_report", "policy",
        "started_ms"},
       "id = $2 and $1 = $1"},
      {"issues", "id", {"n", "id", "repository_id", "code", "created_ms"}, "id = $1 and $2 = $2"},
      {"units",
       "id",
       {"id", "session_id", "position", "issue_ids", "base", "stacked", "accepted_attempt"},
       "session_id = $2 and id in (select unit_id from attempts where issue_id = $1)"},
      {"attempts",
       "id",
       {"n",      "id",     "session_id", "unit_id",    "issue_id",    "cycle",       "agent",
        "model",  "family", "ending",     "exit_code",  "claim",       "explanation", "result",
        "detail", "base",   "notes",      "started_ms", "duration_ms", "patch"},
       "issue_id = $1 and session_id = $2"},
      {"verifications",
       "id",
       {"n", "id", "session_id", "issue_id", "kind", "patch_sha256", "data"},
       "session_id = $2 and (issue_id = $1 or issue_id is null)"},
      {"verdicts",
       "id",
       {"n", "id", "session_id", "issue_id", "attempt_id", "patch_sha256", "data"},
       "session_id = $2 and (issue_id = $1 or attempt_id is null)"}, // those on no attempt are canaries,
                                                                     // which speak of the judge
      {"commits",
       "sha",
       {"n", "sha", "parent", "session_id", "issue_ids", "patch_sha256", "subject"},
       "session_id = $2 and issue_ids like '%' || $1 || '%'"},
      {"reproducers",
       "id",
       {"n", "id", "issue_id", "session_id", "data"},
       "issue_id = $1 and session_id = $2"},
      {"agent_runs",
       "id",
       {"n", "id", "repository_id", "session_id", "role", "agent", "started_ms", "data"},
       "session_id = $2 and data like '%' || $1 || '%'"},
  };
  return tables;
}

// The model writes command runs only inside a verification, so a cached run is kept as a verification with
// one command.
std::optional<CommandRun> read_baseline_run(RowReader& row) {
  Verification envelope = verification_from_json(row.json());
  if (envelope.commands.size() != 1) return std::nullopt;
  return std::move(envelope.commands.front());
}

} // namespace

Result<Event> insert_event(Database& database, const Event& event, std::int64_t now_ms) {
  Event stored = event;
  if (stored.time_ms == 0) stored.time_ms = now_ms;
  TRY_ASSIGN(
      const auto before,
      select(database, "select seq, digest from events where session_id = $1 order by seq desc limit 1",
             {stored.session_id}, [](RowReader& row) {
               Event last;
               last.seq = row.integer();
               last.digest = row.text();
               return last;
             }));
  stored.digest = chained_digest(before.empty() ? Event{} : before.front(), stored);
  static const std::string sql = row_sql<Event>().put();
  TRY_ASSIGN(const auto numbers,
             select(database, sql, row_values(stored), [](RowReader& row) { return row.integer(); }));
  if (numbers.size() != 1) return fail(ErrorCode::internal, "the event got no number");
  stored.seq = numbers.front();
  return stored;
}

Result<std::vector<Event>> select_events(Database& database, std::int64_t after,
                                         const std::string& session_id, std::size_t limit) {
  const std::string order = " order by seq" + limit_sql(limit);
  if (session_id.empty()) {
    if (database.dialect() == SqlDialect::sqlite)
      return select_rows<Event>(database, "seq > $1" + order, {after});
    // Mostly there is nothing new, and one question tells.
    TRY_ASSIGN(const int news, run(database, "select 1 from events where seq > $1 limit 1", {after}));
    if (news == 0) return std::vector<Event>();
    TRY_ASSIGN(const auto complete, database.complete_events());
    return select_rows<Event>(database, "seq > $1 and seq <= $2" + order,
                              {after, complete.value_or(std::numeric_limits<std::int64_t>::max())});
  }
  return select_rows<Event>(database, "seq > $1 and session_id = $2" + order, {after, session_id});
}

Result<std::int64_t> select_newest_event(Database& database) {
  TRY_ASSIGN(const auto complete, database.complete_events());
  TRY_ASSIGN(const auto newest, select(database, "select coalesce(max(seq), 0) from events where seq <= $1",
                                       {complete.value_or(std::numeric_limits<std::int64_t>::max())},
                                       [](RowReader& row) { return row.integer(); }));
  return newest.empty() ? 0 : newest.front();
}

Result<std::vector<Event>> select_events_of_issue(Database& database, const std::string& repository_id,
                                                  const std::string& code, std::size_t limit) {
  return select(database,
                row_sql<Event>().select() +
                    " join sessions on sessions.id = events.session_id where sessions.repository_id = $1 and "
                    "issue_code = $2 order by seq" +
                    limit_sql(limit),
                {repository_id, code}, read_row<Event>);
}

Result<std::vector<JournalRow>> select_journal_rows(Database& database, const std::string& issue_id,
                                                    const std::string& session_id) {
  std::vector<JournalRow> all;
  for (const EvidenceTable& from : evidence_tables()) {
    std::string sql = std::string("select ") + from.id;
    for (const std::string& column : from.columns)
      sql += ", coalesce('=' || cast(" + column + " as text), '-')";
    sql += std::string(" from ") + from.table + " where " + from.which + " order by " + from.id;
    TRY_ASSIGN(std::vector<JournalRow> rows,
               select(database, sql, {issue_id, session_id}, [&](RowReader& row) {
                 JournalRow read{from.table, row.text(), {}};
                 for (const std::string& column : from.columns) {
                   const std::string value = row.text();
                   read.bytes += column + " " + std::to_string(value.size()) + ":" + value + "\n";
                 }
                 return read;
               }));
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

Status finish_intent_row(Database& database, const std::string& id) {
  TRY_ASSIGN(const int hit, run(database, "update intents set done = 1 where id = $1 returning id", {id}));
  return hit == 1 ? Status() : fail(ErrorCode::not_found, "there is no intent " + id);
}

Status delete_child(Database& database, const ChildRecord& child) {
  TRY(run(database,
          "delete from children where session_id = $1 and pid = $2 and start_ticks = $3 and boot_id = $4",
          row_values(child)));
  return {};
}

Status put_baseline_run(Database& database, const std::string& key, const CommandRun& baseline) {
  Verification envelope;
  envelope.kind = VerificationKind::baseline;
  envelope.commands.push_back(baseline);
  TRY(run(database, upsert_sql("baseline_runs", "key, data", "key"), {key, dump_json(to_json(envelope))}));
  return {};
}

Result<std::optional<CommandRun>> select_baseline_run(Database& database, const std::string& key) {
  TRY_ASSIGN(auto found,
             select(database, "select data from baseline_runs where key = $1", {key}, read_baseline_run));
  return found.empty() ? std::nullopt : std::move(found.front());
}

Status delete_trust(Database& database, const std::string& path) {
  TRY(run(database, "delete from trust where path = $1", {path}));
  return {};
}

} // namespace emend
