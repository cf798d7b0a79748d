// What every transfer through libcurl has in common.
#pragma once

#include <stop_token>

#include "adapters/http_client/libcurl.hpp"
#include "adapters/http_client/transfer_limits.hpp"
#include "base/result.hpp"

namespace emend {

// Loads it, once for the whole program.
[[nodiscard]] Status make_curl_ready();

void set_limits(CURL* curl, const TransferLimits& limits);
// No descriptor is left to children, and a stop ends the transfer. The token outlives it.
void set_manners(CURL* curl, const std::stop_token& stop);

} // namespace emend
