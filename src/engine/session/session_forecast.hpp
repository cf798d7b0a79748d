// What a session is going to take, as it is said before the start and compared at the end.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "model/events.hpp"
#include "model/session.hpp"
#include "ports/store.hpp"

namespace emend {

// From earlier runs of these agents in this repository; nullopt = there are none, or no agent is paid.
[[nodiscard]] Result<std::optional<FixForecast>> forecast_of(Store& store, const Session& session);

} // namespace emend
