#include "adapters/git/workspace_space.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/owned_fd.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// The descriptor first: whatever takes the number over later is not what it speaks of.
bool end_if_started_with(std::uint64_t pid, const std::string& needle) {
  const OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
  if (!process) return false;
  const auto environment = read_file("/proc/" + std::to_string(pid) + "/environ");
  if (!environment || !contains(*environment, needle)) return false;
  return ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

// Where no namespace held an agent's tree, a child that left it may outlive engine and guardian. It is known
// by the workspace's private directories in the environment it was started with, never by its name. A person
// who only stands in the directory is left alone.
void end_processes_of(const std::string& workspace) {
  const std::string needle = "=" + workspace + "/"; // HOME and TMPDIR
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const auto pid = parse_unsigned(entry.path().filename().string());
    if (!pid || *pid == static_cast<std::uint64_t>(::getpid())) continue;
    if (end_if_started_with(*pid, needle))
      log(LogLevel::info, "stopped a process left by an earlier run: pid " + std::to_string(*pid));
  }
}

std::string fresh_name() {
  static std::atomic<unsigned> count{0};
  return std::to_string(::getpid()) + "-" + std::to_string(++count) + "-" + random_hex(3);
}

// A cleaner may take and remove the file between making and locking it; then another name is tried.
Result<Flock> claim(const std::string& path) {
  TRY_ASSIGN(Flock lock, Flock::attempt(path, LockMode::exclusive));
  if (!lock.still_named(path)) return fail(ErrorCode::conflict, path + " was taken");
  return lock;
}

void remove_space(const EngineStore& store, const std::string& name) {
  (void)remove_tree(store.workspaces + "/" + name);
  (void)remove_tree(store.layers + "/" + name);
  ::unlink((store.owners + "/" + name).c_str());
}

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(directory, ignored))
    names.insert(item.path().filename().string());
  return names;
}

// By name: a person may keep agents and scripts of their own in there, and those must stay visible.
void add_engine_state(const std::string& home, std::vector<std::string>& found) {
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(home, ignored)) {
    const std::string name = item.path().filename();
    if (name == "sessions" || name == "locks" || name == "server" || name == "config.toml" ||
        name.starts_with("emend.db"))
      found.push_back(item.path().string());
  }
}

// Lists and rights that a child may have given to a directory of its own. Labels of a security module are the
// machine's.
bool has_attributes(int directory) {
  char names[1024];
  const ssize_t size = ::flistxattr(directory, names, sizeof names);
  if (size < 0) return errno != ENOTSUP;
  for (std::string_view rest(names, static_cast<std::size_t>(size)); !rest.empty();
       rest.remove_prefix(rest.find('\0') + 1))
    if (!rest.starts_with("security.")) return true;
  return false;
}

// A directory of ours with this mode, these names in it and nothing else to it.
bool is_as_made(const std::string& path, mode_t mode, const std::set<std::string>& names = {}) {
  const OwnedFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  return directory && ::fstat(directory.get(), &info) == 0 && info.st_mode == mode &&
         info.st_uid == ::geteuid() && !has_attributes(directory.get()) && names_in(path) == names;
}

Status renew_directory(const std::string& path, unsigned mode, mode_t made) {
  if (is_as_made(path, made)) return {};
  TRY(remove_tree(path));
  return make_directories(path, mode);
}

} // namespace

WorkspaceSpace::WorkspaceSpace(const EngineStore& store, std::string name, Flock owner)
    : store_(store),
      name_(std::move(name)),
      owner_(std::move(owner)),
      tree_(store.workspaces + "/" + name_ + "/tree"),
      home_(store.workspaces + "/" + name_ + "/home"),
      temp_(store.workspaces + "/" + name_ + "/tmp"),
      upper_(store.layers + "/" + name_ + "/upper"),
      work_(store.layers + "/" + name_ + "/work") {}

WorkspaceSpace::~WorkspaceSpace() { remove_space(store_, name_); }

Result<std::unique_ptr<WorkspaceSpace>> WorkspaceSpace::make(const EngineStore& store) {
  for (int round = 0; round < 10; ++round) {
    const std::string name = fresh_name();
    auto owner = claim(store.owners + "/" + name);
    if (!owner && owner.error().code == ErrorCode::conflict) continue;
    if (!owner) return fail(std::move(owner).error());
    std::unique_ptr<WorkspaceSpace> space(new WorkspaceSpace(store, name, std::move(*owner)));
    TRY(make_directories(space->tree_, 0755));
    TRY(space->empty_private_directories());
    struct stat tree {};
    struct stat home {};
    if (::stat(space->tree_.c_str(), &tree) != 0 || ::stat(space->home_.c_str(), &home) != 0)
      return fail(ErrorCode::io, "cannot look at " + space->tree_);
    space->open_ = tree.st_mode;
    space->closed_ = home.st_mode;
    return space;
  }
  return fail(ErrorCode::conflict, "no name is free for a workspace in " + store.workspaces);
}

