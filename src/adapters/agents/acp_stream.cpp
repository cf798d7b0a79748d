#include "adapters/agents/acp_stream.hpp"

#include <algorithm>
#include <array>

#include "adapters/agents/cli_agent.hpp"
#include "adapters/agents/failure.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kNotSupported = -32601;

std::string line_of(const Json& message) { return dump_json(message) + "\n"; }

std::string option_of_kind(const Json& options, std::initializer_list<std::string_view> kinds) {
  if (!options.is_array()) return {};
  for (const std::string_view kind : kinds)
    for (const Json& option : options)
      if (string_or(option, "kind") == kind) return string_or(option, "optionId");
  return {};
}

} // namespace

std::string AcpStream::opening() {
  // No file or terminal services: the agent works in a tree that only its own process can see.
  ask(Step::initialize, "initialize",
      {{"protocolVersion", 1},
       {"clientCapabilities",
        {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}}, {"terminal", false}}},
       {"clientInfo", {{"name", "emend"}, {"version", "1"}}}});
  return take_outbox();
}

void AcpStream::ask(Step step, const std::string& method, Json params) {
  step_ = step;
  outbox_ +=
      line_of({{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}});
}

void AcpStream::reply(const Json& id, Json result) {
  outbox_ += line_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void AcpStream::refuse(const Json& id, int code, const std::string& text) {
  outbox_ += line_of({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

// Both sides count their requests from the same numbers: what has a method is theirs, what has none answers
// ours.
void AcpStream::event(const Json& message) {
  const std::string method = string_or(message, "method");
  if (!method.empty() && find_member(message, "id") != nullptr) return request_from_agent(message, method);
  if (method == "session/update") return update(member(member(message, "params"), "update"));
  if (!method.empty()) return tell(AgentEvent::Kind::other, method);
  if (exact_int(member(message, "id"), 0, INT64_MAX) != last_id_ || step_ == Step::over) return;
  const Json* error = find_member(message, "error");
  if (error != nullptr && !error->is_null())
    failed(*error);
  else
    answered(member(message, "result"));
}

void AcpStream::request_from_agent(const Json& message, const std::string& method) {
  const Json& id = member(message, "id");
  if (method == "session/request_permission") return permission(id, member(message, "params"));
  refuse(id, kNotSupported, method + " is not supported");
}

bool AcpStream::allowed(const std::string& kind) const {
  constexpr std::array<std::string_view, 3> reading{"read", "search", "think"};
  constexpr std::array<std::string_view, 3> editing{"edit", "move", "delete"};
  if (request_.permissions == Permissions::full ||
      std::find(reading.begin(), reading.end(), kind) != reading.end())
    return true;
  return request_.permissions == Permissions::edit &&
         std::find(editing.begin(), editing.end(), kind) != editing.end();
}

void AcpStream::permission(const Json& id, const Json& params) {
  const Json& call = member(params, "toolCall");
  const std::string kind = string_or(call, "kind", "other");
  const bool yes = allowed(kind);
  const std::string option =
      yes ? option_of_kind(member(params, "options"), {"allow_once", "allow_always"})
          : option_of_kind(member(params, "options"), {"reject_once", "reject_always"});
  answer_is_over_ = true;
  if (yes) ++account_.tools_used;
  tell(yes ? AgentEvent::Kind::tool_use : AgentEvent::Kind::warning,
       (yes ? "" : "refused: ") + first_line(string_or(call, "title"), 200), kind,
       string_or(call, "toolCallId"));
  if (option.empty()) return reply(id, {{"outcome", {{"outcome", "cancelled"}}}});
  reply(id, {{"outcome", {{"outcome", "selected"}, {"optionId", option}}}});
}

void AcpStream::answered(const Json& result) {
  switch (step_) {
    case Step::initialize: return open_session(member(result, "agentCapabilities"));
    case Step::session:
      if (const std::string id = string_or(result, "sessionId"); !id.empty()) account_.conversation_id = id;
      if (const std::string model = string_or(member(result, "models"), "currentModelId");
          !model.empty() && model != "auto")
        account_.model = model;
      return choose_mode(result);
    case Step::mode: return choose_model();
    case Step::model: account_.model = request_.model; return send_prompt(request_.prompt);
    case Step::prompt: return prompt_over(result);
    case Step::over: return;
  }
}

void AcpStream::failed(const Json& error) {
  const std::string text =
      string_or(error, "message", "the agent refused") + "\n" + dump_json(member(error, "data"));
  const int status = static_cast<int>(exact_int(member(error, "code"), 400, 599).value_or(0));
  if (step_ == Step::mode)
    return choose_model(); // its default mode will do: permissions are asked for anyway
  if (step_ == Step::model) {
    tell(AgentEvent::Kind::warning, "the model " + request_.model + " was not accepted");
    return send_prompt(request_.prompt);
  }
  account_.state = failure_of(status, text);
  if (step_ == Step::session && !request_.resume.empty())
    account_.state.status = AgentStatus::conversation_lost;
  if (exact_int(member(error, "code"), -32000, -32000))
    account_.state.status = AgentStatus::not_logged_in; // "auth required"
  account_.final_event = true;
  step_ = Step::over;
}

void AcpStream::open_session(const Json& capabilities) {
  Json params = {{"cwd", workspace_}, {"mcpServers", Json::array()}};
  if (request_.resume.empty()) return ask(Step::session, "session/new", std::move(params));
  const Json& can_load = member(capabilities, "loadSession");
  if (!can_load.is_boolean() || !can_load.get<bool>()) {
    account_.state = {AgentStatus::conversation_lost, "the agent cannot continue a conversation", 0, {}, {}};
    account_.final_event = true;
    step_ = Step::over;
    return;
  }
  account_.conversation_id = request_.resume;
  params["sessionId"] = request_.resume;
  ask(Step::session, "session/load", std::move(params));
}

void AcpStream::choose_mode(const Json& session) {
  const Json& modes = member(member(session, "modes"), "availableModes");
  if (request_.permissions == Permissions::read && modes.is_array())
    for (const char* wanted : {"read-only", "plan"})
      for (const Json& mode : modes)
        if (string_or(mode, "id") == wanted)
          return ask(Step::mode, "session/set_mode",
                     {{"sessionId", account_.conversation_id}, {"modeId", wanted}});
  choose_model();
}

void AcpStream::choose_model() {
  if (request_.model.empty()) return send_prompt(request_.prompt);
  ask(Step::model, "session/set_model",
      {{"sessionId", account_.conversation_id}, {"modelId", request_.model}});
}

void AcpStream::send_prompt(const std::string& text) {
  answer_is_over_ = true;
  ask(Step::prompt, "session/prompt",
      {{"sessionId", account_.conversation_id}, {"prompt", {{{"type", "text"}, {"text", text}}}}});
}

void AcpStream::prompt_over(const Json& result) {
  const std::string reason = string_or(result, "stopReason");
  read_usage(result);
  account_.state = {};
  account_.state.text = "stopped by " + first_line(reason, 100);
  if (reason == "refusal")
    account_.state.status = AgentStatus::refused;
  else if (reason == "cancelled")
    account_.state.status = AgentStatus::interrupted;
  else if (reason == "max_tokens")
    account_.state.status = AgentStatus::too_long;
  else if (reason == "max_turn_requests")
    account_.state.status = AgentStatus::turn_limit;
  else if (reason == "end_turn" && (answer_is_over_ || trim(account_.answer).empty()))
    account_.state.text = "the answer is empty";
  else if (reason == "end_turn")
    account_.state = {AgentStatus::ok, "", 0, {}, {}};
  else
    account_.state.status = AgentStatus::api_error;
  if (account_.state.ok() && !nudged_ && !last_json_object(account_.answer)) {
    nudged_ = true;
    return send_prompt(nudge_prompt());
  }
  account_.final_event = true;
  step_ = Step::over;
}

void AcpStream::update(const Json& update) {
  const std::string kind = string_or(update, "sessionUpdate");
  if (const Json& cost = member(member(update, "cost"), "amount"); kind == "usage_update" && cost.is_number())
    account_.usage.cost_usd = cost.get<double>();
  if (step_ != Step::prompt) return; // a loaded conversation is told once more
  if (kind == "agent_message_chunk") {
    if (std::exchange(answer_is_over_, false)) account_.answer.clear();
    const std::string text = string_or(member(update, "content"), "text");
    account_.answer += text;
    tell(AgentEvent::Kind::text, text);
  } else if (kind == "agent_thought_chunk") {
    tell(AgentEvent::Kind::thinking, string_or(member(update, "content"), "text"));
  } else if (kind == "tool_call") {
    answer_is_over_ = true;
    ++account_.tools_used;
    tell(AgentEvent::Kind::tool_use, first_line(string_or(update, "title"), 200), string_or(update, "kind"),
         string_or(update, "toolCallId"));
  } else if (kind != "tool_call_update" && kind != "usage_update") {
    tell(AgentEvent::Kind::other, kind);
  }
}

// Two shapes are in use, and some agents say nothing.
void AcpStream::read_usage(const Json& result) {
  const Json& usage = member(result, "usage");
  const Json& quota = member(member(result, "_meta"), "quota");
  const Json& counts = member(quota, "token_count");
  Usage run;
  run.input_tokens = usage.is_object() ? count_of(usage, "inputTokens") : count_of(counts, "input_tokens");
  run.output_tokens = usage.is_object() ? count_of(usage, "outputTokens") : count_of(counts, "output_tokens");
  run.cached_tokens = usage.is_object() ? count_of(usage, "cachedReadTokens") : 0;
  run.turns = 1;
  account_.usage += run;
  const Json& models = member(quota, "model_usage");
  if (models.is_array() && !models.empty())
    if (const std::string model = string_or(models.front(), "model"); !model.empty()) account_.model = model;
}

StreamAccount AcpStream::account() const {
  StreamAccount account = account_;
  account.unreadable_lines = unreadable_lines();
  return account;
}

} // namespace emend
