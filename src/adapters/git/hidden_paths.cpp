#include "adapters/git/hidden_paths.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "base/tool_root.hpp"
#include "model/coding_clis.hpp"

extern "C" char** environ;

namespace emend {

namespace {

bool lies_in(const std::string& path, const std::string& directory) {
  return path == directory || path.starts_with(directory + "/");
}

bool lies_in_any(const std::string& path, const std::vector<std::string>& directories) {
  return std::any_of(directories.begin(), directories.end(),
                     [&](const std::string& directory) { return lies_in(path, directory); });
}

// Toolchains and caches of packages that no variable and no program on PATH need lead to. Only places that
// hold no logins; those some keep beside them are not named here, and what is not named is hidden.
constexpr const char* kToolchains =
    ".cargo .rustup .pyenv .rbenv .nodenv .goenv .jenv .nvm .fnm .volta .asdf .sdkman .jabba .ghcup "
    ".cabal .stack .opam .elan .juliaup .julia .deno .bun .dotnet .swiftly .swiftpm .pub-cache .mix .hex "
    "go .nuget/packages .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .gradle/jdks "
    ".ivy2/cache .sbt/boot .konan .gem/ruby .bundle/cache .npm/_cacache .composer/cache .ccache "
    ".conan/data .conan2/p .vcpkg .platformio/packages .local/lib .local/share/uv .local/share/mise "
    ".local/share/fnm .local/share/pnpm .local/share/pipx .local/share/virtualenvs .local/share/gem "
    ".cache/ccache .cache/sccache .cache/pip .cache/uv .cache/pypoetry .cache/pre-commit .cache/go-build "
    ".cache/golangci-lint .cache/bazel .cache/bazelisk .cache/yarn .cache/pnpm .cache/node .cache/deno "
    ".cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/coursier .cache/composer .cache/zig "
    ".cache/cabal";

// Whoever may write to one of these may do more than the sandbox lets him.
constexpr const char* kSockets[] = {
    "/run/docker.sock", "/run/containerd", "/run/podman",       "/run/crio",     "/run/libvirt",
    "/run/lxd.socket",  "/run/incus",      "/run/snapd.socket", "/run/dbus",     "/run/systemd/private",
    "/run/user",        "/run/screen",     "/tmp/.X11-unix",    "/tmp/.ICE-unix"};

std::string real_path(const std::string& path) {
  std::error_code problem;
  const std::string real = fs::canonical(path, problem).string();
  return problem ? std::string() : real;
}

void add_existing(const std::string& path, std::vector<std::string>& found) {
  const std::string real = real_path(path);
  if (!real.empty() && std::find(found.begin(), found.end(), real) == found.end()) found.push_back(real);
}

// Where links lead. Most of the many on PATH lead into the same few directories, so each directory is
// resolved once.
class LinkEnds {
public:
  // Empty = it leads nowhere.
  std::string end_of(std::string link) {
    constexpr int kMostLinks = 40; // as the kernel has it
    for (int left = kMostLinks; left > 0; --left) {
      char target[PATH_MAX];
      const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
      if (length < 0) return errno == EINVAL ? link : std::string();
      const fs::path next =
          fs::path(link).parent_path() / std::string(target, static_cast<std::size_t>(length));
      const std::string name = next.filename().string();
      if (name.empty() || name == "." || name == "..") return real_path(next.string());
      const std::string& directory = real_directory(next.parent_path().string());
      if (directory.empty()) return {};
      link = (directory == "/" ? "" : directory) + "/" + name;
    }
    return {};
  }

private:
  const std::string& real_directory(const std::string& path) {
    const auto [known, added] = directories_.try_emplace(path);
    if (added) known->second = real_path(path);
    return known->second;
  }

  std::map<std::string, std::string> directories_;
};

// Follows programs to their installations, links between installations included: a virtual environment's
// python, a tool of pipx or uv.
class ToolFinder {
public:
  explicit ToolFinder(std::string home) : home_(std::move(home)) {}

  void add_programs_in(const std::string& directory) {
    if (!looked_.insert(directory).second) return;
    add(tool_root(directory + "/program", home_));
    std::error_code problem;
    int left = kMostPrograms;
    for (fs::directory_iterator item(directory, fs::directory_options::skip_permission_denied, problem), end;
         !problem && item != end && left > 0; item.increment(problem), --left) {
      std::error_code no_link;
      if (item->is_symlink(no_link)) add(tool_root(links_.end_of(item->path().string()), home_));
    }
  }

  void add(const std::string& root) {
    const std::string real = root.empty() ? root : real_path(root);
    if (!real.starts_with(home_ + "/") || !found_.insert(real).second) return;
    if (is_directory(real + "/bin")) add_programs_in(real + "/bin");
  }

  [[nodiscard]] const std::set<std::string>& found() const { return found_; }

  static bool is_directory(const std::string& path) {
    std::error_code problem;
    return fs::is_directory(path, problem);
  }

private:
  static constexpr int kMostPrograms = 5'000;
  std::string home_;
  LinkEnds links_;
  std::set<std::string> looked_, found_;
};

// JAVA_HOME, GOPATH, VIRTUAL_ENV, ...: a directory with programs that a variable names.
void add_named_by_variables(ToolFinder& finder, const std::string& home) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view pair = *variable;
    const std::string value(pair.substr(std::min(pair.size(), pair.find('=') + 1)));
    if (value.starts_with('/') && value.find(':') == std::string::npos &&
        ToolFinder::is_directory(value + "/bin"))
      finder.add(tool_root(value + "/bin/program", home));
  }
}

