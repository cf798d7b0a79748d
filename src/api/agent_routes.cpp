#include <atomic>

#include "api/routes.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "service/agent_test.hpp"

namespace emend {

namespace {

constexpr std::int64_t kTestLimitMs =
    60'000;                     // as emend doctor waits; the slowest real ones start in ten seconds
constexpr int kTestsAtOnce = 2; // each holds one of the few threads that answer requests

Result<HttpReply> list(const ApiParts& parts) {
  Json data = Json::array();
  for (const FoundAgent& agent : parts.dependencies.make_agents("")->found())
    data.push_back(
        {{"name", agent.engine}, {"engine", agent.engine}, {"path", agent.path}, {"family", agent.family}});
  return json_response(200, {{"data", std::move(data)}, {"next_cursor", nullptr}});
}

HttpResponse unavailable(const std::string& detail) {
  HttpResponse response = problem_response(503, "agent-unavailable", detail);
  response.headers.push_back({"Retry-After", "30"});
  return response;
}

class Place {
public:
  explicit Place(std::atomic<int>& taken) : taken_(taken), free_(++taken <= kTestsAtOnce) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { --taken_; }
  [[nodiscard]] bool is_free() const { return free_; }

private:
  std::atomic<int>& taken_;
  bool free_;
};

HttpResponse answer_of(const AgentTest& test, const std::string& engine) {
  if (test.good())
    return json_response(200, {{"name", test.name},
                               {"ok", true},
                               {"model", test.run.model},
                               {"duration_ms", test.run.process.duration_ms},
                               {"usage", to_json(test.run.usage)}});
  const AgentState& state = test.run.state;
  const std::string why = test.problem.empty()
                              ? std::string(to_string(state.status)) +
                                    (state.text.empty() ? "" : ": " + first_line(clean_text(state.text), 300))
                              : first_line(clean_text(test.problem), 300);
  const std::string remedy = remedy_for(test, engine);
  return unavailable("agent " + clean_text(test.name) + " does not answer (" + why + ")" +
                     (remedy.empty() ? "" : "; " + remedy));
}

// One tiny prompt; it may cost a fraction of a cent.
Result<HttpReply> test(const ApiParts& parts, const Call& call, std::atomic<int>& taken) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const Config config, bench->config());
  TRY(bench->trusted_policy({}, "HEAD")); // the repository's file may name the program
  const std::string& name = call.parameter("name");
  const auto known = agents_here(config, bench->agents());
  if (std::find(known.begin(), known.end(), name) == known.end())
    return problem_response(404, "not-found",
                            "there is no agent " + clean_text(name) + " here" +
                                (known.empty() ? "" : ", but " + join(known, ", ")));
  const Place place(taken);
  if (!place.is_free())
    return unavailable("other agents are being tested; try again when they have answered");
  TRY_ASSIGN(const auto tests,
             test_agents(config, bench->agents(), bench->repository(), {name}, kTestLimitMs, {}));
  return answer_of(tests.front(), config.agent(name).value_or(AgentBinding{}).engine);
}

} // namespace

std::vector<Operation> agent_operations(const ApiParts& parts) {
  const auto taken = std::make_shared<std::atomic<int>>(0);
  return {
      {"GET", "/api/agents", "listAgents", [&parts](const Call&) { return list(parts); }},
      {"POST", "/api/agents/{name}/test", "testAgent",
       [&parts, taken](const Call& call) { return test(parts, call, *taken); }},
  };
}

} // namespace emend
