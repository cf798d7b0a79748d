#include "exec/isolation.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "exec/network.hpp"

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
  if (const int problem = write_text("/proc/self/setgroups", "deny"); problem != 0 && problem != ENOENT)
    return problem;
  return write_text("/proc/self/gid_map", group + " " + group + " 1");
}

int unshare_as_user(int flags) {
  const uid_t uid = ::getuid();
  const gid_t gid = ::getgid();
  if (::unshare(CLONE_NEWUSER | flags) != 0) return errno;
  in_user_namespace = true;
  return map_own_ids(uid, gid);
}

int unshare_as(Isolation isolation, int flags) {
  switch (isolation) {
    case Isolation::pid_namespace: return ::unshare(CLONE_NEWPID | flags) == 0 ? 0 : errno;
    case Isolation::user_pid_namespace: return unshare_as_user(CLONE_NEWPID | flags);
    case Isolation::tree: break; // only for mounts
  }
  return ::unshare(flags) == 0 ? 0 : unshare_as_user(flags);
}

int open_directory(const std::string& path) { return ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }

} // namespace

bool inside_user_namespace() { return in_user_namespace; }

const char* overlay_flags() {
  return in_user_namespace ? ",userxattr" : ",redirect_dir=nofollow,metacopy=off,index=off";
}

int enter_namespaces(const Options& options) {
  if (!options.own_ipc()) return 0;
  const int flags = CLONE_NEWNS | CLONE_NEWIPC | (options.own_network() ? CLONE_NEWNET : 0) |
                    (options.host_name.empty() ? 0 : CLONE_NEWUTS);
  if (const int problem = unshare_as(options.isolation, flags)) return problem;
  if (!options.host_name.empty() && ::sethostname(options.host_name.data(), options.host_name.size()) != 0)
    return errno;
  if (options.own_network() && options.network == exec_protocol::Network::loopback)
    if (const int problem = switch_loopback_on()) return problem;
  // Nothing we mount may travel back to the machine's own view.
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 ? 0 : errno;
}

// Kernels without checkpointing count from one, as they always did.
void count_processes_from(int first) {
  if (first > 1) (void)write_text("/proc/sys/kernel/ns_last_pid", std::to_string(first - 1));
}

int mount_fresh_proc() {
  return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : errno;
}

OverlayDirectories::OverlayDirectories(const Options& options)
    : lower(open_directory(options.wants_overlay() ? options.overlay_lower : options.tree_source)),
      upper(open_directory(options.overlay_upper)),
      work(options.frozen() ? -1 : open_directory(options.overlay_work)) {
  for (const std::string& path : options.overlay_above) above.push_back(open_directory(path));
}

OverlayDirectories::~OverlayDirectories() {
  for (const int fd : {lower, upper, work})
    if (fd >= 0) ::close(fd);
  for (const int fd : above)
    if (fd >= 0) ::close(fd);
}

namespace {

// What a volatile overlay leaves in its work directory; the kernel takes the directory for no second mount
// before it is gone.
void forget_volatile(int work) {
  for (const auto& [name, flags] : {std::pair{"work/incompat/volatile/dirty", 0},
                                    {"work/incompat/volatile", AT_REMOVEDIR},
                                    {"work/incompat", AT_REMOVEDIR}})
    (void)::unlinkat(work, name, flags);
}

} // namespace

int mount_overlay(const std::string& at, const std::string& directories, int work) {
  forget_volatile(work);
  for (const char* more : {",volatile", ""}) {
    const std::string data = directories + overlay_flags() + more;
    if (::mount("overlay", at.c_str(), "overlay", MS_NOSUID | MS_NODEV, data.c_str()) == 0) return 0;
    if (errno != EINVAL) break; // else a kernel before 5.10
  }
  return errno;
}

