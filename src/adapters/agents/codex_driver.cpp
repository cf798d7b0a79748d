// Codex: thread and turn events; no model and no price in its stream, and its counts go on over resumed runs.
#include <algorithm>

#include "adapters/agents/driver.hpp"
#include "adapters/agents/failure.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kSchemaFile = ".codex/answer-schema.json";

class CodexStream : public StreamParser {
public:
  [[nodiscard]] bool finished() const override { return account_.final_event; }

  [[nodiscard]] StreamAccount account() const override {
    StreamAccount account = account_;
    account.unreadable_lines = unreadable_lines();
    account.usage_is_of_conversation = true;
    // Also when a turn before it had come to its end.
    if (!account.final_event) account.state = trouble_.empty() ? AgentState{} : failure_of(0, trouble_);
    return account;
  }

protected:
  void event(const Json& event) override {
    const std::string type = string_or(event, "type");
    if (type == "thread.started") {
      account_.conversation_id = string_or(event, "thread_id");
    } else if (type == "turn.started") {
      account_.final_event = false;
    } else if (type == "item.started" || type == "item.updated" || type == "item.completed") {
      item(member(event, "item"), type == "item.completed");
    } else if (type == "error") {
      trouble_ = string_or(event, "message"); // "Reconnecting... 1/5" too: only turn.failed is the end
      tell(AgentEvent::Kind::retry, trouble_);
    } else if (type == "turn.completed") {
      completed(member(event, "usage"));
    } else if (type == "turn.failed") {
      account_.final_event = true;
      account_.state = failure_of(
          0, string_or(member(event, "error"), "message", trouble_.empty() ? "the turn failed" : trouble_));
    } else {
      tell(AgentEvent::Kind::other, type);
    }
  }

private:
  void item(const Json& item, bool completed) {
    account_.final_event = false;
    const std::string type = string_or(item, "type");
    const std::string id = string_or(item, "id");
    if (type == "agent_message" && completed) {
      trouble_.clear();
      account_.answer = string_or(item, "text");
      tell(AgentEvent::Kind::text, account_.answer);
    } else if (type == "reasoning" && completed) {
      tell(AgentEvent::Kind::thinking, string_or(item, "text"));
    } else if (type == "error") {
      tell(AgentEvent::Kind::warning,
           string_or(item, "message")); // "Model metadata for x not found": no failure
    } else if (type == "collab_tool_call") {
      tell(AgentEvent::Kind::sub_agent, string_or(item, "status"), string_or(item, "tool"), id);
    } else if (completed && (type == "command_execution" || type == "file_change" ||
                             type == "mcp_tool_call" || type == "web_search")) {
      ++account_.tools_used;
      tell(AgentEvent::Kind::tool_use, type == "file_change" ? changed_paths(item) : tool_target(item), type,
           id);
    } else if (completed) {
      tell(AgentEvent::Kind::other, "item/" + type);
    }
  }

  static std::string changed_paths(const Json& item) {
    std::vector<std::string> paths;
    const Json& changes = member(item, "changes");
    if (changes.is_array())
      for (const Json& change : changes) paths.push_back(string_or(change, "path"));
    return first_line(join(paths, ", "), 200);
  }

  void completed(const Json& usage) {
    account_.final_event = true;
    account_.usage.input_tokens = count_of(usage, "input_tokens");
    account_.usage.output_tokens = count_of(usage, "output_tokens");
    account_.usage.cached_tokens = count_of(usage, "cached_input_tokens");
    account_.state = {};
    if (trim(account_.answer).empty())
      account_.state.text = "the answer is empty";
    else
      account_.state.status = AgentStatus::ok;
  }

  StreamAccount account_;
  std::string trouble_;
};

