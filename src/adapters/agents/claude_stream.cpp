#include "adapters/agents/claude_stream.hpp"

#include "adapters/agents/failure.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

bool is_true(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_boolean() && value.get<bool>();
}

int status_field(const Json& object, std::string_view key) {
  return static_cast<int>(exact_int(member(object, key), 400, 599).value_or(0));
}

// {"MODEL": {"inputTokens", "outputTokens", "cacheReadInputTokens", "costUSD"}}, sub-agents included.
Usage sum_of_models(const Json& models) {
  Usage usage;
  if (!models.is_object()) return usage;
  for (const auto& [name, row] : models.items()) {
    usage.input_tokens += count_of(row, "inputTokens");
    usage.output_tokens += count_of(row, "outputTokens");
    usage.cached_tokens += count_of(row, "cacheReadInputTokens");
    if (const Json& cost = member(row, "costUSD"); cost.is_number())
      usage.cost_usd = usage.cost_usd.value_or(0.0) + cost.get<double>();
  }
  return usage;
}

std::string errors_of(const Json& event) {
  std::string text;
  const Json& errors = member(event, "errors");
  if (!errors.is_array()) return text;
  for (const Json& error : errors)
    if (error.is_string()) text += (text.empty() ? "" : "; ") + error.get<std::string>();
  return text;
}

bool is_agent_tool(std::string_view name) {
  return name == "Agent" || name == "Task" || name == "agent" || name == "task";
}

} // namespace

void ClaudeStream::event(const Json& event) {
  const std::string type = string_or(event, "type");
  if (const std::string id = string_or(event, "session_id"); !id.empty()) account_.conversation_id = id;
  if (type == "system") return system_event(event);
  if (type == "assistant") return assistant(event);
  if (type == "result") return result(event);
  if (type == "rate_limit_event") return rate_limit(member(event, "rate_limit_info"));
  if (type != "user" && type != "stream_event") tell(AgentEvent::Kind::other, type);
}

void ClaudeStream::system_event(const Json& event) {
  const std::string subtype = string_or(event, "subtype");
  if (subtype == "init") {
    account_.final_event = false; // another turn begins, after a background agent reported
    if (account_.model.empty()) account_.model = string_or(event, "model");
  } else if (subtype == "api_retry") {
    const std::string word = string_or(event, "error");
    trouble_ = failure_of(status_field(event, "error_status"), word);
    in_trouble_ = true;
    tell(AgentEvent::Kind::retry, word.empty() ? "no answer" : word);
  } else if (subtype.starts_with("task_")) {
    task(event, subtype);
  } else if (subtype == "model_fallback") {
    tell(AgentEvent::Kind::warning, "the model was changed");
  } else {
    tell(AgentEvent::Kind::other, "system/" + subtype);
  }
}

void ClaudeStream::task(const Json& event, const std::string& subtype) {
  const std::string id = string_or(event, "task_id");
  const std::string tool = string_or(event, "tool_use_id");
  if (subtype == "task_started") {
    tasks_.insert(id);
    tell(AgentEvent::Kind::sub_agent, "started: " + first_line(string_or(event, "description"), 200),
         string_or(event, "subagent_type"), tool);
    return;
  }
  std::string status = string_or(event, "status");
  if (status.empty()) status = string_or(member(event, "patch"), "status");
  if (status.empty() || status == "running" || status == "in_progress" || status == "pending") return;
  const bool known = tasks_.erase(id) > 0;
  if (known)
    tell(AgentEvent::Kind::sub_agent, status, string_or(event, "subagent_type"), tool.empty() ? id : tool);
}

void ClaudeStream::assistant(const Json& event) {
  const Json& message = member(event, "message");
  const std::string parent = string_or(event, "parent_tool_use_id");
  const std::string model = string_or(message, "model");
  error_word_ = string_or(event, "error");
  if (model != "<synthetic>" && error_word_.empty()) {
    in_trouble_ = false;
    if (parent.empty() && !model.empty()) account_.model = model;
  }
  if (parent.empty())
    account_.final_event = false; // the main agent speaks again: its last result was not the last
  const Json& content = member(message, "content");
  if (!content.is_array()) return;
  const std::string before = account_.answer;
  for (const Json& block : content) content_block(block, parent);
  if (model == "<synthetic>") account_.answer = before; // an error message in the shape of an answer
}

void ClaudeStream::content_block(const Json& block, const std::string& parent) {
  const std::string type = string_or(block, "type");
  if (type == "text") {
    const std::string text = string_or(block, "text");
    if (parent.empty()) account_.answer = text;
    tell(AgentEvent::Kind::text, text, {}, {}, parent);
  } else if (type == "thinking") {
    tell(AgentEvent::Kind::thinking, string_or(block, "thinking"), {}, {}, parent);
  } else if (type == "tool_use") {
    ++account_.tools_used;
    const std::string name = string_or(block, "name");
    const Json& input = member(block, "input");
    if (is_agent_tool(name))
      tell(AgentEvent::Kind::sub_agent, "called: " + tool_target(input),
           string_or(input, "subagent_type", name), string_or(block, "id"), parent);
    else
      tell(AgentEvent::Kind::tool_use, tool_target(input), name, string_or(block, "id"), parent);
  }
}

