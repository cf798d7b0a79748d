#include "api/fields.hpp"
#include "api/issue_json.hpp"
#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/event_log.hpp"
#include "engine/review.hpp"
#include "formats/reader.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxReport = 64'000'000;

Status publish(const ApiParts& parts, const std::string& id, const char* type, Json data) {
  EventLog log(parts.store, *parts.dependencies.clock, parts.on_event);
  Event event;
  event.session_id = id;
  event.type = type;
  event.data = std::move(data);
  return log.publish(std::move(event));
}

Json analysis_json(const Analysis& analysis) {
  return {{"name", analysis.analyzer}, {"version", analysis.version}, {"findings", analysis.findings.size()}, {"state", std::string(to_string(analysis.state))}, {"detail", analysis.detail}};
}

Result<Json> run_review(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  ReviewRequest request;
  const std::string since = string_or(job.order, "since");
  request.scope = since.empty() ? ReviewScope{ScopeKind::revision, string_or(job.order, "rev", "HEAD"), {}} : ReviewScope{ScopeKind::since, "HEAD", since};
  request.paths = job.order.at("paths").get<std::vector<std::string>>();
  TRY(publish(parts, job.id, "review_started", {{"repository_id", job.repository_id}}));
  auto review = bench->manager().review(bench->analyzers(), request, stop);
  if (!review) {
    TRY(publish(parts, job.id, "review_error", {{"message", clean_text(review.error().message)}}));
    return fail(std::move(review).error());
  }
  Json codes = Json::array(), tools = Json::array();
  for (const Issue& issue : review->issues) codes.push_back(issue.code);
  for (const Analysis& analysis : review->analyses) tools.push_back(analysis_json(analysis));
  const Json result = {{"commit", review->commit}, {"files", review->files}, {"issue_codes", codes}, {"new", review->fresh.size()}, {"tools", tools}, {"duration_ms", review->duration_ms}};
  TRY(publish(parts, job.id, "review_completed", {{"issues", codes.size()}, {"new", review->fresh.size()}, {"files", review->files}}));
  return result;
}

Json review_json(const JobRecord& record) {
  Json body = {{"id", record.job.id},
               {"repository_id", record.job.repository_id},
               {"state", to_string(record.state)},
               {"detail", record.problem.empty() ? Json(nullptr) : Json(record.problem)},
               {"queued_at", rfc3339_utc(record.queued_ms)}};
  body["result"] = record.result;
  return body;
}

Result<HttpReply> start(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  Job job;
  job.order = {{"rev", fields.text_or("rev", "HEAD", 500)}, {"since", fields.text_or("since", "", 500)}, {"paths", fields.texts("paths", false)}};
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(job.repository_id, parts.repositories.id_or_only(repository));
  job.id = new_session_id();
  job.kind = "review";
  job.same_as = sha256_hex("review\n" + job.repository_id + "\n" + dump_json(job.order));
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), joined));
  const std::string accept(call.request.header("accept").value_or(""));
  if (contains(accept, "text/event-stream")) {
    EventStream stream;
    stream.session_id = record.job.id;
    stream.ends_with_session = true;
    return stream;
  }
  HttpResponse response = json_response(202, {{"review_id", record.job.id}, {"joined", joined}});
  response.headers.push_back({"Location", "/api/reviews/" + record.job.id});
  return response;
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  Json data = Json::array();
  for (const JobRecord& record : parts.queue.list())
    if (record.job.kind == "review") data.push_back(review_json(record));
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> get(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != "review") return problem_response(404, "not-found", "there is no such review");
  return json_response(200, review_json(*record));
}

Result<HttpReply> cancel(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != "review" || !parts.queue.cancel(record->job.id)) return problem_response(404, "not-found", "no such review is under way");
  return json_response(202, {{"review_id", record->job.id}, {"cancelling", true}});
}

// The body is the report.
Result<HttpReply> import_report(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string id, parts.repositories.id_or_only(std::string(call.request.query_value("repository_id").value_or(""))));
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  const std::string from(call.request.query_value("from").value_or("auto"));
  const auto format = from == "auto" ? detect_format(std::string_view(call.request.body).substr(0, 65'536), "") : parse_input_format(from);
  if (!format) return problem_response(422, "validation-failed", "the report's format is not recognised; name it with ?from=: " + join(input_format_names(), ", "));
  TRY_ASSIGN(const ReadFindings read, read_findings(call.request.body, *format, std::string(call.request.query_value("tool").value_or("")), bench->repository().root()));
  TRY_ASSIGN(const auto issues, bench->manager().add_findings(read.findings, "HEAD"));
  Json codes = Json::array();
  for (const Issue& issue : issues) codes.push_back(issue.code);
  return json_response(200, {{"format", to_string(*format)}, {"findings", read.findings.size()}, {"issue_codes", std::move(codes)}, {"notes", read.notes}});
}

} // namespace

void handle_review_jobs(const ApiParts& parts, WorkQueue& queue) {
  queue.handle("review", [&parts](const Job& job, std::stop_token stop) { return run_review(parts, job, stop); });
}

std::vector<Operation> review_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/reviews", "startReview", [&parts](const Call& call) { return start(parts, call); }, Admission::member, BodyKind::json, true},
      {"GET", "/api/reviews", "listReviews", [&parts](const Call& call) { return list(parts, call); }},
      {"GET", "/api/reviews/{id}", "getReview", [&parts](const Call& call) { return get(parts, call); }},
      {"POST", "/api/reviews/{id}/cancel", "cancelReview", [&parts](const Call& call) { return cancel(parts, call); }},
      {"POST", "/api/import", "importReport", [&parts](const Call& call) { return import_report(parts, call); }, Admission::member, BodyKind::bytes, true, kMaxReport},
  };
}

} // namespace emend