void add_named_by_environment(ToolFinder& finder, const std::string& home) {
  const char* path = std::getenv("PATH");
  for (const std::string& directory : split(path != nullptr ? path : "", ':'))
    if (const std::string real = directory.starts_with('/') ? real_path(directory) : ""; !real.empty())
      finder.add_programs_in(real);
  add_named_by_variables(finder, home);
}

bool names_a_login(std::string name) {
  name = to_lower(name);
  for (const char* part : {"credential", "secret", "token", "passw", "auth.json", "oauth"})
    if (contains(name, part)) return true;
  for (const char* whole : {".npmrc", ".netrc", ".pypirc", ".yarnrc", ".yarnrc.yml", "settings.xml",
                            "gradle.properties", "nuget.config"})
    if (name == whole) return true;
  return name == ".env" || name.starts_with(".env.") || name.ends_with(".pem") || name.ends_with(".key");
}

} // namespace

std::string home_directory() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home != '/' ? std::string() : real_path(home);
}

HomeView view_of_home(const std::vector<std::string>& own, const std::vector<std::string>& readable) {
  HomeView view;
  const std::string home = home_directory();
  if (home.size() < 2 || !ToolFinder::is_directory(home)) return view;
  view.home = home;
  const auto is_seen = [&](const std::string& path) {
    return path.empty() || !path.starts_with(home + "/") || lies_in_any(path, view.shown) ||
           lies_in_any(path, view.tools);
  };
  for (const std::vector<std::string>* list : {&own, &readable})
    for (const std::string& path : *list)
      if (const std::string real = real_path(path); !is_seen(real)) view.shown.push_back(real);
  ToolFinder finder(home);
  add_named_by_environment(finder, home);
  for (const std::string& name : split(kToolchains, ' '))
    if (ToolFinder::is_directory(home + "/" + name)) finder.add(home + "/" + name);
  for (const std::string& tool : finder.found()) // a directory comes before what lies in it
    if (!is_seen(tool)) (ToolFinder::is_directory(tool) ? view.tools : view.shown).push_back(tool);
  return view;
}

std::vector<std::string> tools_in_checkout(const std::string& root,
                                           const std::vector<std::string>& readable) {
  ToolFinder finder(root);
  add_named_by_environment(finder, root);
  std::set<std::string> found = finder.found(); // a directory comes before what lies in it
  for (const std::string& path : readable)
    if (path.starts_with(root + "/")) found.insert(path);
  std::vector<std::string> directories;
  for (const std::string& path : found)
    if (ToolFinder::is_directory(path) && !lies_in_any(path, directories)) directories.push_back(path);
  return directories;
}

std::vector<std::string> secrets_among(const std::vector<std::string>& directories) {
  std::vector<std::string> found;
  for (const std::string& directory : directories) {
    std::error_code problem;
    for (fs::recursive_directory_iterator
             item(directory, fs::directory_options::skip_permission_denied, problem),
         end;
         !problem && item != end; item.increment(problem)) {
      std::error_code unknown;
      const std::string name = item->path().filename().string();
      if (item->is_directory(unknown) && (item.depth() >= 1 || name == "bin" || name == "shims"))
        item.disable_recursion_pending();
      if (item->is_regular_file(unknown) && names_a_login(name)) add_existing(item->path().string(), found);
    }
  }
  return found;
}

std::vector<std::string> private_directories(const HomeView& view) {
  std::vector<std::string> found;
  for (const char* candidate : {"/tmp", "/var/tmp"}) {
    const std::string path = real_path(candidate);
    if (path.size() < 2 || !ToolFinder::is_directory(path) || lies_in_any(path, found) ||
        (!view.home.empty() && lies_in(path, view.home)))
      continue;
    found.push_back(path);
  }
  if (!view.home.empty()) found.push_back(view.home);
  found.insert(found.end(), view.tools.begin(), view.tools.end());
  return found;
}

std::vector<std::string> agent_logins(const std::vector<std::string>& readable) {
  std::vector<std::string> found, opened;
  for (const std::string& path : readable) add_existing(path, opened);
  for (const CodingCli& cli : coding_clis())
    for (const LoginFile& login : cli.logins) {
      const std::string path = login.path(home_directory(), std::getenv(login.variable.c_str()));
      if (!lies_in_any(real_path(path), opened)) add_existing(path, found);
    }
  return found;
}

std::vector<std::string> secret_paths(const std::string& repository_root) {
  std::vector<std::string> found;
  std::error_code problem;
  for (const char* path : kSockets) add_existing(path, found);
  if (const char* agent = std::getenv("SSH_AUTH_SOCK"); agent != nullptr && *agent == '/')
    add_existing(agent, found);
  for (const auto& item : fs::directory_iterator(repository_root, problem)) {
    const std::string name = item.path().filename().string();
    if (name == ".env" || name.starts_with(".env.") || name == "emend.local.toml")
      found.push_back(item.path().string());
  }
  return found;
}

} // namespace emend
