#include "adapters/sql/session_rows.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kShortestPrefix = 3; // shorter ones hit by accident

const std::string kSessionColumns =
    "id, repository_id, status, detail, base, base_ref, branch, tip, issue_ids, review_report, policy, "
    "owner_pid, owner_start_ticks, "
    "owner_boot_id, started_ms, updated_ms, duration_ms, cancel_requested";

const std::string kUnitColumns =
    "id, session_id, position, issue_ids, status, base, stacked, cycles, verify_failures, challenges, "
    "deferrals, starts, "
    "accepted_attempt, feedback";

Session read_session(RowReader& row) {
  Session session;
  session.id = row.text();
  session.repository_id = row.text();
  session.status = row.word(parse_session_status);
  session.detail = row.text();
  session.base = row.text();
  session.base_ref = row.text();
  session.branch = row.text();
  session.tip = row.text();
  session.issue_ids = row.strings();
  session.review_report = row.text();
  session.policy = policy_from_json(row.json());
  session.owner.pid = row.small();
  session.owner.start_ticks = row.integer();
  session.owner.boot_id = row.text();
  session.started_ms = row.integer();
  session.updated_ms = row.integer();
  session.duration_ms = row.integer();
  session.cancel_requested = row.flag();
  return session;
}

Unit read_unit(RowReader& row) {
  Unit unit;
  unit.id = row.text();
  unit.session_id = row.text();
  unit.position = row.small();
  unit.issue_ids = row.strings();
  unit.status = row.word(parse_unit_status);
  unit.base = row.text();
  unit.stacked = row.flag();
  unit.cycles = row.small();
  unit.verify_failures = row.small();
  unit.challenges = row.small();
  unit.deferrals = row.small();
  unit.starts = row.small();
  unit.accepted_attempt = row.text();
  unit.feedback = row.text();
  return unit;
}

// The engine writes whole records and may hold one from before the request: without this rule its next write
// would undo it. A new owner or a session that starts again decides for itself.
std::string put_session_sql() {
  const std::string goes_on =
      "sessions.cancel_requested = 1 and sessions.status = 'running' and excluded.status = 'running' "
      "and sessions.owner_pid = excluded.owner_pid and sessions.owner_start_ticks = "
      "excluded.owner_start_ticks "
      "and sessions.owner_boot_id = excluded.owner_boot_id";
  return replace_all(
      upsert_sql("sessions", kSessionColumns, "id"), "cancel_requested = excluded.cancel_requested",
      "cancel_requested = case when " + goes_on + " then 1 else excluded.cancel_requested end");
}

Error no_such_session(const std::string& id) {
  return {ErrorCode::not_found, "there is no session " + id, "list them with `emend sessions list`"};
}

Result<std::vector<Session>> sessions_where(Database& database, const std::string& condition,
                                            const Values& values, std::size_t limit) {
  return select(database,
                "select " + kSessionColumns + " from sessions where " + condition + " order by n desc" +
                    limit_sql(limit),
                values, read_session);
}

} // namespace

Status put_session(Database& database, const Session& session) {
  static const std::string sql = put_session_sql();
  TRY(run(database, sql,
          {session.id, session.repository_id, std::string(to_string(session.status)), session.detail,
           session.base, session.base_ref, session.branch, session.tip, strings_to_text(session.issue_ids),
           session.review_report, dump_json(to_json(session.policy)), session.owner.pid,
           session.owner.start_ticks, session.owner.boot_id, session.started_ms, session.updated_ms,
           session.duration_ms, session.cancel_requested}));
  return {};
}

Result<Session> select_session(Database& database, const std::string& id_or_prefix) {
  TRY_ASSIGN(auto exact, sessions_where(database, "id = $1", {id_or_prefix}, 1));
  if (!exact.empty()) return std::move(exact.front());
  if (id_or_prefix.size() < kShortestPrefix) return fail(no_such_session(id_or_prefix));
  constexpr std::size_t kShown = 10;
  TRY_ASSIGN(auto found, sessions_where(database, "substr(id, 1, length($1)) = $1", {id_or_prefix}, kShown));
  if (found.empty()) return fail(no_such_session(id_or_prefix));
  if (found.size() == 1) return std::move(found.front());
  std::vector<std::string> candidates;
  for (const Session& session : found) candidates.push_back(session.id);
  return fail(ErrorCode::usage, "several sessions start with " + id_or_prefix + ": " + join(candidates, ", "),
              "type more of the id");
}

Result<std::vector<Session>> select_sessions(Database& database, const std::string& repository_id,
                                             std::size_t limit) {
  if (repository_id.empty()) return sessions_where(database, "1 = 1", {}, limit);
  return sessions_where(database, "repository_id = $1", {repository_id}, limit);
}

Result<std::vector<Session>> select_sessions_before(Database& database, const std::string& repository_id,
                                                    const std::string& before, std::size_t limit) {
  if (before.empty()) return select_sessions(database, repository_id, limit);
  TRY_ASSIGN(const auto places, select(database, "select n from sessions where id = $1", {before},
                                       [](RowReader& row) { return row.integer(); }));
  if (places.empty()) return fail(no_such_session(before));
  if (repository_id.empty()) return sessions_where(database, "n < $1", {places.front()}, limit);
  return sessions_where(database, "repository_id = $1 and n < $2", {repository_id, places.front()}, limit);
}

Status set_cancel_requested(Database& database, const std::string& session_id) {
  TRY_ASSIGN(
      const int hit,
      run(database, "update sessions set cancel_requested = 1 where id = $1 returning id", {session_id}));
  return hit == 1 ? Status() : fail(no_such_session(session_id));
}

Result<bool> select_cancel_requested(Database& database, const std::string& session_id) {
  TRY_ASSIGN(const auto flags, select(database, "select cancel_requested from sessions where id = $1",
                                      {session_id}, [](RowReader& row) { return row.integer(); }));
  if (flags.empty()) return fail(no_such_session(session_id));
  return flags.front() != 0;
}

Status put_unit(Database& database, const Unit& unit) {
  static const std::string sql = upsert_sql("units", kUnitColumns, "id");
  TRY(run(database, sql,
          {unit.id, unit.session_id, unit.position, strings_to_text(unit.issue_ids),
           std::string(to_string(unit.status)), unit.base, unit.stacked, unit.cycles, unit.verify_failures,
           unit.challenges, unit.deferrals, unit.starts, unit.accepted_attempt, unit.feedback}));
  return {};
}

Result<std::vector<Unit>> select_units(Database& database, const std::string& session_id) {
  return select(database,
                "select " + kUnitColumns + " from units where session_id = $1 order by position, id",
                {session_id}, read_unit);
}

} // namespace emend
