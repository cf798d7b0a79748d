// A job of the queue as it is kept: while it waits and is done, and for a while afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "model/actor.hpp"
#include "ports/ledger.hpp"

namespace emend {

enum class JobPriority { low, normal, high };
[[nodiscard]] std::string_view to_string(JobPriority priority);
[[nodiscard]] std::optional<JobPriority> parse_job_priority(std::string_view text);

// What is to be done, in words that survive a restart.
struct Job {
  std::string id;   // of the session it makes, where it makes one
  std::string kind; // "fix", "resume", "review", ...
  std::string repository_id;
  Json order;            // what its kind needs to know
  std::string same_as;   // two jobs with the same non-empty text are one
  Actor by = {};         // who asked for it; given to add()
  bool taken_up = false; // begun before and ended by what may pass: a database or a disk that was away
  JobPriority priority = JobPriority::normal;
  std::string team = {}; // jobs of teams take turns; empty = the repository is a team of its own
};

enum class JobState { queued, running, done, failed };
[[nodiscard]] std::string_view to_string(JobState state);
[[nodiscard]] bool is_over(JobState state);

struct JobRecord {
  Job job;
  JobState state = JobState::queued;
  std::string problem; // of a failed one
  Json result;         // of a done one
  std::int64_t queued_ms = 0, started_ms = 0, ended_ms = 0;
  std::string home; // the EMEND_HOME whose servers may do it; empty = any
};

// The kinds of what the ledger remembers of jobs.
inline constexpr const char* kUnfinishedJob = "job";
inline constexpr const char* kEndedJob = "job_done";
inline constexpr const char* kCancelledJob = "job_cancel"; // somebody cancelled it at another server
inline constexpr const char* kSameJob = "job_same";        // by same_as: the job that is meant

[[nodiscard]] Remembered unfinished_entry(const JobRecord& record);
[[nodiscard]] JobRecord unfinished_record(const Remembered& entry);
[[nodiscard]] Remembered ended_entry(const JobRecord& record);
[[nodiscard]] JobRecord ended_record(const Remembered& entry);

inline constexpr std::int64_t kKeptForEverMs = 253'402'300'799'000; // the end of the year 9999

} // namespace emend
