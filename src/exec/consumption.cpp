#include "exec/consumption.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

#include "exec/containment.hpp"
#include "exec/tree.hpp"

namespace emend::exec {

namespace {

std::int64_t free_bytes(const std::string& place) {
  struct statvfs info {};
  if (::statvfs(place.c_str(), &info) != 0) return -1;
  return static_cast<std::int64_t>(info.f_bavail) * static_cast<std::int64_t>(info.f_frsize);
}

std::string read_all(const std::string& path) {
  std::string text;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char buffer[16384];
  for (ssize_t n = ::read(fd, buffer, sizeof buffer); n > 0; n = ::read(fd, buffer, sizeof buffer))
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return text;
}

std::string in_proc(pid_t pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

template <typename Take>
void each_line(const std::string& text, Take take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    take(text.substr(at, end - at));
    at = end + 1;
  }
}

struct Pages {
  std::int64_t own = 0, shared = 0; // bytes; shared: with others or with files
};

// What it has for itself; libraries and what forked processes still share is not counted once for each.
Pages pages_of(pid_t pid) {
  long long size = 0, resident = 0, shared = 0;
  if (std::sscanf(read_all(in_proc(pid, "statm")).c_str(), "%lld %lld %lld", &size, &resident, &shared) != 3)
    return {};
  const long page = ::sysconf(_SC_PAGESIZE);
  return {std::max(0LL, resident - shared) * page, shared * page};
}

// The words of the table's lines after its heading; `columns` are added up.
std::int64_t sum_of_table(const char* path, std::initializer_list<int> columns) {
  std::int64_t sum = 0;
  bool heading = true;
  each_line(read_all(path), [&](const std::string& line) {
    if (std::exchange(heading, false)) return;
    int column = 0;
    for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos;
         at = line.find_first_not_of(' ', line.find(' ', at)), ++column) {
      std::int64_t number = 0;
      if (std::find(columns.begin(), columns.end(), column) != columns.end())
        std::from_chars(line.data() + at, line.data() + line.size(), number);
      sum += number;
      if (line.find(' ', at) == std::string::npos) break;
    }
  });
  return sum;
}

// Segments (resident and swapped) and queued messages, of this namespace.
std::int64_t in_segments_and_queues() {
  return sum_of_table("/proc/sysvipc/shm", {14, 15}) + sum_of_table("/proc/sysvipc/msg", {3});
}

std::int64_t used_bytes(const char* place) {
  struct statvfs info {};
  if (::statvfs(place, &info) != 0) return 0;
  return static_cast<std::int64_t>(info.f_blocks - info.f_bfree) * static_cast<std::int64_t>(info.f_frsize);
}

using Inodes = std::set<unsigned long long>;

constexpr const char* kMemoryFile = "/memfd:";

// Files in memory without a name that a process holds open, each once, mapped or not.
std::int64_t held_memory_files(const std::vector<pid_t>& living, Inodes& seen) {
  std::int64_t bytes = 0;
  for (const pid_t pid : living) {
    const std::string directory = in_proc(pid, "fd");
    DIR* fds = ::opendir(directory.c_str());
    if (fds == nullptr) continue;
    while (const dirent* item = ::readdir(fds)) {
      const std::string path = directory + "/" + item->d_name;
      char target[64];
      const ssize_t n = ::readlink(path.c_str(), target, sizeof target - 1);
      if (n <= 0 || !std::string_view(target, static_cast<std::size_t>(n)).starts_with(kMemoryFile)) continue;
      struct stat info {};
      if (::stat(path.c_str(), &info) == 0 && seen.insert(info.st_ino).second)
        bytes += static_cast<std::int64_t>(info.st_blocks) * 512;
    }
    ::closedir(fds);
  }
  return bytes;
}

// Its part of memory mapped by several, as the kernel divides it, without what was counted elsewhere: by name
// or by inode.
std::int64_t shared_mappings(pid_t pid, const Inodes& counted, bool own_ipc, bool own_shared_memory) {
  std::int64_t bytes = 0;
  bool counts = false;
  each_line(read_all(in_proc(pid, "smaps")), [&](const std::string& line) {
    unsigned long long start = 0, end = 0, inode = 0;
    char rights[8] = "";
    int name = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %7s %*s %*s %llu %n", &start, &end, rights, &inode, &name) >=
            4 &&
        name > 0) {
      const std::string_view what = std::string_view(line).substr(static_cast<std::size_t>(name));
      const bool elsewhere =
          (own_ipc && what.starts_with("/SYSV")) || (own_shared_memory && what.starts_with("/dev/shm/"));
      counts = rights[3] == 's' && !elsewhere && !counted.contains(inode) &&
               (what.starts_with("/dev/zero") || what.starts_with(kMemoryFile) || what.starts_with("/SYSV") ||
                what.starts_with("/dev/shm/"));
      return;
    }
    long long kilobytes = 0;
    if (counts && (std::sscanf(line.c_str(), "Pss: %lld", &kilobytes) == 1 ||
                   std::sscanf(line.c_str(), "SwapPss: %lld", &kilobytes) == 1))
      bytes += kilobytes * 1024;
  });
  return bytes;
}

} // namespace

// A disk that was nearly full before is not this tree's doing: then it may take half of what is left.
Consumption::Consumption(const Options& options)
    : limits_(options.limits),
      own_ipc_(options.own_ipc()),
      own_shared_memory_(options.wants_mounts() && !lives_in_shared_memory(options)),
      place_(options.apart         ? options.overlay_target
             : options.own.empty() ? "."
                                   : options.own) {
  if (limits_.free_disk <= 0) return;
  const std::int64_t now = free_bytes(place_);
  limits_.free_disk = now < 0 ? 0 : std::min(limits_.free_disk, now / 2);
}

// The whole answer costs a walk over the pages of every process, so it is asked for only where the cheap one
// leaves room for doubt.
bool Consumption::over_memory(const std::vector<pid_t>& living) {
  constexpr int looks_at_once = 10; // files held open are listed once a second
  std::int64_t certain =
      (own_shared_memory_ ? used_bytes("/dev/shm") : 0) + (own_ipc_ ? in_segments_and_queues() : 0);
  std::int64_t possible = 0;
  for (const pid_t pid : living) {
    const Pages pages = pages_of(pid);
    certain += pages.own;
    possible += pages.shared;
  }
  if (certain > limits_.memory) return true;
  const bool doubtful = certain + possible + held_files_ > limits_.memory;
  if (!doubtful && looks_++ % looks_at_once != 0) return false;
  Inodes counted;
  held_files_ = held_memory_files(living, counted);
  if (certain + held_files_ > limits_.memory) return true;
  if (certain + held_files_ + possible <= limits_.memory) return false;
  std::int64_t mapped = 0;
  for (const pid_t pid : living) mapped += shared_mappings(pid, counted, own_ipc_, own_shared_memory_);
  return certain + held_files_ + mapped > limits_.memory;
}

std::optional<exec_protocol::Limit> Consumption::over() {
  using exec_protocol::Limit;
  if (limits_.free_disk > 0) {
    const std::int64_t now = free_bytes(place_);
    if (now >= 0 && now < limits_.free_disk) return Limit::free_disk;
  }
  if (limits_.processes <= 0 && limits_.memory <= 0) return std::nullopt;
  const std::vector<pid_t> living = living_descendants();
  if (limits_.processes > 0 && static_cast<std::int64_t>(living.size()) > limits_.processes)
    return Limit::processes;
  return limits_.memory > 0 && over_memory(living) ? std::optional(Limit::memory) : std::nullopt;
}

} // namespace emend::exec
