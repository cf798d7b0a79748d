#include "exec/isolation.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace emend::exec {

using exec_protocol::Isolation;

namespace {

bool in_user_namespace = false;

int write_text(const char* path, const std::string& text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const ssize_t n = ::write(fd, text.data(), text.size());
  const int problem = n == static_cast<ssize_t>(text.size()) ? 0 : errno;
  ::close(fd);
  return problem;
}

// The tree keeps the user's own ids: files it makes belong to the user, and nothing looks like root.
int map_own_ids(uid_t uid, gid_t gid) {
  const std::string user = std::to_string(uid), group = std::to_string(gid);
  if (const int problem = write_text("/proc/self/uid_map", user + " " + user + " 1")) return problem;
  if (const int problem = write_text("/proc/self/setgroups", "deny"); problem != 0 && problem != ENOENT) return problem;
  return write_text("/proc/self/gid_map", group + " " + group + " 1");
}

int unshare_as_user(int flags) {
  const uid_t uid = ::getuid();
  const gid_t gid = ::getgid();
  if (::unshare(CLONE_NEWUSER | flags) != 0) return errno;
  in_user_namespace = true;
  return map_own_ids(uid, gid);
}

// Only for an overlay without a PID namespace.
int unshare_mounts_anyhow() { return ::unshare(CLONE_NEWNS) == 0 ? 0 : unshare_as_user(CLONE_NEWNS); }

int open_directory(const std::string& path) { return ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }

} // namespace

int enter_namespaces(const Options& options) {
  int problem = 0;
  if (options.isolation == Isolation::pid_namespace) {
    problem = ::unshare(CLONE_NEWPID | CLONE_NEWNS) == 0 ? 0 : errno;
  } else if (options.isolation == Isolation::user_pid_namespace) {
    problem = unshare_as_user(CLONE_NEWPID | CLONE_NEWNS);
  } else if (options.wants_overlay()) {
    problem = unshare_mounts_anyhow();
  } else {
    return 0;
  }
  if (problem != 0) return problem;
  // Nothing we mount may travel back to the machine's own view.
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 ? 0 : errno;
}

int mount_fresh_proc() { return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : errno; }

// Directories are named through /proc/self/fd, so ':' and ',' in their paths need no escaping.
int mount_overlay(const Options& options) {
  const int lower = open_directory(options.overlay_lower);
  const int upper = open_directory(options.overlay_upper);
  const int work = open_directory(options.overlay_work);
  int problem = lower < 0 || upper < 0 || work < 0 ? errno : 0;
  if (problem == 0) {
    char data[256];
    // Plain upper directories: no redirects and no metadata-only copies that only a kernel could read back.
    std::snprintf(data, sizeof data, "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d%s", lower, upper, work,
                  in_user_namespace ? ",userxattr" : ",redirect_dir=nofollow,metacopy=off,index=off");
    if (::mount("overlay", options.overlay_target.c_str(), "overlay", MS_NOSUID | MS_NODEV, data) != 0) problem = errno;
  }
  for (const int fd : {lower, upper, work}) {
    if (fd >= 0) ::close(fd);
  }
  return problem;
}

// A directory appears empty, a file as /dev/null.
int hide_paths(const Options& options) {
  constexpr unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
  for (const std::string& path : options.hidden) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) continue; // what is not there needs no hiding
    const int hidden = S_ISDIR(info.st_mode) ? ::mount("tmpfs", path.c_str(), "tmpfs", flags, "size=4k,nr_inodes=2,mode=0555")
                                             : ::mount("/dev/null", path.c_str(), nullptr, MS_BIND, nullptr);
    if (hidden != 0 && errno != ENOENT) return errno;
  }
  return 0;
}

} // namespace emend::exec
