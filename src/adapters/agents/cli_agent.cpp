#include "adapters/agents/cli_agent.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "adapters/agents/agent_process.hpp"
#include "adapters/agents/failure.hpp"
#include "adapters/agents/private_home.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kNudgeLimitMs = 120'000;
constexpr std::int64_t kSettleMs = 10'000; // the real ones leave within 5 s of their result
constexpr std::size_t kStderrTail = 4'000;
constexpr std::ptrdiff_t kLastLines = 8;

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? value : "";
}

AgentRun not_tried(AgentStatus status, std::string text, const AgentBinding& binding) {
  AgentRun run;
  run.process.ending = Ending::not_started;
  run.process.problem = text;
  run.model = binding.model;
  run.state.status = status;
  run.state.text = std::move(text);
  return run;
}

// The end of stderr without stack traces: what people would read.
std::string last_words(std::string_view text) {
  if (text.size() > kStderrTail) text = text.substr(text.size() - kStderrTail);
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text))
    if (!trim(line).empty() && !trim(line).starts_with("at ") && !line.starts_with("YOLO mode"))
      lines.emplace_back(trim(line));
  if (std::ssize(lines) > kLastLines) lines.erase(lines.begin(), lines.end() - kLastLines);
  return join(lines, "\n");
}

// Some events carry less than the exit code does.
AgentState with_final_event(const StreamAccount& account, const ProcessResult& process,
                            const Driver* driver) {
  const bool vague = account.state.status == AgentStatus::api_error && process.ending == Ending::exited &&
                     process.exit_code != 0;
  if (!vague || driver == nullptr || driver->explain_exit == nullptr) return account.state;
  return driver->explain_exit(process.exit_code, account.state.text).value_or(account.state);
}

AgentState without_final_event(const StreamAccount& account, const ProcessResult& process,
                               const Driver* driver) {
  const bool ended_by_itself = process.ending == Ending::exited;
  if (process.ending == Ending::not_started) return state_by_exit(process);
  if (account.state.status != AgentStatus::no_result)
    return account.state; // it was in trouble, and never got out
  if (!ended_by_itself) return state_by_exit(process);
  const std::string words = last_words(process.err);
  if (driver != nullptr && driver->explain_exit != nullptr)
    if (auto explained = driver->explain_exit(process.exit_code, words)) return *std::move(explained);
  AgentState state;
  state.text = "the stream ended without a result (exit " + std::to_string(process.exit_code) + ")";
  if (process.exit_code == 0 || words.empty()) return state;
  state = failure_of(0, words);
  if (state.status == AgentStatus::api_error) state.status = AgentStatus::failed;
  return state;
}

void note_odd_endings(AgentRun& run) {
  const ProcessResult& process = run.process;
  if (!run.state.ok()) return;
  if (process.ending == Ending::exited && process.exit_code != 0)
    run.notes.push_back("exit " + std::to_string(process.exit_code) + " after its answer");
  if (process.ending == Ending::settled) run.notes.push_back("it had answered, did not leave and was ended");
  if (process.ending == Ending::wall_limit || process.ending == Ending::idle_limit ||
      process.ending == Ending::signalled)
    run.notes.push_back("ended by " + std::string(to_string(process.ending)) + " after its answer");
}

} // namespace

std::string nudge_prompt() {
  return "Your last message did not hold the JSON object that was asked for. Answer now with that JSON "
         "object alone: no prose, no code "
         "fence, no "
         "further work.\n";
}

std::string_view to_string(Permissions permissions) {
  switch (permissions) {
    case Permissions::read: return "read";
    case Permissions::edit: return "edit";
    case Permissions::full: return "full";
  }
  return "read";
}

Permissions permissions_for(const AgentBinding& binding, bool read_only, bool private_tree) {
  if (read_only || binding.permissions == "read") return Permissions::read;
  if (binding.permissions == "edit") return Permissions::edit;
  if (binding.permissions == "full") return Permissions::full;
  return private_tree ? Permissions::full : Permissions::edit;
}

