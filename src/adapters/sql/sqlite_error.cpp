#include "adapters/sql/sqlite_error.hpp"

#include <sqlite3.h>

#include <cstring>

#include "base/measures.hpp"

namespace emend {

namespace {

std::string reason(int code, sqlite3* connection) {
  const bool current = connection != nullptr && sqlite3_extended_errcode(connection) == code;
  std::string text = current ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  const int cause = connection != nullptr ? sqlite3_system_errno(connection) : 0;
  const int primary = code & 0xff;
  if (cause != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN))
    text += std::string(": ") + std::strerror(cause);
  return text;
}

Error constraint_error(int code, const std::string& why, const std::string& path) {
  if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY) {
    return {ErrorCode::conflict, "the record is already in " + path + ": " + why, ""};
  }
  return {ErrorCode::database, "the database refused the change: " + why, ""};
}

} // namespace

Error sqlite_error(int code, sqlite3* connection, const std::string& path) {
  count(Measure::database_errors, {{"database", "sqlite"}});
  const std::string why = reason(code, connection);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::database, "the database " + path + " is locked by another process",
              "wait until the other emend process is done (`fuser " + path +
                  "` shows it), then try again; nothing was changed"};
    case SQLITE_FULL:
      return {ErrorCode::database, "no space left for the database " + path,
              "free some space on its file system and try again; the change was not made and what was stored "
              "before is intact"};
    case SQLITE_NOTADB:
      return {ErrorCode::database, path + " is not a database of emend",
              "move the file away (it was not touched) or choose another place with EMEND_HOME"};
    case SQLITE_CORRUPT:
      return {ErrorCode::database, "the database " + path + " is damaged: " + why,
              "it was left as it is; copy it with its -wal file, then restore a backup or rescue the rows "
              "with `sqlite3 " +
                  path + " .recover`"};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return {ErrorCode::database, "the database " + path + " cannot be opened for writing: " + why,
              "check the owner and the permissions of the file and its directory, or choose another place "
              "with EMEND_HOME"};
    case SQLITE_IOERR:
      return {ErrorCode::database, "the database " + path + " cannot be read or written: " + why,
              "check the disk (`dmesg`, free space, quota); the last change was not made"};
    case SQLITE_CONSTRAINT: return constraint_error(code, why, path);
    default: return {ErrorCode::database, "the database " + path + " failed: " + why, ""};
  }
}

} // namespace emend
