#include "adapters/git/file_descriptor.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace emend {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int FileDescriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

tl::unexpected<Error> system_error(std::string_view what, std::string_view path) {
  const int code = errno;
  std::string remedy = code == ENOSPC || code == EDQUOT ? "free some disk space and try again" : "";
  return fail(ErrorCode::io, std::string(what) + " " + std::string(path) + ": " + std::strerror(code),
              std::move(remedy));
}

Result<FileDescriptor> open_directory(const std::string& path) {
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return system_error("cannot open directory", path);
  return fd;
}

std::string_view parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

namespace {

// For kernels or container filters without openat2: one component after the other.
FileDescriptor open_by_components(int root, const std::string& path, int flags) {
  auto parent = directory_beneath(root, parent_of(path), false);
  if (!parent) return {};
  return FileDescriptor(
      ::openat(parent->get(), std::string(name_of(path)).c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
}

} // namespace

FileDescriptor open_beneath(int root, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
  if (fd >= 0) return FileDescriptor(static_cast<int>(fd));
  if (errno != ENOSYS && errno != EPERM && errno != EAGAIN && errno != EINVAL) return {};
  return open_by_components(root, path, flags);
}

Result<FileDescriptor> directory_beneath(int root, std::string_view path, bool create) {
  FileDescriptor current(::openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (current.valid() && !path.empty()) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    if (create && ::mkdirat(current.get(), name.c_str(), 0777) != 0 && errno != EEXIST)
      return system_error("cannot make directory", name);
    FileDescriptor next(
        ::openat(current.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.valid()) return system_error("cannot open directory", name);
    current = std::move(next);
  }
  if (!current.valid()) return system_error("cannot open directory", path);
  return current;
}

Result<std::string> read_all(int fd, std::uint64_t max_bytes) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return system_error("cannot read", "file");
  std::string bytes;
  bytes.resize(std::min<std::uint64_t>(static_cast<std::uint64_t>(info.st_size), max_bytes) + 1);
  std::size_t filled = 0;
  for (;;) {
    const ssize_t got = ::read(fd, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read", "file");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > max_bytes)
      return fail(ErrorCode::limit, "the file is larger than " + std::to_string(max_bytes) + " bytes");
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(filled);
  return bytes;
}

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("cannot write", "file");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::string> read_link_at(int directory, const std::string& name) {
  std::array<char, PATH_MAX + 1> target{};
  const ssize_t length = ::readlinkat(directory, name.c_str(), target.data(), target.size());
  if (length < 0) return system_error("cannot read link", name);
  return std::string(target.data(), static_cast<std::size_t>(length));
}

Result<Flock> Flock::lock(const std::string& path, int operation) {
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.valid()) return system_error("cannot open", path);
  while (::flock(fd.get(), operation) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return fail(ErrorCode::conflict, path + " is locked by another process");
    return system_error("cannot lock", path);
  }
  return Flock(std::move(fd));
}

Result<Flock> Flock::hold(const std::string& path, LockMode mode) {
  return lock(path, mode == LockMode::shared ? LOCK_SH : LOCK_EX);
}

Result<Flock> Flock::attempt(const std::string& path, LockMode mode) {
  return lock(path, (mode == LockMode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

bool Flock::still_named(const std::string& path) const {
  struct stat mine {};
  struct stat named {};
  return ::fstat(fd_.get(), &mine) == 0 && ::stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
         mine.st_dev == named.st_dev;
}

void Flock::touch() const { ::futimens(fd_.get(), nullptr); }

} // namespace emend
