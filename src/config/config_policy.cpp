#include "base/strings.hpp"
#include "config/config.hpp"

namespace emend {

namespace {

VerifyMode verify_mode(const std::string& word) {
  if (word == "each") return VerifyMode::each;
  return word == "batch" ? VerifyMode::batch : VerifyMode::automatic;
}

FixScope fix_scope(const std::string& word) {
  if (word == "directory") return FixScope::directory;
  return word == "repository" ? FixScope::repository : FixScope::file;
}

std::vector<VerifyCommand> verify_commands(const Json& list) {
  std::vector<VerifyCommand> commands;
  for (const Json& item : list) {
    VerifyCommand command{string_or(item, "name"), string_or(item, "run"), {}, 0};
    for (const Json& path : item["paths"]) command.paths.push_back(path.get<std::string>());
    command.timeout_ms = parse_duration_ms(string_or(item, "timeout")).value_or(0);
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string lines_for(const std::string& section, const std::string& name) {
  return "add to emend.toml:\n\n[" + section + "]\nagent = \"" + name + "\"\n\n[agents." + name + "]\nengine = \"exec\"\ncommand = [\"" +
         name + "\", \"...\"]\n";
}

} // namespace

const Json& Config::value(const std::string& key) const {
  static const Json nothing;
  const auto found = settings_.find(key);
  return found == settings_.end() ? nothing : found->second.value;
}

std::string Config::text(const std::string& key) const {
  const Json& found = value(key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

int Config::number(const std::string& key) const { return static_cast<int>(exact_int(value(key), 0, 2'000'000'000).value_or(0)); }

std::int64_t Config::duration_ms(const std::string& key) const { return parse_duration_ms(text(key)).value_or(0); }

std::vector<std::string> Config::list(const std::string& key) const {
  std::vector<std::string> result;
  for (const Json& item : value(key)) result.push_back(item.get<std::string>());
  return result;
}

std::vector<std::string> Config::environment(const std::string& prefix) const {
  std::vector<std::string> result;
  for (auto it = settings_.lower_bound(prefix); it != settings_.end() && it->first.rfind(prefix, 0) == 0; ++it) {
    result.push_back(it->first.substr(prefix.size()) + "=" + it->second.value.get<std::string>());
  }
  return result;
}

Result<AgentBinding> Config::agent(const std::string& name) const {
  const auto names = agent_names();
  const std::string section = "agents." + name;
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const auto near = did_you_mean(name, names);
    return fail(ErrorCode::config, "there is no agent \"" + name + "\"" + (near ? "; did you mean \"" + *near + "\"?" : ""),
                "add to emend.toml:\n\n[" + section + "]\nengine = \"exec\"\ncommand = [\"" + name + "\", \"...\"]\n");
  }
  AgentBinding binding;
  binding.name = name;
  binding.engine = text(section + ".engine");
  binding.script = text(section + ".script");
  if (value(section + ".command").is_array()) binding.command = list(section + ".command");
  if (binding.engine.empty()) binding.engine = binding.command.empty() && !binding.script.empty() ? "scripted" : "exec";
  binding.model = text(section + ".model");
  binding.family = text(section + ".family");
  binding.timeout_ms = duration_ms(section + ".timeout");
  binding.idle_timeout_ms = duration_ms(section + ".idle_timeout");
  if (value(section + ".pass_env").is_array()) binding.pass_env = list(section + ".pass_env");
  binding.env = environment(section + ".env.");
  if (binding.engine == "exec" && binding.command.empty()) {
    return fail(ErrorCode::config, "agent \"" + name + "\" has no command",
                "add to [" + section + "]:\n\ncommand = [\"" + name + "\", \"...\"]\n");
  }
  if (binding.engine == "scripted" && binding.script.empty()) {
    return fail(ErrorCode::config, "agent \"" + name + "\" has no script", "add to [" + section + "]:\n\nscript = \"path/to/script\"\n");
  }
  return binding;
}

AgentBinding Config::challenger() const {
  const std::string name = text("fix_challenger.agent");
  if (name.empty()) return {};
  auto binding = agent(name);
  if (!binding) return {};
  if (const std::string model = text("fix_challenger.model"); !model.empty()) binding->model = model;
  if (const int budget = number("fix_challenger.thinking_budget"); budget > 0) {
    binding->env.push_back("THINKING_BUDGET=" + std::to_string(budget));
  }
  return *std::move(binding);
}

Policy Config::policy() const {
  Policy policy;
  if (const std::string name = text("fix.agent"); !name.empty()) policy.fixer = agent(name).value_or(AgentBinding{});
  policy.challenger = challenger();
  policy.deferred_retries = number("fix.deferred_retries");
  policy.parallel = number("fix.parallel");
  policy.fix_timeout_ms = duration_ms("fix.timeout");
  policy.branch = text("fix.branch");
  policy.scope = fix_scope(text("fix.scope"));
  policy.protected_paths = list("fix.protected");
  policy.new_files = list("fix.new_files");
  policy.prompt_max_bytes = number("fix.prompt_max_bytes");
  policy.context_lines = number("fix.context_lines");
  policy.max_changed_lines = number("fix.max_changed_lines");
  policy.conventions = list("project.conventions");
  policy.instructions = list("project.instructions");
  policy.challenger_enabled = value("fix_challenger.enabled").get<bool>();
  policy.max_iterations = number("fix_challenger.max_iterations");
  policy.satisfaction_threshold = number("fix_challenger.satisfaction_threshold");
  policy.challenge_timeout_ms = duration_ms("fix_challenger.timeout");
  policy.challenge_retries = number("fix_challenger.retries");
  policy.commands = verify_commands(value("verify.commands"));
  policy.max_fix_cycles = number("verify.max_fix_cycles");
  policy.verify_mode = verify_mode(text("verify.mode"));
  policy.repeat = number("verify.repeat");
  policy.verify_timeout_ms = duration_ms("verify.timeout");
  policy.pass_env = list("verify.pass_env");
  policy.verify_env = environment("verify.env.");
  policy.max_output_bytes = number("verify.max_output_bytes");
  policy.minimum_evidence = text("resolve.minimum_evidence");
  policy.redact_patterns = list("redact.patterns");
  return policy;
}

Status Config::require_agents() const {
  const std::string fixer = text("fix.agent");
  if (fixer.empty()) return fail(ErrorCode::config, "no agent is configured to make the fixes", lines_for("fix", "claude"));
  TRY(agent(fixer));
  if (!value("fix_challenger.enabled").get<bool>()) return {};
  const std::string challenger = text("fix_challenger.agent");
  if (challenger.empty()) {
    return fail(ErrorCode::config, "no agent is configured to judge the fixes",
                lines_for("fix_challenger", "gemini") + "\nor, to go without a judge:\n\n[fix_challenger]\nenabled = false\n");
  }
  TRY(agent(challenger));
  return {};
}

} // namespace emend
