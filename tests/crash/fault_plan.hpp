// What the preloaded library was told, when it is time for a call to fail, and the record of what reached the
// disk.
#pragma once

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind {
  kWrite,
  kSync,
  kRename,
  kOpen,
  kFork,
  kMkdir,
  kUnlink,
  kLink,
  kTruncate,
  kRead,
  kPipe,
  kThread,
  kSpace,
  kClock,
  kKinds
};
constexpr const char* kNames[kKinds] = {"write", "sync",     "rename", "open", "fork",   "mkdir", "unlink",
                                        "link",  "truncate", "read",   "pipe", "thread", "space", "clock"};
struct Named {
  const char* name;
  int number;
};
constexpr Named kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EMFILE", EMFILE},
                             {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EDQUOT", EDQUOT}, {"ENFILE", ENFILE},
                             {"EROFS", EROFS},   {"EACCES", EACCES}};

struct Settings {
  bool active = false;
  int kind = -1;
  std::uint64_t n = 0;
  int error = EIO;
  bool cut_short = false;
  bool forever = false;
  char under[PATH_MAX] = "";
  char log[PATH_MAX] = "";
  char record[PATH_MAX] = "";
  char boot[PATH_MAX] = "";
  std::int64_t jump_s = 0;
  std::uint64_t jump_from = 0;
  std::atomic<std::uint64_t>* counters = nullptr;
};
Settings settings;
char own_variable[8192] = "EMEND_FAULT=";
char preload_variable[PATH_MAX + 16] = "LD_PRELOAD=";
char programs[512] = "";

// --- the settings

bool listed(const char* program) {
  const char* base = std::strrchr(program, '/');
  base = base == nullptr ? program : base + 1;
  const std::size_t size = std::strlen(base);
  for (const char* at = programs; *at != '\0';) {
    const char* comma = std::strchr(at, ',');
    const std::size_t length = comma == nullptr ? std::strlen(at) : static_cast<std::size_t>(comma - at);
    if (length == size && std::strncmp(at, base, size) == 0) return true;
    if (comma == nullptr) return false;
    at = comma + 1;
  }
  return false;
}

void keep(char* target, std::size_t size, const char* value) { std::snprintf(target, size, "%s", value); }

void take_word(char* word) {
  char* equals = std::strchr(word, '=');
  if (equals != nullptr) *equals = '\0';
  const char* value = equals == nullptr ? "" : equals + 1;
  const auto is = [&](const char* name) { return std::strcmp(word, name) == 0; };
  if (is("programs")) keep(programs, sizeof programs, value);
  if (is("under")) keep(settings.under, sizeof settings.under, value);
  if (is("log")) keep(settings.log, sizeof settings.log, value);
  if (is("boot")) keep(settings.boot, sizeof settings.boot, value);
  if (is("record")) keep(settings.record, sizeof settings.record, value);
  if (is("n")) settings.n = std::strtoull(value, nullptr, 10);
  if (is("clock")) settings.jump_s = std::strtoll(value, nullptr, 10);
  if (is("from")) settings.jump_from = std::strtoull(value, nullptr, 10);
  if (is("forever")) settings.forever = true;
  if (is("call"))
    for (int kind = 0; kind < kKinds; ++kind)
      if (std::strcmp(value, kNames[kind]) == 0) settings.kind = kind;
  if (is("error")) {
    settings.cut_short = std::strcmp(value, "short") == 0;
    for (const Named& error : kErrors)
      if (std::strcmp(value, error.name) == 0) settings.error = error.number;
  }
  if (is("counter")) {
    const int fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, value, O_RDWR | O_CLOEXEC));
    void* memory = fd < 0 ? MAP_FAILED : ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED) settings.counters = static_cast<std::atomic<std::uint64_t>*>(memory);
    if (fd >= 0) ::syscall(SYS_close, fd);
  }
}

__attribute__((constructor)) void start() {
  const char* told = std::getenv("EMEND_FAULT");
  const char* preloaded = std::getenv("LD_PRELOAD");
  if (told == nullptr || preloaded == nullptr) return;
  std::snprintf(own_variable, sizeof own_variable, "EMEND_FAULT=%s", told);
  std::snprintf(preload_variable, sizeof preload_variable, "LD_PRELOAD=%s", preloaded);
  char words[8192];
  keep(words, sizeof words, told);
  char* rest = nullptr;
  for (char* word = ::strtok_r(words, " ", &rest); word != nullptr; word = ::strtok_r(nullptr, " ", &rest))
    take_word(word);
  char self[PATH_MAX] = "";
  const ssize_t length = ::syscall(SYS_readlink, "/proc/self/exe", self, sizeof self - 1);
  // git calls itself by many names, all of them links to one program or lying beside each other.
  const bool is_git = length > 0 && (std::strstr(self, "/git-core/") != nullptr) && listed("git");
  settings.active = length > 0 && settings.counters != nullptr && (listed(self) || is_git);
}

// --- when it is time

