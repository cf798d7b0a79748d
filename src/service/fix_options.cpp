#include "service/fix_options.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "engine/forge/comments.hpp"

namespace emend {
namespace {

constexpr int kManyTokens = 1'000'000'000, kManyMinutes = 10'000;
constexpr int kLongestReport = 10'000'000; // bytes

using TextField = std::string FixOptions::*;
using NumberField = std::optional<int> FixOptions::*;
using FlagField = bool FixOptions::*;

Error not_one(const FixOption& row, const std::string& must) {
  return {ErrorCode::usage, row.name + " must be " + must, ""};
}

Status set_text(const FixOption& row, std::string& target, const std::string& value) {
  const auto& words = row.words;
  if (!words.empty() && std::find(words.begin(), words.end(), value) == words.end())
    return fail(not_one(row, "one of " + join(words, ", ")));
  target = value;
  return {};
}

Status set_number(const FixOption& row, std::optional<int>& target, const std::string& value) {
  const auto number = parse_unsigned(value);
  if (!number || *number < static_cast<std::uint64_t>(row.low) ||
      *number > static_cast<std::uint64_t>(row.high))
    return fail(
        not_one(row, "a whole number from " + std::to_string(row.low) + " to " + std::to_string(row.high)));
  target = static_cast<int>(*number);
  return {};
}

Status set_flag(const FixOption& row, bool& target, const std::string& value) {
  if (value != "true" && value != "false") return fail(not_one(row, "true or false"));
  target = value == "true";
  return {};
}

// As a setting and a flag have it; nullopt = it is as by default.
std::optional<std::string> given(const FixOption& row, const FixOptions& options) {
  static const FixOptions defaults;
  if (const TextField* text = std::get_if<TextField>(&row.field))
    return options.**text == defaults.**text ? std::nullopt : std::optional(options.**text);
  if (const NumberField* number = std::get_if<NumberField>(&row.field)) {
    const std::optional<int>& value = options.**number;
    return value ? std::optional(std::to_string(*value)) : std::nullopt;
  }
  return options.*std::get<FlagField>(row.field) ? std::optional<std::string>("true") : std::nullopt;
}

} // namespace

std::string FixOption::flag() const { return "--" + replace_all(name, "_", "-"); }

const std::vector<FixOption>& fix_options() {
  using O = FixOptions;
  static const std::vector<FixOption> rows = {
      {"safe", &O::safe, "", "apply the safe fixes of analyzers only: no AI agent, no key"},
      {"unsafe_fixes", &O::unsafe_fixes, "fix.unsafe_fixes",
       "also apply fixes that the analyzer does not mark as safe (fix.unsafe_fixes)"},
      {"agent", &O::agent, "fix.agent", "agent that fixes (fix.agent)", "NAME"},
      {"challenger", &O::challenger, "fix_challenger.agent", "agent that judges (fix_challenger.agent)",
       "NAME"},
      {"threshold", &O::threshold, "fix_challenger.satisfaction_threshold", "lowest score that passes", "N",
       0, 100},
      {"panel", &O::panel, "fix_challenger.panel",
       "judges per fix; 2: two vendors vote, the average counts (fix_challenger.panel)", "N", 1, 2},
      {"candidates", &O::candidates, "fix.candidates",
       "changes per issue by different agents, the best goes on (fix.candidates)", "N", 0, 4},
      {"max_fix_cycles", &O::max_fix_cycles, "verify.max_fix_cycles",
       "most attempts that may fail verification; 0 = do not fix", "N", 0, 100},
      {"jobs", &O::jobs, "fix.parallel", "issues at the same time (fix.parallel)", "N", 1, 64},
      {"strategy",
       &O::strategy,
       "fix.strategy",
       "how issues are grouped into agent runs (fix.strategy)",
       "NAME",
       0,
       0,
       {"per-issue", "batched", "one-call", "auto"}},
      {"verify_mode",
       &O::verify_mode,
       "verify.mode",
       "verify each fix alone or several together",
       "MODE",
       0,
       0,
       {"auto", "each", "batch"}},
      {"scope",
       &O::scope,
       "fix.scope",
       "what a fix may change beside the issue's file (fix.scope)",
       "WHAT",
       0,
       0,
       {"need", "file", "directory", "repository"}},
      {"max_cost_usd",
       &O::max_cost_usd,
       "budget.cost_usd",
       "stop when the agents have cost this much (budget.cost_usd)",
       "N",
       0,
       1'000'000,
       {},
       "",
       true},
      {"max_tokens", &O::max_tokens, "budget.tokens", "stop at this many tokens (budget.tokens)", "N", 1,
       kManyTokens},
      {"max_minutes",
       &O::max_minutes,
       "budget.time",
       "stop after this time (budget.time)",
       "N",
       1,
       kManyMinutes,
       {},
       "m"},
      {"base", &O::base, "", "commit to start from (default HEAD)", "REF", 0, 500},
      {"branch", &O::branch, "", "name of the branch to create (default fix.branch)", "NAME"},
      {"group",
       &O::group,
       "fix.group",
       "also make a branch with fewer commits: one for each rule, each file, or in all (fix.group)",
       "WHAT",
       0,
       0,
       {"issue", "rule", "file", "one"}},
      {"review_report", &O::review_report, "", "give the agents this review as context", "FILE", 0,
       kLongestReport},
      {"feedback", &O::feedback, "", "pass this text to the fixer; it is stored as a comment of the issues",
       "TEXT", 0, static_cast<int>(kLongestComment)},
      {"approve",
       &O::approve,
       "",
       "plan: show the plan and wait for approval; none: start at once",
       "WHAT",
       0,
       0,
       {"plan", "none"}},
  };
  return rows;
}

Status set_option(FixOptions& options, const std::string& name, const std::string& value) {
  std::vector<std::string> names;
  for (const FixOption& row : fix_options()) {
    names.push_back(row.name);
    if (row.name != name) continue;
    if (const TextField* text = std::get_if<TextField>(&row.field))
      return set_text(row, options.**text, value);
    if (const NumberField* number = std::get_if<NumberField>(&row.field))
      return set_number(row, options.**number, value);
    return set_flag(row, options.*std::get<FlagField>(row.field), value);
  }
  const auto near = did_you_mean(name, names);
  return fail(ErrorCode::usage, "there is no option " + name + (near ? "; did you mean " + *near + "?" : ""),
              "one of " + join(names, ", "));
}

Json to_json(const FixOptions& options) {
  Json json = Json::object();
  for (const FixOption& row : fix_options()) {
    const auto value = given(row, options);
    if (!value) continue;
    const bool text = std::holds_alternative<TextField>(row.field) && !row.decimal;
    json[row.name] = text ? Json(*value) : Json::parse(*value, nullptr, false);
  }
  return json;
}

std::vector<std::string> flags_of(const FixOptions& options) {
  std::vector<std::string> flags;
  for (const FixOption& row : fix_options())
    if (const auto value = given(row, options))
      flags.push_back(std::holds_alternative<FlagField>(row.field) ? row.flag() : row.flag() + "=" + *value);
  return flags;
}

Status read_review_report(FixOptions& options) {
  if (options.review_report.empty()) return {};
  auto text = read_file(options.review_report, kLongestReport);
  if (!text) return fail(ErrorCode::usage, "--review-report: " + text.error().message);
  options.review_report = *std::move(text);
  return {};
}

std::vector<ConfigOverride> overrides_of(const FixOptions& options, const std::string& origin) {
  std::vector<ConfigOverride> list;
  const auto add = [&](const std::string& key, const std::string& value, const std::string& flag) {
    list.push_back({key, value, origin.empty() ? flag : origin});
  };
  for (const FixOption& row : fix_options())
    if (const auto value = given(row, options); value && !row.key.empty())
      add(row.key, *value + row.unit, row.flag());
  if (options.safe) {
    if (options.agent.empty()) add("fix.agent", "builtin", "--safe");
    if (options.challenger.empty()) add("fix_challenger.agent", "builtin", "--safe");
    add("fix_challenger.enabled", "true", "--safe");
  }
  return list;
}

void apply(const FixOptions& options, FixRequest& request) {
  request.base_ref = options.base;
  request.branch = options.branch;
  request.review_report = options.review_report;
  request.wait_for_approval = options.approve == "plan";
}

Status note_feedback(const FixOptions& options, const Ports& ports, const Policy& policy,
                     const std::function<void(const Event&)>& on_event, const std::vector<Issue>& issues) {
  if (options.feedback.empty()) return {};
  for (const Issue& issue : issues)
    TRY(add_comment(ports, policy, on_event, {issue.code, {}, options.feedback, {}, 0, {}}));
  return {};
}

} // namespace emend
