#include "adapters/agents/agent_process.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/strings.hpp"

namespace emend {
namespace {

class Environment {
public:
  // A later value replaces an earlier one of the same name.
  void set(const std::string& name, const std::string& value) {
    if (name.empty() || name.starts_with("EMEND")) return;
    const std::string start = name + "=";
    const auto same = std::find_if(variables_.begin(), variables_.end(),
                                   [&](const std::string& v) { return v.starts_with(start); });
    if (same != variables_.end())
      *same = start + value;
    else
      variables_.push_back(start + value);
  }
  void pass_on(const std::string& name) {
    if (const char* value = std::getenv(name.c_str())) set(name, value);
  }
  void set_all(const std::vector<std::string>& variables) {
    for (const std::string& variable : variables) {
      const auto equals = variable.find('=');
      if (equals != std::string::npos) set(variable.substr(0, equals), variable.substr(equals + 1));
    }
  }
  [[nodiscard]] std::vector<std::string> take() && { return std::move(variables_); }

private:
  std::vector<std::string> variables_;
};

// Whatever a remote is called, pushing to it goes to a place that does not exist; fetching is not our
// business.
void block_pushing(Environment& environment) {
  environment.set("GIT_TERMINAL_PROMPT", "0");
  environment.set("GIT_ASKPASS", "/bin/false");
  environment.set("GIT_SSH_COMMAND", "/bin/false");
  int count = 0;
  for (const char* start : {"https://", "http://", "ssh://", "git://", "git@", "file://", "/"}) {
    const std::string number = std::to_string(count++);
    environment.set("GIT_CONFIG_KEY_" + number, "url.no-pushing-from-here:.pushInsteadOf");
    environment.set("GIT_CONFIG_VALUE_" + number, start);
  }
  environment.set("GIT_CONFIG_COUNT", std::to_string(count));
}

} // namespace

std::vector<std::string> agent_environment(const AgentBinding& binding, const Workspace& workspace,
                                           const DriverEnvironment& own) {
  Environment environment;
  environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
  for (const char* name : {"PATH", "LANG", "LC_ALL", "TZ"}) environment.pass_on(name);
  environment.set("HOME", workspace.home_dir());
  environment.set("TMPDIR", workspace.temp_dir());
  // The workspace has no .git; git must not go looking for one in the directories above it.
  environment.set("GIT_CEILING_DIRECTORIES", std::filesystem::path(workspace.path()).parent_path().string());
  block_pushing(environment);
  environment.set("EMEND_INSIDE", "1"); // hooks and tools of ours are not for agents of ours
  for (const std::string& name : own.pass_env) environment.pass_on(name);
  environment.set_all(own.env);
  for (const std::string& name : binding.pass_env) environment.pass_on(name);
  environment.set_all(binding.env);
  return std::move(environment).take();
}

ProcessSpec agent_process(const AgentBinding& binding, const AgentRequest& request,
                          std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = request.workspace->path();
  spec.overlay = request.workspace->overlay();
  spec.network = binding.network;
  spec.limits = binding.limits;
  spec.env = agent_environment(binding, *request.workspace);
  spec.stdin_data = request.prompt;
  spec.wall_limit_ms = request.timeout_ms > 0 ? request.timeout_ms : binding.timeout_ms;
  spec.idle_limit_ms = binding.idle_timeout_ms;
  spec.on_line = request.on_output;
  spec.on_start = request.on_start;
  return spec;
}

AgentState state_by_exit(const ProcessResult& process) {
  AgentState state;
  if (process.ok()) {
    state.status = AgentStatus::ok;
  } else if (process.ending == Ending::exited) {
    state.status = AgentStatus::failed;
    state.text = "exit " + std::to_string(process.exit_code);
  } else if (process.ending == Ending::not_started) {
    state.status = AgentStatus::failed;
    state.text = process.problem;
  } else {
    state.status = AgentStatus::interrupted;
    state.text = std::string(to_string(process.ending));
  }
  return state;
}

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
