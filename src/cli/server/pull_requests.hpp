// A pull request that a person asks for in the dashboard: the same command a person would type.
#pragma once

#include "api/pull_request_order.hpp"
#include "cli/context.hpp"

namespace emend {

// context: of the command that serves; it outlives the orders.
[[nodiscard]] ProposeSession pull_requests(CommandContext& context);

} // namespace emend
