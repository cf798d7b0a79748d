#include "model/forecast.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

FixForecast expected() { return {2, 6, 4, 1'000, 0.4, 60'000}; }

Consumed really(std::int64_t tokens, double cost_usd, std::int64_t time_ms) {
  Consumed sum;
  sum.runs = 2;
  sum.tokens = tokens;
  sum.cost_usd = cost_usd;
  sum.priced = cost_usd > 0;
  sum.time_ms = time_ms;
  return sum;
}

TEST(Forecast, SaysHowFarOffItWasInMoneyFirst) {
  EXPECT_EQ(forecast_text(expected(), really(900, 0.52, 30'000)), "estimated $0.4000, was $0.5200 (+30 %)");
  const Json json = forecast_json(expected(), really(900, 0.52, 30'000));
  EXPECT_EQ(json["off_percent"]["cost_usd"], 30);
  EXPECT_EQ(json["off_percent"]["tokens"], -10);
  EXPECT_EQ(json["off_percent"]["agent_time_ms"], -50);
  EXPECT_EQ(json["runs_at_most"], 6);
  EXPECT_EQ(json["tokens"], 1'000);
}

TEST(Forecast, ComparesOnlyWhatIsKnownOnBothSides) {
  EXPECT_EQ(forecast_text(expected(), really(1'100, 0, 30'000)), "estimated 1000 tokens, was 1100 (+10 %)");
  FixForecast blind = expected();
  blind.tokens = 0;
  blind.cost_usd.reset();
  EXPECT_EQ(forecast_text(blind, really(1'100, 0.3, 90'000)),
            "estimated 1 min 00 s of agent time, was 1 min 30 s (+50 %)");
  EXPECT_EQ(forecast_text(blind, Consumed{}), "");
  const Json json = forecast_json(blind, Consumed{});
  for (const char* what : {"cost_usd", "tokens", "agent_time_ms"})
    EXPECT_TRUE(json["off_percent"][what].is_null()) << what;
}

} // namespace
} // namespace emend
