// What went wrong, from an HTTP status and the words a coding CLI used: rate limit, quota, billing, login and
// so on.
#pragma once

#include <string_view>

#include "model/agent_run_record.hpp"

namespace emend {

// Only for text that is an error message: a model's own words may speak of rate limits too. http_status 0 =
// look for one in the text. Never ok.
[[nodiscard]] AgentState failure_of(int http_status, std::string_view text);

// The status in "API Error: 529 ...", "last status: 429", "\"code\":400"; 0 = none.
[[nodiscard]] int http_status_in(std::string_view text);

} // namespace emend
