// What agents may consume in a day and in a month, over all sessions: a session gets what is left of it as
// its own budget, so it stops with what it has when the quota is used up.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/config.hpp"
#include "ports/store.hpp"

namespace emend {

struct QuotaUse {
  std::string key;  // "quota.day_usd"
  std::string unit; // "USD" or "tokens"
  double limit = 0, used = 0;
};

// Of what is limited; empty = nothing is. Days and months are those of UTC.
[[nodiscard]] Result<std::vector<QuotaUse>> quota_use(const Config& config, AgentRunStore& runs,
                                                      const std::string& repository_id, std::int64_t now_ms);

// Lowers the session's budget to what is left. ErrorCode::limit when nothing is. `warning` is one sentence
// once four fifths of a quota are used.
[[nodiscard]] Status keep_to_quota(Policy& policy, const std::vector<QuotaUse>& quota, std::string& warning);

} // namespace emend
