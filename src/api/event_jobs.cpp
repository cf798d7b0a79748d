#include "api/event_jobs.hpp"

#include <algorithm>
#include <array>

#include "api/lookups.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

Status tell(const ApiParts& parts, Event event) {
  return EventLog(parts.store, *parts.dependencies.clock, parts.on_event).publish(std::move(event));
}

Event error_event(const Job& job, const std::string& message, const std::string& remedy) {
  const std::string type = job.kind + "_error";
  if (type == ReviewError::type) return make_event(job.id, "", ReviewError{message, remedy});
  if (type == VerifyError::type) return make_event(job.id, "", VerifyError{message, remedy});
  if (type == ChallengeError::type) return make_event(job.id, "", ChallengeError{message, remedy});
  return make_event(job.id, "", PrReviewError{message, remedy});
}

} // namespace

Result<HttpReply> accept_job(const ApiParts& parts, const Call& call, Job job, const ToldJob& told) {
  job.id = new_session_id();
  job.kind = told.kind;
  job.same_as = sha256_hex(told.kind + "\n" + job.repository_id + "\n" + dump_json(job.order));
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), call.caller.actor, joined));
  if (!joined) TRY(note_begun(parts, call, record.job));
  if (contains(std::string(call.request.header("accept").value_or("")), "text/event-stream")) {
    EventStream stream;
    stream.session_id = record.job.id;
    stream.ends_with_session = true;
    return stream;
  }
  HttpResponse response = json_response(202, {{told.id_name, record.job.id}, {"joined", joined}});
  response.headers.push_back({"Location", told.path + "/" + record.job.id});
  return response;
}

Json job_state(const JobRecord& record) {
  return {{"id", record.job.id},
          {"repository_id", record.job.repository_id},
          {"state", to_string(record.state)},
          {"detail", record.problem.empty() ? Json(nullptr) : Json(record.problem)},
          {"queued_at", rfc3339_utc(record.queued_ms)},
          {"result", record.result}};
}

Result<HttpReply> get_job(const ApiParts& parts, const Call& call, const ToldJob& told) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != told.kind)
    return problem_response(404, "not-found", "there is nothing with this id");
  return json_response(200, job_state(*record));
}

Status note_begun(const ApiParts& parts, const Call& call, const Job& job) {
  return note_deed(parts, call, job.kind + ".started", job.repository_id, job.id);
}

Result<bool> cancel_job(const ApiParts& parts, const Call& call, const JobRecord& record) {
  if (!parts.queue.cancel(record.job.id)) return false;
  TRY(note_deed(parts, call, record.job.kind + ".cancelled", record.job.repository_id, record.job.id));
  const auto now = parts.queue.find(record.job.id);
  const bool has_followers = ends_job(record.job.kind + "_error");
  if (has_followers && now && now->started_ms == 0)
    TRY(tell(parts, error_event(record.job, now->problem, "")));
  return true;
}

WorkQueue::Handler told_handler(const ApiParts& parts, WorkQueue::Work work) {
  WorkQueue::Handler handler;
  handler.work = std::move(work);
  handler.failed = [&parts](const Job& job, const Error& error) {
    return tell(parts, error_event(job, clean_text(error.message), clean_text(error.remedy)));
  };
  return handler;
}

Result<Json> run_told(const ApiParts& parts, Event begun, const std::function<Result<JobEnd>()>& work) {
  TRY(tell(parts, std::move(begun)));
  TRY_ASSIGN(JobEnd end, work());
  TRY(tell(parts, std::move(end.event)));
  return std::move(end.result);
}

bool ends_job(std::string_view event_type) {
  static constexpr std::array<std::string_view, 8> last = {
      ReviewCompleted::type, ReviewError::type, PrReviewCompleted::type,  PrReviewError::type,
      VerifyCompleted::type, VerifyError::type, ChallengeCompleted::type, ChallengeError::type};
  return std::find(last.begin(), last.end(), event_type) != last.end();
}

} // namespace emend
