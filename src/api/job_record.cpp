#include "api/job_record.hpp"

namespace emend {

namespace {

constexpr std::int64_t kEndedMs = 30 * 24 * 3'600'000LL;

Json to_json(const JobRecord& record) {
  Json json = {{"kind", record.job.kind},      {"repository_id", record.job.repository_id},
               {"order", record.job.order},    {"same_as", record.job.same_as},
               {"by", to_json(record.job.by)}, {"queued_ms", record.queued_ms}};
  if (!record.home.empty()) json["home"] = record.home;
  if (record.job.priority != JobPriority::normal) json["priority"] = to_string(record.job.priority);
  if (!record.job.team.empty()) json["team"] = record.job.team;
  return json;
}

std::int64_t number_of(const Json& json, const char* name) {
  const Json* found = find_member(json, name);
  return found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

} // namespace

std::string_view to_string(JobState state) {
  switch (state) {
    case JobState::queued: return "queued";
    case JobState::running: return "running";
    case JobState::done: return "done";
    case JobState::failed: return "failed";
  }
  return "failed";
}

std::string_view to_string(JobPriority priority) {
  switch (priority) {
    case JobPriority::low: return "low";
    case JobPriority::normal: return "normal";
    case JobPriority::high: return "high";
  }
  return "normal";
}

std::optional<JobPriority> parse_job_priority(std::string_view text) {
  for (const JobPriority priority : {JobPriority::low, JobPriority::normal, JobPriority::high})
    if (text == to_string(priority)) return priority;
  return std::nullopt;
}

bool is_over(JobState state) { return state == JobState::done || state == JobState::failed; }

Remembered unfinished_entry(const JobRecord& record) {
  return {kUnfinishedJob, record.job.id, to_json(record), kKeptForEverMs};
}

JobRecord unfinished_record(const Remembered& entry) {
  JobRecord record;
  record.job = {entry.key, string_or(entry.value, "kind"), string_or(entry.value, "repository_id"), Json(),
                string_or(entry.value, "same_as")};
  if (const Json* order = find_member(entry.value, "order")) record.job.order = *order;
  if (const Json* by = find_member(entry.value, "by")) record.job.by = actor_from_json(*by);
  record.queued_ms = number_of(entry.value, "queued_ms");
  record.home = string_or(entry.value, "home");
  record.job.priority = parse_job_priority(string_or(entry.value, "priority")).value_or(JobPriority::normal);
  record.job.team = string_or(entry.value, "team");
  return record;
}

Remembered ended_entry(const JobRecord& record) {
  Json json = to_json(record);
  json["done"] = record.state == JobState::done;
  json["problem"] = record.problem;
  json["result"] = record.result;
  json["started_ms"] = record.started_ms;
  json["ended_ms"] = record.ended_ms;
  return {kEndedJob, record.job.id, std::move(json), record.ended_ms + kEndedMs};
}

JobRecord ended_record(const Remembered& entry) {
  JobRecord record = unfinished_record(entry);
  const Json* done = find_member(entry.value, "done");
  record.state = done != nullptr && *done == Json(true) ? JobState::done : JobState::failed;
  record.problem = string_or(entry.value, "problem");
  if (const Json* result = find_member(entry.value, "result")) record.result = *result;
  record.started_ms = number_of(entry.value, "started_ms");
  record.ended_ms = number_of(entry.value, "ended_ms");
  return record;
}

} // namespace emend
