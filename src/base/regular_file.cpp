#include "base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace emend {

namespace {

tl::unexpected<Error> failed(const std::string& doing, const std::string& name) {
  return fail(ErrorCode::io, doing + " " + name + ": " + std::strerror(errno));
}

} // namespace

Result<RegularFile> RegularFile::open(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const std::string& name = path.native();
  OwnedFd fd(::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) return failed("cannot open", name);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failed("cannot read the attributes of", name);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::io, name + " is not a regular file");
  if (static_cast<std::uint64_t>(info.st_size) > max_bytes)
    return fail(ErrorCode::limit, name + " is larger than " + std::to_string(max_bytes) + " bytes");
  return RegularFile(std::move(fd), name);
}

Status RegularFile::read(std::uint64_t offset, std::size_t size, std::string& into) const {
  into.resize(size);
  std::size_t filled = 0;
  while (filled < size) {
    const auto at = static_cast<off_t>(offset + filled);
    const ssize_t got = ::pread(fd_.get(), into.data() + filled, size - filled, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("cannot read", name_);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  into.resize(filled);
  return {};
}

} // namespace emend
