#include "adapters/agents/acp_agent.hpp"

#include <algorithm>

#include "adapters/agents/acp_stream.hpp"
#include "adapters/agents/agent_process.hpp"
#include "adapters/agents/cli_agent.hpp"
#include "adapters/agents/private_home.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kSettleMs = 5'000; // most leave when their stdin is closed

} // namespace

const Driver* driver_behind(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::string name = fs::path(word).filename();
    for (const Driver* driver : all_drivers())
      if (contains(name, driver->cli.name)) return driver;
  }
  return nullptr;
}

Result<AgentRun> AcpAgent::run(const AgentRequest& request, std::stop_token stop) {
  PrivateHome home(request.workspace->home_dir(), user_home_);
  const Driver* driver = driver_behind(binding_.command);
  DriverRequest call = driver_request(binding_, request);
  call.home = home.path();
  call.workspace = request.workspace->path();
  call.permissions = permissions_for(binding_, request);
  DriverEnvironment environment;
  if (driver != nullptr) {
    TRY(home.log_in(*driver));
    call.has_login = [&home](const std::string& target) { return home.has_login(target); };
    call.user_file = [&home](const std::string& variable, const std::string& directory,
                             const std::string& name) { return home.user_file(variable, directory, name); };
    Invocation native = driver->invoke(call); // its settings and switches hold for the protocol too
    TRY(home.write(native.files));
    environment = driver_environment(*driver, native);
    if (!request.restored_from().empty() && !request.resume.empty()) {
      TRY(home.restore_conversations(*driver, request.restored_from(), request.workspace->path()));
    }
  }
  AcpStream stream(call, request.workspace->path());
  ProcessSpec spec = agent_process(binding_, request, binding_.command);
  spec.env = agent_environment(binding_, *request.workspace, environment);
  spec.stdin_data = stream.opening();
  if (spec.idle_limit_ms == 0) spec.idle_limit_ms = kDefaultIdleMs;
  spec.max_output_bytes = spec.max_line_bytes = kMostStreamBytes;
  ChildControl control;
  control.talk = true;
  control.settle_ms = kSettleMs;
  connect_listeners(request, stream, control, spec);
  spec.on_line = [listen = spec.on_line, &stream, &control](std::string_view line, bool is_stderr) {
    listen(line, is_stderr);
    control.to_stdin += stream.take_outbox();
    control.close_stdin = stream.finished();
  };
  TRY_ASSIGN(ProcessResult process, runner_.run(spec, std::move(stop)));
  AgentRun run = conclude(stream.account(), std::move(process), binding_, request, nullptr);
  if (stream.nudged()) run.notes.push_back("asked again for the JSON object");
  if (driver == nullptr) return run;
  home.hand_back(*driver);
  if (!request.conversation_dir.empty() && !run.conversation_id.empty()) {
    if (!home.keep_conversations(*driver, request.conversation_dir, request.workspace->path()))
      run.conversation_id.clear();
  }
  return run;
}

} // namespace emend
