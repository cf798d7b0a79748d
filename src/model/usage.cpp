#include "model/usage.hpp"

#include <algorithm>

#include "model/json_fields.hpp"

namespace emend {

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cached_tokens += other.cached_tokens;
  if (other.cost_usd) cost_usd = cost_usd.value_or(0.0) + *other.cost_usd;
  turns += other.turns;
  return *this;
}

Usage usage_since(const Usage& total, const Usage& earlier) {
  Usage rest;
  rest.input_tokens = std::max<std::int64_t>(0, total.input_tokens - earlier.input_tokens);
  rest.output_tokens = std::max<std::int64_t>(0, total.output_tokens - earlier.output_tokens);
  rest.cached_tokens = std::max<std::int64_t>(0, total.cached_tokens - earlier.cached_tokens);
  if (total.cost_usd) rest.cost_usd = std::max(0.0, *total.cost_usd - earlier.cost_usd.value_or(0.0));
  rest.turns = std::max(0, total.turns - earlier.turns);
  return rest;
}

Json to_json(const Usage& usage) {
  return {{"input_tokens", usage.input_tokens},
          {"output_tokens", usage.output_tokens},
          {"cached_tokens", usage.cached_tokens},
          {"cost_usd", usage.cost_usd ? Json(*usage.cost_usd) : Json()},
          {"turns", usage.turns}};
}

Usage usage_from_json(const Json& json) {
  Usage usage;
  usage.input_tokens = int64_field(json, "input_tokens");
  usage.output_tokens = int64_field(json, "output_tokens");
  usage.cached_tokens = int64_field(json, "cached_tokens");
  if (const Json* cost = find_member(json, "cost_usd"); cost != nullptr && cost->is_number())
    usage.cost_usd = cost->get<double>();
  usage.turns = int_field(json, "turns");
  return usage;
}

} // namespace emend
