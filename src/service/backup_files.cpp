#include "service/backup_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/owned_fd.hpp"
#include "base/stream_digest.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

// Everything else below EMEND_HOME is made again, belongs to this machine, or is the database.
constexpr const char* kKept[] = {"sessions", "artifacts", "notes", "repositories", "wiring"};
constexpr const char* kMadeAgain[] = {"bases", "layers", "owners", "workspaces", "tmp", "setup.lock"};

bool is_made_again(const std::string& path) {
  const std::vector<std::string> parts = split(path, '/');
  if (parts.size() < 3 || parts[0] != "repositories") return false;
  return parts[2].starts_with("new-git-") || std::any_of(std::begin(kMadeAgain), std::end(kMadeAgain),
                                                         [&](const char* name) { return parts[2] == name; });
}

void collect(const fs::path& home, const fs::path& below, std::vector<std::string>& found) {
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(below, problem)) {
    const std::string path = item.path().lexically_relative(home).string();
    if (is_made_again(path)) continue;
    const auto status = item.symlink_status(problem);
    if (fs::is_directory(status))
      collect(home, item.path(), found);
    else if (fs::is_regular_file(status) && item.path().extension() != ".lock")
      found.push_back(path);
  }
}

// Objects are only ever added, names of commits point at what is there already.
int copied_when(const std::string& path) { return contains(path, "/git/objects/") ? 1 : 0; }

Error cannot(const std::string& what, const fs::path& path, int code) {
  return {code == ENOENT ? ErrorCode::not_found : ErrorCode::io,
          "cannot " + what + " " + path.string() + ": " + std::strerror(code),
          "check the path, its permissions and the disk"};
}

template <typename Take>
Status read_pieces(const fs::path& path, Take take) {
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.get() < 0) return fail(cannot("read", path, errno));
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(cannot("read", path, errno));
    if (got == 0) return {};
    TRY(take(std::string_view(buffer.data(), static_cast<std::size_t>(got))));
  }
}

Status write_piece(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail(cannot("write", path, errno));
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

bool stays_below(const std::string& name) {
  if (name.empty() || name.front() == '/' || contains(name, std::string_view("\0", 1))) return false;
  for (const std::string& part : split(name, '/'))
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

tl::unexpected<Error> damaged(const std::string& why) {
  return fail(ErrorCode::usage, "the backup cannot be used: " + why,
              "use another backup; nothing was changed");
}

} // namespace

std::vector<std::string> files_worth_keeping(const std::string& home) {
  std::vector<std::string> found;
  for (const char* folder : kKept) collect(home, fs::path(home) / folder, found);
  std::sort(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return copied_when(a) < copied_when(b);
  });
  return found;
}

Result<BackupFile> copy_with_digest(const fs::path& from, const fs::path& to, const std::string& name) {
  BackupFile copied{name, 0, {}};
  TRY(make_directories(to.parent_path()));
  const OwnedFd file(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return fail(cannot("write", to, errno));
  Sha256 digest;
  const Status read = read_pieces(from, [&](std::string_view piece) -> Status {
    digest.add(piece);
    copied.bytes += piece.size();
    return write_piece(file.get(), piece, to);
  });
  if (!read) {
    ::unlink(to.c_str());
    return fail(read.error());
  }
  struct stat info {};
  if (::stat(from.c_str(), &info) == 0) ::fchmod(file.get(), info.st_mode & 0700);
  if (::fsync(file.get()) != 0) return fail(cannot("write", to, errno));
  copied.sha256 = digest.hex();
  return copied;
}

Result<std::string> digest_of_file(const fs::path& path) {
  Sha256 digest;
  TRY(read_pieces(path, [&](std::string_view piece) -> Status {
    digest.add(piece);
    return {};
  }));
  return digest.hex();
}

Json to_json(const std::vector<BackupFile>& files) {
  Json list = Json::array();
  for (const BackupFile& file : files)
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return list;
}

Result<std::vector<BackupFile>> backup_files_from(const Json& json) {
  std::vector<BackupFile> files;
  for (const Json& item : array_field(json, "files")) {
    BackupFile file{string_or(item, "name"),
                    static_cast<std::uint64_t>(std::max<std::int64_t>(0, int64_field(item, "bytes"))),
                    string_or(item, "sha256")};
    if (!stays_below(file.name)) return damaged("its list names a file outside of it");
    files.push_back(std::move(file));
  }
  return files;
}

Status check_backup_files(const fs::path& folder, const std::vector<BackupFile>& files,
                          const std::string& list_name, const std::stop_token& stop) {
  std::set<std::string> known = {list_name};
  for (const BackupFile& file : files) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped", "");
    known.insert(file.name);
    const auto found = digest_of_file(folder / file.name);
    if (!found) return damaged(file.name + " is missing or cannot be read");
    if (*found != file.sha256) return damaged(file.name + " was changed since the backup was made");
  }
  std::error_code problem;
  for (const auto& item : fs::recursive_directory_iterator(folder, problem)) {
    const std::string name = item.path().lexically_relative(folder).string();
    const auto status = item.symlink_status(problem);
    if (fs::is_directory(status) || (fs::is_regular_file(status) && known.contains(name))) continue;
    return damaged(first_line(clean_text(name), 200) + " is not in its list");
  }
  return {};
}

} // namespace emend
