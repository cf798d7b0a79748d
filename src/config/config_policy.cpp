#include <unistd.h>

#include <algorithm>

#include "base/strings.hpp"
#include "config/config.hpp"
#include "model/coding_clis.hpp"

namespace emend {

namespace {

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

// The engine's own fixer and judge need no configuration.
constexpr const char* kBuiltinAgent = "builtin";

AgentBinding builtin_agent() {
  AgentBinding binding;
  binding.name = binding.engine = kBuiltinAgent;
  return binding;
}

// Which of the two built-in agents it is: they share a name, not their kind.
void settle_builtin(AgentBinding& binding, const char* kind) {
  if (binding.builtin()) binding.model = binding.family = kind;
}

std::string lines_for(const std::string& section, const std::string& name) {
  return "install " + name + " or another coding agent (emend agents list), or name one in emend.toml:\n\n[" +
         section + "]\nagent = \"" + name + "\"\n";
}

std::string default_engine(const AgentBinding& binding) {
  if (!binding.command.empty()) return "exec";
  if (!binding.script.empty()) return "scripted";
  return find_coding_cli(binding.name) != nullptr ? binding.name : "exec"; // it needs no command
}

constexpr std::string_view kDirect = "acp:";

// One tree that takes it all takes the engine and the person's own programs with it.
std::int64_t most_memory() {
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? pages / 5 * 4 * size : 0;
}

using Settings = std::map<std::string, ConfigSetting>;

ResourceLimits limits_in(const Settings& settings) {
  constexpr std::int64_t kMegabyte = 1'000'000;
  const auto number = [&](const char* key) {
    const auto found = settings.find(key);
    return found == settings.end() ? 0 : exact_int(found->second.value, 0, 1'000'000'000).value_or(0);
  };
  ResourceLimits limits;
  limits.memory_bytes =
      number("limits.memory_mb") > 0 ? number("limits.memory_mb") * kMegabyte : most_memory();
  limits.processes = number("limits.processes");
  limits.file_bytes = number("limits.file_mb") * kMegabyte;
  limits.cpu_seconds = number("limits.cpu_seconds");
  limits.free_disk_bytes = number("limits.free_disk_mb") * kMegabyte;
  return limits;
}

void confine(const Settings& settings, AgentBinding& binding) {
  const auto network = settings.find("sandbox.network.agents");
  if (network != settings.end() && network->second.value.is_string())
    binding.network =
        parse_network_access(network->second.value.get<std::string>()).value_or(binding.network);
  binding.limits = limits_in(settings);
}

Status check_complete(const AgentBinding& binding, const std::string& section) {
  if ((binding.engine == "exec" || binding.engine == "acp") && binding.command.empty()) {
    return fail(ErrorCode::config, "agent \"" + binding.name + "\" has no command",
                "add to [" + section + "]:\n\ncommand = [\"" + binding.name + "\", \"...\"]\n");
  }
  if (binding.engine == "scripted" && binding.script.empty()) {
    return fail(ErrorCode::config, "agent \"" + binding.name + "\" has no script",
                "add to [" + section + "]:\n\nscript = \"path/to/script\"\n");
  }
  return {};
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

int Config::number(const std::string& key) const {
  return static_cast<int>(exact_int(value(key), 0, 2'000'000'000).value_or(0));
}

std::int64_t Config::duration_ms(const std::string& key) const {
  return parse_duration_ms(text(key)).value_or(0);
}

std::vector<std::string> Config::list(const std::string& key) const {
  std::vector<std::string> result;
  for (const Json& item : value(key)) result.push_back(item.get<std::string>());
  return result;
}

std::vector<std::string> Config::environment(const std::string& prefix) const {
  std::vector<std::string> result;
  for (auto it = settings_.lower_bound(prefix); it != settings_.end() && it->first.rfind(prefix, 0) == 0;
       ++it) {
    result.push_back(it->first.substr(prefix.size()) + "=" + it->second.value.get<std::string>());
  }
  return result;
}

Result<AgentBinding> Config::agent(const std::string& name) const {
  if (name.starts_with(kDirect)) return direct_agent(name);
  const auto names = agent_names();
  const std::string section = "agents." + name;
  if (name == kBuiltinAgent) return builtin_agent();
  if (std::find(names.begin(), names.end(), name) == names.end() && find_coding_cli(name) == nullptr) {
    const auto near = did_you_mean(name, names);
    return fail(ErrorCode::config,
                "there is no agent \"" + name + "\"" + (near ? "; did you mean \"" + *near + "\"?" : ""),
                "add to emend.toml:\n\n[" + section + "]\nengine = \"exec\"\ncommand = [\"" + name +
                    "\", \"...\"]\n");
  }
  AgentBinding binding;
  binding.name = name;
  binding.script = text(section + ".script");
  if (value(section + ".command").is_array()) binding.command = list(section + ".command");
  binding.engine = text(section + ".engine");
  if (binding.engine.empty()) binding.engine = default_engine(binding);
  binding.model = text(section + ".model");
  binding.family = text(section + ".family");
  if (binding.family.empty()) binding.family = family_of(binding.engine, binding.model);
  binding.timeout_ms = duration_ms(section + ".timeout");
  binding.idle_timeout_ms = duration_ms(section + ".idle_timeout");
  binding.thinking_budget = number(section + ".thinking_budget");
  binding.max_turns = number(section + ".max_turns");
  binding.permissions = text(section + ".permissions");
  if (value(section + ".allowed_tools").is_array()) binding.allowed_tools = list(section + ".allowed_tools");
  if (value(section + ".pass_env").is_array()) binding.pass_env = list(section + ".pass_env");
  binding.env = environment(section + ".env.");
  confine(settings_, binding);
  TRY(check_complete(binding, section));
  return binding;
}

// Whoever may type a command line may name a program; a repository's file may not, so this spelling counts
// only from outside of files.
Result<AgentBinding> Config::direct_agent(const std::string& name) const {
  const auto names_it = [&name](const Json& value) {
    return value == Json(name) ||
           (value.is_array() && std::find(value.begin(), value.end(), Json(name)) != value.end());
  };
  for (const char* key : {"fix.agent", "fix_challenger.agent", "fix_challenger.second_agent",
                          "reproducer.agent", "pr.voters"}) {
    const auto setting = settings_.find(key);
    if (setting == settings_.end() || !names_it(setting->second.value) ||
        setting->second.origin.kind != ConfigOrigin::Kind::file)
      continue;
    return fail(
        ErrorCode::config, to_string(setting->second.origin) + ": \"acp:\" works only on the command line",
        "write a section:\n\n[agents.NAME]\nengine = \"acp\"\ncommand = [\"program\", \"argument\"]\n");
  }
  AgentBinding binding;
  binding.name = name;
  binding.engine = "acp";
  for (const std::string& word : split(trim(std::string_view(name).substr(kDirect.size())), ' '))
    if (!word.empty()) binding.command.push_back(word);
  if (binding.command.empty())
    return fail(ErrorCode::config, "\"acp:\" needs a program", "for example --agent \"acp:gemini --acp\"");
  confine(settings_, binding);
  return binding;
}

std::string Config::fixer_name() const {
  const std::string name = text("fix.agent");
  return name.empty() && !installed_.empty() ? installed_.front() : name;
}

// Of another maker if there is one; else of an unknown one; else the same.
std::string Config::challenger_name() const {
  if (const std::string name = text("fix_challenger.agent"); !name.empty()) return name;
  const std::string fixer = fixer_name();
  const auto family = [this](const std::string& name) { return agent(name).value_or(AgentBinding{}).family; };
  const std::string own = family(fixer);
  for (const bool known : {true, false})
    for (const std::string& name : installed_)
      if (name != fixer && family(name) != own && family(name).empty() != known) return name;
  return installed_.empty() ? std::string() : installed_.front();
}

std::string Config::choice() const {
  std::string text;
  if (this->text("fix.agent").empty() && !fixer_name().empty()) text = "fixing with " + fixer_name();
  if (value("fix_challenger.enabled").get<bool>() && this->text("fix_challenger.agent").empty() &&
      !challenger_name().empty()) {
    const std::string fixer = agent(fixer_name()).value_or(AgentBinding{}).family,
                      judge = agent(challenger_name()).value_or(AgentBinding{}).family;
    text += (text.empty() ? "judging with " : ", judging with ") + challenger_name() +
            (!judge.empty() && fixer == judge ? " (same vendor)" : "");
  }
  return text.empty() ? text : "nothing configured: " + text + " (found on this machine)";
}

AgentBinding Config::challenger() const {
  const std::string name = challenger_name();
  if (name.empty()) return {};
  auto binding = agent(name);
  if (!binding) return {};
  if (const std::string model = text("fix_challenger.model"); !model.empty()) {
    binding->model = model;
    if (text("agents." + name + ".family").empty()) binding->family = family_of(binding->engine, model);
  }
  if (const int budget = number("fix_challenger.thinking_budget"); budget > 0) {
    binding->thinking_budget = budget;
    binding->env.push_back("THINKING_BUDGET=" + std::to_string(budget));
  }
  return *std::move(binding);
}

std::vector<AgentBinding> Config::fallbacks(const std::string& key, const std::string& role_key) const {
  std::vector<std::string> names = list(key);
  if (names.empty() && text(role_key).empty())
    for (const std::string& name : installed_)
      if (name != fixer_name() && name != challenger_name()) names.push_back(name);
  std::vector<AgentBinding> bindings;
  for (const std::string& name : names)
    if (auto binding = agent(name); binding && !binding->builtin()) bindings.push_back(*std::move(binding));
  return bindings;
}

Policy Config::policy() const {
  Policy policy;
  for (const ConfigKey& key : config_keys())
    if (key.apply) key.apply(value(key.name), policy);
  if (const std::string name = fixer_name(); !name.empty())
    policy.fixer = agent(name).value_or(AgentBinding{});
  policy.challenger = challenger();
  settle_builtin(policy.fixer, "fix-it");
  settle_builtin(policy.challenger, "rubric");
  if (policy.panel > 1) policy.second_judge = second_judge().value_or(AgentBinding{});
  policy.fixer_fallbacks = fallbacks("fix.fallback", "fix.agent");
  policy.challenger_fallbacks = fallbacks("fix_challenger.fallback", "fix_challenger.agent");
  if (const std::string name = text("reproducer.agent"); !name.empty())
    policy.reproducer = agent(name).value_or(AgentBinding{});
  policy.commands = verify_commands(value("verify.commands"));
  policy.verify_env = environment("verify.env.");
  policy.sandbox.command_limits = limits_in(settings_);
  return policy;
}

ReviewRules Config::review_rules() const {
  ReviewRules rules;
  rules.exclude = list("review.exclude");
  rules.include = list("review.include");
  rules.select = list("review.select");
  rules.ignore = list("review.ignore");
  rules.per_file_ignores =
      value("review.per_file_ignores").get<std::map<std::string, std::vector<std::string>>>();
  rules.strict = value("review.strict").get<bool>();
  rules.analyzers = list("review.analyzers");
  rules.min_severity = text("review.min_severity");
  rules.fail_on = text("review.fail_on");
  rules.max_findings = number("review.max_findings");
  return rules;
}

Status Config::require_agents() const {
  const std::string fixer = fixer_name();
  if (fixer.empty())
    return fail(ErrorCode::config, "no agent is configured to fix issues", lines_for("fix", "claude"));
  TRY(agent(fixer));
  for (const char* key : {"fix.fallback", "fix_challenger.fallback"})
    for (const std::string& name : list(key)) TRY(agent(name));
  if (const std::string name = text("reproducer.agent"); !name.empty()) TRY(agent(name));
  if (!value("fix_challenger.enabled").get<bool>())
    return fail(ErrorCode::config, "fix_challenger.enabled is false: without a judge no fix can pass",
                "remove that line; fix_challenger.agent names the judge");
  const std::string challenger = challenger_name();
  if (challenger.empty()) {
    return fail(ErrorCode::config, "no agent is configured to judge fixes",
                lines_for("fix_challenger", "gemini"));
  }
  TRY(agent(challenger));
  if (number("fix_challenger.panel") > 1) TRY(second_judge());
  return {};
}

} // namespace emend
