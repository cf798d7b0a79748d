#include "exec/consumption.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "exec/tree.hpp"

namespace emend::exec {

namespace {

std::int64_t free_bytes(const std::string& place) {
  struct statvfs info {};
  if (::statvfs(place.c_str(), &info) != 0) return -1;
  return static_cast<std::int64_t>(info.f_bavail) * static_cast<std::int64_t>(info.f_frsize);
}

// What it has for itself; libraries and what forked processes still share is not counted once for each.
std::int64_t own_memory(pid_t pid) {
  char text[128];
  std::snprintf(text, sizeof text, "/proc/%d/statm", static_cast<int>(pid));
  const int fd = ::open(text, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  long long size = 0, resident = 0, shared = 0;
  text[n > 0 ? n : 0] = '\0';
  if (std::sscanf(text, "%lld %lld %lld", &size, &resident, &shared) != 3) return 0;
  return std::max(0LL, resident - shared) * ::sysconf(_SC_PAGESIZE);
}

} // namespace

// A disk that was nearly full before is not this tree's doing: then it may take half of what is left.
Consumption::Consumption(const Options& options) : limits_(options.limits), place_(options.own.empty() ? "." : options.own) {
  if (limits_.free_disk <= 0) return;
  const std::int64_t now = free_bytes(place_);
  limits_.free_disk = now < 0 ? 0 : std::min(limits_.free_disk, now / 2);
}

std::optional<exec_protocol::Limit> Consumption::over() const {
  using exec_protocol::Limit;
  if (limits_.free_disk > 0) {
    const std::int64_t now = free_bytes(place_);
    if (now >= 0 && now < limits_.free_disk) return Limit::free_disk;
  }
  if (limits_.processes <= 0 && limits_.memory <= 0) return std::nullopt;
  const std::vector<pid_t> living = living_descendants();
  if (limits_.processes > 0 && static_cast<std::int64_t>(living.size()) > limits_.processes) return Limit::processes;
  std::int64_t memory = 0;
  if (limits_.memory > 0)
    for (const pid_t pid : living) memory += own_memory(pid);
  return limits_.memory > 0 && memory > limits_.memory ? std::optional(Limit::memory) : std::nullopt;
}

} // namespace emend::exec
