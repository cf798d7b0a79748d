#include "exec/landlock.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace emend::exec {

namespace {

using exec_protocol::lowest_landlock;
using exec_protocol::Network;

// The kernel's structures and numbers, because headers of older systems lack the later ones.
struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] BelowAttributes {
  std::uint64_t allowed;
  std::int32_t directory;
};

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1;
constexpr int kBelow = 1;

constexpr std::uint64_t bit(int number) { return std::uint64_t{1} << number; }
constexpr std::uint64_t kExecute = bit(0), kWriteFile = bit(1), kReadFile = bit(2), kReadDirectory = bit(3);
constexpr std::uint64_t kTruncate = bit(14), kDeviceControl = bit(15);
constexpr std::uint64_t kOfFiles =
    kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl; // the others are of directories only
constexpr std::uint64_t kBindTcp = bit(0), kConnectTcp = bit(1);
constexpr std::uint64_t kAbstractSockets = bit(0), kSignals = bit(1);

// Version 1 knows 13 rights; 2 adds moving between directories, 3 truncating, 5 device control.
std::uint64_t known_rights(int version) {
  const int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  return bit(count) - 1;
}

bool lies_in(const std::string& path, const std::string& directory) {
  return path.size() >= directory.size() && path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
}

class Ruleset {
public:
  Ruleset(const Options& options, int version) : rights_(known_rights(version)) {
    RulesetAttributes attributes{rights_, 0, 0};
    if (version >= 4 && options.network == Network::none) attributes.network = kBindTcp | kConnectTcp;
    if (version >= 6) attributes.scopes = kAbstractSockets | kSignals;
    const std::size_t size = version >= 6   ? sizeof attributes
                             : version >= 4 ? 2 * sizeof(std::uint64_t)
                                            : sizeof(std::uint64_t);
    fd_ = static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0U));
    for (const std::string& path : options.hidden) hidden_.push_back(real_path(path));
    if (!options.masked.empty()) hidden_.push_back(real_path(options.masked));
    if (options.home.empty()) return;
    hidden_.push_back(options.home);
    shown_ = options.shown;
    for (const Layer& layer : options.layers)
      if (lies_in(layer.path, options.home) && layer.path != options.home) shown_.push_back(layer.path);
  }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;
  ~Ruleset() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] int fd() const { return fd_; }

  // What is not there needs no rule.
  void allow(const std::string& path, std::uint64_t rights) {
    const int at = ::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (at < 0) return;
    struct stat info {};
    const bool known = ::fstat(at, &info) == 0 &&
                       !S_ISLNK(info.st_mode); // where a link leads has a rule of its own, or none
    const BelowAttributes attributes{
        rights & rights_ & (S_ISDIR(info.st_mode) ? ~std::uint64_t{0} : kOfFiles), at};
    if (known && ::syscall(kAddRule, fd_, kBelow, &attributes, 0U) != 0 && problem_ == 0) problem_ = errno;
    ::close(at);
  }

  // A rule holds for everything below, so on the way to what is hidden each neighbour gets one of its own.
  void allow_reading(const std::string& path) {
    bool something_below = false;
    for (const std::string& hidden : hidden_) {
      if (lies_in(path, hidden) && !shown_in_spite_of(hidden, path)) return;
      something_below = something_below || path == "/" || lies_in(hidden, path);
    }
    if (!something_below) return allow(path, kReadFile | kExecute);
    DIR* directory = ::opendir(path.c_str());
    if (directory == nullptr) return;
    while (const dirent* item = ::readdir(directory)) {
      if (std::strcmp(item->d_name, ".") == 0 || std::strcmp(item->d_name, "..") == 0 ||
          item->d_type == DT_LNK)
        continue;
      const std::string name = (path == "/" ? "" : path) + "/" + item->d_name;
      if (name != "/dev")
        allow_reading(name); // as root it leads to every disk; what is harmless in it is allowed one by one
    }
    ::closedir(directory);
  }

  // What is shown of what is hidden as a whole.
  void allow_reading_shown() {
    for (const std::string& path : shown_) allow_reading(path);
  }

  [[nodiscard]] int problem() const { return problem_; }

private:
  [[nodiscard]] bool shown_in_spite_of(const std::string& hidden, const std::string& path) const {
    return std::any_of(shown_.begin(), shown_.end(), [&](const std::string& shown) {
      return lies_in(path, shown) && lies_in(shown, hidden) && shown != hidden;
    });
  }

  std::uint64_t rights_;
  std::vector<std::string> hidden_, shown_;
  int fd_ = -1;
  int problem_ = 0;
};

} // namespace

int landlock_version() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0UL, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

int close_abstract_sockets() {
  if (landlock_version() < 6) return 0;
  const RulesetAttributes attributes{0, 0, kAbstractSockets};
  const int fd = static_cast<int>(::syscall(kCreateRuleset, &attributes, sizeof attributes, 0U));
  if (fd < 0) return errno;
  int problem = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
  if (problem == 0 && ::syscall(kRestrictSelf, fd, 0U) != 0) problem = errno;
  ::close(fd);
  return problem;
}

int restrict_by_landlock(const Options& options) {
  const int version = landlock_version();
  if (version < lowest_landlock) return ENOSYS;
  Ruleset rules(options, version);
  if (rules.fd() < 0) return errno;
  constexpr std::uint64_t everything = ~std::uint64_t{0};
  rules.allow("/", kReadDirectory);
  rules.allow_reading("/");
  rules.allow_reading_shown();
  rules.allow(real_path(options.own), everything);
  for (const std::string& path : options.writable) rules.allow(path, everything);
  for (const char* path : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
                           "/dev/ptmx", "/dev/pts"})
    rules.allow(path, kReadFile | kWriteFile | kTruncate | kDeviceControl);
  if (lies_in(real_path(options.own), "/dev/shm"))
    rules.allow_reading("/dev/shm"); // a workspace in memory: what lies around it is not its own
  if (rules.problem() != 0) return rules.problem();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return ::syscall(kRestrictSelf, rules.fd(), 0U) == 0 ? 0 : errno;
}

} // namespace emend::exec
