#include "adapters/git/machine_view.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/files.hpp"

namespace emend {

namespace {

bool lies_in(const std::string& path, const std::string& directory) { return path == directory || path.starts_with(directory + "/"); }

constexpr const char* kSecrets[] = {
    // keys and logins
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/gh", ".config/hub", ".config/glab-cli", ".config/op", ".config/sops",
    ".config/rclone", ".docker/config.json", ".netrc", ".git-credentials", ".config/git/credentials", ".npmrc", ".pypirc", ".gem/credentials",
    ".cargo/credentials", ".cargo/credentials.toml", ".terraform.d/credentials.tfrc.json", ".vault-token", ".pgpass", ".my.cnf", ".password-store",
    ".local/share/keyrings", ".Xauthority", ".ICEauthority",
    // of the agents: what one of them needs is copied into its private home
    ".claude.json", ".claude/.credentials.json", ".claude/projects", ".claude/history.jsonl", ".codex/auth.json", ".codex/sessions", ".codex/history.jsonl",
    ".gemini/oauth_creds.json", ".gemini/tmp", ".qwen/oauth_creds.json", ".local/share/opencode/auth.json", ".config/emend/config.toml",
    // browsers, and what was typed
    ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".bash_history", ".zsh_history", ".python_history",
    ".node_repl_history", ".psql_history", ".mysql_history", ".local/share/fish/fish_history"};

// Whoever may write to one of these may do more than the sandbox lets him.
constexpr const char* kSockets[] = {"/run/docker.sock", "/run/containerd", "/run/podman", "/run/crio", "/run/libvirt", "/run/lxd.socket", "/run/incus",
                                    "/run/snapd.socket", "/run/dbus", "/run/systemd/private", "/run/user", "/run/screen", "/tmp/.X11-unix", "/tmp/.ICE-unix"};

void add_existing(const std::string& path, std::vector<std::string>& found) {
  std::error_code problem;
  const std::string real = fs::canonical(path, problem).string();
  if (!problem && std::find(found.begin(), found.end(), real) == found.end()) found.push_back(real);
}

} // namespace

std::string home_directory() {
  const char* home = std::getenv("HOME");
  std::error_code problem;
  const fs::path path = home == nullptr || *home != '/' ? fs::path() : fs::canonical(home, problem);
  return problem ? std::string() : path.string();
}

std::vector<std::string> private_directories() {
  std::vector<std::string> found;
  for (const std::string& candidate : {home_directory(), std::string("/tmp"), std::string("/var/tmp")}) {
    std::error_code problem;
    const std::string path = candidate.empty() ? "" : fs::canonical(candidate, problem).string();
    if (path.size() < 2 || problem || !fs::is_directory(path, problem)) continue;
    const bool covered = std::any_of(found.begin(), found.end(), [&](const std::string& other) { return lies_in(path, other); });
    std::erase_if(found, [&](const std::string& other) { return lies_in(other, path); });
    if (!covered) found.push_back(path);
  }
  return found;
}

std::vector<std::string> secret_paths(const std::string& repository_root) {
  std::vector<std::string> found;
  std::error_code problem;
  if (const std::string home = home_directory(); home.size() > 1)
    for (const char* name : kSecrets)
      add_existing(home + "/" + name, found);
  for (const char* path : kSockets) add_existing(path, found);
  if (const char* agent = std::getenv("SSH_AUTH_SOCK"); agent != nullptr && *agent == '/') add_existing(agent, found);
  for (const auto& item : fs::directory_iterator(repository_root, problem)) {
    const std::string name = item.path().filename().string();
    if (name == ".env" || name.starts_with(".env.") || name == "emend.local.toml") found.push_back(item.path().string());
  }
  return found;
}

} // namespace emend
