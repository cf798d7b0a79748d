#include "service/backup.hpp"

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"
#include "service/backup_files.hpp"

namespace emend {
namespace {

constexpr const char* kList = "backup.json";
constexpr const char* kDatabase = "emend.db";
constexpr const char* kFiles = "files/";
constexpr const char* kFormat = "emend.backup/v1";

Status go_on(const std::stop_token& stop) {
  return stop.stop_requested() ? fail(ErrorCode::cancelled, "stopped", "nothing was stored") : Status();
}

Status run_tar(ProcessRunner& processes, std::vector<std::string> arguments, const std::stop_token& stop) {
  ProcessSpec spec;
  spec.argv = {"tar"};
  spec.argv.insert(spec.argv.end(), std::make_move_iterator(arguments.begin()),
                   std::make_move_iterator(arguments.end()));
  spec.cwd = "/";
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  spec.supervise = false;
  TRY_ASSIGN(const ProcessResult done, processes.run(spec, stop));
  if (done.ok()) return {};
  if (done.ending == Ending::cancelled) return fail(ErrorCode::cancelled, "stopped", "nothing was stored");
  return fail(ErrorCode::io,
              "tar failed: " + first_line(clean_text(done.problem.empty() ? done.err : done.problem), 300),
              "use a folder instead of a .tar file");
}

Status must_be_free(const fs::path& place) {
  std::error_code problem;
  if (!fs::exists(place, problem)) return {};
  if (!is_backup_file(place.string()) && fs::is_directory(place, problem) && fs::is_empty(place, problem))
    return {};
  return fail(ErrorCode::conflict, place.string() + " exists already", "give a new name for each backup");
}

BackupSum sum_of(const Json& list, const std::vector<BackupFile>& files) {
  BackupSum sum{string_or(list, "made_at"), string_or(list, "emend"), 0, 0, int64_field(list, "rows")};
  for (const BackupFile& file : files) {
    sum.bytes += file.bytes;
    if (file.name != kDatabase) ++sum.files;
  }
  return sum;
}

// What is gone when its turn comes was not needed by anything that stays.
Status copy_home(const std::string& home, const fs::path& to, std::vector<BackupFile>& files,
                 const std::stop_token& stop) {
  for (const std::string& path : files_worth_keeping(home)) {
    TRY(go_on(stop));
    auto copied = copy_with_digest(fs::path(home) / path, to / (kFiles + path), kFiles + path);
    if (!copied && copied.error().code == ErrorCode::not_found) continue;
    TRY_ASSIGN(BackupFile file, std::move(copied));
    files.push_back(std::move(file));
  }
  return {};
}

Result<BackupSum> fill(const BackupTools& tools, const BackupPlace& from, const fs::path& folder,
                       const std::stop_token& stop) {
  TRY(make_directories(folder, 0700));
  const fs::path database = folder / kDatabase;
  TRY_ASSIGN(const DatabaseSnapshot snapshot, tools.databases.snapshot(from.address, database.string()));
  std::error_code ignored;
  for (const char* rest : {"-wal", "-shm"}) fs::remove(database.string() + rest, ignored);
  BackupFile stored{kDatabase, fs::file_size(database, ignored), {}};
  TRY_ASSIGN(stored.sha256, digest_of_file(database));
  std::vector<BackupFile> files = {std::move(stored)};
  TRY(copy_home(from.home, folder, files, stop)); // after the database: what its rows name is there by then
  std::int64_t rows = 0;
  for (const TableRows& table : snapshot.tables) rows += table.rows;
  const Json list = {
      {"format", kFormat},         {"emend", tools.version}, {"made_at", rfc3339_utc(tools.now_ms)},
      {"schema", snapshot.schema}, {"rows", rows},           {"files", to_json(files)}};
  TRY(write_file(folder / kList, dump_json(list, 1) + "\n"));
  return sum_of(list, files);
}

Status give_name(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::rename(from, to, problem);
  return problem ? fail(ErrorCode::io, "cannot make " + to.string() + ": " + problem.message()) : Status();
}

struct OpenedBackup {
  Json list;
  std::vector<BackupFile> files;
};

Result<OpenedBackup> open_backup(const fs::path& folder, const std::stop_token& stop) {
  const auto text = read_file_nofollow(folder / kList);
  if (!text)
    return fail(ErrorCode::usage, folder.string() + " is not a backup of emend: it has no " + kList,
                "give the folder or the .tar file that emend backup made");
  TRY_ASSIGN(Json list, parse_json(*text));
  if (string_or(list, "format") != kFormat)
    return fail(ErrorCode::usage,
                "the backup has the format \"" + first_line(clean_text(string_or(list, "format")), 60) +
                    "\", not " + kFormat,
                "use the emend that made it");
  TRY_ASSIGN(std::vector<BackupFile> files, backup_files_from(list));
  TRY(check_backup_files(folder, files, kList, stop));
  return OpenedBackup{std::move(list), std::move(files)};
}

Status must_fit(const BackupFile& file, const fs::path& place) {
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(place, problem))) return {};
  const auto there = digest_of_file(place);
  if (there && *there == file.sha256) return {};
  return fail(ErrorCode::conflict, place.string() + " exists with other content",
              "restore into an empty EMEND_HOME; nothing was changed");
}

