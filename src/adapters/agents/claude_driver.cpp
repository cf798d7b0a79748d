// Claude Code: the same call serves 2.1.197 and 2.1.325.
#include <algorithm>

#include "adapters/agents/claude_stream.hpp"
#include "adapters/agents/driver.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// Nothing of the repository's own settings, hooks or servers counts, not even when everything else is
// allowed.
std::string settings() {
  return dump_json({{"disableAllHooks", true},
                    {"permissions", {{"deny", {"Bash(git push:*)", "WebFetch", "WebSearch"}}}}});
}

void add_permissions(const DriverRequest& request, std::vector<std::string>& argv) {
  std::vector<std::string> tools = request.allowed_tools;
  if (request.permissions == Permissions::read && tools.empty()) tools = {"Read", "Glob", "Grep"};
  const bool calls_agents = std::any_of(
      tools.begin(), tools.end(), [](const std::string& tool) { return tool == "Agent" || tool == "Task"; });
  if (!request.sub_agents.is_null() && !tools.empty() && !calls_agents) tools.push_back("Agent");
  if (!tools.empty()) argv.insert(argv.end(), {"--tools", join(tools, ",")});
  switch (request.permissions) {
    case Permissions::read: argv.insert(argv.end(), {"--permission-mode", "default"}); return;
    case Permissions::edit: argv.insert(argv.end(), {"--permission-mode", "acceptEdits"}); return;
    case Permissions::full: argv.push_back("--dangerously-skip-permissions"); return;
  }
}

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.insert(call.argv.end(), {"-p", "--output-format", "stream-json", "--verbose", "--setting-sources",
                                     "user", "--strict-mcp-config", "--settings", settings()});
  add_permissions(request, call.argv);
  const auto option = [&call](const char* name, const std::string& value) {
    if (!value.empty()) call.argv.insert(call.argv.end(), {name, value});
  };
  option("--model", request.model);
  option("--effort", std::string(effort_of(request.thinking_budget)));
  option("--json-schema", request.schema.is_null() ? "" : dump_json(request.schema));
  option("--agents", request.sub_agents.is_null() ? "" : dump_json(request.sub_agents));
  option("--max-turns", request.max_turns > 0 ? std::to_string(request.max_turns) : "");
  option("--max-budget-usd", request.max_cost_usd > 0 ? dump_json(Json(request.max_cost_usd)) : "");
  option("--resume", request.resume.empty() ? request.fork : request.resume);
  if (request.resume.empty() && !request.fork.empty()) call.argv.push_back("--fork-session");
  if (request.thinking_budget > 0)
    call.env.push_back("MAX_THINKING_TOKENS=" + std::to_string(request.thinking_budget));
  if (request.as_root) call.env.push_back("IS_SANDBOX=1"); // as root it refuses to skip permissions otherwise
  call.stdin_data = request.prompt;
  return call;
}

} // namespace

const Driver& claude_driver() {
  static const Driver driver{
      .cli = coding_cli("claude"),
      .most_prompt_bytes = 9'900'000,
      .can_fork = true,
      .conversations = {".claude/projects"},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> {
        return std::make_unique<ClaudeStream>(ClaudeStream::Dialect::claude);
      },
      .explain_exit = nullptr,
  };
  return driver;
}

} // namespace emend
