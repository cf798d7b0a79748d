#include "adapters/git/machine_view.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/files.hpp"

namespace emend {

namespace {

std::string home_directory() {
  const char* home = std::getenv("HOME");
  std::error_code problem;
  const fs::path path = home == nullptr || *home != '/' ? fs::path() : fs::canonical(home, problem);
  return problem ? std::string() : path.string();
}

bool lies_in(const std::string& path, const std::string& directory) { return path == directory || path.starts_with(directory + "/"); }

constexpr const char* kSecrets[] = {
    // keys and logins
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/gh", ".config/hub", ".config/glab-cli", ".config/op", ".config/sops",
    ".config/rclone", ".docker/config.json", ".netrc", ".git-credentials", ".config/git/credentials", ".npmrc", ".pypirc", ".gem/credentials",
    ".cargo/credentials", ".cargo/credentials.toml", ".terraform.d/credentials.tfrc.json", ".vault-token", ".pgpass", ".my.cnf", ".password-store",
    ".local/share/keyrings",
    // of the agents: what one of them needs is copied into its private home
    ".claude.json", ".claude/.credentials.json", ".claude/projects", ".claude/history.jsonl", ".codex/auth.json", ".codex/sessions", ".codex/history.jsonl",
    ".gemini/oauth_creds.json", ".gemini/tmp", ".qwen/oauth_creds.json", ".local/share/opencode/auth.json", ".config/emend/config.toml",
    // browsers, and what was typed
    ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".bash_history", ".zsh_history", ".python_history",
    ".node_repl_history", ".psql_history", ".mysql_history", ".local/share/fish/fish_history"};

} // namespace

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
      if (fs::exists(home + "/" + name, problem)) found.push_back(home + "/" + name);
  for (const auto& item : fs::directory_iterator(repository_root, problem)) {
    const std::string name = item.path().filename().string();
    if (name == ".env" || name.starts_with(".env.") || name == "emend.local.toml") found.push_back(item.path().string());
  }
  return found;
}

} // namespace emend
