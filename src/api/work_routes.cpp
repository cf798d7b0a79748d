// Verification, challenge and pull request review: what the engine also does inside of a session, asked for
// alone.
#include <algorithm>

#include "api/event_jobs.hpp"
#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "api/spending.hpp"
#include "base/strings.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/intake/review_scope.hpp"
#include "engine/judge/challenge_change.hpp"
#include "engine/review/pr_review.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

const ToldJob kVerify{"verify", "verification_id", "/api/verify"};
const ToldJob kChallenge{"challenge", "challenge_id", "/api/challenge"};
const ToldJob kPrReview{"pr_review", "review_id", "/api/pr/reviews"};

constexpr std::size_t kMaxDiff = 900'000; // of a body's megabyte

// --- verify
// -----------------------------------------------------------------------------------------------------------------

// The commit whose tree is verified, and what it is compared with.
struct Verified {
  std::string commit, against; // against: empty = nothing to compare with
};

Result<Verified> what_to_verify(const ApiParts& parts, Workbench& bench, const std::string& rev,
                                const std::string& range, const std::string& session_id) {
  Verified what;
  if (!session_id.empty()) {
    TRY_ASSIGN(const Session session, parts.store.session(session_id));
    if (session.repository_id != bench.repository().id())
      return fail(ErrorCode::not_found, "the session belongs to another repository");
    if (session.tip.empty()) return fail(ErrorCode::conflict, "the session has made no commit");
    TRY_ASSIGN(const std::string tip, own_tip(parts.store, session)); // with what was undone since
    return Verified{tip, session.base};
  }
  if (range.empty()) {
    TRY_ASSIGN(what.commit, bench.repository().resolve(rev));
    return what;
  }
  TRY_ASSIGN(const ReviewScope scope, parse_range(range));
  TRY_ASSIGN(const PrChange change, look_up_change(bench.repository(), scope.from, scope.ref));
  return Verified{change.head, change.start};
}