// A database that is missing is an empty one.
Status must_be_empty(DatabaseTools& databases, const std::string& address) {
  const auto tables = databases.tables(address);
  if (!tables && tables.error().code == ErrorCode::not_found) return {};
  if (!tables) return fail(tables.error());
  for (const TableRows& table : *tables)
    if (table.rows > 0)
      return fail(ErrorCode::conflict, "the database has rows already (" + table.table + ")",
                  "restore into an empty EMEND_HOME or an empty database; nothing was changed");
  return {};
}

std::string below_home(const BackupFile& file) { return file.name.substr(std::string_view(kFiles).size()); }

Result<BackupSum> restore_folder(const BackupTools& tools, const fs::path& folder, const BackupPlace& to,
                                 bool dry, const std::stop_token& stop) {
  TRY_ASSIGN(const OpenedBackup backup, open_backup(folder, stop));
  TRY(must_be_empty(tools.databases, to.address));
  for (const BackupFile& file : backup.files)
    if (file.name.starts_with(kFiles)) TRY(must_fit(file, fs::path(to.home) / below_home(file)));
  if (dry) return sum_of(backup.list, backup.files);
  for (const BackupFile& file : backup.files) {
    if (!file.name.starts_with(kFiles)) continue;
    TRY(go_on(stop));
    const fs::path place = fs::path(to.home) / below_home(file);
    std::error_code problem;
    if (!fs::exists(place, problem)) TRY(copy_with_digest(folder / file.name, place, file.name));
  }
  TRY(tools.databases.snapshot((folder / kDatabase).string(), to.address));
  return sum_of(backup.list, backup.files);
}

} // namespace

bool is_backup_file(const std::string& path) { return path.ends_with(".tar"); }

Result<BackupSum> make_backup(const BackupTools& tools, const BackupPlace& from, const std::string& to,
                              std::stop_token stop) {
  const fs::path place = fs::absolute(to).lexically_normal();
  const fs::path named = place.filename().empty() ? place.parent_path() : place;
  TRY(must_be_free(named));
  TRY(make_directories(named.parent_path()));
  TRY_ASSIGN(const TemporaryDirectory work,
             TemporaryDirectory::create(named.parent_path(), ".emend-backup-"));
  const fs::path folder = work.path() / "content";
  TRY_ASSIGN(BackupSum sum, fill(tools, from, folder, stop));
  if (!is_backup_file(named.string())) {
    std::error_code ignored;
    fs::remove(named, ignored); // an empty folder
    TRY(give_name(folder, named));
    return sum;
  }
  const fs::path archive = work.path() / "archive";
  TRY(run_tar(tools.processes, {"-C", folder.string(), "-cf", archive.string(), "."}, stop));
  fs::permissions(archive, fs::perms::owner_read | fs::perms::owner_write);
  TRY(give_name(archive, named));
  return sum;
}

Result<BackupSum> restore_backup(const BackupTools& tools, const std::string& from, const BackupPlace& to,
                                 bool dry, std::stop_token stop) {
  std::error_code problem;
  if (!fs::exists(from, problem))
    return fail(ErrorCode::not_found, "there is no backup " + from, "check the path");
  if (fs::is_directory(from, problem)) return restore_folder(tools, fs::absolute(from), to, dry, stop);
  TRY_ASSIGN(const TemporaryDirectory work, TemporaryDirectory::create(to.home, ".emend-restore-"));
  TRY(run_tar(tools.processes,
              {"-C", work.path().string(), "--no-same-owner", "--no-same-permissions", "-xf",
               fs::absolute(from).string()},
              stop));
  return restore_folder(tools, work.path(), to, dry, stop);
}

} // namespace emend
