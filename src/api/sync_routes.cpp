#include "api/deliveries.hpp"
#include "api/event_jobs.hpp"
#include "api/fields.hpp"
#include "api/routes.hpp"
#include "api/webhooks.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "config/forge_config.hpp"
#include "engine/branch/sync.hpp"
#include "engine/forge/forge_log.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDeliveryMs = 30 * 24 * 3'600'000LL; // forges send again what failed within days

Result<Json> run_sync(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  TRY_ASSIGN(const SyncReport report, bench->manager(job.by).sync(string_or(job.order, "branch"), stop));
  return to_json(report);
}

Result<JobRecord> add_sync(const ApiParts& parts, const std::string& repository_id, const std::string& branch,
                           const Actor& by, bool& joined) {
  Job job;
  job.id = new_session_id();
  job.kind = "sync";
  job.repository_id = repository_id;
  job.order = {{"branch", branch}};
  job.same_as = sha256_hex("sync\n" + repository_id + "\n" + branch);
  return parts.queue.add(std::move(job), by, joined);
}

Result<HttpReply> sync_issues(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  const std::string branch = fields.text_or("branch", "", 500);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY(sync_target(bench->repository(), branch)); // a wrong name is told now
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, add_sync(parts, id, branch, call.caller.actor, joined));
  if (!joined) TRY(note_begun(parts, call, record.job));
  return json_response(202, {{"job_id", record.job.id}, {"joined", joined}});
}

bool is_about(const ApiParts& parts, const ServedRepository& served, const std::string& full_name) {
  auto bench = parts.repositories.bench(served.id);
  auto remotes = bench ? (*bench)->repository().remotes() : Result<std::vector<Remote>>(fail(bench.error()));
  if (!remotes)
    log(LogLevel::warn,
        "a webhook could not be matched with " + served.root + ": " + remotes.error().message);
  if (!remotes) return false;
  for (const Remote& remote : *remotes)
    if (name_in_url(remote.url) == to_lower(full_name)) return true;
  return false;
}

// Its kind decides whether somebody has to have allowed it in the configuration. A command says by itself
// what it wants, and who may want it is asked then.
Result<bool> is_wanted(const ApiParts& parts, const ServedRepository& served, ErrandKind kind) {
  if (!parts.run_errand) return false;
  if (kind == ErrandKind::command || kind == ErrandKind::press) return true;
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(served.id));
  TRY_ASSIGN(const Config config, bench->config());
  const TeamSettings team = team_settings(config);
  if (kind == ErrandKind::label) return team.status != StatusWay::off;
  return kind == ErrandKind::pipeline ? team.repair_pipelines : team.review_heads;
}

// However often it is delivered, it is one job while one waits; what was done is known by the forge's own
// numbers after that.
Result<JobRecord> add_errand(const ApiParts& parts, const ServedRepository& served,
                             const ForgeErrand& errand) {
  Job job;
  job.id = new_session_id();
  job.kind = to_string(errand.kind);
  job.repository_id = served.id;
  job.order = to_json(errand);
  job.same_as = sha256_hex(job.kind + "\n" + served.id + "\n" + dump_json(job.order));
  const Actor by = Actor{}.through(errand.kind == ErrandKind::command ? "a comment"
                                   : errand.kind == ErrandKind::press ? "a button"
                                                                      : "a webhook");
  bool joined = false;
  return parts.queue.add(std::move(job), by, joined);
}

Result<Json> run_errand(const ApiParts& parts, const Job& job, ErrandKind kind, std::stop_token stop) {
  TRY_ASSIGN(const auto repositories, parts.repositories.list());
  for (const ServedRepository& served : repositories)
    if (served.id == job.repository_id)
      return parts.run_errand(served.root, errand_of(kind, job.order), std::move(stop));
  return fail(ErrorCode::not_found, "the repository is not served any more");
}

Status add_jobs(const ApiParts& parts, const ServedRepository& served, const ForgeDelivery& delivery,
                Json& jobs) {
  if (delivery.reason_to_look) {
    bool joined = false;
    TRY_ASSIGN(const JobRecord record, add_sync(parts, served.id, "", Actor{}.through("a webhook"), joined));
    jobs.push_back(record.job.id);
  }
  if (delivery.errand.kind == ErrandKind::none) return {};
  TRY_ASSIGN(const bool wanted, is_wanted(parts, served, delivery.errand.kind));
  if (!wanted) return {};
  TRY_ASSIGN(const JobRecord record, add_errand(parts, served, delivery.errand));
  jobs.push_back(record.job.id);
  return {};
}

