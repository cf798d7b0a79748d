// All that emend knows, as one folder or one file: the database as it was at one moment, the files of
// sessions, emend's own commits, and a list of everything with its digest.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "ports/database_tools.hpp"
#include "ports/process.hpp"

namespace emend {

struct BackupPlace {
  std::string address; // of the database, as EMEND_DATABASE
  std::string home;    // EMEND_HOME
};

struct BackupSum {
  std::string made_at, version; // of the backup
  std::size_t files = 0;        // without the database
  std::uint64_t bytes = 0;      // with it
  std::int64_t rows = 0;
};

struct BackupTools {
  DatabaseTools& databases;
  ProcessRunner& processes;
  std::string version;
  std::int64_t now_ms = 0;
};

// "*.tar" is one file; anything else is a folder, which must be missing or empty.
[[nodiscard]] bool is_backup_file(const std::string& path);

// Others may work on, and write, all the while. What is half made is not there: the last step gives it its
// name.
[[nodiscard]] Result<BackupSum> make_backup(const BackupTools& tools, const BackupPlace& from,
                                            const std::string& to, std::stop_token stop);

// Looks at every byte of the backup before anything is written. The database must be missing or empty, and no
// file may be there with other bytes: ErrorCode::conflict. The database is written last, so that a restore
// which was interrupted can be repeated. dry = only looks.
[[nodiscard]] Result<BackupSum> restore_backup(const BackupTools& tools, const std::string& from,
                                               const BackupPlace& to, bool dry, std::stop_token stop);

} // namespace emend