bool below(const char* path) {
  const std::size_t size = std::strlen(settings.under);
  return size == 0 || path[0] != '/' || std::strncmp(path, settings.under, size) == 0;
}

bool path_of(int fd, char* path, std::size_t size) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = ::syscall(SYS_readlink, link, path, size - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return true;
}

bool regular(int fd) {
  struct stat info;
  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

void tell(int kind, std::uint64_t number, const char* what) {
  if (settings.log[0] == '\0') return;
  char line[PATH_MAX + 128];
  const int size = std::snprintf(
      line, sizeof line, "%s %llu %s pid %d: %s\n", kNames[kind], static_cast<unsigned long long>(number),
      settings.cut_short ? "short" : std::strerror(settings.error), ::getpid(), what);
  const int fd = static_cast<int>(
      ::syscall(SYS_openat, AT_FDCWD, settings.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (fd < 0) return;
  ::syscall(SYS_write, fd, line, static_cast<std::size_t>(size));
  ::syscall(SYS_close, fd);
}

// Counts a call; true when this is the one that fails.
bool fails(int kind, const char* what) {
  if (!settings.active || !below(what)) return false;
  const std::uint64_t number = settings.counters[kind].fetch_add(1) + 1;
  if (kind != settings.kind || settings.n == 0) return false;
  if (number != settings.n && !(settings.forever && number > settings.n)) return false;
  if (number == settings.n) tell(kind, number, what);
  return true;
}

bool fails(int kind, int fd) {
  if (!settings.active) return false;
  char path[PATH_MAX] = "";
  if (!path_of(fd, path, sizeof path)) return false;
  return fails(kind, path);
}

// Whatever needs a block that may not be there.
bool no_space(int fd) {
  return settings.active && settings.kind == kSpace && regular(fd) && fails(kSpace, fd);
}

int failed(int error) {
  errno = error;
  return -1;
}
int failed() { return failed(settings.error); }

// --- what reached the disk

// With record=DIR: every synced file is copied there as DIR/<number> at that moment, and DIR/log gets one
// line for each thing that happened to files below `under`, in order: "sync NUMBER PATH", "syncdir PATH",
// "create PATH", "mkdir PATH", "rename OLD\tNEW", "link OLD\tNEW", "unlink PATH". A test can then put
// together what a machine would find whose power went at any of these moments.
class Recorder {
public:
  static bool on(const char* path) {
    return settings.active && settings.record[0] != '\0' && settings.under[0] != '\0' && path[0] == '/' &&
           below(path);
  }

  static void line(const char* verb, const char* first, const char* second = nullptr) {
    if (!on(second == nullptr ? first : second)) return;
    char text[2 * PATH_MAX + 64];
    const char* between = second == nullptr ? "" : "\t";
    const int size = std::snprintf(text, sizeof text, "%s %s%s%s\n", verb, first, between,
                                   second == nullptr ? "" : second);
    append(text, static_cast<std::size_t>(size));
  }

  static void synced(int fd) {
    char path[PATH_MAX];
    if (!settings.active || settings.record[0] == '\0' || !path_of(fd, path, sizeof path) || !on(path))
      return;
    struct stat info;
    if (::fstat(fd, &info) != 0) return;
    if (!S_ISREG(info.st_mode)) return line("syncdir", path);
    const std::uint64_t number = settings.counters[kKinds].fetch_add(1) + 1;
    char copy[PATH_MAX + 32], text[2 * PATH_MAX];
    std::snprintf(copy, sizeof copy, "%s/%llu", settings.record, static_cast<unsigned long long>(number));
    copy_file(fd, path, copy);
    const int size =
        std::snprintf(text, sizeof text, "sync %llu %s\n", static_cast<unsigned long long>(number), path);
    append(text, static_cast<std::size_t>(size));
  }

private:
  static void append(const char* text, std::size_t size) {
    char path[PATH_MAX + 8];
    std::snprintf(path, sizeof path, "%s/log", settings.record);
    const int fd = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (fd < 0) return;
    ::syscall(SYS_write, fd, text, size);
    ::syscall(SYS_close, fd);
  }

  // Through the descriptor itself where it can be read: to close another one of the same file would drop
  // SQLite's locks on it.
  static void copy_file(int fd, const char* from, const char* to) {
    char buffer[65536];
    const bool readable = (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY;
    const int in =
        readable ? fd : static_cast<int>(::syscall(SYS_openat, AT_FDCWD, from, O_RDONLY | O_CLOEXEC));
    const int out =
        static_cast<int>(::syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    for (off_t at = 0; in >= 0 && out >= 0;) {
      const ssize_t got = ::syscall(SYS_pread64, in, buffer, sizeof buffer, at);
      if (got <= 0) break;
      ::syscall(SYS_write, out, buffer, static_cast<std::size_t>(got));
      at += got;
    }
    if (out >= 0) ::syscall(SYS_close, out);
    if (in >= 0 && !readable) ::syscall(SYS_close, in);
  }
};

} // namespace
