#include "adapters/sql/journal_rows.hpp"

#include <iterator>

namespace emend {

namespace {

template <typename T>
std::optional<T> first_of(std::vector<T>&& rows) {
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

Intent read_intent(RowReader& row) {
  Intent intent;
  intent.id = row.text();
  intent.session_id = row.text();
  intent.kind = row.text();
  intent.data = row.json();
  intent.done = row.flag();
  return intent;
}

ChildRecord read_child(RowReader& row) {
  ChildRecord child;
  child.session_id = row.text();
  child.pid = row.small();
  child.start_ticks = row.integer();
  child.boot_id = row.text();
  return child;
}

TrustRecord read_trust(RowReader& row) {
  TrustRecord record;
  record.path = row.text();
  record.sha256 = row.text();
  record.time_ms = row.integer();
  return record;
}

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

Event read_event(RowReader& row) {
  Event event;
  event.seq = row.integer();
  event.time_ms = row.integer();
  event.session_id = row.text();
  event.type = row.text();
  event.issue_code = row.text();
  event.data = row.json();
  event.digest = row.text();
  return event;
}

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
  TRY_ASSIGN(
      const auto numbers,
      select(database,
             insert_sql("events", "time_ms, session_id, type, issue_code, data, digest") + " returning seq",
             {stored.time_ms, stored.session_id, stored.type, stored.issue_code, dump_json(stored.data),
              stored.digest},
             [](RowReader& row) { return row.integer(); }));
  if (numbers.size() != 1) return fail(ErrorCode::internal, "the event got no number");
  stored.seq = numbers.front();
  return stored;
}

Result<std::vector<Event>> select_events(Database& database, std::int64_t after,
                                         const std::string& session_id, std::size_t limit) {
  const std::string columns =
      "select seq, time_ms, session_id, type, issue_code, data, digest from events where seq > $1";
  const std::string order = " order by seq" + limit_sql(limit);
  if (session_id.empty()) return select(database, columns + order, {after}, read_event);
  return select(database, columns + " and session_id = $2" + order, {after, session_id}, read_event);
}

Result<std::vector<Event>> select_events_of_issue(Database& database, const std::string& repository_id,
                                                  const std::string& code, std::size_t limit) {
  return select(database,
                "select e.seq, e.time_ms, e.session_id, e.type, e.issue_code, e.data, e.digest from events e "
                "join sessions s on s.id = e.session_id "
                "where s.repository_id = $1 and e.issue_code = $2 order by e.seq" +
                    limit_sql(limit),
                {repository_id, code}, read_event);
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

Status put_intent_row(Database& database, const Intent& intent) {
  static const std::string sql = upsert_sql("intents", "id, session_id, kind, data, done", "id");
  TRY(run(database, sql, {intent.id, intent.session_id, intent.kind, dump_json(intent.data), intent.done}));
  return {};
}

Result<std::vector<Intent>> select_open_intents(Database& database, const std::string& session_id) {
  const std::string sql = "select id, session_id, kind, data, done from intents where done = 0";
  if (session_id.empty()) return select(database, sql + " order by n", {}, read_intent);
  return select(database, sql + " and session_id = $1 order by n", {session_id}, read_intent);
}

Status finish_intent_row(Database& database, const std::string& id) {
  TRY_ASSIGN(const int hit, run(database, "update intents set done = 1 where id = $1 returning id", {id}));
  return hit == 1 ? Status() : fail(ErrorCode::not_found, "there is no intent " + id);
}

Status insert_child(Database& database, const ChildRecord& child) {
  TRY(run(database,
          insert_sql("children", "session_id, pid, start_ticks, boot_id") + " on conflict do nothing",
          {child.session_id, child.pid, child.start_ticks, child.boot_id}));
  return {};
}

Status delete_child(Database& database, const ChildRecord& child) {
  TRY(run(database,
          "delete from children where session_id = $1 and pid = $2 and start_ticks = $3 and boot_id = $4",
          {child.session_id, child.pid, child.start_ticks, child.boot_id}));
  return {};
}

Result<std::vector<ChildRecord>> select_children(Database& database, const std::string& session_id) {
  const std::string columns = "select session_id, pid, start_ticks, boot_id from children";
  const std::string order = " order by session_id, start_ticks, pid";
  if (session_id.empty()) return select(database, columns + order, {}, read_child);
  return select(database, columns + " where session_id = $1" + order, {session_id}, read_child);
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

Status put_trust(Database& database, const TrustRecord& record) {
  TRY(run(database, upsert_sql("trust", "path, sha256, time_ms", "path"),
          {record.path, record.sha256, record.time_ms}));
  return {};
}

Result<std::optional<TrustRecord>> select_trust(Database& database, const std::string& path) {
  TRY_ASSIGN(auto found,
             select(database, "select path, sha256, time_ms from trust where path = $1", {path}, read_trust));
  return first_of(std::move(found));
}

Status delete_trust(Database& database, const std::string& path) {
  TRY(run(database, "delete from trust where path = $1", {path}));
  return {};
}

} // namespace emend
