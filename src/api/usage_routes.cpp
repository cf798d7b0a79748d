#include "api/usage_routes.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "api/lookups.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostRuns = 100'000;

struct Sum {
  std::int64_t runs = 0, input_tokens = 0, output_tokens = 0, duration_ms = 0;
  std::optional<double> cost_usd; // empty = no run said what it cost

  void add(const AgentRunRecord& run) {
    ++runs;
    input_tokens += run.usage.input_tokens;
    output_tokens += run.usage.output_tokens;
    duration_ms += run.duration_ms;
    if (run.usage.cost_usd) cost_usd = cost_usd.value_or(0) + *run.usage.cost_usd;
  }
  [[nodiscard]] Json to_json(const std::string& key) const {
    return {{"key", key},
            {"runs", runs},
            {"input_tokens", input_tokens},
            {"output_tokens", output_tokens},
            {"duration_ms", duration_ms},
            {"cost_usd", cost_usd ? Json(*cost_usd) : Json(nullptr)}};
  }
};

std::string key_of(const AgentRunRecord& run, std::string_view group) {
  if (group == "agent") return run.agent;
  if (group == "role") return run.role;
  if (group == "model") return run.model;
  if (group == "session") return run.session_id;
  return rfc3339_utc(run.started_ms).substr(0, 10);
}

// Days are UTC and both ends count: texts of this form compare like the days they name.
Result<std::string> day(const HttpRequest& request, std::string_view name, std::string fallback) {
  const auto given = request.query_value(name);
  if (!given) return fallback;
  const bool shaped = given->size() == 10 && (*given)[4] == '-' && (*given)[7] == '-' &&
                      given->find_first_not_of("0123456789-") == std::string_view::npos;
  if (!shaped) return fail(ErrorCode::usage, std::string(name) + " is a day: 2026-01-31");
  return std::string(*given);
}

Result<HttpReply> usage(const ApiParts& parts, const Call& call) {
  const std::string group(call.request.query_value("group_by").value_or("agent"));
  if (group != "agent" && group != "role" && group != "model" && group != "session" && group != "day")
    return problem_response(422, "validation-failed", "group_by is agent, role, model, session or day");
  TRY_ASSIGN(const std::string from, day(call.request, "from", "0000-00-00"));
  TRY_ASSIGN(const std::string to, day(call.request, "to", "9999-12-31"));
  TRY_ASSIGN(const auto repositories, listed_repositories(parts, call));
  std::map<std::string, Sum> sums;
  Sum total;
  for (const ServedRepository& repository : repositories) {
    TRY_ASSIGN(const auto runs, parts.store.latest_agent_runs(repository.id, kMostRuns));
    for (const AgentRunRecord& run : runs) {
      const std::string when = key_of(run, "day");
      if (when < from || when > to) continue;
      sums[key_of(run, group)].add(run);
      total.add(run);
    }
  }
  Json data = Json::array();
  for (const auto& [key, sum] : sums) data.push_back(sum.to_json(key));
  return json_response(200, {{"data", std::move(data)},
                             {"next_cursor", nullptr},
                             {"group_by", group},
                             {"total", total.to_json("total")}});
}

// Looks at the shared branch as it is in the repository now, as `emend insights` does; nothing is fetched.
Result<HttpReply> insights(const ApiParts& parts, const Call& call) {
  const std::string by(call.request.query_value("by").value_or("agent"));
  const auto& groups = outcome_groups();
  if (std::find(groups.begin(), groups.end(), by) == groups.end())
    return problem_response(422, "validation-failed", "by is one of " + join(groups, ", "));
  TRY_ASSIGN(const auto repositories, listed_repositories(parts, call));
  std::vector<FixOutcome> outcomes;
  Json autonomy = Json::array(); // is earned for one repository
  for (const ServedRepository& repository : repositories) {
    TRY_ASSIGN(Workbench * bench, parts.repositories.bench(repository.id));
    TRY_ASSIGN(const auto of_one, bench->manager(call.caller.actor).outcomes("", {}));
    outcomes.insert(outcomes.end(), of_one.begin(), of_one.end());
    for (const EarnedTrust& row : earned_trust(of_one)) {
      autonomy.push_back(to_json(row));
      autonomy.back()["repository_id"] = repository.id;
    }
  }
  Json data = Json::array(), fixes = Json::array();
  OutcomeCounts total;
  total.key = "total";
  for (const FixOutcome& one : outcomes) {
    total.add(one);
    fixes.push_back(to_json(one));
  }
  for (const OutcomeCounts& row : count_outcomes(outcomes, by)) data.push_back(to_json(row));
  return json_response(200, {{"data", std::move(data)},
                             {"next_cursor", nullptr},
                             {"by", by},
                             {"total", to_json(total)},
                             {"fixes", std::move(fixes)},
                             {"autonomy", std::move(autonomy)}});
}

} // namespace

std::vector<Operation> usage_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/usage", "getUsage", [&parts](const Call& call) { return usage(parts, call); }},
      {"GET", "/api/insights", "getInsights", [&parts](const Call& call) { return insights(parts, call); }}};
}

} // namespace emend
