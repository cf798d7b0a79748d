// What a person decides about a session: its plan, comments for its fixers, which fixes are rejected.
#include <algorithm>

#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "api/spending.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/acceptance.hpp"
#include "engine/branch/grouped_branch.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/forge/comments.hpp"
#include "engine/plan/plan_approval.hpp"

namespace emend {

namespace {

HttpResponse started(const std::string& session_id, bool joined) {
  HttpResponse response = json_response(202, {{"session_id", session_id},
                                              {"events_url", "/api/fix/sessions/" + session_id + "/events"},
                                              {"joined", joined}});
  response.headers.push_back({"Location", "/api/fix/sessions/" + session_id});
  return response;
}

// --- taking back
// ------------------------------------------------------------------------------------------------------------

Result<HttpReply> reject_fix(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  RejectOrder order;
  order.code = fields.text("issue", 100);
  order.reason = fields.text("reason", kLongestComment);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  order.session_id = found.session.id;
  TRY_ASSIGN(const Withdrawn withdrawn,
             reject(found.bench->ports(call.caller.actor), parts.home, parts.on_event, order, {}));
  return json_response(200, to_json(withdrawn));
}

Result<HttpReply> accept(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string code = fields.text("issue", 100);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  TRY_ASSIGN(const Acceptance acceptance,
             accept_fix(found.bench->ports(call.caller.actor), parts.on_event, found.session.id, code));
  return json_response(200, to_json(acceptance));
}

Result<HttpReply> discard_session(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string reason = fields.text_or("reason", "", kLongestComment);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  TRY_ASSIGN(const Withdrawn withdrawn, discard(found.bench->ports(call.caller.actor), parts.home,
                                                parts.on_event, found.session.id, reason));
  return json_response(200, to_json(withdrawn));
}

Result<HttpReply> group_commits(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string by = fields.word("by", {"rule", "file", "one"}, "");
  if (by.empty()) fields.refuse("by", "must be rule, file or one");
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  TRY_ASSIGN(const GroupedSession grouped,
             group_session(found.bench->ports(call.caller.actor), parts.home, parts.on_event,
                           found.session.id, *parse_grouping(by)));
  return json_response(200, to_json(grouped));
}

// Those that were taken back and wait, or the named ones of them.
Result<std::vector<std::string>> issues_to_refix(const ApiParts& parts, const Session& session,
                                                 const std::vector<std::string>& named) {
  TRY_ASSIGN(const auto withdrawals, parts.store.withdrawals("", session.id));
  std::vector<std::string> ids;
  for (const Withdrawal& one : withdrawals) {
    TRY_ASSIGN(const Issue issue, parts.store.issue(session.repository_id, one.issue_id));
    const bool meant = named.empty() || std::find(named.begin(), named.end(), issue.code) != named.end() ||
                       std::find(named.begin(), named.end(), issue.id) != named.end();
    if (meant && issue.status == IssueStatus::open) ids.push_back(issue.id);
  }
  if (ids.size() < std::max<std::size_t>(named.size(), 1))
    return fail(ErrorCode::conflict, "only rejected fixes whose issues are OPEN can be fixed again",
                "reject them first; any other issue: POST /api/fix/start");
  return ids;
}

// On the branch as it is now, or where it is gone, on what the session began with.
Result<std::string> base_of_refix(Branches& repository, const Session& session, const std::string& on) {
  if (on == "base") return session.base;
  TRY_ASSIGN(const std::optional<std::string> tip, repository.branch_tip(session.branch));
  return tip.value_or(session.base);
}

Result<HttpReply> refix(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::vector<std::string> named = fields.texts("issues", false);
  const std::string on = fields.word("on", {"tip", "base"}, "tip");
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  TRY_ASSIGN(const auto ids, issues_to_refix(parts, found.session, named));
  TRY_ASSIGN(const std::string base, base_of_refix(found.bench->repository(), found.session, on));
  TRY(found.bench->trusted_policy({}, base));
  TRY_ASSIGN(const Config config, found.bench->config());
  TRY(config.require_agents());
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  Job job;
  job.id = new_session_id();
  job.kind = "fix";
  job.repository_id = found.session.repository_id;
  job.order = {{"issue_ids", ids}, {"plan", ""}, {"options", Json::array()}, {"base", base}};
  job.same_as = sha256_hex("fix\n" + job.repository_id + "\n" + join(sorted, "\n"));
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), call.caller.actor, joined));
  return started(record.job.id, joined);
}

