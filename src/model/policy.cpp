#include "model/policy.hpp"

#include <algorithm>

#include "base/glob.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr EnumName<Coverage> kCoverage[] = {{Coverage::automatic, "auto"}, {Coverage::off, "off"}};
constexpr EnumName<VerifyMode> kModes[] = {
    {VerifyMode::each, "each"}, {VerifyMode::batch, "batch"}, {VerifyMode::automatic, "auto"}};
constexpr EnumName<Reproduce> kReproduce[] = {
    {Reproduce::never, "never"}, {Reproduce::automatic, "auto"}, {Reproduce::always, "always"}};
constexpr EnumName<ChangedTests> kChangedTests[] = {{ChangedTests::person, "person"},
                                                    {ChangedTests::judge, "judge"}};
constexpr EnumName<Autonomy> kAutonomy[] = {{Autonomy::ask, "ask"}, {Autonomy::earned, "earned"}};
constexpr EnumName<Grouping> kGrouping[] = {
    {Grouping::issue, "issue"}, {Grouping::rule, "rule"}, {Grouping::file, "file"}, {Grouping::one, "one"}};
constexpr EnumName<FixScope> kScopes[] = {{FixScope::need, "need"},
                                          {FixScope::file, "file"},
                                          {FixScope::directory, "directory"},
                                          {FixScope::repository, "repository"}};

} // namespace

bool same_agent(const AgentBinding& one, const AgentBinding& other) {
  if (one.builtin() || other.builtin() || one.name.empty()) return false;
  return one.engine == other.engine && one.command == other.command && one.script == other.script &&
         one.model == other.model && one.env == other.env;
}

std::string_view to_string(Coverage coverage) { return name_of(kCoverage, coverage); }
std::string_view to_string(VerifyMode mode) { return name_of(kModes, mode); }
std::string_view to_string(Reproduce when) { return name_of(kReproduce, when); }
std::string_view to_string(FixScope scope) { return name_of(kScopes, scope); }
std::string_view to_string(ChangedTests who) { return name_of(kChangedTests, who); }
std::string_view to_string(Autonomy autonomy) { return name_of(kAutonomy, autonomy); }
std::string_view to_string(Grouping grouping) { return name_of(kGrouping, grouping); }
std::optional<Coverage> parse_coverage(std::string_view text) { return value_of(kCoverage, text); }
std::optional<VerifyMode> parse_verify_mode(std::string_view text) { return value_of(kModes, text); }
std::optional<Reproduce> parse_reproduce(std::string_view text) { return value_of(kReproduce, text); }
std::optional<FixScope> parse_fix_scope(std::string_view text) { return value_of(kScopes, text); }
std::optional<ChangedTests> parse_changed_tests(std::string_view text) {
  return value_of(kChangedTests, text);
}
std::optional<Autonomy> parse_autonomy(std::string_view text) { return value_of(kAutonomy, text); }
std::optional<Grouping> parse_grouping(std::string_view text) { return value_of(kGrouping, text); }

std::optional<Evidence> Policy::asked_evidence(const Finding& finding,
                                               const std::vector<std::string>& changed) const {
  std::optional<Evidence> asked;
  const auto ask = [&](const std::string& word) {
    if (const auto level = parse_evidence(word)) asked = std::max(asked.value_or(Evidence::none), *level);
  };
  if (const auto found = minimum_by_severity.find(std::string(to_string(finding.severity)));
      found != minimum_by_severity.end())
    ask(found->second);
  for (const auto& [glob, level] : minimum_by_path) {
    const auto matches = [&glob = glob](const std::string& path) { return glob_match(glob, path); };
    if (matches(finding.file) || std::any_of(changed.begin(), changed.end(), matches)) ask(level);
  }
  return asked ? asked : parse_evidence(minimum_evidence);
}

bool Policy::asks_for_reproducer(const Finding& finding) const {
  if (reproduce != Reproduce::automatic) return reproduce == Reproduce::always;
  return asked_evidence(finding).value_or(Evidence::none) >= Evidence::repaired;
}

bool Policy::asks_for_reproducers() const {
  if (reproduce != Reproduce::automatic) return reproduce == Reproduce::always;
  const auto asks_for = [](const std::string& word) {
    return parse_evidence(word).value_or(Evidence::none) >= Evidence::repaired;
  };
  const auto any = [&](const std::map<std::string, std::string>& levels) {
    return std::any_of(levels.begin(), levels.end(), [&](const auto& row) { return asks_for(row.second); });
  };
  return asks_for(minimum_evidence) || any(minimum_by_severity) || any(minimum_by_path);
}

template <typename Visitor, Of<AgentBinding> Record>
void fields(Visitor& visit, Record& agent) {
  visit("name", agent.name);
  visit("engine", agent.engine);
  visit("command", agent.command);
  visit("script", agent.script);
  visit("model", agent.model);
  visit("family", agent.family);
  visit("timeout_ms", agent.timeout_ms);
  visit("idle_timeout_ms", agent.idle_timeout_ms);
  visit("pass_env", agent.pass_env);
  visit("env", agent.env);
  visit("thinking_budget", agent.thinking_budget);
  visit("max_turns", agent.max_turns);
  visit("permissions", agent.permissions);
  visit("allowed_tools", agent.allowed_tools);
  visit("network", agent.network, parse_network_access);
  visit("limits", agent.limits, resource_limits_from_json);
}

