// Files by whole content, durable writes, and directories that can be removed whatever an agent did to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

namespace fs = std::filesystem;

// Refuses anything but a regular file (a fifo would block) and anything larger than max_bytes. Follows
// symlinks.
[[nodiscard]] Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes = 1ULL << 30);
// Same, but the last component may not be a symlink (O_NOFOLLOW).
[[nodiscard]] Result<std::string> read_file_nofollow(const fs::path& path,
                                                     std::uint64_t max_bytes = 1ULL << 30);
// Written aside, fsynced, renamed over: a reader sees the old bytes or the new ones. Parent directories are
// created (0700).
[[nodiscard]] Status write_file(const fs::path& path, std::string_view bytes, unsigned mode = 0600);
// For what may be lost in a power cut (scratch files, transcripts): not synced, not atomic.
[[nodiscard]] Status write_scratch_file(const fs::path& path, std::string_view bytes, unsigned mode = 0600);
[[nodiscard]] Status make_directories(const fs::path& path, unsigned mode = 0700);
// Removes a tree without following symlinks, mending permissions on the way (chmod 000 directories). Missing
// is fine.
[[nodiscard]] Status remove_tree(const fs::path& path);

// A directory that disappears with its owner.
class TemporaryDirectory {
public:
  static Result<TemporaryDirectory> create(const fs::path& parent, std::string_view prefix);
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  [[nodiscard]] const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

private:
  explicit TemporaryDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
  bool kept_ = false;
};

// Holds flock(LOCK_EX) on a file for life. try_lock answers ErrorCode::conflict when somebody else holds it.
class FileLock {
public:
  static Result<FileLock> try_lock(const fs::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

} // namespace emend