// --- comments
// ---------------------------------------------------------------------------------------------------------------

Result<Json> comment_json(const ApiParts& parts, const std::string& repository_id, const Comment& comment) {
  TRY_ASSIGN(const Issue issue, parts.store.issue(repository_id, comment.issue_id));
  Json body = to_json(comment);
  body["issue_code"] = issue.code;
  return body;
}

Result<HttpReply> listed(const ApiParts& parts, const Call& call, const std::string& repository_id,
                         const std::vector<Comment>& comments) {
  Json data = Json::array();
  for (const Comment& comment : comments) {
    TRY_ASSIGN(Json row, comment_json(parts, repository_id, comment));
    data.push_back(std::move(row));
  }
  return page_response(call.request, std::move(data), "");
}

void read_comment(Fields& fields, CommentOrder& order) {
  order.text = fields.text("text", kLongestComment);
  order.file = fields.text_or("file", "", 4'096);
  order.line = static_cast<int>(fields.number("line", 1, 100'000'000).value_or(0));
  order.side = fields.word("side", {"old", "new"}, "");
}

Result<HttpReply> store_comment(const ApiParts& parts, const Actor& actor, Workbench& bench,
                                const std::string& repository_id, const CommentOrder& order) {
  TRY_ASSIGN(const Config config, bench.config());
  TRY_ASSIGN(const Comment comment, add_comment(bench.ports(actor), config.policy(), parts.on_event, order));
  TRY_ASSIGN(const Json body, comment_json(parts, repository_id, comment));
  return json_response(201, body);
}

Result<HttpReply> session_comments(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Session session, parts.store.session(call.parameter("id")));
  TRY_ASSIGN(const auto comments, parts.store.comments("", session.id));
  return listed(parts, call, session.repository_id, comments);
}

Result<HttpReply> comment_on_session(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  CommentOrder order;
  order.code = fields.text("issue", 100);
  read_comment(fields, order);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  order.session_id = found.session.id;
  return store_comment(parts, call.caller.actor, *found.bench, found.session.repository_id, order);
}

Result<HttpReply> issue_comments(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(const Issue issue, parts.store.issue(id, call.parameter("code")));
  TRY_ASSIGN(const auto comments, parts.store.comments(issue.id, ""));
  return listed(parts, call, id, comments);
}

Result<HttpReply> comment_on_issue(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  CommentOrder order;
  order.code = call.parameter("code");
  read_comment(fields, order);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  return store_comment(parts, call.caller.actor, *bench, id, order);
}

// --- existing tests that a fix may change
// ----------------------------------------------------------------------------------------

Result<HttpReply> issue_tests(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(const Issue issue, parts.store.issue(id, call.parameter("code")));
  TRY_ASSIGN(const TestDecisions tests, test_decisions(parts.store, issue));
  return json_response(200, to_json(tests));
}

