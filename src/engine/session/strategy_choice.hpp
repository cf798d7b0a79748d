// `fix.strategy = "auto"`: the strategy whose resolved issues cost least in this repository so far.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"
#include "ports/store.hpp"

namespace emend {

// What sessions of one strategy took, those that resolved nothing included.
struct StrategyCost {
  Strategy strategy = Strategy::per_issue;
  int resolved = 0;
  double tokens = 0, cost_usd = 0; // of all its sessions
  bool priced = true;              // every run of an agent named a price
};

struct StrategyChoice {
  Strategy strategy = Strategy::per_issue;
  std::string why; // one sentence for people
};

inline constexpr int kResolvedToCount = 5; // fewer say nothing about a strategy

// Compares by price where all have one, else by tokens. Nothing is tried out: what was not measured is not
// chosen, and without any figures it is per-issue. Pure.
[[nodiscard]] StrategyChoice cheapest(const std::vector<StrategyCost>& known);

// From the latest sessions of the repository.
[[nodiscard]] Result<StrategyChoice> choose_strategy(Store& store, const std::string& repository_id);

// `auto` becomes the choice; everything else stays. Says why, empty = nothing was to choose.
[[nodiscard]] Result<std::string> settle_strategy(Store& store, const std::string& repository_id,
                                                  Policy& policy);

} // namespace emend
