// What an operator does with a database as a whole: look at it, check it, move it to another place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/session.hpp"

namespace emend {

struct DatabaseFacts {
  std::string program;  // "SQLite 3.40.1"
  std::string location; // never with a password
  int schema = 0;       // the newest step that was applied
  int known_schema = 0; // the newest step of this program
  std::int64_t bytes = 0;
  std::string warning, remedy; // what an operator should know; mostly empty
};

struct TableRows {
  std::string table;
  std::int64_t rows = 0;
};

struct DatabaseCheck {
  std::vector<std::string> problems; // empty = sound
  std::int64_t events = 0;           // whose digests were computed again
  std::int64_t resolved = 0;         // issues whose proof was looked for
};

struct DatabaseSnapshot {
  int schema = 0;
  std::vector<TableRows> tables;
};

struct DatabaseExpiry {
  std::int64_t sessions = 0, events = 0; // events of that many sessions
  std::int64_t parcels = 0;              // bytes that travelled with work which is over
};

struct DatabaseCopy {
  std::string from, to; // locations
  std::vector<TableRows> tables;
  std::string digest; // over every row, the same on both sides
};

// Addresses are those of EMEND_DATABASE: a file, or PostgreSQL's. A database that is not there is
// ErrorCode::not_found, never created.
class DatabaseTools {
public:
  virtual ~DatabaseTools() = default;

  // Neither of these changes anything, whatever the schema is.
  [[nodiscard]] virtual Result<DatabaseFacts> facts(const std::string& address) = 0;
  [[nodiscard]] virtual Result<std::vector<TableRows>> tables(const std::string& address) = 0;
  [[nodiscard]] virtual Result<DatabaseCheck> check(const std::string& address) = 0;

  // All rows, in one transaction, compared afterwards; nobody can write to either side meanwhile. The target
  // is made when it is not there, and must be empty. may_copy sees the sessions that say they are running.
  [[nodiscard]] virtual Result<DatabaseCopy> copy(
      const std::string& from, const std::string& to,
      const std::function<Status(const std::vector<Session>&)>& may_copy) = 0;

  // All rows as they are at one moment, while others read and write. The target is made when it is not there,
  // and must be empty; what is half written there after an error is not a database.
  [[nodiscard]] virtual Result<DatabaseSnapshot> snapshot(const std::string& from, const std::string& to) = 0;

  // Removes events of sessions that ended before `before_ms`, have no proof, and cannot be resumed; and what
  // was sent along with their work. dry = only counts.
  [[nodiscard]] virtual Result<DatabaseExpiry> expire(const std::string& address, std::int64_t before_ms,
                                                      bool dry) = 0;

  // Gives unused space back to the file system, and empties the log of changes. Others may go on working.
  [[nodiscard]] virtual Result<std::int64_t> compact(const std::string& address) = 0; // bytes before - after

  // Empties the log of changes alone, as far as nobody reads in it. Takes a moment, whatever the size.
  [[nodiscard]] virtual Status trim_log(const std::string& address) = 0;
};

} // namespace emend