void ClaudeStream::rate_limit(const Json& info) {
  if (string_or(info, "status") != "rejected") return;
  trouble_ = failure_of(429, "rate limit");
  if (const auto reset = exact_int(member(info, "resetsAt"), 1'500'000'000, 10'000'000'000))
    trouble_.resets_at_ms = *reset * 1000;
  in_trouble_ = true;
}

AgentState ClaudeStream::state_of(const Json& event, const std::string& text) const {
  const std::string subtype = string_or(event, "subtype");
  const std::string said = text.empty() ? errors_of(event) : text;
  AgentState state;
  state.text = trim_middle(clean_text(said), 600);
  if (subtype == "error_max_turns" || subtype == "error_max_structured_output_retries") {
    state.status = AgentStatus::turn_limit;
    if (state.text.empty()) state.text = subtype;
  } else if (subtype == "error_max_budget_usd") {
    state.status = AgentStatus::cost_limit;
  } else if (string_or(event, "stop_reason") == "refusal") {
    state.status = AgentStatus::refused;
  } else if (string_or(event, "terminal_reason").starts_with("aborted")) {
    state.status = AgentStatus::interrupted;
  } else {
    const int http = status_field(event, "api_error_status");
    state = failure_of(http, said);
    // The words of the message say more than the kind it is given: "server_error" stands for a cut connection
    // too.
    if (state.status == AgentStatus::api_error && http == 0)
      state = failure_of(0, string_or(event, "api_error_type") + "\n" + error_word_);
    state.text = trim_middle(clean_text(said.empty() ? subtype : said), 600);
    if (in_trouble_ && trouble_.resets_at_ms) state.resets_at_ms = trouble_.resets_at_ms;
    if (state.status == AgentStatus::api_error && said.empty()) state.status = AgentStatus::failed;
  }
  return state;
}

void ClaudeStream::result(const Json& event) {
  account_.final_event = true;
  const std::string text = string_or(event, "result");
  const Json& structured = member(event, "structured_output");
  const bool failed =
      !member(event, "is_error").is_boolean() || is_true(event, "is_error") ||
      string_or(event, "subtype") != "success" ||
      (dialect_ == Dialect::qwen && text.starts_with("[API Error:")); // Qwen calls a failed request a success
  read_usage(event);
  if (failed) {
    account_.state = state_of(event, text);
    if (dialect_ == Dialect::qwen) account_.answer.clear();
    return;
  }
  if (structured.is_object() || structured.is_array())
    account_.answer = dump_json(structured);
  else if (!text.empty())
    account_.answer = text;
  account_.state = {};
  if (string_or(event, "stop_reason") == "refusal") {
    account_.state.status = AgentStatus::refused;
    account_.state.text = trim_middle(clean_text(text), 600);
  } else if (trim(account_.answer).empty()) {
    account_.state.text = "the answer is empty";
  } else {
    account_.state.status = AgentStatus::ok;
  }
}

// Newer versions count over the whole conversation and tell what is new in a field of its own, which is to be
// summed.
void ClaudeStream::read_usage(const Json& event) {
  const int turns = static_cast<int>(exact_int(member(event, "num_turns"), 0, 1'000'000).value_or(0));
  if (const Json& fresh = member(event, "model_usage_since_last_result"); fresh.is_object()) {
    account_.usage += sum_of_models(fresh);
    account_.usage.turns += turns;
    if (!account_.usage.cost_usd && member(event, "total_cost_usd").is_number())
      account_.usage.cost_usd = 0.0;
    return;
  }
  Usage usage = sum_of_models(member(event, "modelUsage"));
  if (usage.empty()) {
    const Json& main_loop = member(event, "usage");
    usage.input_tokens = count_of(main_loop, "input_tokens");
    usage.output_tokens = count_of(main_loop, "output_tokens");
    usage.cached_tokens = count_of(main_loop, "cache_read_input_tokens");
  }
  if (const Json& cost = member(event, "total_cost_usd"); cost.is_number())
    usage.cost_usd = cost.get<double>();
  usage.turns = turns;
  account_.usage = usage;
}

StreamAccount ClaudeStream::account() const {
  StreamAccount account = account_;
  account.unreadable_lines = unreadable_lines();
  account.usage_is_of_conversation = dialect_ == Dialect::qwen;
  if (account.final_event) return account;
  account.state = in_trouble_ ? trouble_ : AgentState{};
  return account;
}

} // namespace emend
