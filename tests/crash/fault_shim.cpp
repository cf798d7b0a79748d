// A library to be preloaded: makes chosen calls into the C library fail, turns the clock, and writes down
// what reached the disk.
//
// EMEND_FAULT holds words: programs=emend,git (whom it concerns), counter=FILE (shared by all of them),
// call=KIND n=N error=NAME [forever] (the N-th call of that kind fails; NAME is an errno or `short`),
// under=DIR (only files below), log=FILE (a line when it happens), clock=SECONDS from=N (the wall clock jumps
// when it is asked for the N-th time), boot=FILE (what the machine says of its last start), record=DIR (see
// Recorder).
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <cstdarg>
#include <ctime>

#include "tests/crash/fault_plan.hpp"

namespace {

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Where a relative path leads, for the record.
const char* full(int directory, const char* path, char* buffer, std::size_t size) {
  if (path[0] == '/') return path;
  char above[PATH_MAX] = "";
  if (directory == AT_FDCWD) {
    if (::syscall(SYS_getcwd, above, sizeof above) < 0) return path;
  } else if (!path_of(directory, above, sizeof above)) {
    return path;
  }
  std::snprintf(buffer, size, "%s/%s", above, path);
  return buffer;
}

class FullPath {
public:
  FullPath(int directory, const char* path)
      : path_(settings.active && path != nullptr ? full(directory, path, buffer_, sizeof buffer_) : path) {}
  operator const char*() const { return path_; }

private:
  char buffer_[2 * PATH_MAX];
  const char* path_;
};

int open_file(int directory, const char* path, int flags, mode_t mode) {
  const FullPath name(directory, path);
  if (fails(kOpen, name)) return failed();
  if (settings.active && settings.boot[0] != '\0' &&
      std::strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
    path = settings.boot;
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  bool fresh = false;
  if (settings.active && creates) {
    struct stat info;
    const int before = errno;
    fresh = ::fstatat(directory, path, &info, AT_SYMLINK_NOFOLLOW) != 0;
    errno = before;
    if (fresh && settings.kind == kSpace && fails(kSpace, name)) return failed();
  }
  const int fd = static_cast<int>(::syscall(SYS_openat, directory, path, flags, mode));
  if (fd >= 0 && fresh) Recorder::line("create", name);
  return fd;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE
             ? static_cast<mode_t>(va_arg(arguments, unsigned))
             : 0;
}

int sync_file(int fd, long call) {
  if (fails(kSync, fd)) return failed();
  const int done = static_cast<int>(::syscall(call, fd));
  if (done == 0) Recorder::synced(fd);
  return done;
}

int rename_file(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) {
  const FullPath old_name(from_directory, from), new_name(to_directory, to);
  if (fails(kRename, new_name)) return failed();
  const int done = static_cast<int>(::syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
  if (done == 0) Recorder::line("rename", old_name, new_name);
  return done;
}

int remove_file(int directory, const char* path, int flags) {
  const FullPath name(directory, path);
  if (fails(kUnlink, name)) return failed();
  const int done = static_cast<int>(::syscall(SYS_unlinkat, directory, path, flags));
  if (done == 0) Recorder::line("unlink", name);
  return done;
}

int make_directory(int directory, const char* path, mode_t mode) {
  const FullPath name(directory, path);
  if (fails(kMkdir, name) || (settings.active && settings.kind == kSpace && fails(kSpace, name)))
    return failed();
  const int done = static_cast<int>(::syscall(SYS_mkdirat, directory, path, mode));
  if (done == 0) Recorder::line("mkdir", name);
  return done;
}

// How much of it may be written: all, half, or nothing (-1).
ssize_t room(int fd, std::size_t size) {
  if (no_space(fd)) return -1;
  if (!fails(kWrite, fd)) return static_cast<ssize_t>(size);
  return settings.cut_short && size > 1 ? static_cast<ssize_t>(size / 2)
         : settings.cut_short           ? static_cast<ssize_t>(size)
                                        : -1;
}

// Whom it concerns gets it, also where the environment was made anew.
char** with_fault(const char* program, char* const* variables) {
  if (!settings.active || !listed(program)) return const_cast<char**>(variables);
  std::size_t count = 0;
  while (variables[count] != nullptr) ++count;
  auto** more = static_cast<char**>(std::malloc((count + 3) * sizeof(char*)));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (std::strncmp(variables[i], "LD_PRELOAD=", 11) != 0 &&
        std::strncmp(variables[i], "EMEND_FAULT=", 12) != 0)
      more[kept++] = variables[i];
  more[kept++] = preload_variable;
  more[kept++] = own_variable;
  more[kept] = nullptr;
  return more;
}

using SpawnFunction = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                          char* const[], char* const[]);

int start_program(const char* function, pid_t* pid, const char* program,
                  const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                  char* const arguments[], char* const variables[]) {
  if (fails(kFork, program)) return settings.error;
  char** given = with_fault(program, variables);
  const int problem = next<SpawnFunction>(function)(pid, program, actions, attributes, arguments, given);
  if (given != variables) std::free(given);
  return problem;
}

// Of the N-th asking of the wall clock.
std::int64_t jump() {
  if (!settings.active || settings.jump_s == 0) return 0;
  return settings.counters[kClock].fetch_add(1) + 1 >= settings.jump_from ? settings.jump_s : 0;
}

} // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(directory, path, flags, mode);
}
int openat64(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(directory, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return open_file(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  const ssize_t allowed = room(fd, size);
  return allowed < 0 ? failed() : ::syscall(SYS_write, fd, bytes, static_cast<size_t>(allowed));
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  const ssize_t allowed = room(fd, size);
  return allowed < 0 ? failed() : ::syscall(SYS_pwrite64, fd, bytes, static_cast<size_t>(allowed), at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  const ssize_t allowed = room(fd, size);
  return allowed < 0 ? failed() : ::syscall(SYS_pwrite64, fd, bytes, static_cast<size_t>(allowed), at);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  return no_space(fd) || (fails(kWrite, fd) && !settings.cut_short) ? failed()
                                                                    : ::syscall(SYS_writev, fd, parts, count);
}
ssize_t copy_file_range(int in, off64_t* from, int out, off64_t* to, size_t size, unsigned flags) {
  if (no_space(out) || (fails(kWrite, out) && !settings.cut_short)) return failed();
  return ::syscall(SYS_copy_file_range, in, from, out, to, size, flags);
}
ssize_t read(int fd, void* bytes, size_t size) {
  return fails(kRead, fd) ? failed() : ::syscall(SYS_read, fd, bytes, size);
}
ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  return fails(kRead, fd) ? failed() : ::syscall(SYS_pread64, fd, bytes, size, at);
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) {
  return fails(kRead, fd) ? failed() : ::syscall(SYS_pread64, fd, bytes, size, at);
}

int fsync(int fd) { return sync_file(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }
int ftruncate(int fd, off_t size) noexcept {
  return fails(kTruncate, fd) ? failed() : static_cast<int>(::syscall(SYS_ftruncate, fd, size));
}
int ftruncate64(int fd, off64_t size) noexcept {
  return fails(kTruncate, fd) ? failed() : static_cast<int>(::syscall(SYS_ftruncate, fd, size));
}
int fallocate(int fd, int mode, off_t at, off_t size) {
  return no_space(fd) || fails(kTruncate, fd)
             ? failed()
             : static_cast<int>(::syscall(SYS_fallocate, fd, mode, at, size));
}
int fallocate64(int fd, int mode, off64_t at, off64_t size) {
  return no_space(fd) || fails(kTruncate, fd)
             ? failed()
             : static_cast<int>(::syscall(SYS_fallocate, fd, mode, at, size));
}

int rename(const char* from, const char* to) noexcept { return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  return rename_file(from_directory, from, to_directory, to, 0);
}
int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  return rename_file(from_directory, from, to_directory, to, flags);
}
int unlink(const char* path) noexcept { return remove_file(AT_FDCWD, path, 0); }
int unlinkat(int directory, const char* path, int flags) noexcept {
  return remove_file(directory, path, flags);
}
int rmdir(const char* path) noexcept { return remove_file(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdir(const char* path, mode_t mode) noexcept { return make_directory(AT_FDCWD, path, mode); }
int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  return make_directory(directory, path, mode);
}
int mknod(const char* path, mode_t mode, dev_t device) noexcept {
  const FullPath name(AT_FDCWD, path);
  if (fails(kLink, name) || (settings.active && settings.kind == kSpace && fails(kSpace, name)))
    return failed();
  const int done = static_cast<int>(::syscall(SYS_mknodat, AT_FDCWD, path, mode, device));
  if (done == 0) Recorder::line("create", name);
  return done;
}
int symlinkat(const char* target, int directory, const char* path) noexcept {
  return fails(kLink, FullPath(directory, path))
             ? failed()
             : static_cast<int>(::syscall(SYS_symlinkat, target, directory, path));
}
int symlink(const char* target, const char* path) noexcept { return symlinkat(target, AT_FDCWD, path); }
int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  const FullPath old_name(from_directory, from), new_name(to_directory, to);
  if (fails(kLink, new_name)) return failed();
  const int done = static_cast<int>(::syscall(SYS_linkat, from_directory, from, to_directory, to, flags));
  if (done == 0) Recorder::line("link", old_name, new_name);
  return done;
}
int link(const char* from, const char* to) noexcept { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int posix_spawn(pid_t* pid, const char* program, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const variables[]) {
  return start_program("posix_spawn", pid, program, actions, attributes, arguments, variables);
}
int posix_spawnp(pid_t* pid, const char* program, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const variables[]) {
  return start_program("posix_spawnp", pid, program, actions, attributes, arguments, variables);
}
pid_t fork() noexcept {
  static auto* const real = next<pid_t()>("fork");
  return fails(kFork, "fork") ? failed() : real();
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) noexcept {
  using Function = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const real = next<Function>("pthread_create");
  return fails(kThread, "thread") ? settings.error : real(thread, attributes, work, argument);
}
int pipe2(int fds[2], int flags) noexcept {
  return fails(kPipe, "pipe") ? failed() : static_cast<int>(::syscall(SYS_pipe2, fds, flags));
}
int socketpair(int domain, int type, int protocol, int fds[2]) noexcept {
  return fails(kPipe, "socketpair")
             ? failed()
             : static_cast<int>(::syscall(SYS_socketpair, domain, type, protocol, fds));
}
int memfd_create(const char* name, unsigned flags) noexcept {
  return fails(kPipe, "memfd") ? failed() : static_cast<int>(::syscall(SYS_memfd_create, name, flags));
}

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static auto* const real = next<int(clockid_t, struct timespec*)>("clock_gettime");
  const int done = real(clock, time);
  if (done == 0 && clock == CLOCK_REALTIME) time->tv_sec += jump();
  return done;
}
int gettimeofday(struct timeval* time, void* zone) noexcept {
  static auto* const real = next<int(struct timeval*, void*)>("gettimeofday");
  const int done = real(time, zone);
  if (done == 0) time->tv_sec += jump();
  return done;
}
time_t time(time_t* result) noexcept {
  static auto* const real = next<time_t(time_t*)>("time");
  const time_t now = real(nullptr) + jump();
  if (result != nullptr) *result = now;
  return now;
}

} // extern "C"
