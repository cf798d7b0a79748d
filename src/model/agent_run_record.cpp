#include "model/agent_run_record.hpp"

#include <algorithm>

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

Json to_json(const AgentRunStart& start) {
  return {{"id", start.id},
          {"repository_id", start.repository_id},
          {"session_id", start.session_id},
          {"role", start.role},
          {"agent", start.agent},
          {"issue_ids", start.issue_ids},
          {"prompt_file", start.prompt_file},
          {"log_file", start.log_file},
          {"live_file", start.live_file},
          {"started_ms", start.started_ms}};
}

AgentRunStart agent_run_start_from_json(const Json& json) {
  AgentRunStart start;
  start.id = string_or(json, "id");
  start.repository_id = string_or(json, "repository_id");
  start.session_id = string_or(json, "session_id");
  start.role = string_or(json, "role");
  start.agent = string_or(json, "agent");
  start.issue_ids = strings_field(json, "issue_ids");
  start.prompt_file = string_or(json, "prompt_file");
  start.log_file = string_or(json, "log_file");
  start.live_file = string_or(json, "live_file");
  start.started_ms = int64_field(json, "started_ms");
  return start;
}

Json to_json(const Consumed& consumed) {
  return {{"cost_usd", consumed.priced ? Json(consumed.cost_usd) : Json(nullptr)},
          {"tokens", consumed.tokens},
          {"agent_time_ms", consumed.time_ms},
          {"agent_runs", consumed.runs}};
}

Json to_json(const AgentRunRecord& record) {
  return {{"id", record.id},
          {"repository_id", record.repository_id},
          {"session_id", record.session_id},
          {"role", record.role},
          {"agent", record.agent},
          {"model", record.model},
          {"family", record.family},
          {"issue_ids", record.issue_ids},
          {"state", to_json(record.state)},
          {"usage", to_json(record.usage)},
          {"conversation_usage", to_json(record.conversation_usage)},
          {"conversation_id", record.conversation_id},
          {"conversation_dir", record.conversation_dir},
          {"started_ms", record.started_ms},
          {"duration_ms", record.duration_ms}};
}

AgentRunRecord agent_run_from_json(const Json& json) {
  const auto part = [&](const char* key) {
    const Json* found = find_member(json, key);
    return found == nullptr ? Json::object() : *found;
  };
  AgentRunRecord record;
  record.id = string_or(json, "id");
  record.repository_id = string_or(json, "repository_id");
  record.session_id = string_or(json, "session_id");
  record.role = string_or(json, "role");
  record.agent = string_or(json, "agent");
  record.model = string_or(json, "model");
  record.family = string_or(json, "family");
  record.issue_ids = strings_field(json, "issue_ids");
  record.state = agent_state_from_json(part("state"));
  record.usage = usage_from_json(part("usage"));
  record.conversation_usage = usage_from_json(part("conversation_usage"));
  record.conversation_id = string_or(json, "conversation_id");
  record.conversation_dir = string_or(json, "conversation_dir");
  record.started_ms = int64_field(json, "started_ms");
  record.duration_ms = int64_field(json, "duration_ms");
  return record;
}

} // namespace emend
