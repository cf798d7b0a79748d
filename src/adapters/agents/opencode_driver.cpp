// opencode: steps with a price each; its settings come as one variable.
#include "adapters/agents/driver.hpp"
#include "adapters/agents/failure.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

class OpencodeStream : public StreamParser {
public:
  [[nodiscard]] bool finished() const override { return account_.final_event; }

  [[nodiscard]] StreamAccount account() const override {
    StreamAccount account = account_;
    account.unreadable_lines = unreadable_lines();
    return account;
  }

protected:
  void event(const Json& event) override {
    const std::string type = string_or(event, "type");
    const Json& part = member(event, "part");
    if (const std::string id = string_or(event, "sessionID"); !id.empty()) account_.conversation_id = id;
    if (type == "step_start") {
      account_.final_event = false;
    } else if (type == "text") {
      account_.answer = string_or(part, "text");
      tell(AgentEvent::Kind::text, account_.answer);
    } else if (type == "reasoning") {
      tell(AgentEvent::Kind::thinking, string_or(part, "text"));
    } else if (type == "tool_use") {
      ++account_.tools_used;
      account_.answer.clear(); // what was said before is not the answer
      const std::string name = string_or(part, "tool");
      tell(name == "task" ? AgentEvent::Kind::sub_agent : AgentEvent::Kind::tool_use,
           tool_target(member(member(part, "state"), "input")), name, string_or(part, "callID"));
    } else if (type == "step_finish") {
      step_finish(part);
    } else if (type == "error") {
      error(member(event, "error"));
    } else {
      tell(AgentEvent::Kind::other, type);
    }
  }

private:
  void step_finish(const Json& part) {
    const Json& tokens = member(part, "tokens");
    Usage step;
    step.input_tokens = count_of(tokens, "input");
    step.output_tokens = count_of(tokens, "output");
    step.cached_tokens = count_of(member(tokens, "cache"), "read");
    if (const Json& cost = member(part, "cost"); cost.is_number()) step.cost_usd = cost.get<double>();
    step.turns = 1;
    account_.usage += step; // there is no total
    const std::string reason = string_or(part, "reason");
    if (failed_ || reason == "tool-calls") return;
    account_.final_event = true;
    account_.state = {};
    if (reason != "stop") {
      account_.state.status = reason == "length"           ? AgentStatus::too_long
                              : reason == "content-filter" ? AgentStatus::refused
                                                           : AgentStatus::api_error;
      account_.state.text = "the last step ended by " + first_line(reason, 100);
    } else if (trim(account_.answer).empty()) {
      account_.state.text = "the answer is empty";
    } else {
      account_.state.status = AgentStatus::ok;
    }
  }

  void error(const Json& error) {
    failed_ = true;
    account_.final_event = true;
    const Json& data = member(error, "data");
    const int status = static_cast<int>(exact_int(member(data, "statusCode"), 400, 599).value_or(0));
    const std::string text = string_or(data, "message", string_or(error, "name", "the run failed"));
    account_.state = failure_of(status, text + "\n" + string_or(data, "responseBody"));
    account_.state.text = trim_middle(clean_text(text), 600);
  }

  StreamAccount account_;
  bool failed_ = false;
};

// The user's own providers stay; what would run programs or ask questions does not.
std::string settings(const DriverRequest& request) {
  auto given = parse_json(request.variable("OPENCODE_CONFIG_CONTENT"));
  Json json = given && given->is_object() ? *std::move(given) : Json::object();
  for (const char* key : {"mcp", "plugin", "command", "agent", "mode"}) json.erase(key);
  json["autoupdate"] = false;
  json["share"] = "disabled";
  const char* edit = request.permissions == Permissions::read ? "deny" : "allow";
  const char* run = request.permissions == Permissions::full ? "allow" : "deny";
  json["permission"] = {{"edit", edit}, {"bash", run}, {"webfetch", "deny"}};
  if (request.sub_agents.is_object()) {
    for (const auto& [name, agent] : request.sub_agents.items())
      json["agent"][name] = {{"mode", "subagent"},
                             {"description", string_or(agent, "description", name)},
                             {"prompt", string_or(agent, "prompt")}};
  }
  return dump_json(json);
}

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.insert(call.argv.end(), {"run", "--format", "json", "--auto"});
  if (!request.model.empty()) call.argv.insert(call.argv.end(), {"-m", request.model});
  if (!request.resume.empty()) call.argv.insert(call.argv.end(), {"--session", request.resume});
  call.env = {"OPENCODE_CONFIG_CONTENT=" + settings(request)};
  call.stdin_data = request.prompt;
  return call;
}

} // namespace

const Driver& opencode_driver() {
  static const Driver driver{
      .cli = coding_cli("opencode"),
      .most_prompt_bytes = 8'000'000,
      .can_fork = false,
      .conversations = {".local/share/opencode"},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> { return std::make_unique<OpencodeStream>(); },
      .explain_exit = nullptr,
  };
  return driver;
}

} // namespace emend