Permissions permissions_for(const AgentBinding& binding, const AgentRequest& request) {
  const bool judging = request.read_only || request.role == "fix_challenger";
  return permissions_for(binding, judging, request.workspace->kind() == "overlay");
}

DriverRequest driver_request(const AgentBinding& binding, const AgentRequest& request) {
  DriverRequest call;
  call.program = binding.command;
  call.model = binding.model.empty() ? request.model : binding.model;
  call.thinking_budget = binding.thinking_budget;
  call.allowed_tools = binding.allowed_tools.empty() ? request.tools : binding.allowed_tools;
  call.max_turns = request.max_turns > 0 ? request.max_turns : binding.max_turns;
  call.max_cost_usd = request.max_cost_usd;
  call.schema = request.schema;
  call.sub_agents = request.sub_agents;
  call.resume = request.resume;
  call.fork = request.fork;
  call.prompt = request.prompt;
  call.as_root = ::geteuid() == 0;
  call.variable = environment_variable;
  call.has_login = [](const std::string&) { return false; };
  call.user_file = [](const std::string&, const std::string&, const std::string&) { return std::string(); };
  return call;
}

DriverEnvironment driver_environment(const Driver& driver, const Invocation& invocation) {
  const CodingCli& cli = driver.cli;
  DriverEnvironment own{{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy",
                         "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"},
                        cli.environment};
  own.pass_env.insert(own.pass_env.end(), cli.variables.begin(), cli.variables.end());
  if (!environment_variable(cli.cloud_switch).empty())
    own.pass_env.insert(own.pass_env.end(), cli.cloud_variables.begin(), cli.cloud_variables.end());
  own.env.insert(own.env.end(), invocation.env.begin(), invocation.env.end());
  return own;
}

void connect_listeners(const AgentRequest& request, StreamParser& parser, ChildControl& control,
                       ProcessSpec& spec) {
  parser.listen([&request](const AgentEvent& event) {
    if (request.on_event) request.on_event(event);
    if (!request.on_output) return;
    const std::string text = as_line(event);
    for (const std::string_view line : lines_of(text)) request.on_output(line, false);
  });
  spec.control = &control;
  spec.on_line = [&request, &parser, &control](std::string_view line, bool is_stderr) {
    if (is_stderr) {
      if (request.on_output) request.on_output(line, true);
      return;
    }
    parser.line(line);
    control.finished = parser.finished();
  };
}

AgentRun conclude(const StreamAccount& account, ProcessResult process, const AgentBinding& binding,
                  const AgentRequest& request, const Driver* driver) {
  AgentRun run;
  run.process = std::move(process);
  run.state = account.final_event ? with_final_event(account, run.process, driver)
                                  : without_final_event(account, run.process, driver);
  run.answer = account.answer;
  run.model_reported = !account.model.empty();
  run.model = run.model_reported ? account.model : binding.model.empty() ? request.model : binding.model;
  run.conversation_id = account.conversation_id;
  run.conversation_usage = account.usage;
  run.usage = account.usage;
  if (account.usage_is_of_conversation && !(request.resume.empty() && request.fork.empty()))
    run.usage = usage_since(account.usage, request.resumed_usage);
  note_odd_endings(run);
  return run;
}

