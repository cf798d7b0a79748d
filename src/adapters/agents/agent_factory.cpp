#include "adapters/agents/agent_factory.hpp"

#include <cstdlib>

#include "adapters/agents/acp_agent.hpp"
#include "adapters/agents/agent_process.hpp"
#include "adapters/agents/cli_agent.hpp"
#include "adapters/agents/exec_agent.hpp"
#include "adapters/agents/private_home.hpp"
#include "adapters/agents/scripted_player.hpp"
#include "base/abandoned.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kVersionScratch =
    "emend-version-"; // an agent is asked for its version in a directory of its own

} // namespace

LocalAgentFactory::LocalAgentFactory(ProcessRunner& runner, std::string self_binary,
                                     std::string repository_root)
    : runner_(runner), self_binary_(std::move(self_binary)), repository_root_(std::move(repository_root)) {
  std::error_code problem;
  if (const fs::path scratch = fs::temp_directory_path(problem); !problem)
    remove_abandoned(scratch, kVersionScratch);
}

Result<std::unique_ptr<Agent>> LocalAgentFactory::make(const AgentBinding& binding) {
  auto agent = make_checked(binding);
  if (!agent) return fail(std::move(agent).error().with_context("agent " + binding.name));
  return agent;
}

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string engine_names() {
  std::string names;
  for (const Driver* driver : all_drivers()) names += "\"" + driver->cli.name + "\", ";
  return names + "\"acp\", \"exec\" or \"scripted\"";
}

// For people: paths that only exist while the agent runs are written as what they are.
constexpr const char* kHome = "{home}";

class NoWorkspace : public Workspace {
public:
  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] OverlayMount overlay() const override { return {}; }
  [[nodiscard]] Result<Snapshot> snapshot() override { return Snapshot{}; }
  [[nodiscard]] std::string home_dir() const override { return kHome; }
  [[nodiscard]] std::string temp_dir() const override { return "{temp}"; }
  [[nodiscard]] std::string_view kind() const override { return "overlay"; }

private:
  std::string path_ = "/{workspace}";
};

std::vector<std::string> names_of(const std::vector<std::string>& environment) {
  std::vector<std::string> names;
  for (const std::string& entry : environment) names.push_back(entry.substr(0, entry.find('=')));
  return names;
}

} // namespace

Result<std::unique_ptr<Agent>> LocalAgentFactory::make_checked(const AgentBinding& binding) {
  if (binding.engine == "scripted") return make_scripted(binding);
  const Driver* driver = find_driver(binding.engine);
  if (driver == nullptr && binding.engine != "exec" && binding.engine != "acp")
    return fail(ErrorCode::config, "unknown engine \"" + binding.engine + "\"", "use " + engine_names());
  TRY_ASSIGN(AgentBinding ready, resolved(binding));
  if (driver != nullptr)
    return std::make_unique<CliAgent>(runner_, std::move(ready), *driver, variable("HOME"));
  if (binding.engine == "acp") return std::make_unique<AcpAgent>(runner_, std::move(ready), variable("HOME"));
  return std::make_unique<ExecAgent>(runner_, std::move(ready));
}

Result<AgentBinding> LocalAgentFactory::resolved(AgentBinding binding) const {
  if (const Driver* driver = find_driver(binding.engine); driver != nullptr && binding.command.empty())
    binding.command = {driver->cli.program};
  if (binding.command.empty() || binding.command.front().empty())
    return fail(ErrorCode::config, "no command given", "set command = [\"program\", \"argument\", ...]");
  TRY_ASSIGN(binding.command.front(),
             resolve_command(binding.command.front(), variable("PATH"), repository_root_));
  return binding;
}

std::vector<FoundAgent> LocalAgentFactory::found() const {
  std::vector<FoundAgent> result;
  for (const Driver* driver : all_drivers()) {
    auto path = resolve_command(driver->cli.program, variable("PATH"), repository_root_);
    if (path) result.push_back({driver->cli.name, *std::move(path), driver->cli.family});
  }
  return result;
}

Result<std::string> LocalAgentFactory::version(const AgentBinding& binding) {
  const Driver* driver = find_driver(binding.engine);
  if (driver == nullptr) return AgentFactory::version(binding);
  TRY_ASSIGN(const AgentBinding ready, resolved(binding));
  TRY_ASSIGN(const auto scratch, TemporaryDirectory::create(fs::temp_directory_path(), kVersionScratch));
  ProcessSpec spec;
  spec.argv = {ready.command.front(), "--version"};
  spec.cwd = scratch.path();
  spec.env = driver->cli.environment;
  spec.env.insert(spec.env.end(), {"PATH=" + variable("PATH"), "HOME=" + scratch.path().string(),
                                   "TMPDIR=" + scratch.path().string()});
  spec.wall_limit_ms = 20'000;
  TRY_ASSIGN(const ProcessResult result, runner_.run(spec, {}));
  const std::string text = first_line(clean_text(trim(result.out)), 80);
  if (!result.ok() || text.empty())
    return fail(ErrorCode::agent, ready.command.front() + " --version does not work: " +
                                      first_line(clean_text(trim(result.err)), 200));
  return text;
}

Result<AgentPlan> LocalAgentFactory::plan(const AgentBinding& binding, bool read_only) {
  if (binding.engine == "scripted") return AgentFactory::plan(binding, read_only);
  TRY_ASSIGN(const AgentBinding ready, resolved(binding));
  NoWorkspace workspace;
  AgentRequest request;
  request.workspace = &workspace;
  request.read_only = read_only;
  AgentPlan plan;
  plan.argv = ready.command;
  plan.wall_limit_ms = binding.timeout_ms;
  plan.idle_limit_ms = binding.idle_timeout_ms;
  DriverEnvironment environment;
  const Driver* driver = binding.engine == "acp" ? driver_behind(ready.command) : find_driver(binding.engine);
  if (driver != nullptr) {
    DriverRequest call = driver_request(ready, request);
    call.home = kHome;
    call.workspace = workspace.path();
    call.permissions = permissions_for(ready, read_only, true);
    Invocation invocation = driver->invoke(call);
    if (binding.engine != "acp") plan.argv = std::move(invocation.argv);
    environment = driver_environment(*driver, invocation);
    plan.logins = PrivateHome::logins_of(*driver, variable("HOME"));
  }
  if (binding.engine != "exec") {
    if (plan.idle_limit_ms == 0) plan.idle_limit_ms = kDefaultIdleMs;
    plan.permissions = std::string(to_string(permissions_for(ready, read_only, true)));
  }
  plan.env = names_of(agent_environment(ready, workspace, environment));
  return plan;
}

Result<std::unique_ptr<Agent>> LocalAgentFactory::make_scripted(AgentBinding binding) {
  if (!binding.script.starts_with('/'))
    return fail(ErrorCode::config, "the script path \"" + binding.script + "\" is not absolute",
                "name the script file in the configuration");
  auto script = load_script(binding.script);
  if (!script) {
    Error error = std::move(script).error();
    if (error.code == ErrorCode::config) return fail(std::move(error));
    return fail(ErrorCode::agent, error.message, "correct the script's path or its contents");
  }
  std::string model = string_or(*script, "model");
  return std::make_unique<ScriptedAgent>(runner_, std::move(binding), self_binary_, std::move(model));
}

} // namespace emend
