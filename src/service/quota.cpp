#include "service/quota.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

std::string amount(const QuotaUse& use, double value) {
  return use.unit == QuotaUnit::usd ? fmt::format("${:.2f}", value)
                                    : fmt::format("{:.0f} {}", value, to_string(use.unit));
}

std::string spoken(const QuotaUse& use) {
  return fmt::format("{} of {} ({})", amount(use, use.used), amount(use, use.limit), use.key);
}

std::string used_up(const QuotaUse& use) { return "the quota is used up: " + spoken(use); }

} // namespace

std::string_view to_string(QuotaUnit unit) {
  switch (unit) {
    case QuotaUnit::usd: return "USD";
    case QuotaUnit::tokens: return "tokens";
    case QuotaUnit::minutes: return "minutes";
  }
  return "USD";
}

double used(const Consumed& consumed, QuotaUnit unit) {
  switch (unit) {
    case QuotaUnit::usd: return consumed.cost_usd;
    case QuotaUnit::tokens: return static_cast<double>(consumed.tokens);
    case QuotaUnit::minutes: return static_cast<double>(consumed.time_ms) / 60'000;
  }
  return 0;
}

Json to_json(const QuotaUse& use) {
  return {{"limit_of", use.key},
          {"unit", to_string(use.unit)},
          {"limit", use.limit},
          {"used", use.used},
          {"left", std::max(0.0, use.limit - use.used)}};
}

std::int64_t start_of_day(std::int64_t now_ms) { return now_ms - now_ms % kDay; }

std::int64_t start_of_month(std::int64_t now_ms) {
  const auto day = parse_unsigned(rfc3339_utc(now_ms).substr(8, 2)).value_or(1);
  return start_of_day(now_ms) - (static_cast<std::int64_t>(day) - 1) * kDay;
}

Result<std::vector<QuotaUse>> quota_use(const Config& config, AgentRunStore& runs,
                                        const std::string& repository_id, std::int64_t now_ms) {
  struct Row {
    const char* key;
    QuotaUnit unit;
    std::int64_t from_ms;
  };
  const Row rows[] = {{"quota.day_usd", QuotaUnit::usd, start_of_day(now_ms)},
                      {"quota.month_usd", QuotaUnit::usd, start_of_month(now_ms)},
                      {"quota.day_tokens", QuotaUnit::tokens, start_of_day(now_ms)},
                      {"quota.month_tokens", QuotaUnit::tokens, start_of_month(now_ms)}};
  std::vector<QuotaUse> use;
  std::vector<AgentRunRecord> all;
  for (const Row& row : rows) {
    const int limit = setting(config, row.key);
    if (limit == 0) continue;
    if (use.empty()) {
      RunSearch search;
      search.from_ms = start_of_month(now_ms);
      if (for_each_repository(config)) search.repository_id = repository_id;
      TRY_ASSIGN(all, runs.agent_runs(search));
    }
    Consumed sum;
    for (const AgentRunRecord& run : all)
      if (run.started_ms >= row.from_ms) sum.add(run);
    use.push_back({row.key, row.unit, static_cast<double>(limit), used(sum, row.unit)});
  }
  return use;
}

Status keep_to_quota(Policy& policy, const std::vector<QuotaUse>& quota, std::string& warning) {
  for (const QuotaUse& use : quota) {
    const double left = use.limit - use.used;
    if (left <= 0)
      return fail(ErrorCode::limit, used_up(use), "wait for the next day or month, or raise " + use.key);
    if (use.used >= kSoon * use.limit)
      warning = spoken(use) + " are used; the session stops when the rest is";
    Budget& budget = policy.session_budget;
    const auto lower = [](std::int64_t& limit, double to) {
      const auto rest = std::max<std::int64_t>(1, std::llround(to));
      limit = limit > 0 ? std::min(limit, rest) : rest;
    };
    switch (use.unit) {
      case QuotaUnit::usd:
        budget.cost_usd = budget.cost_usd > 0 ? std::min(budget.cost_usd, left) : left;
        break;
      case QuotaUnit::tokens: lower(budget.tokens, left); break;
      case QuotaUnit::minutes: lower(budget.time_ms, left * 60'000); break; // one agent at a time, at worst
    }
  }
  return {};
}

Allowance allowance_of(const std::vector<QuotaUse>& quota) {
  Allowance rest;
  const auto lower = [](auto& limit, auto to) { limit = limit > 0 ? std::min(limit, to) : to; };
  for (const QuotaUse& use : quota) {
    const double left = use.limit - use.used;
    if (left <= 0) return {used_up(use)};
    if (use.unit == QuotaUnit::usd) lower(rest.cost_usd, left);
    if (use.unit == QuotaUnit::minutes)
      lower(rest.time_ms, std::max<std::int64_t>(1, std::llround(left * 60'000)));
  }
  return rest;
}

std::string beyond_quota(const Estimate& estimate, const std::vector<QuotaUse>& quota) {
  for (const QuotaUse& use : quota) {
    std::optional<double> wanted;
    if (use.unit == QuotaUnit::usd) wanted = estimate.cost_usd;
    if (use.unit == QuotaUnit::tokens && estimate.tokens) wanted = static_cast<double>(*estimate.tokens);
    if (use.unit == QuotaUnit::minutes && estimate.time_ms)
      wanted = static_cast<double>(*estimate.time_ms) / 60'000;
    const double left = std::max(0.0, use.limit - use.used);
    if (wanted && *wanted > left)
      return fmt::format("about {} are expected, and {} are left ({}): it will end with a part of the issues",
                         amount(use, *wanted), amount(use, left), use.key);
  }
  return {};
}

} // namespace emend
