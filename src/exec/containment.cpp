#include "exec/containment.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "exec/isolation.hpp"

namespace emend::exec {

namespace {

// <linux/mount.h> and <sys/mount.h> cannot both be included.
struct MountAttributes {
  std::uint64_t set, clear, propagation, user_namespace;
};
constexpr std::uint64_t kReadOnly = 1;
constexpr int kRecursive = 0x8000; // AT_RECURSIVE
constexpr long kMountSetattr = 442;

int set_read_only(const std::string& path, bool read_only, bool below_too) {
  const MountAttributes attributes{read_only ? kReadOnly : 0, read_only ? 0 : kReadOnly, 0, 0};
  const long result = ::syscall(kMountSetattr, AT_FDCWD, path.c_str(), below_too ? kRecursive : 0, &attributes, sizeof attributes);
  return result == 0 ? 0 : errno;
}

std::string by_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

int bind(int fd, const std::string& path) {
  return ::mount(by_descriptor(fd).c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0 ? 0 : errno;
}

bool lies_below(const std::string& path, const std::string& directory) {
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

// "\040" is a blank in /proc/self/mountinfo.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 3 >= text.size()) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

std::string read_text(const char* path) {
  std::string text;
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  char buffer[8192];
  for (ssize_t n = fd < 0 ? 0 : ::read(fd, buffer, sizeof buffer); n > 0; n = ::read(fd, buffer, sizeof buffer)) text.append(buffer, static_cast<std::size_t>(n));
  if (fd >= 0) ::close(fd);
  return text;
}

// The fifth word of each line.
std::vector<std::string> mount_points() {
  std::vector<std::string> points;
  const std::string text = read_text("/proc/self/mountinfo");
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    std::size_t at = line;
    for (int field = 0; field < 4; ++field) at = text.find(' ', at) + 1;
    points.push_back(unescaped(text.substr(at, text.find(' ', at) - at)));
  }
  return points;
}

bool overlay_at(const std::string& path, const std::string& upper, const std::string& work) {
  const int fds[] = {::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), ::open(upper.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC),
                     ::open(work.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  bool done = false;
  if (fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0) {
    const std::string data = "lowerdir=" + by_descriptor(fds[0]) + ",upperdir=" + by_descriptor(fds[1]) + ",workdir=" + by_descriptor(fds[2]) +
                             overlay_flags();
    done = ::mount("overlay", path.c_str(), "overlay", MS_NOSUID | MS_NODEV, data.c_str()) == 0;
  }
  for (const int fd : fds)
    if (fd >= 0) ::close(fd);
  return done;
}

// What programs expect to find; each is the machine's own node.
int bind_nodes(const std::vector<std::pair<std::string, int>>& nodes) {
  for (const auto& [path, fd] : nodes) {
    const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (made < 0) return errno;
    ::close(made);
    if (::mount(by_descriptor(fd).c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0) return errno;
  }
  return 0;
}

} // namespace

Containment::Containment(const Options& options) : options_(options) {
  const auto keep = [](const std::string& path) { return Kept{path, path.empty() ? -1 : ::open(path.c_str(), O_PATH | O_CLOEXEC)}; };
  own_ = keep(options.own);
  for (const std::string& path : options.writable) writable_.push_back(keep(path));
  for (const std::string& point : mount_points())
    if (std::any_of(options.layers.begin(), options.layers.end(), [&](const Layer& layer) { return lies_below(point, layer.path); }))
      below_layers_.push_back(keep(point));
}

Containment::~Containment() {
  if (own_.fd >= 0) ::close(own_.fd);
  for (const std::vector<Kept>* list : {&writable_, &below_layers_})
    for (const Kept& kept : *list)
      if (kept.fd >= 0) ::close(kept.fd);
}

// A kernel that refuses a layer inside what it covers takes one in memory, and so do several trees at the same time.
bool Containment::mount_layer(const Layer& layer) const {
  if (!options_.frozen() && overlay_at(layer.path, layer.upper, layer.work)) return true;
  if (::mount("tmpfs", layer.work.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0) return false;
  const std::string upper = layer.work + "/upper", work = layer.work + "/work";
  if (::mkdir(upper.c_str(), 0755) != 0 || ::mkdir(work.c_str(), 0755) != 0) return false;
  return overlay_at(layer.path, upper, work);
}

int Containment::mount_layers() {
  for (const Layer& layer : options_.layers)
    if (mount_layer(layer)) layered_.push_back(layer.path); // else it is read-only like the rest
  for (const Kept& kept : below_layers_)
    if (kept.fd >= 0) (void)bind(kept.fd, kept.path);
  for (const Kept& kept : writable_) {
    if (kept.fd < 0) continue; // not there
    if (const int problem = bind(kept.fd, kept.path)) return problem;
  }
  return own_.fd < 0 ? 0 : bind(own_.fd, own_.path);
}

int Containment::mount_shared_memory(int kept) {
  if (kept >= 0) return bind(kept, "/dev/shm");
  return ::mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0 ? 0 : errno;
}

int Containment::mount_devices() const {
  const bool lives_there = lies_below(own_.path, "/dev/shm"); // with all that is mounted below it by now
  if (::geteuid() != 0 || inside_user_namespace()) {
    if (!lives_there) (void)mount_shared_memory(-1);
    return 0;
  }
  const int memory = lives_there ? ::open("/dev/shm", O_PATH | O_CLOEXEC) : -1;
  const int problem = mount_own_devices();
  const int refused = problem == 0 ? mount_shared_memory(memory) : problem;
  if (memory >= 0) ::close(memory);
  return refused;
}

int Containment::mount_own_devices() {
  std::vector<std::pair<std::string, int>> nodes;
  for (const char* name : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}) {
    const int fd = ::open(name, O_PATH | O_CLOEXEC);
    if (fd >= 0) nodes.emplace_back(name, fd);
  }
  int problem = ::mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=1m") == 0 ? 0 : errno;
  if (problem == 0) problem = bind_nodes(nodes);
  for (const auto& [name, fd] : nodes) ::close(fd);
  if (problem != 0) return problem;
  const std::pair<const char*, const char*> links[] = {{"/proc/self/fd", "/dev/fd"},         {"/proc/self/fd/0", "/dev/stdin"}, {"/proc/self/fd/1", "/dev/stdout"},
                                                       {"/proc/self/fd/2", "/dev/stderr"}, {"pts/ptmx", "/dev/ptmx"}};
  for (const auto& [target, name] : links)
    if (::symlink(target, name) != 0) return errno;
  if (::mkdir("/dev/pts", 0755) != 0 || ::mkdir("/dev/shm", 01777) != 0) return errno;
  (void)::mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); // some containers have none
  return 0;
}

int Containment::make_rest_read_only() const {
  if (own_.fd < 0) return ENOENT;
  if (const int problem = set_read_only("/", true, true)) return problem;
  std::vector<std::string> free = layered_;
  free.push_back(own_.path);
  if (options_.wants_overlay()) free.push_back(options_.overlay_target);
  if (!lies_below(own_.path, "/dev/shm")) free.emplace_back("/dev/shm");
  for (const Kept& kept : writable_)
    if (kept.fd >= 0) free.push_back(kept.path);
  for (const std::string& path : free)
    if (const int refused = set_read_only(path, false, false); refused != 0 && path != "/dev/shm") return refused;
  return 0;
}

int Containment::protect_kernel_files() {
  if (::geteuid() != 0 || inside_user_namespace()) return 0;
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"}) {
    if (::access(path, F_OK) != 0) continue;
    if (::mount(path, path, nullptr, MS_BIND, nullptr) != 0) return errno;
    if (::mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) return errno;
  }
  return 0;
}

void Containment::drop_privileges() {
  static constexpr int kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_NET_BIND_SERVICE};
  for (int capability = 0; capability < 64; ++capability)
    if (std::find(std::begin(kept), std::end(kept), capability) == std::end(kept)) ::prctl(PR_CAPBSET_DROP, capability);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

} // namespace emend::exec
