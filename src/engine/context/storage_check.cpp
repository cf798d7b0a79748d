#include "engine/context/storage_check.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files.hpp"
#include "base/hash.hpp"

namespace emend {

namespace {

constexpr std::size_t kRoom = 512 * 1024; // less is no room for a session

// 0, or why it could not be written. The file has no name while it is written, so nothing is left of a
// process that dies here.
int write_somewhere(const std::string& home) {
  const fs::path path = fs::path(home) / (".storage-check." + new_uuid());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return errno;
  ::unlink(path.c_str());
  const std::string bytes(64 * 1024, '\0');
  int problem = 0;
  for (std::size_t done = 0; done < kRoom && problem == 0;) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written > 0)
      done += static_cast<std::size_t>(written);
    else if (written == 0 || errno != EINTR)
      problem = written == 0 ? ENOSPC : errno;
  }
  ::close(file);
  return problem;
}

} // namespace

// Free blocks are not counted: a quota, a failing disk and a file system that became read-only show only in a
// write.
Status check_disk(const std::string& home) {
  const int problem = write_somewhere(home);
  if (problem == 0) return {};
  return fail(ErrorCode::io, "nothing can be stored below " + home + ": " + std::strerror(problem),
              "free some space there");
}

bool may_pass(const Error& error, const std::string& home) {
  return error.code == ErrorCode::database || error.code == ErrorCode::io || !check_disk(home);
}

} // namespace emend