Result<AgentRun> CliAgent::run_once(const AgentRequest& request, PrivateHome& home, std::stop_token stop) {
  DriverRequest call = driver_request(binding_, request);
  call.home = home.path();
  call.workspace = request.workspace->path();
  call.permissions = permissions_for(binding_, request);
  call.has_login = [&home](const std::string& target) { return home.has_login(target); };
  call.user_file = [&home](const std::string& variable, const std::string& directory,
                           const std::string& name) { return home.user_file(variable, directory, name); };
  Invocation invocation = driver_.invoke(call);
  TRY(home.write(invocation.files));
  ProcessSpec spec = agent_process(binding_, request, std::move(invocation.argv));
  spec.env = agent_environment(binding_, *request.workspace, driver_environment(driver_, invocation));
  spec.stdin_data = std::move(invocation.stdin_data);
  if (spec.idle_limit_ms == 0) spec.idle_limit_ms = kDefaultIdleMs;
  spec.max_output_bytes = spec.max_line_bytes = kMostStreamBytes;
  ChildControl control;
  control.settle_ms = kSettleMs;
  const std::unique_ptr<StreamParser> parser = driver_.parser();
  connect_listeners(request, *parser, control, spec);
  TRY_ASSIGN(ProcessResult process, runner_.run(spec, std::move(stop)));
  return conclude(parser->account(), std::move(process), binding_, request, &driver_);
}

// The conversation is gone on with for one answer, in which nothing may be changed any more.
Status CliAgent::nudge(const AgentRequest& request, PrivateHome& home, AgentRun& run, std::stop_token stop) {
  AgentRequest again = request;
  again.prompt = nudge_prompt();
  again.resume = run.conversation_id;
  again.fork.clear();
  again.resumed_usage = run.conversation_usage;
  again.read_only = true;
  again.schema = nullptr;
  const std::int64_t limit = request.timeout_ms > 0 ? request.timeout_ms : binding_.timeout_ms;
  const std::int64_t left = limit > 0 ? limit - run.process.duration_ms : kNudgeLimitMs;
  if (left < 1'000) return {};
  again.timeout_ms = std::min(left, kNudgeLimitMs);
  TRY_ASSIGN(AgentRun second, run_once(again, home, std::move(stop)));
  run.usage += second.usage;
  run.process.out += second.process.out;
  run.process.err += second.process.err;
  run.process.duration_ms += second.process.duration_ms;
  if (second.process.ending == Ending::cancelled) run.process.ending = Ending::cancelled;
  if (!second.state.ok()) {
    run.notes.push_back("asked again for the JSON object, without success: " +
                        std::string(to_string(second.state.status)));
    return {};
  }
  run.notes.push_back("asked again for the JSON object");
  run.answer = std::move(second.answer);
  run.conversation_id = second.conversation_id;
  run.conversation_usage = second.conversation_usage;
  return {};
}

Result<AgentRun> CliAgent::run(const AgentRequest& request, std::stop_token stop) {
  if (request.prompt.size() > driver_.most_prompt_bytes)
    return not_tried(AgentStatus::too_long,
                     "the prompt has " + std::to_string(request.prompt.size()) + " bytes; " +
                         driver_.cli.name + " takes " + std::to_string(driver_.most_prompt_bytes),
                     binding_);
  if (!request.fork.empty() && !driver_.can_fork)
    return not_tried(AgentStatus::conversation_lost, driver_.cli.name + " cannot branch off a conversation",
                     binding_);
  PrivateHome home(request.workspace->home_dir(), user_home_);
  TRY(home.log_in(driver_));
  const bool goes_on = !request.resume.empty() || !request.fork.empty();
  if (goes_on && !request.restored_from().empty()) {
    TRY(home.restore_conversations(driver_, request.restored_from(), request.workspace->path()));
  }
  TRY_ASSIGN(AgentRun run, run_once(request, home, stop));
  if (run.state.ok() && !run.conversation_id.empty() && !last_json_object(run.answer) &&
      !stop.stop_requested()) {
    TRY(nudge(request, home, run, stop));
  }
  home.hand_back(driver_);
  if (!request.conversation_dir.empty() && !run.conversation_id.empty()) {
    if (auto kept = home.keep_conversations(driver_, request.conversation_dir, request.workspace->path());
        !kept) {
      run.notes.push_back("the conversation was not kept: " + kept.error().message);
      run.conversation_id.clear();
    }
  }
  return run;
}

} // namespace emend
