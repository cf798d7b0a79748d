// Gemini CLI: its settings live in a file, its verdict in one `result` event, its answer in pieces before
// that.
#include <algorithm>

#include "adapters/agents/driver.hpp"
#include "adapters/agents/failure.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kDefaultModel =
    "gemini-2.5-pro"; // without -m it asks a second model first which one to use

class GeminiStream : public StreamParser {
public:
  [[nodiscard]] bool finished() const override { return account_.final_event; }

  [[nodiscard]] StreamAccount account() const override {
    StreamAccount account = account_;
    account.unreadable_lines = unreadable_lines();
    if (!account.final_event && !trouble_.empty()) account.state = failure_of(0, trouble_);
    return account;
  }

protected:
  void event(const Json& event) override {
    const std::string type = string_or(event, "type");
    if (type == "init") {
      account_.conversation_id = string_or(event, "session_id");
      account_.model = string_or(event, "model");
    } else if (type == "message") {
      message(event);
    } else if (type == "tool_use") {
      tool_use(event);
    } else if (type == "tool_result") {
      answer_is_over_ = true;
    } else if (type == "error") {
      error(event);
    } else if (type == "result") {
      result(event);
    } else {
      tell(AgentEvent::Kind::other, type);
    }
  }

private:
  void message(const Json& event) {
    if (string_or(event, "role") != "assistant") return;
    account_.final_event = false;
    if (std::exchange(answer_is_over_, false)) account_.answer.clear();
    account_.answer += string_or(event, "content");
    tell(AgentEvent::Kind::text, string_or(event, "content"));
  }

  void tool_use(const Json& event) {
    ++account_.tools_used;
    account_.final_event = false;
    answer_is_over_ = true;
    const std::string name = string_or(event, "tool_name");
    const Json& input = member(event, "parameters");
    const bool agent = name == "invoke_agent";
    tell(agent ? AgentEvent::Kind::sub_agent : AgentEvent::Kind::tool_use,
         agent ? "called" : tool_target(input), agent ? string_or(input, "agent_name") : name,
         string_or(event, "tool_id"));
  }

  void error(const Json& event) {
    const std::string text = string_or(event, "message");
    if (contains(text, "Loop detected")) looped_ = true; // it then reports success
    if (string_or(event, "severity") == "error") trouble_ = text;
    tell(AgentEvent::Kind::warning, text);
  }

  void result(const Json& event) {
    account_.final_event = true;
    read_stats(member(event, "stats"));
    const Json& error = member(event, "error");
    if (string_or(event, "status") != "success") {
      account_.state =
          failure_of(0, string_or(error, "message", trouble_.empty() ? "the run failed" : trouble_));
      if (contains(string_or(error, "type"), "TurnLimited")) account_.state.status = AgentStatus::turn_limit;
      return;
    }
    account_.state = {};
    if (looped_) {
      account_.state.status = AgentStatus::turn_limit;
      account_.state.text = "it repeated itself and was stopped by its loop detection";
    } else if (answer_is_over_ || trim(account_.answer).empty()) {
      account_.state.text = "the answer is empty";
    } else {
      account_.state.status = AgentStatus::ok;
    }
  }

  void read_stats(const Json& stats) {
    account_.usage.input_tokens = count_of(stats, "input_tokens");
    account_.usage.output_tokens = count_of(stats, "output_tokens");
    account_.usage.cached_tokens = count_of(stats, "cached");
    const Json& models =
        member(stats, "models"); // names are rewritten on the way: these are the ones that answered
    if (!models.is_object()) return;
    std::int64_t most = 0;
    for (const auto& [name, row] : models.items()) {
      if (count_of(row, "total_tokens") <= most) continue;
      most = count_of(row, "total_tokens");
      account_.model = name;
    }
  }

  StreamAccount account_;
  std::string trouble_;
  bool answer_is_over_ = false; // a tool was used since: what was said before is not the answer
  bool looped_ = false;
};

std::string login_kind(const DriverRequest& request) {
  if (!request.variable("GEMINI_API_KEY").empty()) return "gemini-api-key";
  if (!request.variable("GOOGLE_GENAI_USE_VERTEXAI").empty() || !request.variable("GOOGLE_API_KEY").empty())
    return "vertex-ai";
  return request.has_login(".gemini/oauth_creds.json") ? "oauth-personal" : "gemini-api-key";
}

