// Qwen Code: Claude's stream, Gemini's flags, and errors that call themselves success.
#include "adapters/agents/claude_stream.hpp"
#include "adapters/agents/driver.hpp"

namespace emend {

namespace {

std::string login_kind(const DriverRequest& request) {
  if (!request.variable("OPENAI_API_KEY").empty()) return "openai";
  return request.has_login(".qwen/oauth_creds.json") ? "qwen-oauth" : "openai";
}

std::string settings(const DriverRequest& request) {
  Json json = {{"security", {{"auth", {{"selectedType", login_kind(request)}}}}},
               {"privacy", {{"usageStatisticsEnabled", false}}},
               {"telemetry", {{"enabled", false}}},
               {"general", {{"enableAutoUpdate", false}, {"disableAutoUpdate", true}}}};
  if (request.max_turns > 0) json["model"] = {{"maxSessionTurns", request.max_turns}};
  if (!request.allowed_tools.empty()) json["tools"] = {{"core", request.allowed_tools}};
  return dump_json(json, 2);
}

const char* approval(Permissions permissions) {
  switch (permissions) {
    case Permissions::read: return "default";
    case Permissions::edit: return "auto-edit";
    case Permissions::full: return "yolo";
  }
  return "default";
}

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.insert(call.argv.end(), {"-o", "stream-json", "--approval-mode", approval(request.permissions),
                                     "--auth-type", login_kind(request)});
  if (!request.model.empty()) call.argv.insert(call.argv.end(), {"-m", request.model});
  if (!request.resume.empty()) call.argv.insert(call.argv.end(), {"--resume", request.resume});
  call.stdin_data = request.prompt;
  call.files = {{".qwen/settings.json", settings(request)}};
  return call;
}

} // namespace

const Driver& qwen_driver() {
  static const Driver driver{
      .cli = coding_cli("qwen"),
      .most_prompt_bytes = 8'000'000,
      .can_fork = false,
      .conversations = {".qwen/projects", ".qwen/tmp"},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> {
        return std::make_unique<ClaudeStream>(ClaudeStream::Dialect::qwen);
      },
      .explain_exit = nullptr,
  };
  return driver;
}

} // namespace emend
