// What a run of an agent consumed, as the agent's own stream reported it; nothing here is computed from a
// price list.
#pragma once

#include <cstdint>
#include <optional>

#include "base/json.hpp"

namespace emend {

struct Usage {
  std::int64_t input_tokens =
      0; // as the agent counts them: some leave out what came from a cache, some do not
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0; // input that came from a cache
  std::optional<double> cost_usd; // nullopt = the agent does not say
  int turns = 0;                  // requests to the model, or what the agent calls turns; 0 = it does not say

  Usage& operator+=(const Usage& other);
  [[nodiscard]] bool empty() const {
    return input_tokens == 0 && output_tokens == 0 && cached_tokens == 0 && !cost_usd && turns == 0;
  }
  bool operator==(const Usage&) const = default;
};

// What came on top of `earlier`; never negative.
[[nodiscard]] Usage usage_since(const Usage& total, const Usage& earlier);

[[nodiscard]] Json to_json(const Usage& usage);
[[nodiscard]] Usage usage_from_json(const Json& json);

} // namespace emend
