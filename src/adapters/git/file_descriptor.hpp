// A file descriptor that closes itself, and opening paths below a directory without ever following a symlink.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  int release();

private:
  int fd_ = -1;
};

// "what path: strerror(errno)" as ErrorCode::io.
[[nodiscard]] tl::unexpected<Error> system_error(std::string_view what, std::string_view path);

[[nodiscard]] Result<FileDescriptor> open_directory(const std::string& path);
// No component of `path` may be a symlink or leave `root`; errno tells why an invalid descriptor came back.
[[nodiscard]] FileDescriptor open_beneath(int root, const std::string& path, int flags);
// The directory `path` below root ("" is root itself), its missing components made with mode 0777 & ~umask
// when `create`.
[[nodiscard]] Result<FileDescriptor> directory_beneath(int root, std::string_view path, bool create);

[[nodiscard]] std::string_view parent_of(std::string_view path); // "" for a name without '/'
[[nodiscard]] std::string_view name_of(std::string_view path);

// The whole of a regular file; stops with ErrorCode::limit past max_bytes.
[[nodiscard]] Result<std::string> read_all(int fd, std::uint64_t max_bytes);
[[nodiscard]] Status write_all(int fd, std::string_view bytes);
[[nodiscard]] Result<std::string> read_link_at(int directory, const std::string& name);

// A whole flock on a file, made when missing; released with the object.
enum class LockMode { shared, exclusive };
class Flock {
public:
  // Waits for it.
  static Result<Flock> hold(const std::string& path, LockMode mode);
  // ErrorCode::conflict when somebody else has it.
  static Result<Flock> attempt(const std::string& path, LockMode mode);
  // False once the file was removed or replaced by somebody: such a lock guards nothing.
  [[nodiscard]] bool still_named(const std::string& path) const;
  void touch() const; // says "used just now" in the file's mtime

private:
  explicit Flock(FileDescriptor fd) : fd_(std::move(fd)) {}
  static Result<Flock> lock(const std::string& path, int operation);
  FileDescriptor fd_;
};

} // namespace emend
