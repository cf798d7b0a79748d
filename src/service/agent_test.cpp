#include "service/agent_test.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "model/coding_clis.hpp"

namespace emend {

namespace {

AgentTest test_one(const Config& config, AgentFactory& factory, Repository& repository,
                   const std::string& commit, const std::string& name, std::int64_t limit_ms,
                   const std::stop_token& stop) {
  AgentTest test{name, {}, {}};
  const auto tried = [&]() -> Status {
    TRY_ASSIGN(const AgentBinding binding, config.agent(name));
    TRY_ASSIGN(const auto agent, factory.make(binding));
    TRY_ASSIGN(const auto workspace, repository.make_workspace(commit, Patch{}));
    AgentRequest request;
    request.role = "test";
    request.prompt =
        "This is a test of the connection. Do not use any tool. Answer with this JSON object and nothing "
        "else: {\"ok\": true}\n";
    request.workspace = workspace.get();
    request.timeout_ms = limit_ms;
    request.read_only = true;
    TRY_ASSIGN(test.run, agent->run(request, stop));
    return {};
  }();
  if (!tried) test.problem = tried.error().message;
  return test;
}

std::string login_of(const std::string& engine) {
  const CodingCli* cli = find_coding_cli(engine);
  return cli != nullptr ? cli->login : "log in with the agent's own program";
}

std::string wait_text(const AgentState& state) {
  if (state.resets_at_ms) return "wait until " + rfc3339_utc(*state.resets_at_ms);
  if (state.retry_after_ms) return "try again in " + format_duration_ms(*state.retry_after_ms);
  return "try again later";
}

} // namespace

std::vector<std::string> agents_here(const Config& config, const AgentFactory& factory) {
  std::vector<std::string> names = config.agent_names();
  for (const FoundAgent& found : factory.found())
    if (std::find(names.begin(), names.end(), found.engine) == names.end()) names.push_back(found.engine);
  return names;
}

Result<std::vector<AgentTest>> test_agents(const Config& config, AgentFactory& factory,
                                           Repository& repository, const std::vector<std::string>& names,
                                           std::int64_t limit_ms, std::stop_token stop) {
  constexpr std::size_t kAtATime = 4;
  TRY_ASSIGN(const std::string commit, repository.resolve("HEAD"));
  std::vector<AgentTest> tests(names.size());
  parallel_for(names.size(), kAtATime, [&](std::size_t i) {
    tests[i] = test_one(config, factory, repository, commit, names[i], limit_ms, stop);
  });
  return tests;
}

std::string remedy_for(const AgentTest& test, const std::string& engine) {
  if (!test.problem.empty()) return "emend agents show " + shell_quote(test.name);
  const AgentState& state = test.run.state;
  switch (state.status) {
    case AgentStatus::ok: return "";
    case AgentStatus::rate_limited:
    case AgentStatus::quota:
    case AgentStatus::overloaded: return wait_text(state);
    case AgentStatus::billing: return "add credit to the account, or use another agent";
    case AgentStatus::not_logged_in: return login_of(engine);
    case AgentStatus::unreachable: return "check the network, the proxy and the endpoint the agent is set to";
    case AgentStatus::unknown_model: return "choose another model: --set agents." + test.name + ".model=NAME";
    case AgentStatus::conversation_lost:
    case AgentStatus::refused:
    case AgentStatus::too_long:
    case AgentStatus::turn_limit:
    case AgentStatus::cost_limit:
    case AgentStatus::interrupted:
    case AgentStatus::api_error:
    case AgentStatus::no_result:
    case AgentStatus::failed: return "for details: emend agents show " + shell_quote(test.name);
  }
  return "";
}

} // namespace emend