template <typename Visitor, Of<Budget> Record>
void fields(Visitor& visit, Record& budget) {
  visit("cost_usd", budget.cost_usd);
  visit("tokens", budget.tokens);
  visit("time_ms", budget.time_ms);
}

template <typename Visitor, Of<VerifyCommand> Record>
void fields(Visitor& visit, Record& command) {
  visit("name", command.name);
  visit("run", command.run);
  visit("paths", command.paths);
  visit("timeout_ms", command.timeout_ms);
}

template <typename Visitor, Of<Policy> Record>
void fields(Visitor& visit, Record& policy) {
  visit("fixer", policy.fixer);
  visit("fixer_fallbacks", policy.fixer_fallbacks);
  visit("strategy", policy.strategy, parse_strategy);
  visit("batch_points", policy.batch.max_points);
  visit("batch_issues", policy.batch.max_issues);
  visit("git_agents", policy.git_agents);
  visit("keep_conversation", policy.keep_conversation);
  visit("max_wait_ms", policy.max_wait_ms);
  visit("retry_wait_ms", policy.retry_wait_ms);
  visit("deferred_retries", policy.deferred_retries);
  visit("candidates", policy.candidates);
  visit("autonomy", policy.autonomy, parse_autonomy);
  visit("parallel", policy.parallel);
  visit("fix_timeout_ms", policy.fix_timeout_ms);
  visit("branch", policy.branch);
  visit.some("grouping", policy.grouping, parse_grouping);
  visit("scope", policy.scope, parse_fix_scope);
  visit("changed_tests", policy.changed_tests, parse_changed_tests);
  visit("protected_paths", policy.protected_paths);
  visit("new_files", policy.new_files);
  visit("prompt_max_bytes", policy.prompt_max_bytes);
  visit("context_lines", policy.context_lines);
  visit("max_changed_lines", policy.max_changed_lines);
  visit("unsafe_fixes", policy.unsafe_fixes);
  visit("conventions", policy.conventions);
  visit("instructions", policy.instructions);
  visit("challenger_enabled", policy.challenger_enabled);
  visit("allow_self_judging", policy.allow_self_judging);
  visit("challenger", policy.challenger);
  visit("challenger_fallbacks", policy.challenger_fallbacks);
  visit("panel", policy.panel);
  visit("second_judge", policy.second_judge);
  visit("canaries", policy.canaries);
  visit("max_iterations", policy.max_iterations);
  visit("satisfaction_threshold", policy.satisfaction_threshold);
  visit("challenge_timeout_ms", policy.challenge_timeout_ms);
  visit("challenge_retries", policy.challenge_retries);
  visit("reproduce", policy.reproduce, parse_reproduce);
  visit("reproducer", policy.reproducer);
  visit("reproduce_timeout_ms", policy.reproduce_timeout_ms);
  visit("commands", policy.commands);
  visit("max_fix_cycles", policy.max_fix_cycles);
  visit("verify_mode", policy.verify_mode, parse_verify_mode);
  visit("repeat", policy.repeat);
  visit("verify_timeout_ms", policy.verify_timeout_ms);
  visit("pass_env", policy.pass_env);
  visit("verify_env", policy.verify_env);
  visit("max_output_bytes", policy.max_output_bytes);
  visit.some("coverage", policy.coverage, parse_coverage);
  visit("sandbox", policy.sandbox, sandbox_policy_from_json);
  visit("minimum_evidence", policy.minimum_evidence);
  visit.some("minimum_by_severity", policy.minimum_by_severity);
  visit.some("minimum_by_path", policy.minimum_by_path);
  visit("session_budget", policy.session_budget);
  visit("issue_budget", policy.issue_budget);
  visit("approve_threshold", policy.approve_threshold);
  visit("vote_timeout_ms", policy.vote_timeout_ms);
  visit("worker_label", policy.worker_label);
  visit("work_here", policy.work_here);
  visit("redact_patterns", policy.redact_patterns);
  visit("agent_files", policy.agent_files);
}

Json to_json(const Policy& policy) { return write_fields(policy); }
Policy policy_from_json(const Json& json) { return read_fields<Policy>(json); }

namespace {

constexpr EnumName<Strategy> kStrategies[] = {{Strategy::per_issue, "per-issue"},
                                              {Strategy::batched, "batched"},
                                              {Strategy::one_call, "one-call"},
                                              {Strategy::automatic, "auto"}};

} // namespace

std::string_view to_string(Strategy strategy) { return name_of(kStrategies, strategy); }
std::optional<Strategy> parse_strategy(std::string_view text) { return value_of(kStrategies, text); }

} // namespace emend
