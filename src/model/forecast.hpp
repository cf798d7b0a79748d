// What a session was expected to take, and how far off that was.
#pragma once

#include <string>

#include "model/agent_run_record.hpp"
#include "model/events.hpp"

namespace emend {

// The forecast with what the agents took so far: `off_percent` is how much more (less: negative) than
// expected, null where nothing was expected or nothing is known.
[[nodiscard]] Json forecast_json(const FixForecast& forecast, const Consumed& really);

// "estimated $0.40, was $0.52 (+30 %)", by tokens where no price is known, by time where these are unknown,
// too;
// "" = nothing to compare.
[[nodiscard]] std::string forecast_text(const FixForecast& forecast, const Consumed& really);

} // namespace emend
