#include "service/quota.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1000;
constexpr double kSoon = 0.8;

int setting(const Config& config, const std::string& key) {
  const auto found = config.settings().find(key);
  return found == config.settings().end() ? 0 : found->second.value.get<int>();
}

bool for_each_repository(const Config& config) {
  const auto found = config.settings().find("quota.per");
  return found != config.settings().end() && found->second.value == "repository";
}

std::int64_t start_of_day(std::int64_t now_ms) { return now_ms - now_ms % kDay; }

std::int64_t start_of_month(std::int64_t now_ms) {
  const auto day = parse_unsigned(rfc3339_utc(now_ms).substr(8, 2)).value_or(1);
  return start_of_day(now_ms) - (static_cast<std::int64_t>(day) - 1) * kDay;
}

std::string amount(const QuotaUse& use, double value) {
  return use.unit == "USD" ? fmt::format("${:.2f}", value) : fmt::format("{:.0f} tokens", value);
}

} // namespace

Result<std::vector<QuotaUse>> quota_use(const Config& config, AgentRunStore& runs,
                                        const std::string& repository_id, std::int64_t now_ms) {
  struct Row {
    const char* key;
    const char* unit;
    std::int64_t from_ms;
  };
  const Row rows[] = {{"quota.day_usd", "USD", start_of_day(now_ms)},
                      {"quota.month_usd", "USD", start_of_month(now_ms)},
                      {"quota.day_tokens", "tokens", start_of_day(now_ms)},
                      {"quota.month_tokens", "tokens", start_of_month(now_ms)}};
  std::vector<QuotaUse> use;
  std::vector<AgentRunRecord> all;
  for (const Row& row : rows) {
    const int limit = setting(config, row.key);
    if (limit == 0) continue;
    if (use.empty()) {
      RunSearch search;
      if (for_each_repository(config)) search.repository_id = repository_id;
      TRY_ASSIGN(all, runs.agent_runs(search));
    }
    Consumed sum;
    for (const AgentRunRecord& run : all)
      if (run.started_ms >= row.from_ms) sum.add(run);
    const bool money = std::string_view(row.unit) == "USD";
    use.push_back({row.key, row.unit, static_cast<double>(limit),
                   money ? sum.cost_usd : static_cast<double>(sum.tokens)});
  }
  return use;
}

Status keep_to_quota(Policy& policy, const std::vector<QuotaUse>& quota, std::string& warning) {
  for (const QuotaUse& use : quota) {
    const double left = use.limit - use.used;
    const std::string spoken =
        fmt::format("{} of {} ({})", amount(use, use.used), amount(use, use.limit), use.key);
    if (left <= 0)
      return fail(ErrorCode::limit, "the quota is used up: " + spoken,
                  "wait for the next day or month, or raise " + use.key + " in your configuration");
    if (use.used >= kSoon * use.limit) warning = spoken + " are used; the session stops when the rest is";
    Budget& budget = policy.session_budget;
    if (use.unit == "USD") {
      budget.cost_usd = budget.cost_usd > 0 ? std::min(budget.cost_usd, left) : left;
    } else {
      const auto tokens = std::max<std::int64_t>(1, std::llround(left));
      budget.tokens = budget.tokens > 0 ? std::min(budget.tokens, tokens) : tokens;
    }
  }
  return {};
}

} // namespace emend
