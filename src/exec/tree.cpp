#include "exec/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace emend::exec {

namespace {

struct Entry {
  pid_t pid;
  pid_t parent;
  char state;
};

// "pid (name) S ppid ...": the name may hold anything, so read from the last ')'.
bool read_entry(pid_t pid, Entry& entry) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[512];
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return false;
  text[n] = '\0';
  const char* after_name = std::strrchr(text, ')');
  int parent = 0;
  char state = 0;
  if (after_name == nullptr || std::sscanf(after_name + 1, " %c %d", &state, &parent) != 2) return false;
  entry = {pid, parent, state};
  return true;
}

std::vector<Entry> all_processes() {
  std::vector<Entry> entries;
  DIR* directory = ::opendir("/proc");
  if (directory == nullptr) return entries;
  while (const dirent* item = ::readdir(directory)) {
    pid_t pid = 0; // stays 0 for names that are no number
    std::from_chars(item->d_name, item->d_name + std::strlen(item->d_name), pid);
    Entry entry;
    if (pid > 0 && read_entry(pid, entry)) entries.push_back(entry);
  }
  ::closedir(directory);
  return entries;
}

} // namespace

std::vector<pid_t> living_descendants() {
  const std::vector<Entry> entries = all_processes();
  std::vector<pid_t> family{::getpid()};
  std::vector<pid_t> living;
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (const Entry& entry : entries) {
      if (entry.parent != family[i]) continue;
      family.push_back(entry.pid);
      if (entry.state != 'Z' && entry.state != 'X') living.push_back(entry.pid);
    }
  }
  return living;
}

void signal_descendants(int signal) {
  if (::getpid() == 1) {
    ::kill(-1, signal);
    return;
  }
  for (const pid_t pid : living_descendants()) ::kill(pid, signal);
}

} // namespace emend::exec
