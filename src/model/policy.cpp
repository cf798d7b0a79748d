#include "model/policy.hpp"

#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<VerifyMode> kModes[] = {
    {VerifyMode::each, "each"}, {VerifyMode::batch, "batch"}, {VerifyMode::automatic, "auto"}};
constexpr EnumName<Reproduce> kReproduce[] = {
    {Reproduce::never, "never"}, {Reproduce::automatic, "auto"}, {Reproduce::always, "always"}};
constexpr EnumName<FixScope> kScopes[] = {
    {FixScope::file, "file"}, {FixScope::directory, "directory"}, {FixScope::repository, "repository"}};

Json json_of(const AgentBinding& agent) {
  return {{"name", agent.name},
          {"engine", agent.engine},
          {"command", agent.command},
          {"script", agent.script},
          {"model", agent.model},
          {"family", agent.family},
          {"timeout_ms", agent.timeout_ms},
          {"idle_timeout_ms", agent.idle_timeout_ms},
          {"pass_env", agent.pass_env},
          {"env", agent.env},
          {"thinking_budget", agent.thinking_budget},
          {"max_turns", agent.max_turns},
          {"permissions", agent.permissions},
          {"allowed_tools", agent.allowed_tools},
          {"network", to_string(agent.network)},
          {"limits", to_json(agent.limits)}};
}

AgentBinding agent_from(const Json* json) {
  AgentBinding agent;
  if (json == nullptr) return agent;
  agent.name = string_or(*json, "name");
  agent.engine = string_or(*json, "engine");
  agent.command = strings_field(*json, "command");
  agent.script = string_or(*json, "script");
  agent.model = string_or(*json, "model");
  agent.family = string_or(*json, "family");
  agent.timeout_ms = int64_field(*json, "timeout_ms");
  agent.idle_timeout_ms = int64_field(*json, "idle_timeout_ms");
  agent.pass_env = strings_field(*json, "pass_env");
  agent.env = strings_field(*json, "env");
  agent.thinking_budget = int_field(*json, "thinking_budget");
  agent.max_turns = int_field(*json, "max_turns");
  agent.permissions = string_or(*json, "permissions");
  agent.allowed_tools = strings_field(*json, "allowed_tools");
  agent.network = parse_network_access(string_or(*json, "network")).value_or(agent.network);
  if (const Json* limits = find_member(*json, "limits")) agent.limits = resource_limits_from_json(*limits);
  return agent;
}

Json json_of(const std::vector<AgentBinding>& agents) {
  Json json = Json::array();
  for (const AgentBinding& agent : agents) json.push_back(json_of(agent));
  return json;
}

std::vector<AgentBinding> agents_from(const Json& policy, const char* key) {
  std::vector<AgentBinding> agents;
  for (const Json& json : array_field(policy, key)) agents.push_back(agent_from(&json));
  return agents;
}

Json json_of(const Budget& budget) {
  return {{"cost_usd", budget.cost_usd}, {"tokens", budget.tokens}, {"time_ms", budget.time_ms}};
}

Budget budget_from(const Json& policy, const char* key) {
  Budget budget;
  const Json* json = find_member(policy, key);
  if (json == nullptr) return budget;
  const Json* cost = find_member(*json, "cost_usd");
  budget.cost_usd = cost != nullptr && cost->is_number() ? cost->get<double>() : 0;
  budget.tokens = int64_field(*json, "tokens");
  budget.time_ms = int64_field(*json, "time_ms");
  return budget;
}

Json json_of(const std::vector<VerifyCommand>& commands) {
  Json json = Json::array();
  for (const VerifyCommand& command : commands) {
    json.push_back({{"name", command.name},
                    {"run", command.run},
                    {"paths", command.paths},
                    {"timeout_ms", command.timeout_ms}});
  }
  return json;
}

std::vector<VerifyCommand> commands_from(const Json& policy) {
  std::vector<VerifyCommand> commands;
  for (const Json& json : array_field(policy, "commands")) {
    commands.push_back({string_or(json, "name"), string_or(json, "run"), strings_field(json, "paths"),
                        int64_field(json, "timeout_ms")});
  }
  return commands;
}

