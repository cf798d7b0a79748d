#include "adapters/sql/postgres_error.hpp"

#include "adapters/sql/libpq.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string state_of(const pg_result* answer) {
  const char* state = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

std::string reason(const pg_result* answer) {
  const char* text = PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
  return text != nullptr ? text : std::string(trim(PQresultErrorMessage(answer)));
}

bool is_any_of(const std::string& state, std::initializer_list<std::string_view> states) {
  for (const std::string_view one : states)
    if (state == one) return true;
  return false;
}

std::string in_one_line(const char* text) {
  std::vector<std::string> parts;
  for (const std::string_view line : lines_of(text)) parts.emplace_back(trim(line));
  return join(parts, " ");
}

// libpq gives only words, in the language of the server or the library; those of the usual cases are known in
// English.
std::string connection_remedy(const pg_conn* connection, const std::string& why) {
  if (PQconnectionNeedsPassword(connection) != 0)
    return "the server wants a password: put it into ~/.pgpass or PGPASSWORD, or into the address";
  if (contains(why, "password authentication failed"))
    return "check user and password (EMEND_DATABASE, PGPASSWORD, ~/.pgpass); special characters in an "
           "address are percent-encoded";
  if (contains(why, "database") && contains(why, "does not exist"))
    return "create it: createdb --owner=USER --encoding=UTF8 --template=template0 NAME";
  if (contains(why, "too many clients") || contains(why, "remaining connection slots"))
    return "raise max_connections of the server, or end connections that are not needed";
  if (contains(why, "no pg_hba.conf entry")) return "allow this machine and user in the server's pg_hba.conf";
  if (contains(why, "SSL") || contains(why, "certificate"))
    return "check sslmode and the certificates on both sides";
  return "check that the server runs and that host and port are right (pg_isready -h HOST -p PORT), then try "
         "again";
}

} // namespace

bool ends_connection(const pg_result* answer) {
  const std::string state = state_of(answer);
  return state.starts_with("08") || is_any_of(state, {"57P01", "57P02", "57P03", "57P05", "25P03"});
}

Error postgres_connection_lost(const std::string& location, bool while_committing) {
  if (while_committing)
    return {ErrorCode::database,
            "the connection to the database " + location + " was lost while a change was being stored",
            "it is not known whether the change was stored; check with `emend sessions`, then try again"};
  return {ErrorCode::database, "the connection to the database " + location + " was lost",
          "the last change was not stored; check that the server runs, then try again"};
}

Error postgres_connection_error(const pg_conn* connection, const std::string& location) {
  const std::string why = in_one_line(PQerrorMessage(connection));
  return {ErrorCode::database, "cannot connect to the database " + location + ": " + why,
          connection_remedy(connection, why)};
}

Error postgres_error(const pg_result* answer, const std::string& location) {
  const std::string state = state_of(answer);
  const std::string why = reason(answer);
  if (state == "23505") return {ErrorCode::conflict, "the record is already in " + location + ": " + why, ""};
  if (state.starts_with("23") || state == "P0001")
    return {ErrorCode::database, "the database refused the change: " + why, ""};
  if (state == "55P03" || state.starts_with("40"))
    return {ErrorCode::database, "the database " + location + " is locked by another process",
            "wait until the other emend process is done (`select * from pg_stat_activity` shows it), then "
            "try again; nothing was changed"};
  if (state == "57014")
    return {ErrorCode::database, "the database " + location + " took too long: " + why,
            "see what keeps the server busy (`select * from pg_stat_activity`), then try again; nothing was "
            "changed"};
  if (state == "53100")
    return {ErrorCode::database, "no space left for the database " + location,
            "free some space on the server and try again; the change was not made and what was stored before "
            "is intact"};
  if (state == "25006")
    return {ErrorCode::database, "the database " + location + " cannot be written to: " + why,
            "connect to the primary server, not to a copy of it (target_session_attrs=read-write finds it)"};
  if (state == "42501")
    return {ErrorCode::database, "the database " + location + " refuses this user: " + why,
            "make the user the owner of the database: alter database NAME owner to USER"};
  if (state.starts_with("XX"))
    return {ErrorCode::database, "the database " + location + " is damaged: " + why,
            "see the server's log, then restore a backup"};
  return {ErrorCode::database, "the database " + location + " failed: " + why, ""};
}

} // namespace emend
