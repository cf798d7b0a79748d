// The files of a backup: which ones of emend's folder belong into it, and the list that names each with its
// digest.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct BackupFile {
  std::string name; // below the backup's folder
  std::uint64_t bytes = 0;
  std::string sha256;
};

// What is worth keeping of EMEND_HOME, as paths below it, in the order in which it must be copied while
// others write: names of commits before the commits they name.
[[nodiscard]] std::vector<std::string> files_worth_keeping(const std::string& home);

// One that is gone meanwhile is ErrorCode::not_found. The copy is on the disk when this returns.
[[nodiscard]] Result<BackupFile> copy_with_digest(const fs::path& from, const fs::path& to,
                                                  const std::string& name);
[[nodiscard]] Result<std::string> digest_of_file(const fs::path& path);

[[nodiscard]] Json to_json(const std::vector<BackupFile>& files);
// Only names that stay below the folder.
[[nodiscard]] Result<std::vector<BackupFile>> backup_files_from(const Json& json);

// Every file is there with its bytes, and nothing else is.
[[nodiscard]] Status check_backup_files(const fs::path& folder, const std::vector<BackupFile>& files,
                                        const std::string& list_name, const std::stop_token& stop);

} // namespace emend
