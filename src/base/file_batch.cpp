#include "base/file_batch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/abandoned.hpp"
#include "base/owned_fd.hpp"

namespace emend {

namespace {

constexpr std::size_t kSyncedEach = 64; // more are synced with their whole file system, in one go
constexpr const char* kAside = ".emend-batch-";

tl::unexpected<Error> failed(std::string_view doing, const fs::path& path) {
  return fail(ErrorCode::io, std::string(doing) + " " + path.string() + ": " + std::strerror(errno));
}

Status sync_with(int (*sync)(int), const fs::path& directory) {
  const OwnedFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return failed("cannot open", directory);
  // EINVAL: a file system that keeps no directory on disk has nothing to lose.
  if (sync(fd.get()) != 0 && errno != EINVAL) return failed("cannot sync", directory);
  return {};
}

Status write_at(int directory, const std::string& name, std::string_view bytes, unsigned mode) {
  const OwnedFd fd(::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd || ::fchmod(fd.get(), mode) != 0) return failed("cannot create", name);
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("cannot write", name);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<TemporaryDirectory> write_aside(const fs::path& parent, const std::vector<NamedBytes>& files,
                                       unsigned mode) {
  TRY_ASSIGN(TemporaryDirectory aside, TemporaryDirectory::create(parent, kAside));
  const OwnedFd fd(::open(aside.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return failed("cannot open", aside.path());
  for (const NamedBytes& file : files) TRY(write_at(fd.get(), file.name, file.bytes, mode));
  TRY(sync_with(&::syncfs, aside.path()));
  return aside;
}

Status move_each(const fs::path& from, const fs::path& to, const std::vector<NamedBytes>& files) {
  for (const NamedBytes& file : files)
    if (::rename((from / file.name).c_str(), (to / file.name).c_str()) != 0)
      return failed("cannot replace", to / file.name);
  return sync_with(&::fsync, to);
}

} // namespace

Status write_files(const fs::path& directory, const std::vector<NamedBytes>& files, unsigned mode) {
  if (files.size() <= kSyncedEach) {
    for (const NamedBytes& file : files) TRY(write_file(directory / file.name, file.bytes, mode));
    return {};
  }
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
  std::error_code ignored;
  const bool fresh = !fs::exists(fs::symlink_status(directory, ignored));
  TRY_ASSIGN(TemporaryDirectory aside, write_aside(fresh ? parent : directory, files, mode));
  remove_abandoned(fresh ? parent : directory, kAside);
  // A directory that is not there appears as a whole.
  if (fresh && ::rename(aside.path().c_str(), directory.c_str()) == 0) {
    aside.keep();
    return sync_with(&::fsync, parent);
  }
  TRY(make_directories(directory));
  return move_each(aside.path(), directory, files);
}

} // namespace emend