void read_fix(const Json& json, Policy& policy) {
  policy.fixer = agent_from(find_member(json, "fixer"));
  policy.fixer_fallbacks = agents_from(json, "fixer_fallbacks");
  policy.strategy = parse_strategy(string_or(json, "strategy")).value_or(policy.strategy);
  policy.batch.max_points = int_field(json, "batch_points", policy.batch.max_points);
  policy.batch.max_issues = int_field(json, "batch_issues", policy.batch.max_issues);
  policy.git_agents = bool_field(json, "git_agents");
  policy.keep_conversation = bool_field(json, "keep_conversation", policy.keep_conversation);
  policy.max_wait_ms = int64_field(json, "max_wait_ms", policy.max_wait_ms);
  policy.retry_wait_ms = int64_field(json, "retry_wait_ms", policy.retry_wait_ms);
  policy.deferred_retries = int_field(json, "deferred_retries", policy.deferred_retries);
  policy.parallel = int_field(json, "parallel", policy.parallel);
  policy.fix_timeout_ms = int64_field(json, "fix_timeout_ms", policy.fix_timeout_ms);
  policy.branch = string_or(json, "branch", policy.branch);
  policy.scope = value_of(kScopes, std::string_view(string_or(json, "scope"))).value_or(policy.scope);
  policy.protected_paths = strings_field(json, "protected_paths");
  policy.new_files = strings_field(json, "new_files");
  policy.prompt_max_bytes = int64_field(json, "prompt_max_bytes", policy.prompt_max_bytes);
  policy.context_lines = int_field(json, "context_lines", policy.context_lines);
  policy.max_changed_lines = int_field(json, "max_changed_lines", policy.max_changed_lines);
  policy.unsafe_fixes = bool_field(json, "unsafe_fixes");
  policy.conventions = strings_field(json, "conventions");
  policy.instructions = strings_field(json, "instructions");
}

void read_challenger(const Json& json, Policy& policy) {
  policy.challenger_enabled = bool_field(json, "challenger_enabled", policy.challenger_enabled);
  policy.allow_self_judging = bool_field(json, "allow_self_judging");
  policy.challenger = agent_from(find_member(json, "challenger"));
  policy.challenger_fallbacks = agents_from(json, "challenger_fallbacks");
  policy.canaries = int_field(json, "canaries");
  policy.max_iterations = int_field(json, "max_iterations", policy.max_iterations);
  policy.satisfaction_threshold = int_field(json, "satisfaction_threshold", policy.satisfaction_threshold);
  policy.challenge_timeout_ms = int64_field(json, "challenge_timeout_ms", policy.challenge_timeout_ms);
  policy.challenge_retries = int_field(json, "challenge_retries", policy.challenge_retries);
}

void read_verify(const Json& json, Policy& policy) {
  policy.commands = commands_from(json);
  policy.max_fix_cycles = int_field(json, "max_fix_cycles", policy.max_fix_cycles);
  policy.verify_mode =
      value_of(kModes, std::string_view(string_or(json, "verify_mode"))).value_or(policy.verify_mode);
  policy.repeat = int_field(json, "repeat", policy.repeat);
  policy.verify_timeout_ms = int64_field(json, "verify_timeout_ms", policy.verify_timeout_ms);
  policy.pass_env = strings_field(json, "pass_env");
  policy.verify_env = strings_field(json, "verify_env");
  policy.max_output_bytes = int64_field(json, "max_output_bytes", policy.max_output_bytes);
}

void read_reproducer(const Json& json, Policy& policy) {
  policy.reproduce =
      value_of(kReproduce, std::string_view(string_or(json, "reproduce"))).value_or(policy.reproduce);
  policy.reproducer = agent_from(find_member(json, "reproducer"));
  policy.reproduce_timeout_ms = int64_field(json, "reproduce_timeout_ms", policy.reproduce_timeout_ms);
}

} // namespace

bool same_agent(const AgentBinding& one, const AgentBinding& other) {
  if (one.builtin() || other.builtin() || one.name.empty()) return false;
  return one.engine == other.engine && one.command == other.command && one.script == other.script &&
         one.model == other.model && one.env == other.env;
}

std::string_view to_string(VerifyMode mode) { return name_of(kModes, mode); }
std::string_view to_string(Reproduce when) { return name_of(kReproduce, when); }
std::string_view to_string(FixScope scope) { return name_of(kScopes, scope); }

