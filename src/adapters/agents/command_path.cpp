#include "adapters/agents/command_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/strings.hpp"

namespace emend {

namespace fs = std::filesystem;

namespace {

bool is_program(const std::string& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

bool lies_in(const fs::path& path, const fs::path& directory) {
  const auto ends = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return ends.first == directory.end();
}

// By name or through a symbolic link.
bool is_of_repository(const fs::path& path, const std::string& repository_root) {
  if (repository_root.empty()) return false;
  std::error_code problem;
  const fs::path root = fs::weakly_canonical(repository_root, problem);
  return lies_in(path.lexically_normal(), root) || lies_in(fs::weakly_canonical(path, problem), root);
}

Result<std::string> check_absolute(const std::string& command) {
  std::error_code problem;
  if (is_program(command)) return command;
  if (fs::exists(command, problem))
    return fail(ErrorCode::agent, command + " is not executable", "chmod +x " + shell_quote(command));
  return fail(ErrorCode::agent, command + " does not exist",
              "correct the agent's command in the configuration");
}

} // namespace

Result<std::string> resolve_command(const std::string& command, std::string_view search_path,
                                    const std::string& repository_root) {
  if (command.starts_with('/')) return check_absolute(command);
  if (command.find('/') != std::string::npos)
    return fail(ErrorCode::config, command + " is a relative path",
                "give the agent's command as a name in PATH or as an absolute path");
  std::string refused;
  for (const std::string& directory : split(search_path, ':')) {
    if (!directory.starts_with('/')) continue; // "" and "." mean whatever directory we happen to be in
    const std::string candidate = directory + "/" + command;
    if (!is_program(candidate)) continue;
    if (!is_of_repository(candidate, repository_root)) return candidate;
    refused = candidate;
  }
  if (!refused.empty())
    return fail(ErrorCode::agent, command + " was found only inside the repository: " + refused,
                "install " + command +
                    " outside the repository, or name the file by its absolute path in the configuration");
  return fail(ErrorCode::agent, command + ": not found in PATH",
              "install it, or name it by its absolute path in the configuration");
}

} // namespace emend