// Where the model is and how to log in to it, from the user's own configuration; nothing else of it, servers
// and hooks least of all.
std::string provider_lines(std::string_view config) {
  constexpr std::string_view kKeys[] = {"model", "model_provider", "model_reasoning_effort",
                                        "openai_base_url"};
  std::string result;
  bool at_top = true, wanted = false;
  for (const std::string_view line : lines_of(config)) {
    const std::string_view text = trim(line);
    if (text.starts_with('[')) {
      at_top = false;
      wanted = text.starts_with("[model_providers.") && !contains(text, ".auth]");
    }
    const std::string_view key = trim(text.substr(0, text.find('=')));
    const bool plain = !contains(text, "\"\"\"") && !contains(text, "'''");
    const bool top_key = at_top && std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
    if (plain && (top_key || (wanted && !text.starts_with('#') && key != "auth")))
      result += std::string(text) + "\n";
  }
  return result;
}

// The variable such a provider's key is in: env_key = "NAME".
std::vector<std::string> key_variables(std::string_view config) {
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(config)) {
    if (!line.starts_with("env_key")) continue;
    const auto first = line.find('"'), last = line.rfind('"');
    if (first < last && last != std::string_view::npos)
      names.emplace_back(line.substr(first + 1, last - first - 1));
  }
  return names;
}

void add_sandbox(const DriverRequest& request, std::vector<std::string>& argv) {
  switch (request.permissions) {
    case Permissions::read: argv.insert(argv.end(), {"-s", "read-only"}); return;
    case Permissions::edit: argv.insert(argv.end(), {"-s", "workspace-write"}); return;
    case Permissions::full:
      argv.push_back("--dangerously-bypass-approvals-and-sandbox");
      return; // the workspace is the sandbox
  }
}

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.insert(call.argv.end(),
                   {"exec", "--json", "--skip-git-repo-check", "-c", "analytics.enabled=false", "--disable",
                    "plugins", "--disable", "apps", "--disable", "unbounded_connection_retries"});
  add_sandbox(request, call.argv);
  if (!request.model.empty()) call.argv.insert(call.argv.end(), {"-m", request.model});
  if (request.thinking_budget > 0)
    call.argv.insert(call.argv.end(), {"-c", "model_reasoning_effort=\"" +
                                                 std::string(effort_of(request.thinking_budget)) + "\""});
  if (!request.schema.is_null()) {
    call.files.push_back({kSchemaFile, dump_json(request.schema)});
    call.argv.insert(call.argv.end(), {"--output-schema", request.home + "/" + kSchemaFile});
  }
  if (!request.resume.empty())
    call.argv.insert(call.argv.end(), {"resume", request.resume});
  else if (!request.fork.empty())
    call.argv.insert(call.argv.end(), {"fork", request.fork});
  call.argv.push_back("-"); // the prompt, on stdin
  call.env = {"CODEX_HOME=" + request.home + "/.codex"};
  // It wants the key under a name of its own when nobody has logged in.
  if (request.variable("CODEX_API_KEY").empty() && !request.variable("OPENAI_API_KEY").empty() &&
      !request.has_login(".codex/auth.json"))
    call.env.push_back("CODEX_API_KEY=" + request.variable("OPENAI_API_KEY"));
  call.stdin_data = request.prompt;
  const std::string provider = provider_lines(request.user_file("CODEX_HOME", ".codex", "config.toml"));
  // Without a word about it the program trusts where it works, and starts the servers the repository names.
  const std::string distrust =
      "[projects." + dump_json(Json(request.workspace)) + "]\ntrust_level = \"untrusted\"\n";
  call.files.push_back({".codex/config.toml", "check_for_update_on_startup = false\n" + provider + distrust});
  for (const std::string& name : key_variables(provider))
    if (const std::string value = request.variable(name); !value.empty())
      call.env.push_back(name + "=" + value);
  return call;
}

} // namespace

const Driver& codex_driver() {
  static const Driver driver{
      .cli = coding_cli("codex"),
      .most_prompt_bytes = 1'040'000,
      .can_fork = true,
      .conversations = {".codex/sessions"},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> { return std::make_unique<CodexStream>(); },
      .explain_exit = nullptr,
  };
  return driver;
}

} // namespace emend
