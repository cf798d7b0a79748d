#include <algorithm>

#include "api/fields.hpp"
#include "api/issue_json.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "api/spending.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "engine/agents/budget.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/claims/repository_lock.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/storage_check.hpp"
#include "engine/forge/comments.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/plan/plan.hpp"
#include "engine/session/shared_sessions.hpp"
#include "engine/session/strategy_choice.hpp"
#include "model/branch_name.hpp"
#include "model/events.hpp"
#include "service/fix_options.hpp"

namespace emend {

namespace {

// What a client may change for one session. Everything else is the configuration's.
FixOptions read_options(Fields& fields) {
  FixOptions options;
  for (const FixOption& row : fix_options()) {
    if (const auto* text = std::get_if<std::string FixOptions::*>(&row.field)) {
      std::string& value = options.**text;
      if (row.decimal)
        value = fields.amount(row.name, row.low, row.high);
      else if (row.words.empty())
        value = fields.text_or(row.name, value, static_cast<std::size_t>(row.high));
      else
        value = fields.word(row.name, row.words, value);
    } else if (const auto* number = std::get_if<std::optional<int> FixOptions::*>(&row.field)) {
      if (const auto given = fields.number(row.name, row.low, row.high))
        options.** number = static_cast<int>(*given);
    } else {
      bool& flag = options.*std::get<bool FixOptions::*>(row.field);
      flag = fields.flag(row.name, flag);
    }
  }
  if (options.base.empty()) options.base = "HEAD";
  if (const std::string problem = options.branch.empty() ? "" : branch_name_problem(options.branch);
      !problem.empty())
    fields.refuse("branch", problem);
  return options;
}

Json to_json(const std::vector<ConfigOverride>& overrides) {
  Json list = Json::array();
  for (const ConfigOverride& item : overrides) list.push_back({item.key, item.value});
  return list;
}

std::vector<ConfigOverride> overrides_from(const Json& list) {
  std::vector<ConfigOverride> overrides;
  for (const Json& item : list)
    overrides.push_back({item.at(0).get<std::string>(), item.at(1).get<std::string>(), "options"});
  return overrides;
}

// --- clarify
// ----------------------------------------------------------------------------------------------------------------

std::vector<GivenAnswer> read_answers(Fields& fields) {
  std::vector<GivenAnswer> answers;
  const Json* list = fields.list("answers");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Json item = (*list)[i].is_object() ? (*list)[i] : Json::object();
    Fields row(item, "/answers/" + std::to_string(i));
    GivenAnswer answer;
    answer.question_id = row.text("question_id", 200);
    answer.answer = row.text_or("answer", "", 20'000);
    answer.skip = row.flag("skip", false);
    if (answer.answer.empty() && !answer.skip)
      row.refuse("answer", "is missing; \"skip\": true leaves it to the fixer");
    if (row.problems())
      fields.refuse("answers/" + std::to_string(i), "must be {question_id, answer} or {question_id, skip}");
    answers.push_back(std::move(answer));
  }
  return answers;
}

Json clarity_json(const Clarity& clarity) {
  Json by_issue = Json::array();
  for (const Issue& issue : clarity.issues) {
    Json questions = Json::array();
    for (const Clarification& question : issue.clarifications) {
      if (question.state != ClarificationState::asked) continue;
      Json item = {
          {"id", question.question_id}, {"question", question.question}, {"context", question.context}};
      if (!question.suggestions.empty()) item["suggestions"] = question.suggestions;
      questions.push_back(std::move(item));
    }
    if (!questions.empty())
      by_issue.push_back({{"issue_code", issue.code}, {"questions", std::move(questions)}});
  }
  Json problems = Json::array();
  for (const Clarity::Failure& failure : clarity.failures)
    problems.push_back({{"issue_code", failure.code}, {"detail", failure.problem}});
  return {{"has_questions", clarity.has_questions()},
          {"questions_by_issue", std::move(by_issue)},
          {"session_id", clarity.session_id},
          {"ready_to_plan", clarity.ready_to_plan()},
          {"problems", std::move(problems)}};
}

Result<HttpReply> clarify_round(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text("repository_id", 200);
  const std::vector<std::string> ids = fields.texts("issue_ids", true);
  ClarifyRequest request;
  request.session_id = fields.text_or("session_id", "", 100);
  const std::vector<GivenAnswer> answers = read_answers(fields);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const auto issues, known_issues(parts, id, ids));
  TRY_ASSIGN(request.policy, bench->trusted_policy({}, "HEAD"));
  if (!answers.empty())
    TRY(record_answers(bench->ports(call.caller.actor), request.policy, parts.on_event, answers));
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  TRY_ASSIGN(auto refused, nothing_left(parts, *bench));
  if (refused) return *std::move(refused);
  TRY_ASSIGN(const Clarity clarity,
             clarify(bench->ports(call.caller.actor), parts.home, parts.on_event, request, {}));
  return json_response(200, clarity_json(clarity));
}

// --- plan
// -------------------------------------------------------------------------------------------------------------------

Result<bool> has_questions(const std::vector<Issue>& issues) {
  return std::any_of(issues.begin(), issues.end(),
                     [](const Issue& issue) { return has_open_questions(issue); });
}

Result<HttpReply> plan(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text("repository_id", 200);
  const std::vector<std::string> ids = fields.texts("issue_ids", true);
  PlanRequest request;
  (void)fields.text_or("clarify_session_id", "",
                       100); // answers are kept with the issues; nothing else is needed of it
  const bool waived = fields.flag("ignore_questions", false);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(request.issues, known_issues(parts, id, ids));
  TRY_ASSIGN(const bool open, has_questions(request.issues));
  if (open && !waived)
    return problem_response(
        409, "questions-pending",
        "some issues have open questions; answer them, or send \"ignore_questions\": true");
  TRY_ASSIGN(const Config config, bench->config());
  request.policy = config.policy();
  TRY(settle_strategy(parts.store, id, request.policy));
  request.strategy = request.policy.strategy;
  request.limits = request.policy.batch;
  TRY_ASSIGN(const Plan plan, make_plan(bench->ports(call.caller.actor), parts.home, request));
  TRY_ASSIGN(const fs::path master, keep_plan_files(bench->ports(call.caller.actor), parts.home, plan));
  TRY_ASSIGN(const auto earlier, parts.store.latest_agent_runs(id, 500));
  const Estimate guess = estimate(request.policy, request.issues.size(), plan.units.size(), earlier);
  Json body = to_json(plan.files.master);
  return json_response(
      200,
      {{"plan_id", plan.session_id},
       {"session_id", plan.session_id},
       {"branch_name", plan.branch},
       {"master_todo_path", master.string()},
       {"execution_steps", body.contains("execution_steps") ? body["execution_steps"] : Json::array()},
       {"summary", {{"total_issues", plan.works.size()}, {"total_steps", plan.steps.size()}}},
       {"estimate",
        {{"cost_usd", guess.cost_usd ? Json(*guess.cost_usd) : Json(nullptr)}, {"text", to_text(guess)}}}});
}

// --- start
// ------------------------------------------------------------------------------------------------------------------

// A plan may be named by the path its maker was told; only files below the sessions' own folder count,
// wherever links lead.
Result<std::string> plan_folder(const ApiParts& parts, const std::string& plan_id,
                                const std::string& master_path) {
  std::error_code problem;
  const fs::path root = fs::weakly_canonical(fs::path(parts.home) / "sessions", problem);
  if (!plan_id.empty()) {
    const bool plain = std::all_of(plan_id.begin(), plan_id.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
    if (!plain || !fs::exists(root / plan_id / "master_todo.json", problem))
      return fail(ErrorCode::not_found, "there is no plan " + plan_id);
    return (root / plan_id).string();
  }
  if (master_path.empty()) return std::string();
  const fs::path real = fs::canonical(master_path, problem);
  if (problem || real.filename() != "master_todo.json" || real.parent_path().parent_path() != root)
    return fail(ErrorCode::usage, "master_todo_path is not a plan of this server");
  return real.parent_path().string();
}

// What the session would begin on is the base as it is now.
Result<std::vector<std::string>> stale_in_plan(Workbench& bench, const std::string& base_ref,
                                               const std::optional<PlanFiles>& plan) {
  if (!plan) return std::vector<std::string>();
  TRY_ASSIGN(const std::string base, bench.repository().resolve(base_ref));
  return stale_files(bench.repository(), base, *plan);
}

Result<std::optional<PlanFiles>> plan_in(const std::string& folder) {
  if (folder.empty()) return std::optional<PlanFiles>();
  TRY_ASSIGN(PlanFiles plan, read_plan_files(fs::path(folder) / "master_todo.json"));
  return std::optional<PlanFiles>(std::move(plan));
}

struct Start {
  std::string session_id; // the one that was told with the plan, if no session has it yet
  std::string repository_id, plan_folder, task_id;
  JobPriority priority = JobPriority::normal;
  std::vector<Issue> issues;
  FixOptions options;
};

Job job_of(const Start& start) {
  std::vector<std::string> ids;
  for (const Issue& issue : start.issues) ids.push_back(issue.id);
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  Job job;
  job.id = start.session_id;
  job.kind = "fix";
  job.repository_id = start.repository_id;
  job.priority = start.priority;
  const FixOptions& options = start.options;
  job.order = {{"issue_ids", ids},
               {"plan", start.plan_folder},
               {"options", to_json(overrides_of(options, "options"))},
               {"base", options.base},
               {"branch", options.branch},
               {"review_report", options.review_report}};
  if (options.approve == "plan") job.order["approve"] = "plan";
  if (!start.task_id.empty()) job.order["task_id"] = start.task_id;
  job.same_as = sha256_hex("fix\n" + start.repository_id + "\n" + join(sorted, "\n"));
  return job;
}

// The session's own budget becomes what is left of them.
Status keep_to_limits(const ApiParts& parts, Workbench& bench, Policy& policy) {
  TRY_ASSIGN(const auto limits, limits_now(parts, bench));
  std::string warning;
  TRY(keep_to_quota(policy, limits, warning));
  if (!warning.empty()) log(LogLevel::warn, warning);
  return {};
}

// What whoever starts a session of these issues is told before it begins.
Result<Json> warnings_about(const ApiParts& parts, const Policy& policy, const std::vector<QuotaUse>& limits,
                            const std::string& repository_id, std::size_t issues, const std::string& soon) {
  Json warnings = Json::array();
  if (!soon.empty()) warnings.push_back(soon);
  if (limits.empty()) return warnings;
  TRY_ASSIGN(const auto earlier, parts.store.latest_agent_runs(repository_id, 500));
  const std::string beyond = beyond_quota(estimate(policy, issues, issues, earlier), limits);
  if (!beyond.empty()) warnings.push_back(beyond);
  return warnings;
}

Result<HttpReply> start(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  Start start;
  const std::string repository = fields.text("repository_id", 200);
  start.task_id = clean_text(fields.text_or("task_id", "", 200));
  FixOptions notes; // the other name of options.feedback: both are kept
  notes.feedback = fields.text_or("user_notes", "", kLongestComment);
  start.priority = parse_job_priority(fields.word("priority", {"low", "normal", "high"}, "normal"))
                       .value_or(JobPriority::normal);
  const std::vector<std::string> ids = fields.texts("issue_ids", true);
  const std::string plan_id = fields.text_or("plan_id", "", 100),
                    master_path = fields.text_or("master_todo_path", "", 4'096);
  (void)fields.text_or("clarify_session_id", "", 100);
  const Json* options = fields.object("options");
  const Json none = Json::object();
  Fields option_fields(options == nullptr ? none : *options, "/options");
  start.options = read_options(option_fields);
  if (auto problem = option_fields.problems()) return *problem;
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(start.repository_id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(start.repository_id));
  TRY_ASSIGN(start.issues, known_issues(parts, start.repository_id, ids));
  auto folder = plan_folder(parts, plan_id, master_path);
  if (!folder && folder.error().code == ErrorCode::usage)
    return problem_response(422, "plan-path-not-allowed", folder.error().message);
  TRY_ASSIGN(start.plan_folder, std::move(folder));
  TRY_ASSIGN(const std::optional<PlanFiles> plan, plan_in(start.plan_folder));
  TRY_ASSIGN(const auto stale, stale_in_plan(*bench, start.options.base, plan));
  if (!stale.empty())
    return problem_response(
        409, "plan-stale",
        "changed since the plan was made: " + first_line(clean_text(join(stale, ", ")), 500) +
            "; make a new one: POST /api/fix/plan");
  // Now, so that the caller gets the error, not only the log.
  const auto overrides = overrides_of(start.options, "options");
  TRY_ASSIGN(const Policy policy, bench->trusted_policy(overrides, start.options.base));
  TRY_ASSIGN(const Config config, bench->config(overrides));
  TRY(config.require_agents());
  Policy limited = policy;
  std::string soon;
  TRY_ASSIGN(const auto limits, limits_now(parts, *bench));
  if (const Status fits = keep_to_quota(limited, limits, soon); !fits) {
    if (fits.error().code != ErrorCode::limit) return fail(fits.error());
    return quota_problem(fits.error());
  }
  TRY_ASSIGN(Json warnings,
             warnings_about(parts, policy, limits, start.repository_id, start.issues.size(), soon));
  TRY_ASSIGN(start.session_id,
             plan ? session_id_for(parts.store, *plan) : Result<std::string>(new_session_id()));
  TRY(note_feedback(notes, bench->ports(call.caller.actor), policy, parts.on_event, start.issues));
  TRY(note_feedback(start.options, bench->ports(call.caller.actor), policy, parts.on_event, start.issues));
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(job_of(start), call.caller.actor, joined));
  const std::string& session = record.job.id;
  const std::string accept(call.request.header("accept").value_or(""));
  // Who takes anything, as curl does, sees it live.
  if (contains(accept, "text/event-stream") || trim(accept) == "*/*")
    return follow_session(parts, call.request, session);
  HttpResponse response = json_response(202, {{"session_id", session},
                                              {"events_url", "/api/fix/sessions/" + session + "/events"},
                                              {"joined", joined},
                                              {"task_id", task_of(parts, session)},
                                              {"warnings", std::move(warnings)}});
  response.headers.push_back({"Location", "/api/fix/sessions/" + session});
  return response;
}

bool is_approval(const Job& job) { return string_or(job.order, "approve") == "given"; }

// A session that exists was begun before: by this server until it was stopped, or by one that died.
// A worker that has the repository runs whole sessions there; the server then only waits for their end.
bool worker_has(Workbench& bench) {
  Presence* presence = bench.ports(Actor{}).presence;
  if (presence == nullptr) return false;
  const auto workers = presence->board().workers();
  const std::string label = session_label(bench.repository().id());
  return workers && std::any_of(workers->begin(), workers->end(), [&](const WorkerRecord& worker) {
           return worker.alive && !worker.draining &&
                  std::find(worker.labels.begin(), worker.labels.end(), label) != worker.labels.end();
         });
}

// Here, unless a worker has it already.
Result<FixReport> resume_or_follow(Workbench& bench, const Actor& by, const std::string& session_id,
                                   std::stop_token stop) {
  auto report = bench.manager(by).resume(session_id, stop);
  if (report || report.error().code != ErrorCode::conflict || bench.ports(Actor{}).presence == nullptr)
    return report;
  const auto elsewhere = is_claimed(bench.ports(Actor{}).presence->board(), session_id);
  return elsewhere && *elsewhere ? bench.manager(Actor{}).follow(session_id, stop) : std::move(report);
}

Result<Json> run_fix(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  const auto known = parts.store.session(job.id);
  if (!known && known.error().code != ErrorCode::not_found) return fail(known.error());
  if (known && known->id == job.id && known->status == SessionStatus::planned) {
    if (!is_approval(job))
      return Json{{"status", to_string(known->status)}}; // it waits; who made it wait had not noticed
    TRY_ASSIGN(const FixReport report, bench->manager(job.by).approve(job.id, stop));
    return Json{{"status", to_string(report.session.status)}};
  }
  if (known && known->id == job.id) {
    const bool asked_for = !job.taken_up && !job.order.contains("issue_ids"); // a person resumes it
    if (known->status == SessionStatus::cancelled && !asked_for)
      return Json{{"status", to_string(known->status)}}; // by somebody, meanwhile
    TRY_ASSIGN(const FixReport report, resume_or_follow(*bench, asked_for ? job.by : Actor{}, job.id, stop));
    return Json{{"status", to_string(report.session.status)}};
  }
  TRY(keep_task(parts, job));
  FixRequest request;
  request.session_id = job.id;
  request.issue_ids = job.order.at("issue_ids").get<std::vector<std::string>>();
  if (const std::string base = string_or(job.order, "base"); !base.empty()) request.base_ref = base;
  request.branch = string_or(job.order, "branch");
  request.review_report = string_or(job.order, "review_report");
  request.wait_for_approval = string_or(job.order, "approve") == "plan";
  TRY_ASSIGN(request.policy,
             bench->trusted_policy(overrides_from(job.order.at("options")), request.base_ref));
  TRY(keep_to_limits(parts, *bench, request.policy));
  TRY_ASSIGN(request.plan, plan_in(string_or(job.order, "plan")));
  request.for_workers = !request.wait_for_approval && worker_has(*bench);
  TRY_ASSIGN(FixReport report, bench->manager(job.by).fix(request, stop));
  if (request.for_workers) {
    TRY_ASSIGN(report, bench->manager(Actor{}).follow(job.id, stop));
  }
  return Json{{"status", to_string(report.session.status)}};
}

Status put_away(const ApiParts& parts, const Job& job) {
  const auto session = parts.store.session(job.id);
  if (!session) return session.error().code == ErrorCode::not_found ? Status() : fail(session.error());
  if (present_status(*session) != SessionStatus::interrupted) return {};
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  return bench->manager(Actor{}).cancel(job.id);
}

// Reports to the followers of a session that it could not start.
Status tell_failure(const ApiParts& parts, const std::string& session_id, const Error& error) {
  EventLog log(parts.store, *parts.dependencies.clock, parts.on_event);
  return log.publish(
      make_event(session_id, "",
                 FixSessionError{clean_text(error.message), clean_text(error.remedy), "error", false, {}}));
}

// The session is interrupted although neither a person nor a stopping server wants that: the claim on it was
// lost, for one.
Result<Json> run_to_its_end(const ApiParts& parts, const Job& job, std::stop_token stop) {
  TRY_ASSIGN(Json result, run_fix(parts, job, stop));
  if (parts.queue.given_up(job.id))
    TRY(put_away(parts, job)); // cancelled before there was a session to say so
  else if (!stop.stop_requested() && string_or(result, "status") == to_string(SessionStatus::interrupted))
    return fail(ErrorCode::conflict, "session " + job.id + " was interrupted");
  return result;
}

// Also when somebody else is at the repository for now, once there is a session.
bool may_go_again(const ApiParts& parts, const Job& job, const Error& error) {
  if (may_pass(error, parts.home)) return true;
  return error.code == ErrorCode::conflict && parts.store.session(job.id).has_value();
}

Status end_failed(const ApiParts& parts, const Job& job, const Error& error) {
  if (parts.queue.given_up(job.id)) return put_away(parts, job);
  const auto session = parts.store.session(job.id);
  if (!session)
    return session.error().code == ErrorCode::not_found ? tell_failure(parts, job.id, error)
                                                        : fail(session.error());
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  // It ended, and only that could not be told to the others.
  if (Presence* presence = bench->ports(Actor{}).presence; presence != nullptr && is_final(session->status))
    withdraw_session(presence->board(), *session);
  if (present_status(*session) != SessionStatus::interrupted) return {};
  const Status given_up = bench->manager(Actor{}).give_up(job.id, error.message);
  return given_up || given_up.error().code != ErrorCode::conflict ? given_up
                                                                  : Status(); // somebody else works on it
}

} // namespace

void handle_fix_jobs(const ApiParts& parts, WorkQueue& queue) {
  WorkQueue::Handler handler;
  handler.work = [&parts](const Job& job, std::stop_token stop) { return run_to_its_end(parts, job, stop); };
  handler.passes = [&parts](const Job& job, const Error& error) { return may_go_again(parts, job, error); };
  handler.waits = is_held_by_another;
  handler.failed = [&parts](const Job& job, const Error& error) { return end_failed(parts, job, error); };
  queue.handle("fix", std::move(handler));
}

std::vector<Operation> fix_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/fix/clarify", "clarify",
       [&parts](const Call& call) { return clarify_round(parts, call); }, Admission::member, BodyKind::json,
       true},
      {"POST", "/api/fix/plan", "plan", [&parts](const Call& call) { return plan(parts, call); },
       Admission::member, BodyKind::json, true},
      {"POST", "/api/fix/start", "startFix", [&parts](const Call& call) { return start(parts, call); },
       Admission::member, BodyKind::json, true},
  };
}

} // namespace emend
