#include "base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/hash.hpp"
#include "base/owned_fd.hpp"

namespace emend {

namespace {

// Names of files that are written aside and then renamed.
constexpr const char *kUnfinished = ".emend-", *kUnfinishedEnd = ".tmp";

tl::unexpected<Error> failed(std::string_view doing, const fs::path& path, int error = errno) {
  const ErrorCode code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io;
  return fail(code, std::string(doing) + " " + path.string() + ": " + std::strerror(error));
}

Result<std::string> read_all(int fd, const fs::path& path, std::uint64_t size_hint, std::uint64_t max_bytes) {
  // A little more, so that the end shows without growing, and a parser that likes to read past the end needs
  // no copy.
  std::string bytes(static_cast<std::size_t>(std::min(size_hint, max_bytes)) + 64, '\0');
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() + std::max<std::size_t>(bytes.size(), 4096));
    const ssize_t got = ::read(fd, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("cannot read", path);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > max_bytes)
      return fail(ErrorCode::limit,
                  path.string() + " is larger than " + std::to_string(max_bytes) + " bytes");
  }
  bytes.resize(filled);
  return bytes;
}

Result<std::string> read_regular(const fs::path& path, std::uint64_t max_bytes, int extra_flags) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | extra_flags));
  if (!fd && errno == ELOOP) return fail(ErrorCode::io, path.string() + " is a symbolic link");
  if (!fd) return failed("cannot open", path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failed("cannot read the attributes of", path);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::io, path.string() + " is not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > max_bytes)
    return fail(ErrorCode::limit, path.string() + " is larger than " + std::to_string(max_bytes) + " bytes");
  return read_all(fd.get(), path, size, max_bytes);
}

Status write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status sync_directory(const fs::path& directory) {
  const OwnedFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return failed("cannot open", directory);
  // EINVAL: a file system that keeps no directory on disk has nothing to lose.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return failed("cannot sync", directory);
  return {};
}

Status write_new(const fs::path& path, std::string_view bytes, unsigned mode, bool sync) {
  const OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!fd) return failed("cannot create", path);
  if (::fchmod(fd.get(), mode) != 0) return failed("cannot set the mode of", path);
  TRY(write_all(fd.get(), bytes, path));
  if (sync && ::fsync(fd.get()) != 0) return failed("cannot sync", path);
  return {};
}

// Of processes that died while they wrote; nobody writes for an hour.
void remove_dead_siblings(const fs::path& directory) {
  const auto young = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(directory, problem)) {
    const std::string name = item.path().filename().string();
    if (!name.starts_with(kUnfinished) || !name.ends_with(kUnfinishedEnd)) continue;
    const auto written = fs::last_write_time(item.path(), problem);
    if (!problem && written < young) ::unlink(item.path().c_str());
  }
}

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

Status make_directory(const fs::path& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) == 0) return {};
  const int error = errno;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return {};
  return failed("cannot create the directory", path, error);
}

} // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
  return read_regular(path, max_bytes, 0);
}

Result<std::string> read_file_nofollow(const fs::path& path, std::uint64_t max_bytes) {
  return read_regular(path, max_bytes, O_NOFOLLOW);
}

Status write_file(const fs::path& path, std::string_view bytes, unsigned mode) {
  const fs::path directory = directory_of(path);
  TRY(make_directories(directory));
  const fs::path aside = directory / (std::string(kUnfinished) + random_hex(8) + kUnfinishedEnd);
  Status written = write_new(aside, bytes, mode, true);
  if (written && ::rename(aside.c_str(), path.c_str()) != 0) written = failed("cannot replace", path);
  if (!written) {
    ::unlink(aside.c_str());
    return written;
  }
  remove_dead_siblings(directory);
  return sync_directory(directory);
}

Status write_scratch_file(const fs::path& path, std::string_view bytes, unsigned mode) {
  TRY(make_directories(directory_of(path)));
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failed("cannot replace", path);
  return write_new(path, bytes, mode, false);
}

Status make_directories(const fs::path& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) == 0) return {}; // as a rule all above it is there, or it itself
  struct stat seen {};
  if (errno == EEXIST && ::stat(path.c_str(), &seen) == 0 && S_ISDIR(seen.st_mode)) return {};
  fs::path built;
  for (const fs::path& part : path) {
    built /= part;
    struct stat info {};
    if (part.empty() || (::stat(built.c_str(), &info) == 0 && S_ISDIR(info.st_mode))) continue;
    TRY(make_directory(built, mode));
  }
  return {};
}

Result<TemporaryDirectory> TemporaryDirectory::create(const fs::path& parent, std::string_view prefix) {
  TRY(make_directories(parent));
  const fs::path path = parent / (std::string(prefix) + random_hex(8));
  if (::mkdir(path.c_str(), 0700) != 0) return failed("cannot create the directory", path);
  return TemporaryDirectory(path);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), kept_(other.kept_) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(kept_, other.kept_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty() || kept_) return;
  [[maybe_unused]] const Status removed =
      remove_tree(path_); // what cannot be removed stays: nobody is left to tell
}

Result<FileLock> FileLock::try_lock(const fs::path& path) {
  TRY(make_directories(directory_of(path)));
  OwnedFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) return failed("cannot open the lock", path);
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK)
      return fail(ErrorCode::conflict, path.string() + " is locked by another process");
    return failed("cannot lock", path);
  }
  return FileLock(fd.release());
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

} // namespace emend
