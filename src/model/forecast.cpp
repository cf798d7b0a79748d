#include "model/forecast.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/strings.hpp"

namespace emend {
namespace {

std::optional<int> off_percent(double expected, double really) {
  if (expected <= 0 || really <= 0) return std::nullopt;
  return static_cast<int>(std::lround((really / expected - 1) * 100));
}

// With what is known of both; a forecast without a price says nothing about money.
std::optional<int> off_in_money(const FixForecast& forecast, const Consumed& really) {
  return really.priced ? off_percent(forecast.cost_usd.value_or(0), really.cost_usd) : std::nullopt;
}

Json number_or_null(const std::optional<int>& number) { return number ? Json(*number) : Json(nullptr); }

} // namespace

Json forecast_json(const FixForecast& forecast, const Consumed& really) {
  Json json = event_fields::json_of(forecast);
  json["off_percent"] = {
      {"cost_usd", number_or_null(off_in_money(forecast, really))},
      {"tokens",
       number_or_null(off_percent(static_cast<double>(forecast.tokens), static_cast<double>(really.tokens)))},
      {"agent_time_ms", number_or_null(off_percent(static_cast<double>(forecast.agent_time_ms),
                                                   static_cast<double>(really.time_ms)))}};
  return json;
}

std::string forecast_text(const FixForecast& forecast, const Consumed& really) {
  if (const auto off = off_in_money(forecast, really))
    return fmt::format("estimated ${:.4f}, was ${:.4f} ({:+} %)", *forecast.cost_usd, really.cost_usd, *off);
  if (const auto off = off_percent(static_cast<double>(forecast.tokens), static_cast<double>(really.tokens)))
    return fmt::format("estimated {} tokens, was {} ({:+} %)", forecast.tokens, really.tokens, *off);
  if (const auto off =
          off_percent(static_cast<double>(forecast.agent_time_ms), static_cast<double>(really.time_ms)))
    return fmt::format("estimated {} of agent time, was {} ({:+} %)",
                       format_duration_ms(forecast.agent_time_ms), format_duration_ms(really.time_ms), *off);
  return {};
}

} // namespace emend