// Directories are named through /proc/self/fd, so ':' and ',' in their paths need no escaping.
int mount_tree(const Options& options, const OverlayDirectories& at) {
  if (!options.moves_tree()) return 0;
  if (!options.wants_overlay()) {
    const std::string source = "/proc/self/fd/" + std::to_string(at.lower);
    return ::mount(source.c_str(), options.overlay_target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0
               ? 0
               : errno;
  }
  if (at.lower < 0 || at.upper < 0 || (at.work < 0 && !options.frozen())) return ENOENT;
  const auto by_descriptor = [](int fd) { return "/proc/self/fd/" + std::to_string(fd); };
  std::string lower;
  for (const int fd : at.above) {
    if (fd < 0) return ENOENT;
    lower += by_descriptor(fd) + ":";
  }
  lower += by_descriptor(at.lower);
  if (options.frozen()) {
    const std::string data = "lowerdir=" + by_descriptor(at.upper) + ":" + lower + overlay_flags();
    return ::mount("overlay", options.overlay_target.c_str(), "overlay", MS_NOSUID | MS_NODEV,
                   data.c_str()) == 0
               ? 0
               : errno;
  }
  return mount_overlay(
      options.overlay_target,
      "lowerdir=" + lower + ",upperdir=" + by_descriptor(at.upper) + ",workdir=" + by_descriptor(at.work),
      at.work);
}

// A directory appears empty, a file as /dev/null.
int hide_paths(const Options& options) {
  constexpr unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
  for (const std::string& path : options.hidden) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) continue; // what is not there needs no hiding
    const int hidden = S_ISDIR(info.st_mode)
                           ? ::mount("tmpfs", path.c_str(), "tmpfs", flags, "size=4k,nr_inodes=2,mode=0555")
                           : ::mount("/dev/null", path.c_str(), nullptr, MS_BIND, nullptr);
    if (hidden != 0 && errno != ENOENT) return errno;
  }
  return 0;
}

namespace {

// Flags a mount has already must be kept when it is remounted, or a user namespace is refused.
unsigned long kept_flags(const char* path) {
  struct statvfs info {};
  if (::statvfs(path, &info) != 0) return 0;
  unsigned long flags = 0;
  const std::pair<unsigned long, unsigned long> pairs[] = {
      {ST_NOSUID, MS_NOSUID},   {ST_NODEV, MS_NODEV},           {ST_NOEXEC, MS_NOEXEC},
      {ST_NOATIME, MS_NOATIME}, {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME}};
  for (const auto& [seen, flag] : pairs)
    if ((info.f_flag & seen) != 0) flags |= flag;
  return flags;
}

int bind_read_only(const std::string& path) {
  if (::mount(path.c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return errno == ENOENT ? 0 : errno;
  const unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY | kept_flags(path.c_str());
  return ::mount(nullptr, path.c_str(), nullptr, flags, nullptr) == 0 ? 0 : errno;
}

int make_way(const std::string& from, const std::string& to) {
  for (auto slash = to.find('/', from.size() + 1);; slash = to.find('/', slash + 1)) {
    const std::string made = to.substr(0, slash);
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST) return errno;
    if (slash == std::string::npos) return 0;
  }
}

// An empty directory over `masked`, and in it the way to `own`, which is brought along with what is mounted
// below it.
int mask_around(const std::string& masked, const std::string& own, int own_fd) {
  constexpr unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  constexpr const char* size = "size=64k,nr_inodes=32,mode=0755";
  if (::mount("tmpfs", masked.c_str(), "tmpfs", flags, size) != 0) return errno;
  if (const int problem = make_way(masked, own)) return problem;
  char source[64];
  std::snprintf(source, sizeof source, "/proc/self/fd/%d", own_fd);
  if (::mount(source, own.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) return errno;
  return ::mount(nullptr, masked.c_str(), nullptr, MS_REMOUNT | MS_RDONLY | flags, size) == 0 ? 0 : errno;
}

} // namespace

int protect_paths(const Options& options) {
  const bool masks = !options.own.empty() && !options.masked.empty() && !options.apart;
  const int own =
      masks ? open_directory(options.own) : -1; // before the mask covers it: this way in stays writable
  if (masks && own < 0) return errno;
  int problem = 0;
  for (const std::string& path : options.read_only)
    if (problem == 0) problem = bind_read_only(path);
  if (problem == 0 && own >= 0) problem = mask_around(options.masked, options.own, own);
  if (own >= 0) ::close(own);
  return problem;
}

} // namespace emend::exec
