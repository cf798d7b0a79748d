#include "adapters/agents/agent_process.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

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

} // namespace emend