// Gemini 3 thinks by level and refuses a request that names tokens as well; those before it think by tokens.
Json thinking(const DriverRequest& request) {
  const std::string model = request.model.empty() ? kDefaultModel : request.model;
  const Json config =
      model.starts_with("gemini-3")
          ? Json{{"thinkingLevel", effort_of(request.thinking_budget) == "low" ? "LOW" : "HIGH"}}
          : Json{{"thinkingBudget", request.thinking_budget}};
  return {{"customOverrides",
           Json::array({{{"match", {{"model", model}}},
                         {"modelConfig", {{"generateContentConfig", {{"thinkingConfig", config}}}}}}})}};
}

std::string settings(const DriverRequest& request) {
  Json json = {{"security", {{"auth", {{"selectedType", login_kind(request)}}}}},
               {"privacy", {{"usageStatisticsEnabled", false}}},
               {"telemetry", {{"enabled", false}}},
               {"general",
                {{"enableAutoUpdate", false}, {"enableAutoUpdateNotification", false}, {"maxAttempts", 3}}}};
  if (request.max_turns > 0) json["model"] = {{"maxSessionTurns", request.max_turns}};
  if (!request.allowed_tools.empty()) json["tools"] = {{"core", request.allowed_tools}};
  if (request.thinking_budget > 0) json["modelConfigs"] = thinking(request);
  return dump_json(json, 2);
}

// "default" does not ask: it takes the tools that write or run away from the model.
const char* approval(Permissions permissions) {
  switch (permissions) {
    case Permissions::read: return "default";
    case Permissions::edit: return "auto_edit";
    case Permissions::full: return "yolo";
  }
  return "default";
}

// Sub-agents are files with front matter here.
void add_sub_agents(const DriverRequest& request, Invocation& call) {
  if (!request.sub_agents.is_object()) return;
  for (const auto& [name, agent] : request.sub_agents.items()) {
    const bool plain =
        !name.empty() &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
            std::string::npos;
    if (!plain) continue;
    std::string text = "---\nname: " + name +
                       "\ndescription: " + dump_json(Json(string_or(agent, "description", name))) +
                       "\nkind: local\n";
    if (const std::string model = string_or(agent, "model"); !model.empty())
      text += "model: " + dump_json(Json(model)) + "\n";
    call.files.push_back(
        {".gemini/agents/" + name + ".md", text + "---\n" + string_or(agent, "prompt") + "\n"});
  }
}

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.insert(call.argv.end(),
                   {"--skip-trust", "-o", "stream-json", "--approval-mode", approval(request.permissions),
                    "-m", request.model.empty() ? kDefaultModel : request.model});
  if (!request.resume.empty()) call.argv.insert(call.argv.end(), {"--resume", request.resume});
  call.stdin_data = request.prompt;
  call.files = {{".gemini/settings.json", settings(request)}};
  add_sub_agents(request, call);
  return call;
}

// HTTP statuses arrive as what is left of them in eight bits.
int http_status_of_exit(int exit_code) {
  for (const int status : {400, 401, 403, 404, 429, 500, 502, 503, 504})
    if ((status & 0xff) == exit_code) return status;
  return 0;
}

std::optional<AgentState> explain_exit(int exit_code, std::string_view words) {
  const int http = http_status_of_exit(exit_code);
  AgentState state = failure_of(http, words);
  if (exit_code == 41)
    state.status = AgentStatus::not_logged_in;
  else if (exit_code == 53)
    state.status = AgentStatus::turn_limit;
  else if (http == 0)
    return std::nullopt;
  return state;
}

} // namespace

const Driver& gemini_driver() {
  static const Driver driver{
      .cli = coding_cli("gemini"),
      .most_prompt_bytes = 8'000'000,
      .can_fork = false,
      .conversations = {".gemini/tmp", ".gemini/history"},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> { return std::make_unique<GeminiStream>(); },
      .explain_exit = explain_exit,
  };
  return driver;
}

} // namespace emend
