#include "api/event_jobs.hpp"
#include "api/fields.hpp"
#include "api/issue_json.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "engine/review/review.hpp"
#include "model/events.hpp"
#include "service/report_input.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxReport = 64'000'000;

const ToldJob kReview{"review", "review_id", "/api/reviews"};

Json analysis_json(const Analysis& analysis) {
  return {{"name", analysis.analyzer},
          {"version", analysis.version},
          {"findings", analysis.findings.size()},
          {"state", std::string(to_string(analysis.state))},
          {"detail", analysis.detail}};
}

Result<JobEnd> review_now(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  ReviewRequest request;
  const std::string since = string_or(job.order, "since");
  request.scope = since.empty() ? ReviewScope{ScopeKind::revision, string_or(job.order, "rev", "HEAD"), {}}
                                : ReviewScope{ScopeKind::since, "HEAD", since};
  request.paths = job.order.at("paths").get<std::vector<std::string>>();
  TRY_ASSIGN(const Config config, bench->config());
  request.rules = config.review_rules();
  TRY_ASSIGN(const Review review, bench->manager(job.by).review(bench->analyzers(), request, stop));
  Json codes = Json::array(), tools = Json::array();
  for (const Issue& issue : review.issues) codes.push_back(issue.code);
  for (const Analysis& analysis : review.analyses) tools.push_back(analysis_json(analysis));
  JobEnd end;
  end.event = make_event(job.id, "", ReviewCompleted{codes.size(), review.fresh.size(), review.files});
  end.result = {{"commit", review.commit},         {"files", review.files},
                {"issue_codes", std::move(codes)}, {"new", review.fresh.size()},
                {"tools", std::move(tools)},       {"duration_ms", review.duration_ms}};
  return end;
}

Result<HttpReply> start(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  Job job;
  job.order = {{"rev", fields.text_or("rev", "HEAD", 500)},
               {"since", fields.text_or("since", "", 500)},
               {"paths", fields.texts("paths", false)}};
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(job.repository_id, call.repository);
  return accept_job(parts, call, std::move(job), kReview);
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  Json data = Json::array();
  for (const JobRecord& record : parts.queue.list())
    if (record.job.kind == "review" && sees(call, record.job.repository_id) &&
        (call.repository->empty() || *call.repository == record.job.repository_id))
      data.push_back(job_state(record));
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> cancel(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != kReview.kind)
    return problem_response(404, "not-found", "there is no such review");
  TRY_ASSIGN(const bool cancelled, cancel_job(parts, call, *record));
  if (!cancelled) return problem_response(404, "not-found", "no such review is running");
  return json_response(202, {{"review_id", record->job.id}, {"cancelling", true}});
}

// The body is the report.
Result<HttpReply> import_report(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  ReportText report(call.request.body);
  TRY_ASSIGN(
      const ReportInput input,
      ReportInput::recognise(report, std::string(call.request.query_value("from").value_or("auto")), ""));
  TRY_ASSIGN(const std::string commit, bench->repository().resolve("HEAD"));
  std::vector<Finding> findings;
  TRY_ASSIGN(const auto notes, input.read(report, std::string(call.request.query_value("tool").value_or("")),
                                          bench->repository(), commit, [&](Finding&& finding) {
                                            findings.push_back(std::move(finding));
                                          }));
  TRY_ASSIGN(const auto issues, bench->manager(call.caller.actor).add_findings(findings, commit));
  Json codes = Json::array();
  for (const Issue& issue : issues) codes.push_back(issue.code);
  TRY(note_deed(parts, call, "issues.imported", id, std::string(input.format()),
                {{"findings", findings.size()}, {"issues", issues.size()}}));
  return json_response(200, {{"format", input.format()},
                             {"findings", findings.size()},
                             {"issue_codes", std::move(codes)},
                             {"notes", notes}});
}

} // namespace

void handle_review_jobs(const ApiParts& parts, WorkQueue& queue) {
  queue.handle("review", told_handler(parts, [&parts](const Job& job, std::stop_token stop) {
                 return run_told(parts, make_event(job.id, "", ReviewStarted{job.repository_id}),
                                 [&] { return review_now(parts, job, stop); });
               }));
}

std::vector<Operation> review_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/reviews", "startReview", [&parts](const Call& call) { return start(parts, call); },
       Admission::member, BodyKind::json, true},
      {"GET", "/api/reviews", "listReviews", [&parts](const Call& call) { return list(parts, call); }},
      {"GET", "/api/reviews/{id}", "getReview",
       [&parts](const Call& call) { return get_job(parts, call, kReview); }},
      {"POST", "/api/reviews/{id}/cancel", "cancelReview",
       [&parts](const Call& call) { return cancel(parts, call); }},
      {"POST", "/api/import", "importReport",
       [&parts](const Call& call) { return import_report(parts, call); }, Admission::member, BodyKind::bytes,
       true, kMaxReport},
  };
}

} // namespace emend
