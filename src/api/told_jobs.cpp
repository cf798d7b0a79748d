#include "api/told_jobs.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/event_log.hpp"

namespace emend {

Status tell(const ApiParts& parts, const std::string& job_id, std::string type, Json data) {
  EventLog log(parts.store, *parts.dependencies.clock, parts.on_event);
  Event event;
  event.session_id = job_id;
  event.type = std::move(type);
  event.data = std::move(data);
  return log.publish(std::move(event));
}

Result<HttpReply> accept_job(const ApiParts& parts, const HttpRequest& request, Job job,
                             const ToldJob& told) {
  job.id = new_session_id();
  job.kind = told.kind;
  job.same_as = sha256_hex(told.kind + "\n" + job.repository_id + "\n" + dump_json(job.order));
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), joined));
  if (contains(std::string(request.header("accept").value_or("")), "text/event-stream")) {
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
    return problem_response(404, "not-found", "there is nothing of this id here");
  return json_response(200, job_state(*record));
}

Result<bool> cancel_job(const ApiParts& parts, const JobRecord& record) {
  if (!parts.queue.cancel(record.job.id)) return false;
  const auto now = parts.queue.find(record.job.id);
  if (now && now->started_ms == 0)
    TRY(tell(parts, record.job.id, record.job.kind + "_error", {{"message", now->problem}, {"remedy", ""}}));
  return true;
}

WorkQueue::Handler told_handler(const ApiParts& parts, const ToldJob& told, WorkQueue::Work work) {
  WorkQueue::Handler handler;
  handler.work = std::move(work);
  handler.failed = [&parts, &told](const Job& job, const Error& error) {
    return tell(parts, job.id, told.kind + "_error",
                {{"message", clean_text(error.message)}, {"remedy", clean_text(error.remedy)}});
  };
  return handler;
}

Result<Json> run_told(const ApiParts& parts, const Job& job, const ToldJob& told, Json begun,
                      const std::function<Result<JobEnd>()>& work) {
  TRY(tell(parts, job.id, told.kind + "_started", std::move(begun)));
  TRY_ASSIGN(JobEnd end, work());
  TRY(tell(parts, job.id, told.kind + "_completed", std::move(end.event)));
  return std::move(end.result);
}

bool ends_job(std::string_view event_type) {
  static constexpr std::array<std::string_view, 8> last = {
      "review_completed", "review_error", "pr_review_completed", "pr_review_error",
      "verify_completed", "verify_error", "challenge_completed", "challenge_error"};
  return std::find(last.begin(), last.end(), event_type) != last.end();
}

} // namespace emend