Evidence Policy::required_evidence() const {
  const auto minimum = parse_evidence(minimum_evidence);
  if (minimum) return *minimum;
  return commands.empty() ? Evidence::judged : Evidence::verified;
}

bool Policy::asks_for_reproducers() const {
  return reproduce == Reproduce::always ||
         (reproduce == Reproduce::automatic && required_evidence() == Evidence::proven);
}

Json to_json(const Policy& policy) {
  return {{"fixer", json_of(policy.fixer)},
          {"fixer_fallbacks", json_of(policy.fixer_fallbacks)},
          {"strategy", to_string(policy.strategy)},
          {"batch_points", policy.batch.max_points},
          {"batch_issues", policy.batch.max_issues},
          {"git_agents", policy.git_agents},
          {"keep_conversation", policy.keep_conversation},
          {"max_wait_ms", policy.max_wait_ms},
          {"retry_wait_ms", policy.retry_wait_ms},
          {"deferred_retries", policy.deferred_retries},
          {"parallel", policy.parallel},
          {"fix_timeout_ms", policy.fix_timeout_ms},
          {"branch", policy.branch},
          {"scope", to_string(policy.scope)},
          {"protected_paths", policy.protected_paths},
          {"new_files", policy.new_files},
          {"prompt_max_bytes", policy.prompt_max_bytes},
          {"context_lines", policy.context_lines},
          {"max_changed_lines", policy.max_changed_lines},
          {"unsafe_fixes", policy.unsafe_fixes},
          {"conventions", policy.conventions},
          {"instructions", policy.instructions},
          {"challenger_enabled", policy.challenger_enabled},
          {"allow_self_judging", policy.allow_self_judging},
          {"challenger", json_of(policy.challenger)},
          {"challenger_fallbacks", json_of(policy.challenger_fallbacks)},
          {"canaries", policy.canaries},
          {"max_iterations", policy.max_iterations},
          {"satisfaction_threshold", policy.satisfaction_threshold},
          {"challenge_timeout_ms", policy.challenge_timeout_ms},
          {"challenge_retries", policy.challenge_retries},
          {"reproduce", to_string(policy.reproduce)},
          {"reproducer", json_of(policy.reproducer)},
          {"reproduce_timeout_ms", policy.reproduce_timeout_ms},
          {"commands", json_of(policy.commands)},
          {"max_fix_cycles", policy.max_fix_cycles},
          {"verify_mode", to_string(policy.verify_mode)},
          {"repeat", policy.repeat},
          {"verify_timeout_ms", policy.verify_timeout_ms},
          {"pass_env", policy.pass_env},
          {"verify_env", policy.verify_env},
          {"max_output_bytes", policy.max_output_bytes},
          {"sandbox", to_json(policy.sandbox)},
          {"minimum_evidence", policy.minimum_evidence},
          {"session_budget", json_of(policy.session_budget)},
          {"issue_budget", json_of(policy.issue_budget)},
          {"approve_threshold", policy.approve_threshold},
          {"vote_timeout_ms", policy.vote_timeout_ms},
          {"worker_label", policy.worker_label},
          {"work_here", policy.work_here},
          {"redact_patterns", policy.redact_patterns},
          {"agent_files", policy.agent_files}};
}

Policy policy_from_json(const Json& json) {
  Policy policy;
  read_fix(json, policy);
  read_challenger(json, policy);
  read_reproducer(json, policy);
  read_verify(json, policy);
  if (const Json* sandbox = find_member(json, "sandbox")) policy.sandbox = sandbox_policy_from_json(*sandbox);
  policy.minimum_evidence = string_or(json, "minimum_evidence");
  policy.session_budget = budget_from(json, "session_budget");
  policy.issue_budget = budget_from(json, "issue_budget");
  policy.approve_threshold = int_field(json, "approve_threshold", policy.approve_threshold);
  policy.vote_timeout_ms = int64_field(json, "vote_timeout_ms", policy.vote_timeout_ms);
  policy.worker_label = string_or(json, "worker_label");
  policy.work_here = bool_field(json, "work_here", policy.work_here);
  policy.redact_patterns = strings_field(json, "redact_patterns");
  if (const Json* files = find_member(json, "agent_files"); files != nullptr && files->is_object())
    for (const auto& [name, text] : files->items())
      if (text.is_string()) policy.agent_files[name] = text.get<std::string>();
  return policy;
}

} // namespace emend
