// What agents may consume in a day and in a month, over all sessions: a session gets what is left of it as
// its own budget, so it stops with what it has when the quota is used up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/config.hpp"
#include "engine/agents/budget.hpp"
#include "engine/context/ports.hpp"
#include "ports/store.hpp"

namespace emend {

enum class QuotaUnit { usd, tokens, minutes };
[[nodiscard]] std::string_view to_string(QuotaUnit unit);

struct QuotaUse {
  std::string key; // "quota.day_usd", "the budget of the day of team payments"
  QuotaUnit unit = QuotaUnit::usd;
  double limit = 0, used = 0;
  bool operator==(const QuotaUse&) const = default;
};
[[nodiscard]] double used(const Consumed& consumed, QuotaUnit unit);
[[nodiscard]] Json to_json(const QuotaUse& use); // with what is left
[[nodiscard]] std::int64_t start_of_day(std::int64_t now_ms);
[[nodiscard]] std::int64_t start_of_month(std::int64_t now_ms);

// Of what is limited; empty = nothing is. Days and months are those of UTC.
[[nodiscard]] Result<std::vector<QuotaUse>> quota_use(const Config& config, AgentRunStore& runs,
                                                      const std::string& repository_id, std::int64_t now_ms);

// Lowers the session's budget to what is left. ErrorCode::limit when nothing is. `warning` is one sentence
// once four fifths of a quota are used.
[[nodiscard]] Status keep_to_quota(Policy& policy, const std::vector<QuotaUse>& quota, std::string& warning);

// What is left of them for one run of an agent. Asked before each, so sessions side by side share one rest.
[[nodiscard]] Allowance allowance_of(const std::vector<QuotaUse>& quota);

// What an estimate comes to beside what is left; "" = it fits, or nothing is known.
[[nodiscard]] std::string beyond_quota(const Estimate& estimate, const std::vector<QuotaUse>& quota);

} // namespace emend
