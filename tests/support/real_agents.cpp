#include "tests/support/real_agents.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <thread>

#include "base/strings.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

const std::string kFolder = EMEND_SOURCE_DIR + "/tests/real_agents";

std::string number_or_empty(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos ? name : "";
}

void fill_begin(ModelRequest& request, const Json& line) {
  request.began_ms = line["at_ms"].get<std::int64_t>();
  request.api = string_or(line, "api");
  request.rule = string_or(line, "rule");
  request.model = string_or(line, "model");
  request.asks = string_or(line, "asks");
  request.latest = string_or(line, "latest");
  request.body = dump_json(line["body"]);
  if (const Json* tools = find_member(line, "tools"))
    for (const Json& tool : *tools) request.tools.push_back(tool.is_string() ? tool.get<std::string>() : "");
}

void fill_end(ModelRequest& request, const Json& line) {
  request.ended_ms = line["at_ms"].get<std::int64_t>();
  request.status = line["status"].get<int>();
  request.outcome = string_or(line, "outcome");
}

void wait_until(const std::function<bool()>& holds, const std::string& otherwise) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error(otherwise);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

} // namespace

std::string RealAgents::program(const std::string& cli) {
  const std::string name = cli.substr(0, cli.find('-'));
  return kFolder + "/node_modules/.agents/" + cli + "/" + name;
}

std::string RealAgents::missing(const std::string& cli) {
  if (fs::exists(kFolder + "/node_modules/.agents/installed") && fs::exists(program(cli))) return {};
  return "NOT TESTED: the real " + cli +
         " is not installed. Run tests/real_agents/install.sh; it says what stands in the way.";
}

RealAgents::RealAgents(const std::string& rules)
    : directory_(must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-agents"))) {
  const std::string script = directory_.path() / "script.json";
  must(write_file(script, "{\"rules\": " + rules + "}"));
  start(script);
  read_environment();
}

void RealAgents::start(const std::string& script) {
  int in[2], out[2]; // close-on-exec: no agent may hold the pipe whose end tells the model to end
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  const std::string log = directory_.path() / "requests.jsonl";
  const std::string home = directory_.path() / "home";
  const std::string server = kFolder + "/model_server.py";
  std::vector<std::string> words = {"python3", server, "--script", script, "--log", log, "--home", home};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int problem = ::posix_spawnp(&pid_, "python3", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (problem != 0) throw std::runtime_error("python3 does not start");
}

void RealAgents::read_environment() {
  std::string text;
  char buffer[4096];
  while (!text.ends_with("ready\n")) {
    const ssize_t size = ::read(out_, buffer, sizeof buffer);
    if (size <= 0) throw std::runtime_error("the scripted model did not start: " + text);
    text.append(buffer, static_cast<std::size_t>(size));
  }
  for (const std::string& line : split(text, '\n'))
    if (contains(line, "=")) environment_.push_back(line);
}

RealAgents::~RealAgents() {
  for (const std::string& name : exported_) ::unsetenv(name.c_str());
  ::close(in_);
  ::close(out_);
  ::waitpid(pid_, nullptr, 0);
}

void RealAgents::become_the_users() {
  for (const std::string& variable : environment_) {
    const std::string name = variable.substr(0, variable.find('='));
    if (name.starts_with("GEMINI_CLI_") || name.starts_with("CLAUDE_CODE_") || name == "IS_SANDBOX")
      continue; // a driver's own business
    ::setenv(name.c_str(), variable.c_str() + name.size() + 1, 1);
    exported_.push_back(name);
  }
}

AgentBinding RealAgents::native(const std::string& cli) const {
  AgentBinding binding;
  binding.name = binding.engine = cli.substr(0, cli.find('-'));
  binding.command = {program(cli)};
  binding.family = binding.name;
  binding.env = {"SCRIPTED_MODEL_HOME=" + home()};
  return binding;
}

AgentBinding RealAgents::binding(const std::string& name, const std::string& cli,
                                 std::vector<std::string> arguments) const {
  AgentBinding binding;
  binding.name = name;
  binding.engine = "exec";
  binding.command = {program(cli)};
  binding.command.insert(binding.command.end(), arguments.begin(), arguments.end());
  binding.family = name;
  binding.env = environment_;
  return binding;
}

AgentBinding RealAgents::claude(const std::string& cli) const {
  return binding("claude", cli,
                 {"-p", "--output-format", "text", "--dangerously-skip-permissions", "--setting-sources",
                  "user", "--strict-mcp-config"});
}
AgentBinding RealAgents::gemini() const {
  return binding("gemini", "gemini",
                 {"--skip-trust", "-m", "gemini-2.5-pro", "-o", "text", "--approval-mode", "default"});
}
AgentBinding RealAgents::codex() const {
  return binding("codex", "codex",
                 {"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-"});
}

std::vector<ModelRequest> RealAgents::requests() const {
  std::map<std::int64_t, ModelRequest> found;
  for (const std::string& text : split(read_file(directory_.path() / "requests.jsonl").value_or(""), '\n')) {
    if (text.empty()) continue;
    const Json line = Json::parse(text, nullptr, false);
    if (line.is_discarded()) continue; // being written this moment
    ModelRequest& request = found[line["n"].get<std::int64_t>()];
    string_or(line, "event") == "begin" ? fill_begin(request, line) : fill_end(request, line);
  }
  std::vector<ModelRequest> requests;
  for (auto& [number, request] : found)
    if (!request.rule.empty())
      requests.push_back(std::move(request)); // others: start-up probes, token counts
  return requests;
}

std::vector<ModelRequest> RealAgents::requests(const std::string& rule) const {
  std::vector<ModelRequest> chosen = requests();
  std::erase_if(chosen, [&](const ModelRequest& request) { return request.rule != rule; });
  return chosen;
}

std::vector<std::string> RealAgents::rules_used() const {
  std::vector<std::string> names;
  for (const ModelRequest& request : requests()) names.push_back(request.rule);
  return names;
}

void RealAgents::await(const std::string& rule) const {
  wait_until([&] { return !requests(rule).empty(); }, "no request met the rule " + rule);
}

void RealAgents::settle() const {
  wait_until(
      [&] {
        return std::ranges::all_of(requests(),
                                   [](const ModelRequest& request) { return request.ended_ms != 0; });
      },
      "a request is still open");
}

std::vector<std::string> RealAgents::leftovers() const {
  const std::string mark = directory_.path() / "home";
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc", fs::directory_options::skip_permission_denied)) {
    if (number_or_empty(entry.path().filename()).empty()) continue;
    const auto read = [&](const char* file) {
      std::string text;
      const int fd = ::open((entry.path() / file).c_str(), O_RDONLY | O_CLOEXEC);
      char buffer[65536];
      for (ssize_t size = 0; fd >= 0 && (size = ::read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(size));
      if (fd >= 0) ::close(fd);
      return text;
    };
    if (contains(read("environ"), "SCRIPTED_MODEL_HOME=" + mark)) found.push_back(read("cmdline"));
  }
  return found;
}

} // namespace emend::testing_support
