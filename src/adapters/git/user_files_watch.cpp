#include "adapters/git/user_files_watch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <deque>
#include <set>

#include "adapters/git/hidden_paths.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/coding_clis.hpp"

namespace emend {

namespace {

// Files that start something or decide who may log in, relative to the home.
constexpr const char* kStarters =
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile "
    ".zlogin .zlogout .config/fish/config.fish .inputrc .pam_environment .xinitrc .xprofile .xsession "
    ".xsessionrc .tmux.conf .vimrc .config/nvim/init.lua .config/nvim/init.vim .emacs .gitconfig "
    ".config/git/config .config/git/hooks .npmrc .yarnrc .pypirc .netrc .config/pip/pip.conf "
    ".cargo/config.toml .ssh .config/autostart .config/systemd/user .local/bin bin "
    ".config/emend/config.toml .pythonrc";

// Programs of the person's own rewrite these all the time.
bool is_restless(const std::string& name) {
  constexpr const char* kBeginnings[] = {
      ".bash_history", ".zsh_history",    ".zcompdump",       ".python_history", ".node_repl_history",
      ".psql_history", ".sqlite_history", ".lesshst",         ".viminfo",        ".wget-hsts",
      ".Xauthority",   ".ICEauthority",   ".xsession-errors", ".sudo_as_admin"};
  const auto begins = [&](const std::string& start) { return name.starts_with(start); };
  const auto rewritten = of_all_coding_clis(&CodingCli::rewritten);
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), begins) ||
         std::any_of(rewritten.begin(), rewritten.end(), begins) || name.ends_with(".lock");
}

// Access lists say more than the mode does.
std::string access_list(const std::string& path) {
  char bytes[1024];
  const ssize_t size = ::lgetxattr(path.c_str(), "system.posix_acl_access", bytes, sizeof bytes);
  return size > 0 ? "+" + sha256_hex(std::string_view(bytes, static_cast<std::size_t>(size))).substr(0, 16)
                  : "";
}

std::string rights(const std::string& path, const struct stat& info) {
  return fmt::format("{:o}{} {}:{}", info.st_mode, S_ISLNK(info.st_mode) ? "" : access_list(path),
                     info.st_uid, info.st_gid);
}

std::string seen(const std::string& path, const struct stat& info) {
  return fmt::format("{} {} {} {}.{} {}.{}", rights(path, info), info.st_size, info.st_ino,
                     info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

// Of what its owner's programs change all the time, only who may do what with it.
void add_rights(const std::string& path, Surroundings& found) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) found[path] = rights(path, info);
}

// A directory is only there or not: its time changes with every name in it, and those are listed one by one.
void add(const std::string& path, Surroundings& found) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return;
  found[path] = S_ISDIR(info.st_mode) ? rights(path, info) : seen(path, info);
}

void add_names(const std::string& directory, Surroundings& found, const std::string& except = {}) {
  std::error_code problem;
  for (fs::directory_iterator item(directory, fs::directory_options::skip_permission_denied, problem), end;
       !problem && item != end; item.increment(problem)) {
    if (item->path().filename() != except) add(item->path().string(), found);
  }
}

void add_all_below(const std::string& directory, Surroundings& found) {
  std::error_code problem;
  for (fs::recursive_directory_iterator
           item(directory, fs::directory_options::skip_permission_denied, problem),
       end;
       !problem && item != end; item.increment(problem)) {
    if (!item->is_directory(problem)) add(item->path().string(), found);
  }
}

void add_checkout(const UserRepository& repository, const Tree& tracked, Surroundings& found) {
  add_rights(repository.root, found);
  std::set<std::string> directories{""};
  for (const auto& [path, entry] : tracked)
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      directories.insert(path.substr(0, slash));
  for (const std::string& directory : directories)
    add_names(directory.empty() ? repository.root : repository.root + "/" + directory, found,
              directory.empty() ? ".git" : "");
}

void add_git(const UserRepository& repository, const GitProgram& git, Surroundings& found) {
  for (const char* name : {"", "/objects", "/refs", "/hooks", "/info", "/logs"})
    add_rights(repository.common_dir + name, found);
  add_rights(repository.git_dir, found);
  add(repository.git_dir + "/HEAD", found);
  for (const char* name : {"config", "packed-refs", "info/attributes", "info/exclude"})
    add(repository.common_dir + "/" + name, found);
  for (const char* name : {"hooks", "refs"}) add_all_below(repository.common_dir + "/" + name, found);
  const auto index =
      git.output(GitCall{.args = {"ls-files", "--stage", "-z"}, .git_dir = repository.git_dir});
  found[repository.git_dir + "/index"] = index ? sha256_hex(*index) : "";
}

void add_home(Surroundings& found) {
  const std::string home = home_directory();
  if (home.size() < 2) return;
  add_rights(home, found);
  std::error_code problem;
  for (fs::directory_iterator item(home, problem), end; !problem && item != end; item.increment(problem)) {
    if (!is_restless(item->path().filename().string())) add_rights(item->path().string(), found);
  }
  std::vector<std::string> starters = split(kStarters, ' ');
  for (std::string& name : of_all_coding_clis(&CodingCli::user_settings)) starters.push_back(std::move(name));
  for (const std::string& name : starters) {
    const std::string path = home + "/" + name;
    add(path, found);
    if (fs::is_directory(path, problem)) add_all_below(path, found);
  }
}

// Who may do what with the files below the home, the nearest ones first: modes and owners can be changed
// without the right to write.
void add_rights_below_home(const UserRepository& repository, const fs::path& ours, Surroundings& found) {
  constexpr std::size_t kMost = 10'000; // of a large home; it is looked at before and after each run
  std::deque<std::string> directories;
  if (const std::string home = home_directory(); home.size() > 1) directories.push_back(home);
  for (std::size_t count = 0; !directories.empty() && count < kMost; directories.pop_front()) {
    std::error_code problem;
    fs::directory_iterator item(directories.front(), problem), end;
    for (; !problem && item != end && ++count < kMost; item.increment(problem)) {
      const std::string path = item->path().string();
      struct stat info {};
      if (::lstat(path.c_str(), &info) != 0 || path == ours || path == repository.root) continue;
      if (S_ISDIR(info.st_mode)) directories.push_back(path);
      if (S_ISREG(info.st_mode))
        found.try_emplace(path, fmt::format("{} {} {}", rights(path, info), kAnySize, info.st_ino));
    }
  }
}

} // namespace

Surroundings surroundings_of(const UserRepository& repository, const Tree& tracked, const GitProgram& git,
                             const fs::path& ours) {
  Surroundings found;
  add_home(found);
  add_rights_below_home(repository, ours, found);
  if (!repository.bare) add_checkout(repository, tracked, found);
  add_git(repository, git, found);
  return found;
}

} // namespace emend
