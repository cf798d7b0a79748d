#include "model/agent_run_record.hpp"

#include <algorithm>

#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

void Consumed::add(const AgentRunRecord& run, double share) {
  const auto part = [share](std::int64_t whole) {
    return static_cast<std::int64_t>(static_cast<double>(whole) * share + 0.5);
  };
  if (run.usage.cost_usd) {
    cost_usd += *run.usage.cost_usd * share;
    priced = true;
  }
  ++runs;
  tokens += part(run.usage.input_tokens + run.usage.output_tokens);
  time_ms += part(run.duration_ms);
}

Consumed consumed_by(const std::vector<AgentRunRecord>& runs, const std::string& issue_id) {
  Consumed sum;
  for (const AgentRunRecord& run : runs)
    if (std::find(run.issue_ids.begin(), run.issue_ids.end(), issue_id) != run.issue_ids.end())
      sum.add(run, 1.0 / static_cast<double>(run.issue_ids.size()));
  return sum;
}

Consumed consumed_by(const std::vector<AgentRunRecord>& runs) {
  Consumed sum;
  for (const AgentRunRecord& run : runs) sum.add(run);
  return sum;
}

template <typename Visitor, Of<AgentRunStart> Record>
void fields(Visitor& visit, Record& start) {
  visit("id", start.id);
  visit("repository_id", start.repository_id);
  visit("session_id", start.session_id);
  visit("role", start.role);
  visit("agent", start.agent);
  visit("issue_ids", start.issue_ids);
  visit("prompt_file", start.prompt_file);
  visit("log_file", start.log_file);
  visit("live_file", start.live_file);
  visit("started_ms", start.started_ms);
}

Json to_json(const AgentRunStart& start) { return write_fields(start); }
AgentRunStart agent_run_start_from_json(const Json& json) { return read_fields<AgentRunStart>(json); }

Json to_json(const Consumed& consumed) {
  return {{"cost_usd", consumed.priced ? Json(consumed.cost_usd) : Json(nullptr)},
          {"tokens", consumed.tokens},
          {"agent_time_ms", consumed.time_ms},
          {"agent_runs", consumed.runs}};
}

template <typename Visitor, Of<AgentRunRecord> Record>
void fields(Visitor& visit, Record& run) {
  visit("id", run.id);
  visit("repository_id", run.repository_id);
  visit("session_id", run.session_id);
  visit("role", run.role);
  visit("agent", run.agent);
  visit("model", run.model);
  visit("family", run.family);
  visit("issue_ids", run.issue_ids);
  visit("state", run.state, agent_state_from_json);
  visit("usage", run.usage, usage_from_json);
  visit("conversation_usage", run.conversation_usage, usage_from_json);
  visit("conversation_id", run.conversation_id);
  visit("conversation_dir", run.conversation_dir);
  visit("started_ms", run.started_ms);
  visit("duration_ms", run.duration_ms);
}

Json to_json(const AgentRunRecord& record) { return write_fields(record); }
AgentRunRecord agent_run_from_json(const Json& json) { return read_fields<AgentRunRecord>(json); }

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

template <typename Visitor, Of<Usage> Record>
void fields(Visitor& visit, Record& usage) {
  visit("input_tokens", usage.input_tokens);
  visit("output_tokens", usage.output_tokens);
  visit("cached_tokens", usage.cached_tokens);
  visit("cost_usd", usage.cost_usd);
  visit("turns", usage.turns);
}

Json to_json(const Usage& usage) { return write_fields(usage); }
Usage usage_from_json(const Json& json) { return read_fields<Usage>(json); }

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

} // namespace

std::string_view to_string(AgentStatus status) { return name_of(kStatuses, status); }
std::optional<AgentStatus> parse_agent_status(std::string_view text) { return value_of(kStatuses, text); }

bool AgentState::passing() const {
  return status == AgentStatus::rate_limited || status == AgentStatus::quota ||
         status == AgentStatus::overloaded || status == AgentStatus::unreachable;
}

template <typename Visitor, Of<AgentState> Record>
void fields(Visitor& visit, Record& state) {
  visit("status", state.status, parse_agent_status);
  visit("text", state.text);
  visit("http_status", state.http_status);
  visit("resets_at_ms", state.resets_at_ms);
  visit("retry_after_ms", state.retry_after_ms);
}

Json to_json(const AgentState& state) { return write_fields(state); }
AgentState agent_state_from_json(const Json& json) { return read_fields<AgentState>(json); }

} // namespace emend
