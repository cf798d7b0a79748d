#include "base/file_batch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/abandoned.hpp"
#include "base/hash.hpp"
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

Status write_and_rename(const fs::path& directory, const std::vector<NamedBytes>& files, unsigned mode,
                        std::vector<fs::path>& aside) {
  const std::string prefix = kAside + random_hex(8) + "-";
  for (const NamedBytes& file : files) {
    aside.push_back(directory / (prefix + std::to_string(aside.size())));
    TRY(write_scratch_file(aside.back(), file.bytes, mode));
  }
  TRY(sync_with(&::syncfs, directory));
  for (std::size_t i = 0; i < files.size(); ++i)
    if (const fs::path path = directory / files[i].name; ::rename(aside[i].c_str(), path.c_str()) != 0)
      return failed("cannot replace", path);
  return sync_with(&::fsync, directory);
}

} // namespace

Status write_files(const fs::path& directory, const std::vector<NamedBytes>& files, unsigned mode) {
  if (files.size() <= kSyncedEach) {
    for (const NamedBytes& file : files) TRY(write_file(directory / file.name, file.bytes, mode));
    return {};
  }
  TRY(make_directories(directory));
  std::vector<fs::path> aside;
  Status written = write_and_rename(directory, files, mode, aside);
  if (!written)
    for (const fs::path& path : aside) ::unlink(path.c_str());
  remove_abandoned(directory, kAside);
  return written;
}

} // namespace emend
