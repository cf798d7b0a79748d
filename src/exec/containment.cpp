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
  const long result = ::syscall(kMountSetattr, AT_FDCWD, path.c_str(), below_too ? kRecursive : 0,
                                &attributes, sizeof attributes);
  return result == 0 ? 0 : errno;
}

std::string by_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

int bind(int fd, const std::string& path) {
  return ::mount(by_descriptor(fd).c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0 ? 0
                                                                                                   : errno;
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
  for (ssize_t n = fd < 0 ? 0 : ::read(fd, buffer, sizeof buffer); n > 0;
       n = ::read(fd, buffer, sizeof buffer))
    text.append(buffer, static_cast<std::size_t>(n));
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

int open_directory(const std::string& path) { return ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }

bool overlay_at(const std::string& path, const std::vector<int>& lowers, int upper, int work) {
  if (upper < 0 || work < 0) return false;
  std::string below;
  for (const int fd : lowers) {
    if (fd < 0) return false;
    below += (below.empty() ? "" : ":") + by_descriptor(fd);
  }
  return mount_overlay(
             path,
             "lowerdir=" + below + ",upperdir=" + by_descriptor(upper) + ",workdir=" + by_descriptor(work),
             work) == 0;
}

// A place to mount `kept` on, in a directory that was empty: the directories on the way, and a directory or
// an empty file at its end.
int make_place(const std::string& path, int kept) {
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (::mkdir(path.substr(0, slash).c_str(), 0755) != 0 && errno != EEXIST && errno != EROFS) return errno;
  struct stat info {};
  if (::fstat(kept, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return ::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST ? 0 : errno;
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made < 0) return errno;
  ::close(made);
  return 0;
}

// A directory below `top`, made where it is missing; -1 = errno. Goes through no link, because what lies
// there is not ours: a link would have directories made elsewhere on the machine.
int open_place_below(const std::string& top, const std::string& path) {
  int at = open_directory(top);
  for (std::size_t start = top.size() + 1; at >= 0 && start < path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string name = path.substr(start, end - start);
    if (::mkdirat(at, name.c_str(), 0755) != 0 && errno != EEXIST) {
      const int problem = errno;
      ::close(at);
      errno = problem;
      return -1;
    }
    const int next = ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int problem = errno;
    ::close(at);
    errno = problem;
    at = next;
    start = end + 1;
  }
  return at;
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
  const auto keep = [](const std::string& path) {
    return Kept{path, path.empty() ? -1 : ::open(path.c_str(), O_PATH | O_CLOEXEC)};
  };
  own_ = keep(options.own);
  hosts_ = keep(options.hosts);
  for (const std::string& path : options.writable) writable_.push_back(keep(path));
  for (const std::string& path : options.shown) shown_.push_back(keep(path));
  for (const Layer& layer : options.layers) {
    KeptLayer kept{&layer, {}, open_directory(layer.upper), open_directory(layer.work)};
    for (const std::string& path : layer.below) kept.lowers.push_back(open_directory(path));
    if (layer.below.empty()) kept.lowers.push_back(open_directory(layer.path));
    layers_.push_back(std::move(kept));
  }
  for (const std::string& point : mount_points()) {
    // What is mounted somewhere in a hidden home stays hidden; what is shown brings what is mounted below it.
    const bool hidden = !options.home.empty() && lies_below(point, options.home);
    if (!hidden && std::any_of(options.layers.begin(), options.layers.end(),
                               [&](const Layer& layer) { return lies_below(point, layer.path); }))
      below_layers_.push_back(keep(point));
  }
}

Containment::~Containment() {
  for (const int fd : {own_.fd, hosts_.fd})
    if (fd >= 0) ::close(fd);
  for (const std::vector<Kept>* list : {&writable_, &below_layers_, &shown_})
    for (const Kept& kept : *list)
      if (kept.fd >= 0) ::close(kept.fd);
  for (const KeptLayer& kept : layers_) {
    for (const int fd : {kept.upper, kept.work})
      if (fd >= 0) ::close(fd);
    for (const int fd : kept.lowers)
      if (fd >= 0) ::close(fd);
  }
}

// A kernel that refuses a layer inside what it covers takes one in memory, and so do several trees at the
// same time.
bool Containment::mount_layer(const KeptLayer& kept, const std::string& at) const {
  if (!options_.frozen() && overlay_at(at, kept.lowers, kept.upper, kept.work)) return true;
  const std::string& place = kept.layer->work;
  if (::mount("tmpfs", place.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0) return false;
  const std::string upper = place + "/upper", work = place + "/work";
  if (::mkdir(upper.c_str(), 0755) != 0 || ::mkdir(work.c_str(), 0755) != 0) return false;
  const int upper_fd = open_directory(upper), work_fd = open_directory(work);
  const bool done = overlay_at(at, kept.lowers, upper_fd, work_fd);
  for (const int fd : {upper_fd, work_fd})
    if (fd >= 0) ::close(fd);
  return done;
}

// What is written there goes to the layer's directory, as with any layer; there is only nothing below it.
bool Containment::cover_home(const KeptLayer& kept) const {
  if (!options_.frozen() && kept.upper >= 0 && bind(kept.upper, kept.layer->path) == 0) return true;
  return ::mount("tmpfs", kept.layer->path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") == 0;
}

int Containment::show_in_home() const {
  for (const Kept& kept : shown_) {
    if (kept.fd < 0) continue;
    if (const int problem = make_place(kept.path, kept.fd)) return problem;
    if (const int problem = bind(kept.fd, kept.path)) return problem;
  }
  return 0;
}

int Containment::mount_layers() {
  const auto in_home = [&](const std::string& path) {
    return !options_.home.empty() && lies_below(path, options_.home);
  };
  for (const KeptLayer& kept : layers_) // a home may lie below one of them
    if (kept.layer->path != options_.home && !in_home(kept.layer->path) && !in_tree(*kept.layer) &&
        mount_layer(kept, kept.layer->path))
      layered_.push_back(kept.layer->path); // else read-only like the rest
  for (const Kept& kept : below_layers_)
    if (kept.fd >= 0) (void)bind(kept.fd, kept.path);
  for (const KeptLayer& kept : layers_) {
    if (!in_home(kept.layer->path) || in_tree(*kept.layer)) continue;
    if (mount_layer(kept, kept.layer->path)) layered_.push_back(kept.layer->path);
    shown_.push_back(
        {kept.layer->path, open_directory(kept.layer->path)}); // with its layer, which the home will cover
  }
  for (const KeptLayer& kept : layers_) {
    if (kept.layer->path != options_.home) continue;
    if (!cover_home(kept)) return errno;
    layered_.push_back(kept.layer->path);
  }
  std::sort(shown_.begin(), shown_.end(),
            [](const Kept& a, const Kept& b) { return a.path < b.path; }); // what lies in another after it
  if (const int problem = show_in_home()) return problem;
  for (const Kept& kept : writable_) {
    if (kept.fd < 0) continue; // not there
    if (const int problem = in_home(kept.path) ? make_place(kept.path, kept.fd) : 0) return problem;
    if (const int problem = bind(kept.fd, kept.path)) return problem;
  }
  if (options_.apart && in_home(options_.overlay_target))
    return own_.fd < 0 ? 0 : make_place(options_.overlay_target, own_.fd);
  if (own_.fd < 0 || options_.apart) return 0;
  if (const int problem = in_home(own_.path) ? make_place(own_.path, own_.fd) : 0) return problem;
  return bind(own_.fd, own_.path);
}

bool lives_in_shared_memory(const Options& options) {
  return lies_below(options.own, "/dev/shm") || lies_below(options.overlay_target, "/dev/shm");
}

bool Containment::in_tree(const Layer& layer) const {
  return options_.moves_tree() && lies_below(layer.path, options_.overlay_target);
}

int Containment::mount_in_tree() {
  for (const KeptLayer& kept : layers_) {
    if (!in_tree(*kept.layer)) continue;
    const int place = open_place_below(options_.overlay_target, kept.layer->path);
    if (place < 0) return errno;
    const bool layered = mount_layer(kept, by_descriptor(place));
    if (layered) layered_.push_back(kept.layer->path);
    const int problem = layered ? 0 : bind(kept.lowers.front(), by_descriptor(place));
    ::close(place);
    if (problem != 0) return problem;
  }
  return 0;
}

int Containment::mount_aliases() const {
  if (hosts_.fd >= 0)
    if (const int problem = bind(hosts_.fd, "/etc/hosts"); problem != 0 && problem != ENOENT) return problem;
  for (const Alias& alias : options_.aliases) {
    if (std::none_of(layered_.begin(), layered_.end(),
                     [&](const std::string& layer) { return lies_below(alias.to, layer); }))
      return EROFS; // nothing is made on the machine itself
    const int from = open_directory(alias.from);
    if (from < 0) return errno;
    int problem = make_place(alias.to, from);
    if (problem == 0) problem = bind(from, alias.to);
    ::close(from);
    if (problem != 0) return problem;
  }
  return 0;
}

int mount_shared_memory() {
  if (::mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") != 0 && errno != ENOENT)
    return errno;
  if (::mount("mqueue", "/dev/mqueue", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ||
      errno == ENOENT)
    return 0;
  return ::mount("tmpfs", "/dev/mqueue", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY,
                 "size=4k,nr_inodes=2") == 0
             ? 0
             : errno;
}

int Containment::mount_devices() {
  const bool lives_there = lives_in_shared_memory(options_); // with all that is mounted below it by now
  if (::geteuid() != 0 || inside_user_namespace()) return lives_there ? 0 : mount_shared_memory();
  const int memory = lives_there ? ::open("/dev/shm", O_PATH | O_CLOEXEC) : -1;
  int problem = mount_own_devices();
  // Empty, or the machine's own where the tree's directory lies in it: read-only then like the rest.
  if (problem == 0) problem = memory >= 0 ? bind(memory, "/dev/shm") : mount_shared_memory();
  if (memory >= 0) ::close(memory);
  return problem;
}

int Containment::mount_own_devices() {
  std::vector<std::pair<std::string, int>> nodes;
  for (const char* name :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}) {
    const int fd = ::open(name, O_PATH | O_CLOEXEC);
    if (fd >= 0) nodes.emplace_back(name, fd);
  }
  int problem =
      ::mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=1m") == 0 ? 0 : errno;
  if (problem == 0) problem = bind_nodes(nodes);
  for (const auto& [name, fd] : nodes) ::close(fd);
  if (problem != 0) return problem;
  const std::pair<const char*, const char*> links[] = {{"/proc/self/fd", "/dev/fd"},
                                                       {"/proc/self/fd/0", "/dev/stdin"},
                                                       {"/proc/self/fd/1", "/dev/stdout"},
                                                       {"/proc/self/fd/2", "/dev/stderr"},
                                                       {"pts/ptmx", "/dev/ptmx"}};
  for (const auto& [target, name] : links)
    if (::symlink(target, name) != 0) return errno;
  if (::mkdir("/dev/pts", 0755) != 0 || ::mkdir("/dev/shm", 01777) != 0) return errno;
  (void)::mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
                "newinstance,ptmxmode=0666,mode=0620"); // some containers have none
  return 0;
}

int Containment::make_rest_read_only() const {
  if (own_.fd < 0) return ENOENT;
  if (const int problem = set_read_only("/", true, true)) return problem;
  std::vector<std::string> free = layered_;
  if (!options_.apart) free.push_back(own_.path);
  if (options_.moves_tree()) free.push_back(options_.overlay_target);
  if (!lives_in_shared_memory(options_)) free.emplace_back("/dev/shm");
  for (const Kept& kept : writable_)
    if (kept.fd >= 0) free.push_back(kept.path);
  for (const Alias& alias : options_.aliases) { // what may be written there may be written here
    const std::vector<std::string> known = free;
    for (const std::string& path : known)
      if (path == alias.from || lies_below(path, alias.from))
        free.push_back(alias.to + path.substr(alias.from.size()));
  }
  for (const std::string& path : free)
    if (const int refused = set_read_only(path, false, false); refused != 0 && path != "/dev/shm")
      return refused;
  return 0;
}

int Containment::protect_kernel_files() {
  if (::geteuid() != 0 || inside_user_namespace()) return 0;
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"}) {
    if (::access(path, F_OK) != 0) continue;
    if (::mount(path, path, nullptr, MS_BIND, nullptr) != 0) return errno;
    if (::mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
                nullptr) != 0)
      return errno;
  }
  return 0;
}

void Containment::drop_privileges() {
  static constexpr int kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,
                                 CAP_KILL,  CAP_SETGID,       CAP_SETUID, CAP_NET_BIND_SERVICE};
  for (int capability = 0; capability < 64; ++capability)
    if (std::find(std::begin(kept), std::end(kept), capability) == std::end(kept))
      ::prctl(PR_CAPBSET_DROP, capability);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

} // namespace emend::exec
