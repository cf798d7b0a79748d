// `emend check` over HTTP: is a change of the served repository, or a diff, really a fix?
#include "api/event_jobs.hpp"
#include "api/fields.hpp"
#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "service/checked_change.hpp"

namespace emend {
namespace {

constexpr std::size_t kMaxDiff = 900'000; // of a body's megabyte
const ToldJob kCheck{"check", "check_id", "/api/check"};

CheckWords words_of(const Json& order) {
  CheckWords words;
  words.issue = string_or(order, "issue");
  words.commit = string_or(order, "commit");
  words.range = string_or(order, "range");
  words.base = string_or(order, "base");
  words.diff = string_or(order, "diff");
  words.has_diff = !words.diff.empty();
  words.staged = order.value("staged", false);
  words.judge = order.value("judge", false);
  return words;
}

Result<CheckOrder> order_of(const ApiParts& parts, Workbench& bench, const Json& order) {
  return find_change(
      bench.repository(), [&parts]() -> Result<Store*> { return &parts.store; }, words_of(order));
}

// The proof is not shown with the rest: it is a file, and has an address of its own.
constexpr const char* kProof = "proof";

Result<HttpReply> get_check(const ApiParts& parts, const Call& call) {
  auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != kCheck.kind)
    return problem_response(404, "not-found", "there is nothing with this id");
  if (record->result.is_object()) record->result.erase(kProof);
  return json_response(200, job_state(*record));
}

Result<HttpReply> get_proof(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != kCheck.kind)
    return problem_response(404, "not-found", "there is nothing with this id");
  const auto proof = from_base64(string_or(record->result, kProof));
  if (!proof || proof->empty())
    return problem_response(404, "not-found", "there is no proof: only a PROVEN change has one");
  return HttpResponse{
      200,
      {{"Content-Type", "application/x-tar"},
       {"Content-Disposition", "attachment; filename=\"check-" + record->job.id + kProofEnding + "\""}},
      *proof};
}

// What can be refused at once is: an unknown issue, a commit that is not there, checks nobody allowed.
Result<HttpReply> start(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  Job job;
  job.order = {{"issue", fields.text_or("issue", "", 100)},    {"commit", fields.text_or("commit", "", 500)},
               {"range", fields.text_or("range", "", 1'000)},  {"base", fields.text_or("base", "", 500)},
               {"diff", fields.text_or("diff", "", kMaxDiff)}, {"staged", fields.flag("staged", false)},
               {"judge", fields.flag("judge", false)}};
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(job.repository_id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  TRY_ASSIGN(const CheckOrder order, order_of(parts, *bench, job.order));
  if (order.base.empty()) return fail(no_commit_to_compare());
  TRY(bench->trusted_policy_of(order.base));
  job.id = new_session_id();
  job.kind = kCheck.kind;
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), call.caller.actor, joined));
  TRY(note_begun(parts, call, record.job));
  HttpResponse response = json_response(202, {{kCheck.id_name, record.job.id}});
  response.headers.push_back({"Location", kCheck.path + "/" + record.job.id});
  return response;
}

Result<HttpReply> cancel(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record || record->job.kind != kCheck.kind)
    return problem_response(404, "not-found", "no such check is running");
  TRY_ASSIGN(const bool cancelled, cancel_job(parts, call, *record));
  if (!cancelled) return problem_response(404, "not-found", "no such check is running");
  return json_response(202, {{kCheck.id_name, record->job.id}, {"cancelling", true}});
}

} // namespace

void handle_check_jobs(const ApiParts& parts, WorkQueue& queue) {
  queue.handle(kCheck.kind, [&parts](const Job& job, std::stop_token stop) -> Result<Json> {
    TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
    TRY_ASSIGN(CheckOrder order, order_of(parts, *bench, job.order));
    order.proof = true;
    TRY_ASSIGN(const ChangeCheck check, check_on(*bench, parts.dependencies, std::move(order), stop));
    Json result = to_json(check);
    if (!check.proof.empty()) result[kProof] = to_base64(check.proof);
    return result;
  });
}

std::vector<Operation> check_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/check", "startCheck", [&parts](const Call& call) { return start(parts, call); },
       Admission::member, BodyKind::json, true},
      {"GET", "/api/check/{id}", "getCheck", [&parts](const Call& call) { return get_check(parts, call); }},
      {"GET", "/api/check/{id}/proof", "getCheckProof",
       [&parts](const Call& call) { return get_proof(parts, call); }},
      {"POST", "/api/check/{id}/cancel", "cancelCheck",
       [&parts](const Call& call) { return cancel(parts, call); }},
  };
}

} // namespace emend
