// What quotas and budgets leave for agents, as requests that start some ask for it.
#pragma once

#include <optional>
#include <vector>

#include "api/routes.hpp"
#include "service/budgets.hpp"

namespace emend {

// Of all that hold for the repository, now.
[[nodiscard]] Result<std::vector<QuotaUse>> limits_now(const ApiParts& parts, Workbench& bench);

// The refusal of what would only wait for agents that must not start; nullopt = there is something left.
[[nodiscard]] Result<std::optional<HttpResponse>> nothing_left(const ApiParts& parts, Workbench& bench);
[[nodiscard]] HttpResponse quota_problem(const Error& error);

} // namespace emend
