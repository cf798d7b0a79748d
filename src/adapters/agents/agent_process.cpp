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
    const auto same = std::find_if(variables_.begin(), variables_.end(), [&](const std::string& v) { return v.starts_with(start); });
    if (same != variables_.end())
      *same = start + value;
    else
      variables_.push_back(start + value);
  }
  void pass_on(const std::string& name) {
    if (const char* value = std::getenv(name.c_str())) set(name, value);
  }
  [[nodiscard]] std::vector<std::string> take() && { return std::move(variables_); }

private:
  std::vector<std::string> variables_;
};

} // namespace

std::vector<std::string> agent_environment(const AgentBinding& binding, const Workspace& workspace) {
  Environment environment;
  environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
  for (const char* name : {"PATH", "LANG", "LC_ALL", "TZ"}) environment.pass_on(name);
  environment.set("HOME", workspace.home_dir());
  environment.set("TMPDIR", workspace.temp_dir());
  // The workspace has no .git; git must not go looking for one in the directories above it.
  environment.set("GIT_CEILING_DIRECTORIES", std::filesystem::path(workspace.path()).parent_path().string());
  for (const std::string& name : binding.pass_env) environment.pass_on(name);
  for (const std::string& variable : binding.env) {
    const auto equals = variable.find('=');
    if (equals != std::string::npos) environment.set(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return std::move(environment).take();
}

ProcessSpec agent_process(const AgentBinding& binding, const AgentRequest& request, std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = request.workspace->path();
  spec.overlay = request.workspace->overlay();
  spec.env = agent_environment(binding, *request.workspace);
  spec.stdin_data = request.prompt;
  spec.wall_limit_ms = request.timeout_ms > 0 ? request.timeout_ms : binding.timeout_ms;
  spec.idle_limit_ms = binding.idle_timeout_ms;
  spec.on_line = request.on_output;
  spec.on_start = request.on_start;
  return spec;
}

} // namespace emend
