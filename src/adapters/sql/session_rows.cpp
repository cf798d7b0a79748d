#include "adapters/sql/session_rows.hpp"

#include "adapters/sql/record_tables.hpp"

namespace emend {

namespace {

constexpr std::size_t kShortestPrefix = 3; // shorter ones hit by accident

// The engine writes whole records and may hold one from before the request: without this rule its next write
// would undo it. A new owner or a session that starts again decides for itself.
std::string put_session_sql() {
  const std::string goes_on =
      "sessions.cancel_requested = 1 and sessions.status = 'running' and excluded.status = 'running' "
      "and sessions.owner_pid = excluded.owner_pid and sessions.owner_start_ticks = "
      "excluded.owner_start_ticks "
      "and sessions.owner_boot_id = excluded.owner_boot_id";
  return replace_all(
      row_sql<Session>().put(), "cancel_requested = excluded.cancel_requested",
      "cancel_requested = case when " + goes_on + " then 1 else excluded.cancel_requested end");
}

Error no_such_session(const std::string& id) {
  return {ErrorCode::not_found, "there is no session " + id, "list them with `emend sessions list`"};
}

Result<std::vector<Session>> sessions_where(Database& database, const std::string& condition,
                                            const Values& values, std::size_t limit) {
  return select_rows<Session>(database, condition + " order by n desc" + limit_sql(limit), values);
}

} // namespace

Status put_session(Database& database, const Session& session) {
  static const std::string sql = put_session_sql();
  TRY(run(database, sql, row_values(session)));
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
                                                    const std::string& before, std::size_t limit,
                                                    const std::optional<std::vector<std::string>>& among) {
  std::string condition = "1 = 1";
  Values values;
  const auto place = [&](const Value& value) {
    values.push_back(value);
    return "$" + std::to_string(values.size());
  };
  if (!before.empty()) {
    TRY_ASSIGN(const auto places, select(database, "select n from sessions where id = $1", {before},
                                         [](RowReader& row) { return row.integer(); }));
    if (places.empty()) return fail(no_such_session(before));
    condition += " and n < " + place(places.front());
  }
  if (!repository_id.empty()) condition += " and repository_id = " + place(repository_id);
  if (among) {
    std::vector<std::string> ids;
    for (const std::string& id : *among) ids.push_back(place(id));
    condition += ids.empty() ? " and 1 = 0" : " and repository_id in (" + join(ids, ", ") + ")";
  }
  return sessions_where(database, condition, values, limit);
}

Result<std::vector<Session>> select_unfinished_sessions(Database& database,
                                                        const std::string& repository_id) {
  return sessions_where(database,
                        "repository_id = $1 and status in ('planned', 'running', 'interrupted', 'error')",
                        {repository_id}, 0);
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

} // namespace emend