Status WorkspaceSpace::empty_private_directories() const {
  for (const std::string& directory : {home_, temp_}) {
    TRY(remove_tree(directory));
    TRY(make_directories(directory, 0700));
  }
  TRY(remove_tree(store_.layers + "/" + name_));
  for (const std::string& directory : {upper_, work_}) TRY(make_directories(directory, 0755));
  TRY(make_private_layers());
  return store_.linked_home ? link_to_shown() : Status{};
}

bool WorkspaceSpace::is_intact() const {
  return is_as_made(store_.workspaces + "/" + name_, open_, {"home", "tmp", "tree"});
}

// The kernel empties the directories an overlay works in by itself, and nobody else sees them.
Status WorkspaceSpace::renew() const {
  if (!is_intact() || !is_as_made(tree_, open_))
    return fail(ErrorCode::conflict, tree_ + " is not as it was made");
  TRY(renew_directory(home_, 0700, closed_));
  TRY(renew_directory(temp_, 0700, closed_));
  TRY(renew_directory(upper_, 0755, open_));
  for (const std::string& name : names_in(store_.layers + "/" + name_))
    if (name != "upper" && name != "objects" && !name.starts_with("work") && !name.starts_with("upper-"))
      TRY(remove_tree(layer(name)));
  if (struct stat info{}; ::lstat(layer("objects/upper").c_str(), &info) == 0)
    TRY(renew_directory(layer("objects/upper"), 0755, open_));
  for (std::size_t i = 0; i < store_.layered.size(); ++i) {
    const std::string upper = private_layer("upper-", i);
    struct stat covered {};
    const bool there = ::stat(store_.layered[i].c_str(), &covered) == 0;
    const mode_t mode = there ? S_IFDIR | (covered.st_mode & 07777) : open_;
    if (is_as_made(upper, mode)) continue;
    TRY(renew_directory(upper, 0755, mode));
    if (there) (void)::chmod(upper.c_str(), mode & 07777);
  }
  return {};
}

// Commands that look below $HOME find their tools there, and nothing else. Caches begin empty: they could not
// be written to.
Status WorkspaceSpace::link_to_shown() const {
  for (const std::vector<std::string>* list : {&store_.layered, &store_.shown, &store_.writable}) {
    for (const std::string& path : *list) {
      if (store_.user_home.empty() || !path.starts_with(store_.user_home + "/") ||
          path.starts_with(store_.user_home + "/.cache/"))
        continue;
      const fs::path link = home_ + path.substr(store_.user_home.size());
      std::error_code problem;
      TRY(make_directories(link.parent_path().string(), 0700));
      if (fs::is_symlink(fs::symlink_status(link, problem)) || fs::exists(link, problem))
        continue; // below another link
      fs::create_symlink(path, link, problem);
      if (problem) return fail(ErrorCode::io, "cannot make " + link.string() + ": " + problem.message());
    }
  }
  return {};
}

// Flat, because there are a dozen for each command: every directory is one more to make and to remove.
std::string WorkspaceSpace::private_layer(const char* what, std::size_t number) const {
  return layer(what + std::to_string(number));
}

// What is written into a layer has the permissions of what it covers: /tmp is everybody's.
Status WorkspaceSpace::make_private_layers() const {
  for (std::size_t i = 0; i < store_.layered.size(); ++i) {
    const std::string upper = private_layer("upper-", i);
    for (const std::string& directory : {upper, private_layer("work-", i)})
      if (::mkdir(directory.c_str(), 0755) != 0)
        return fail(ErrorCode::io, "cannot make " + directory + ": " + std::strerror(errno));
    struct stat info {};
    if (::stat(store_.layered[i].c_str(), &info) == 0) (void)::chmod(upper.c_str(), info.st_mode & 07777);
  }
  return {};
}

// Where a child may write is its own directory and nothing else of ours; of the others' it does not even see
// the names.
OverlayMount WorkspaceSpace::mount(const std::string& base) const {
  OverlayMount mount;
  mount.target = tree_;
  if (!base.empty()) {
    mount.lower = base;
    mount.upper = upper_;
    mount.work = work_;
  }
  mount.masked = store_.home + "/repositories";
  mount.own = store_.workspaces + "/" + name_;
  mount.contained = store_.contained;
  if (store_.contained) mount.read_only = store_.read_only;
  mount.hidden = store_.secrets;
  add_engine_state(store_.home, mount.hidden);
  mount.writable = store_.writable;
  mount.home = store_.user_home;
  mount.shown = store_.shown;
  for (std::size_t i = 0; i < store_.layered.size(); ++i)
    mount.layers.push_back({store_.layered[i], private_layer("upper-", i), private_layer("work-", i)});
  return mount;
}

void remove_dead_workspaces(const EngineStore& store) {
  std::set<std::string> names = names_in(store.owners);
  for (const std::string& directory : {store.workspaces, store.layers}) names.merge(names_in(directory));
  for (const std::string& name : names) {
    const auto lock = Flock::attempt(store.owners + "/" + name, LockMode::exclusive);
    if (!lock) continue;
    end_processes_of(store.workspaces + "/" + name);
    remove_space(store, name);
  }
}

} // namespace emend