Result<HttpReply> open_issue_test(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  OpenTestOrder order;
  order.code = call.parameter("code");
  order.test = fields.text("test", 4'096);
  order.open = fields.flag("open", true);
  order.reason = fields.text_or("reason", "", 2'000);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const OpenedTest opened, open_test(bench->ports(call.caller.actor), parts.on_event, order));
  return json_response(201, to_json(opened));
}

// --- the plan
// ---------------------------------------------------------------------------------------------------------------

std::vector<PlanStep> read_steps(Fields& fields) {
  std::vector<PlanStep> steps;
  const Json* list = fields.list("steps");
  if (list == nullptr) fields.refuse("steps", "is missing");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Json item = (*list)[i].is_object() ? (*list)[i] : Json::object();
    Fields row(item, "/steps/" + std::to_string(i));
    PlanStep step;
    step.codes = row.texts("issues", true);
    step.reason = row.text_or("reason", "", 500);
    if (row.problems()) fields.refuse("steps/" + std::to_string(i), "must be {issues: [codes], reason?}");
    steps.push_back(std::move(step));
  }
  return steps;
}

Result<HttpReply> change_session_plan(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  PlanChange change;
  change.steps = read_steps(fields);
  change.skipped = fields.texts("skip", false);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  change.session_id = found.session.id;
  const auto seen = call.request.header("if-match");
  bool stale = false;
  const auto plan = change_plan(
      found.bench->ports(call.caller.actor), parts.home, parts.on_event, change,
      [&](const MasterTodo& now) -> Status {
        stale = seen && *seen != tag_of(to_json(now));
        return stale ? Status(fail(ErrorCode::conflict, "the plan has changed since you read it")) : Status();
      });
  if (stale) return problem_response(412, "precondition-failed", plan.error().message);
  if (!plan) return fail(plan.error());
  return tagged_response(call.request, to_json(plan->master));
}

Result<HttpReply> approve_session(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  TRY(waiting_session(found.bench->ports(call.caller.actor), found.session.id));
  TRY_ASSIGN(auto refused, nothing_left(parts, *found.bench));
  if (refused) return *std::move(refused);
  bool joined = false;
  TRY(parts.queue.add({found.session.id,
                       "fix",
                       found.session.repository_id,
                       {{"approve", "given"}},
                       "approve " + found.session.id},
                      call.caller.actor, joined));
  return started(found.session.id, joined);
}

} // namespace

std::vector<Operation> decision_operations(const ApiParts& parts) {
  const auto member = Admission::member;
  const auto json = BodyKind::json;
  return {
      {"PUT", "/api/fix/sessions/{id}/plan", "changeSessionPlan",
       [&parts](const Call& call) { return change_session_plan(parts, call); }, member, json},
      {"POST", "/api/fix/sessions/{id}/approve", "approveSession",
       [&parts](const Call& call) { return approve_session(parts, call); }},
      {"POST", "/api/fix/sessions/{id}/accept", "acceptFix",
       [&parts](const Call& call) { return accept(parts, call); }, member, json, true},
      {"POST", "/api/fix/sessions/{id}/reject", "rejectFix",
       [&parts](const Call& call) { return reject_fix(parts, call); }, member, json, true},
      {"POST", "/api/fix/sessions/{id}/refix", "refixIssues",
       [&parts](const Call& call) { return refix(parts, call); }, member, json, true},
      {"POST", "/api/fix/sessions/{id}/discard", "discardSession",
       [&parts](const Call& call) { return discard_session(parts, call); }, member, json, true},
      {"POST", "/api/fix/sessions/{id}/group", "groupCommits",
       [&parts](const Call& call) { return group_commits(parts, call); }, member, json, true},
      {"GET", "/api/fix/sessions/{id}/comments", "listSessionComments",
       [&parts](const Call& call) { return session_comments(parts, call); }},
      {"POST", "/api/fix/sessions/{id}/comments", "commentOnSession",
       [&parts](const Call& call) { return comment_on_session(parts, call); }, member, json, true},
      {"GET", "/api/issues/{code}/comments", "listIssueComments",
       [&parts](const Call& call) { return issue_comments(parts, call); }},
      {"POST", "/api/issues/{code}/comments", "commentOnIssue",
       [&parts](const Call& call) { return comment_on_issue(parts, call); }, member, json, true},
      {"GET", "/api/issues/{code}/tests", "getIssueTests",
       [&parts](const Call& call) { return issue_tests(parts, call); }},
      {"POST", "/api/issues/{code}/tests", "openTest",
       [&parts](const Call& call) { return open_issue_test(parts, call); }, member, json, true},
  };
}

} // namespace emend
