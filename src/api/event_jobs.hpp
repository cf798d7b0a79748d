// Jobs that are asked for with a POST, tell of themselves in events, and are looked at until they have a
// result.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "api/routes.hpp"

namespace emend {

// What one kind of them is called.
struct ToldJob {
  std::string kind;    // also the beginning of its events: "verify_error"
  std::string id_name; // of the id in the answer: "verification_id"
  std::string path;    // where it is looked at: "/api/verify"
};

// Puts it into the queue. The live stream for who accepts one, else 202 and where to look. Two that are the
// same are one.
[[nodiscard]] Result<HttpReply> accept_job(const ApiParts& parts, const Call& call, Job job,
                                           const ToldJob& told);
[[nodiscard]] Json job_state(const JobRecord& record);
[[nodiscard]] Result<HttpReply> get_job(const ApiParts& parts, const Call& call, const ToldJob& told);

// False = it is over. Who follows one that had not begun is told so; the audit log says who wanted it.
[[nodiscard]] Result<bool> cancel_job(const ApiParts& parts, const Call& call, const JobRecord& record);

// In the audit log, that the caller had such a job begun: "review.started".
[[nodiscard]] Status note_begun(const ApiParts& parts, const Call& call, const Job& job);

// How the queue runs such jobs: its followers get an event when it has failed for good.
[[nodiscard]] WorkQueue::Handler told_handler(const ApiParts& parts, WorkQueue::Work work);

// Starts, works, and reports its result; the queue reports a failure. `work` answers with the result and
// its last event.
struct JobEnd {
  Json result;
  Event event;
};
[[nodiscard]] Result<Json> run_told(const ApiParts& parts, Event begun,
                                    const std::function<Result<JobEnd>()>& work);

// Whether an event of this type is the last one of such a job.
[[nodiscard]] bool ends_job(std::string_view event_type);

} // namespace emend