// An event is a reason to look, never a change: what it says of the repository is not believed.
Result<Json> look_at(const ApiParts& parts, const ForgeDelivery& delivery) {
  Json jobs = Json::array();
  if (delivery.full_name.empty()) return jobs;
  TRY_ASSIGN(const auto repositories, parts.repositories.list());
  for (const ServedRepository& served : repositories)
    if (is_about(parts, served, delivery.full_name)) TRY(add_jobs(parts, served, delivery, jobs));
  return jobs;
}

Result<HttpReply> accept(const ApiParts& parts, const std::string& source, const ForgeDelivery& delivery) {
  const std::int64_t now = parts.now_ms();
  bool fresh = true;
  std::vector<std::string> taken;
  for (const std::string& id : delivery.ids) {
    const std::string key = source + " " + id;
    TRY_ASSIGN(const bool unknown,
               parts.ledger.remember_once(
                   {"delivery", key, {{"event", clean_text(delivery.event)}}, now + kDeliveryMs}, now));
    if (unknown) taken.push_back(key);
    fresh = fresh && unknown;
  }
  if (!fresh) return json_response(202, {{"known", true}, {"job_ids", Json::array()}});
  auto jobs = look_at(parts, delivery);
  if (jobs) return json_response(202, {{"known", false}, {"job_ids", *std::move(jobs)}});
  for (const std::string& key : taken)
    TRY(parts.ledger.forget("delivery", key)); // so that it can be sent again
  return fail(std::move(jobs).error());
}

// The same words whether there is no secret, no signature or a wrong one.
HttpResponse not_from_the_forge() {
  return problem_response(403, "forbidden", "this delivery is not signed with a secret of this server");
}

using ReadDelivery = Result<ForgeDelivery> (*)(const HttpRequest&, const Json&);

Result<HttpReply> receive(const ApiParts& parts, const std::string& source, const HttpRequest& request,
                          ReadDelivery read) {
  const std::string type = to_lower(request.header("content-type").value_or(""));
  if (type != "application/json" && !type.starts_with("application/json;"))
    return problem_response(415, "unsupported-media-type",
                            "choose application/json as the webhook's content type");
  const auto body = parse_json(request.body);
  if (!body) return problem_response(400, "bad-request", "the body is not JSON: " + body.error().message);
  if (!body->is_object()) return problem_response(422, "validation-failed", "the body must be an object");
  TRY_ASSIGN(const ForgeDelivery delivery, read(request, *body));
  if (delivery.event == "ping") return json_response(200, {{"pong", true}});
  return accept(parts, source, delivery);
}

} // namespace

void handle_sync_jobs(const ApiParts& parts, WorkQueue& queue) {
  queue.handle("sync", [&parts](const Job& job, std::stop_token stop) { return run_sync(parts, job, stop); });
  if (!parts.run_errand) return;
  for (const ErrandKind kind : errand_kinds())
    queue.handle(std::string(to_string(kind)), [&parts, kind](const Job& job, std::stop_token stop) {
      return run_errand(parts, job, kind, std::move(stop));
    });
}

Status tidy_forges(const ApiParts& parts) {
  if (!parts.run_errand) return {};
  TRY_ASSIGN(const auto repositories, parts.repositories.list());
  for (const ServedRepository& served : repositories) {
    TRY_ASSIGN(const auto open, parts.store.open_intents(forge_stream(served.id)));
    ForgeErrand errand;
    errand.kind = ErrandKind::tidy;
    if (!open.empty()) TRY(add_errand(parts, served, errand));
  }
  return {};
}

std::vector<Operation> sync_operations(const ApiParts& parts) {
  const auto github = [&parts](const Call& call) -> Result<HttpReply> {
    if (!is_from_github(call.request, parts.webhooks)) return not_from_the_forge();
    return receive(parts, "github", call.request, read_github);
  };
  const auto gitlab = [&parts](const Call& call) -> Result<HttpReply> {
    if (!is_from_gitlab(call.request, parts.webhooks, parts.now_ms())) return not_from_the_forge();
    return receive(parts, "gitlab", call.request, read_gitlab);
  };
  return {
      {"POST", "/api/issues/sync", "syncIssues",
       [&parts](const Call& call) { return sync_issues(parts, call); }, Admission::member, BodyKind::json},
      {"POST", "/api/webhooks/github", "receiveGithub", github, Admission::signed_body, BodyKind::bytes},
      {"POST", "/api/webhooks/gitlab", "receiveGitlab", gitlab, Admission::signed_body, BodyKind::bytes},
  };
}

} // namespace emend
