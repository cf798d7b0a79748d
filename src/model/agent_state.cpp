#include "model/agent_state.hpp"

#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<AgentStatus> kStatuses[] = {
    {AgentStatus::ok, "ok"},
    {AgentStatus::rate_limited, "rate_limited"},
    {AgentStatus::quota, "quota"},
    {AgentStatus::billing, "billing"},
    {AgentStatus::not_logged_in, "not_logged_in"},
    {AgentStatus::overloaded, "overloaded"},
    {AgentStatus::unreachable, "unreachable"},
    {AgentStatus::unknown_model, "unknown_model"},
    {AgentStatus::conversation_lost, "conversation_lost"},
    {AgentStatus::refused, "refused"},
    {AgentStatus::too_long, "too_long"},
    {AgentStatus::turn_limit, "turn_limit"},
    {AgentStatus::cost_limit, "cost_limit"},
    {AgentStatus::interrupted, "interrupted"},
    {AgentStatus::api_error, "api_error"},
    {AgentStatus::no_result, "no_result"},
    {AgentStatus::failed, "failed"},
};

std::optional<std::int64_t> optional_int64(const Json& json, std::string_view key) {
  const Json* value = find_member(json, key);
  if (value == nullptr) return std::nullopt;
  return exact_int(*value, 0, INT64_MAX);
}

} // namespace

std::string_view to_string(AgentStatus status) { return name_of(kStatuses, status); }
std::optional<AgentStatus> parse_agent_status(std::string_view text) { return value_of(kStatuses, text); }

bool AgentState::passing() const {
  return status == AgentStatus::rate_limited || status == AgentStatus::quota ||
         status == AgentStatus::overloaded || status == AgentStatus::unreachable;
}

Json to_json(const AgentState& state) {
  return {{"status", to_string(state.status)},
          {"text", state.text},
          {"http_status", state.http_status},
          {"resets_at_ms", state.resets_at_ms ? Json(*state.resets_at_ms) : Json()},
          {"retry_after_ms", state.retry_after_ms ? Json(*state.retry_after_ms) : Json()}};
}

AgentState agent_state_from_json(const Json& json) {
  AgentState state;
  state.status = parse_agent_status(string_or(json, "status")).value_or(AgentStatus::no_result);
  state.text = string_or(json, "text");
  state.http_status = int_field(json, "http_status");
  state.resets_at_ms = optional_int64(json, "resets_at_ms");
  state.retry_after_ms = optional_int64(json, "retry_after_ms");
  return state;
}

} // namespace emend