Result<HttpReply> start_verify(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200),
                    rev = fields.text_or("rev", "", 500), range = fields.text_or("range", "", 1'000),
                    session = fields.text_or("session_id", "", 100);
  const std::vector<std::string> names = fields.texts("commands", false, 1'000);
  if (!rev.empty() + !range.empty() + !session.empty() > 1)
    fields.refuse("rev", "rev, range and session_id cannot be used together");
  if (auto problem = fields.problems()) return *problem;
  Job job;
  TRY_ASSIGN(job.repository_id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  TRY_ASSIGN(const Policy policy, bench->trusted_policy({}, "HEAD"));
  if (policy.commands.empty())
    return problem_response(409, "config-invalid",
                            "no checks are configured (add [verify] commands to emend.toml, "
                            "then run emend trust)");
  for (const std::string& name : names)
    if (std::none_of(policy.commands.begin(), policy.commands.end(),
                     [&](const VerifyCommand& command) { return command.name == name; }))
      return problem_response(422, "validation-failed", "there is no check " + name);
  TRY_ASSIGN(const Verified what, what_to_verify(parts, *bench, rev.empty() ? "HEAD" : rev, range, session));
  job.order = {{"commit", what.commit}, {"against", what.against}, {"commands", names}};
  return accept_job(parts, call, std::move(job), kVerify);
}

bool all_passed(const Verification& verification) {
  return std::all_of(verification.commands.begin(), verification.commands.end(),
                     [](const CommandRun& run) { return run.passed(); });
}

std::vector<RanCommand> brief(const Verification& verification) {
  std::vector<RanCommand> list;
  for (const CommandRun& run : verification.commands)
    list.push_back({run.name, to_string(run.result), run.exit_code, run.duration_ms});
  return list;
}

Result<JobEnd> verify_now(Workbench& bench, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(
      const Policy policy,
      bench.trusted_policy({}, "HEAD")); // again: what was trusted when it was asked for may have changed
  const auto names = job.order.at("commands").get<std::vector<std::string>>();
  const std::string commit = string_or(job.order, "commit"), against = string_or(job.order, "against");
  Json base = nullptr;
  if (!against.empty()) {
    TRY_ASSIGN(const Verification before, bench.manager(job.by).verify(policy, against, names, stop));
    base = to_json(before);
  }
  TRY_ASSIGN(const Verification verification, bench.manager(job.by).verify(policy, commit, names, stop));
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while the commands were running");
  const bool passed = all_passed(verification);
  JobEnd end;
  end.result = {{"commit", commit},
                {"against", against.empty() ? Json(nullptr) : Json(against)},
                {"passed", passed},
                {"verification", to_json(verification)},
                {"base", std::move(base)}};
  end.event = make_event(job.id, "", VerifyCompleted{commit, passed, brief(verification)});
  return end;
}

// --- challenge
// --------------------------------------------------------------------------------------------------------------

struct Challenged {
  std::string base;
  Patch patch;
};

Result<Challenged> challenged_change(Workbench& bench, const Json& order) {
  Repository& repository = bench.repository();
  if (const std::string head = string_or(order, "head"); !head.empty()) {
    TRY_ASSIGN(Patch patch, repository.diff(string_or(order, "base"), head));
    return Challenged{string_or(order, "base"), std::move(patch)};
  }
  TRY_ASSIGN(Patch patch, repository.apply_diff(string_or(order, "base"), string_or(order, "diff")));
  return Challenged{string_or(order, "base"), std::move(patch)};
}

Status require_challenger(const Policy& policy) {
  if (!policy.challenger.name.empty() && !policy.challenger.builtin()) return {};
  return fail(ErrorCode::agent, "no judge is configured", "name an agent in fix_challenger.agent");
}

Result<HttpReply> start_challenge(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200),
                    range = fields.text_or("range", "", 1'000), diff = fields.text_or("diff", "", kMaxDiff),
                    base = fields.text_or("base", "", 500);
  const std::vector<std::string> ids = fields.texts("issue_ids", true, 100);
  if (range.empty() == diff.empty()) fields.refuse("range", "give either range or diff");
  if (!base.empty() && diff.empty()) fields.refuse("base", "is for a diff; a range has its own base");
  if (auto problem = fields.problems()) return *problem;
  Job job;
  TRY_ASSIGN(job.repository_id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  TRY_ASSIGN(const auto issues, known_issues(parts, job.repository_id, ids));
  TRY_ASSIGN(const Policy policy, bench->trusted_policy({}, "HEAD"));
  TRY(require_challenger(policy));
  TRY_ASSIGN(auto refused, nothing_left(parts, *bench));
  if (refused) return *std::move(refused);
  job.order = {{"base", ""}, {"head", ""}, {"diff", diff}, {"issue_ids", Json::array()}};
  for (const Issue& issue : issues) job.order["issue_ids"].push_back(issue.id);
  if (range.empty()) {
    TRY_ASSIGN(job.order["base"], bench->repository().resolve(base.empty() ? "HEAD" : base));
    TRY_ASSIGN(const Challenged change,
               challenged_change(*bench, job.order)); // now, so that the caller gets the error
    if (change.patch.empty()) return problem_response(422, "validation-failed", "the diff changes nothing");
  } else {
    TRY_ASSIGN(const ReviewScope scope, parse_range(range));
    TRY_ASSIGN(const PrChange change, look_up_change(bench->repository(), scope.from, scope.ref));
    job.order["base"] = change.start;
    job.order["head"] = change.head;
  }
  return accept_job(parts, call, std::move(job), kChallenge);
}

Json score_json(const Verdict& verdict, const Issue& issue) {
  return {{"issue_code", issue.code},
          {"valid", verdict.valid},
          {"score", verdict.score ? Json(*verdict.score) : Json(nullptr)},
          {"status", verdict.status_word},
          {"feedback", verdict.feedback},
          {"quality_scores", verdict.quality_scores},
          {"improvements_needed", verdict.improvements_needed},
          {"problem", verdict.problem.empty() ? Json(nullptr) : Json(verdict.problem)},
          {"agent", verdict.agent},
          {"model", verdict.model}};
}

Result<JobEnd> challenge_now(const ApiParts& parts, Workbench& bench, const Job& job, std::stop_token stop) {
  ChallengeRequest request;
  request.session_id = job.id;
  TRY_ASSIGN(request.policy, bench.trusted_policy({}, "HEAD"));
  TRY(require_challenger(request.policy));
  TRY_ASSIGN(request.issues, known_issues(parts, job.repository_id,
                                          job.order.at("issue_ids").get<std::vector<std::string>>()));
  TRY_ASSIGN(Challenged change, challenged_change(bench, job.order));
  request.base = change.base;
  request.patch = std::move(change.patch);
  TRY_ASSIGN(const auto verdicts,
             challenge_change(bench.ports(job.by), parts.home, parts.on_event, request, stop));
  JobEnd end;
  std::vector<Json> scores;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    scores.push_back(score_json(verdicts[i], request.issues[i]));
  end.result = {{"base", request.base},
                {"patch_sha256", request.patch.sha256()},
                {"threshold", request.policy.satisfaction_threshold},
                {"scores", scores}};
  end.event =
      make_event(job.id, "", ChallengeCompleted{request.policy.satisfaction_threshold, std::move(scores)});
  return end;
}

// --- pull requests
// ----------------------------------------------------------------------------------------------------------

std::vector<ConfigOverride> vote_overrides(const std::string& voters, const Json& threshold) {
  std::vector<ConfigOverride> overrides;
  if (!voters.empty()) overrides.push_back({"pr.voters", voters, "request"});
  if (threshold.is_number_integer())
    overrides.push_back({"pr.approve_threshold", std::to_string(threshold.get<int>()), "request"});
  return overrides;
}

Result<HttpReply> start_pr_review(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200),
                    head = fields.text_or("head", "HEAD", 500);
  std::string base = fields.text_or("base", "", 500);
  const std::vector<std::string> voters = fields.texts("voters", false, 10);
  const auto threshold = fields.number("approve_threshold", 0, 100);
  if (auto problem = fields.problems()) return *problem;
  Job job;
  TRY_ASSIGN(job.repository_id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  if (base.empty()) {
    TRY_ASSIGN(const auto named, bench->repository().default_branch());
    if (!named)
      return problem_response(422, "validation-failed",
                              "this repository has no default branch to compare with: name the base");
    base = *named;
  }
  const Json limit = threshold ? Json(*threshold) : Json(nullptr);
  // Now, so that the caller gets the error; and by commits, so that what is reviewed is what was asked for.
  TRY_ASSIGN(const PrReviewRequest request,
             bench->pr_review_request(base, head, vote_overrides(join(voters, ","), limit)));
  TRY_ASSIGN(auto refused, nothing_left(parts, *bench));
  if (refused) return *std::move(refused);
  job.order = {
      {"base", request.change.base}, {"head", request.change.head}, {"base_ref", base}, {"head_ref", head},
      {"voters", join(voters, ",")}, {"threshold", limit}};
  return accept_job(parts, call, std::move(job), kPrReview);
}

// Its events are the engine's own; only a failure is told by the queue.
Result<Json> run_pr_review(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  TRY_ASSIGN(
      PrReviewRequest request,
      bench->pr_review_request(string_or(job.order, "base"), string_or(job.order, "head"),
                               vote_overrides(string_or(job.order, "voters"), job.order.at("threshold"))));
  request.session_id = job.id;
  request.change.base_ref = string_or(job.order, "base_ref");
  request.change.head_ref = string_or(job.order, "head_ref");
  TRY_ASSIGN(const PrReview review,
             review_change(bench->ports(job.by), parts.home, parts.on_event, request, stop));
  return to_json(review);
}

Result<HttpReply> cancel(const ApiParts& parts, const Call& call) {
  const auto record = parts.queue.find(call.parameter("id"));
  if (!record) return problem_response(404, "not-found", "there is no such job");
  if (record->job.kind == "fix")
    return problem_response(409, "conflict",
                            "this is a session: POST /api/fix/sessions/" + record->job.id + "/cancel");
  TRY_ASSIGN(const bool cancelled, cancel_job(parts, call, *record));
  if (!cancelled) return problem_response(409, "conflict", "the job has ended");
  return json_response(202, {{"job_id", record->job.id}, {"cancelling", true}});
}

} // namespace

void handle_work_jobs(const ApiParts& parts, WorkQueue& queue) {
  queue.handle(kVerify.kind,
               told_handler(parts, [&parts](const Job& job, std::stop_token stop) -> Result<Json> {
                 TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
                 return run_told(parts, make_event(job.id, "", VerifyStarted{string_or(job.order, "commit")}),
                                 [&] { return verify_now(*bench, job, stop); });
               }));
  queue.handle(
      kChallenge.kind, told_handler(parts, [&parts](const Job& job, std::stop_token stop) -> Result<Json> {
        TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
        return run_told(parts, make_event(job.id, "", ChallengeStarted{string_or(job.order, "base")}),
                        [&] { return challenge_now(parts, *bench, job, stop); });
      }));
  queue.handle(kPrReview.kind, told_handler(parts, [&parts](const Job& job, std::stop_token stop) {
                 return run_pr_review(parts, job, stop);
               }));
}

std::vector<Operation> work_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/verify", "startVerification",
       [&parts](const Call& call) { return start_verify(parts, call); }, Admission::member, BodyKind::json,
       true},
      {"GET", "/api/verify/{id}", "getVerification",
       [&parts](const Call& call) { return get_job(parts, call, kVerify); }},
      {"POST", "/api/challenge", "startChallenge",
       [&parts](const Call& call) { return start_challenge(parts, call); }, Admission::member, BodyKind::json,
       true},
      {"GET", "/api/challenge/{id}", "getChallenge",
       [&parts](const Call& call) { return get_job(parts, call, kChallenge); }},
      {"POST", "/api/pr/review", "startPrReview",
       [&parts](const Call& call) { return start_pr_review(parts, call); }, Admission::member, BodyKind::json,
       true},
      {"GET", "/api/pr/reviews/{id}", "getPrReview",
       [&parts](const Call& call) { return get_job(parts, call, kPrReview); }},
      {"POST", "/api/jobs/{id}/cancel", "cancelJob",
       [&parts](const Call& call) { return cancel(parts, call); }},
  };
}

} // namespace emend
