#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "api/fields.hpp"
#include "api/issue_json.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "engine/agents/answers.hpp"
#include "model/attempt.hpp"
#include "model/events.hpp"
#include "model/panel.hpp"
#include "service/issue_history.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFacetValues = 200; // the most frequent ones; nobody chooses from more

std::vector<std::string> words(const HttpRequest& request, std::string_view name) {
  std::set<std::string> found;
  for (const auto& [key, value] : request.query) {
    if (key != name) continue;
    for (const std::string& word : split(value, ','))
      if (!word.empty()) found.insert(word);
  }
  return {found.begin(), found.end()};
}

Result<IssueSearch> search_of(const ApiParts& parts, const Call& call) {
  const HttpRequest& request = call.request;
  static const std::set<std::string, std::less<>> known = {
      "repository_id", "status",    "severity", "rule",  "category", "tool",   "file",
      "session",       "substatus", "q",        "limit", "cursor",   "offset", "sort"};
  for (const auto& [name, value] : request.query)
    if (!known.contains(name)) return fail(ErrorCode::usage, "there is no filter " + name);
  IssueSearch search;
  TRY_ASSIGN(search.repository_id, call.repository);
  if (search.repository_id.empty()) {
    TRY_ASSIGN(const auto listed, listed_repositories(parts, call)); // not those that were forgotten
    search.among.emplace();
    for (const ServedRepository& repository : listed) search.among->push_back(repository.id);
  }
  for (const std::string& word : words(request, "status")) {
    const auto status = parse_issue_status(word);
    if (!status) return fail(ErrorCode::usage, "\"" + word + "\" is not a status");
    search.statuses.push_back(*status);
  }
  if (const auto trend = request.query_value("substatus")) {
    search.trend = parse_issue_trend(*trend);
    if (!search.trend) return fail(ErrorCode::usage, "substatus is new, ongoing or regressed");
  }
  search.severities = words(request, "severity");
  search.rules = words(request, "rule");
  search.categories = words(request, "category");
  search.tools = words(request, "tool");
  search.file_glob = request.query_value("file").value_or("");
  search.session_id = request.query_value("session").value_or("");
  search.text = request.query_value("q").value_or("");
  return search;
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(IssueSearch search, search_of(parts, call));
  TRY_ASSIGN(search.limit, page_size(call.request));
  const auto cursor = parse_unsigned(call.request.query_value("cursor").value_or("0"));
  if (!cursor || *cursor > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return problem_response(422, "validation-failed", "invalid cursor");
  if (const auto order = call.request.query_value("sort")) {
    const auto known = parse_issue_order(*order);
    if (!known)
      return problem_response(422, "validation-failed", "sort is found, worst, newest, file or rule");
    search.order = *known;
  }
  if (const auto offset = call.request.query_value("offset")) {
    const auto rows = parse_unsigned(*offset);
    if (!rows || *rows > 1'000'000'000) return problem_response(422, "validation-failed", "invalid offset");
    search.offset = static_cast<std::int64_t>(*rows);
  }
  TRY_ASSIGN(const IssuePage page, parts.ledger.issue_page(search, static_cast<std::int64_t>(*cursor)));
  Json data = Json::array();
  for (const Issue& issue : page.issues) data.push_back(api_issue(issue));
  return page_response(call.request, std::move(data), page.next != 0 ? std::to_string(page.next) : "");
}

Result<HttpReply> facets(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const IssueSearch search, search_of(parts, call));
  std::map<std::string, std::map<std::string, std::int64_t>> counts = {
      {"status", {}}, {"severity", {}}, {"rule", {}}, {"tool", {}}, {"category", {}}, {"substatus", {}}};
  std::int64_t total = 0;
  TRY_ASSIGN(const auto kinds, parts.ledger.issue_kinds(search));
  for (const IssueKindCount& kind : kinds) {
    total += kind.count;
    counts["status"][std::string(to_string(kind.status))] += kind.count;
    counts["severity"][kind.severity] += kind.count;
    counts["rule"][kind.rule] += kind.count;
    counts["tool"][kind.tool] += kind.count;
    counts["category"][kind.category] += kind.count;
    counts["substatus"][std::string(to_string(kind.trend))] += kind.count;
  }
  Json body = {{"total", total}, {"facets", Json::object()}};
  for (const auto& [name, values] : counts) {
    Json list = Json::array();
    for (const auto& [value, count] : values) list.push_back({{"value", value}, {"count", count}});
    std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
      return a.at("count").get<std::int64_t>() > b.at("count").get<std::int64_t>();
    });
    while (list.size() > kMostFacetValues) list.erase(list.size() - 1);
    body["facets"][name] = std::move(list);
  }
  return json_response(200, body);
}

struct Found {
  Issue issue;
  Workbench* bench;
};

Result<Found> find(const ApiParts& parts, const Call& call, const std::string& code) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(Issue issue, parts.store.issue(id, code));
  return Found{std::move(issue), bench};
}

Result<Found> find(const ApiParts& parts, const Call& call) {
  return find(parts, call, call.parameter("code"));
}

Result<HttpReply> get(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Found found, find(parts, call));
  return tagged_response(call.request, api_issue(found.issue));
}

// A person's decisions. There is no word for RESOLVED: only the gate says that.
Result<Issue> decide(Found& found, const Actor& actor, const std::string& action, const std::string& reason,
                     const std::string& of, const std::string& note) {
  SessionManager manager = found.bench->manager(actor);
  if (action == "reopen") return manager.reopen(found.issue.code, note);
  if (action == "ignore") return manager.ignore(found.issue.code, reason, note);
  return manager.mark_duplicate(found.issue.code, of);
}

struct Decision {
  std::string action, reason, of, note;
};

Decision read_decision(Fields& fields) {
  static const std::vector<std::string> reasons = {"false_positive", "wont_fix", "by_design", "out_of_scope"};
  Decision decision;
  decision.action = fields.word("action", {"ignore", "reopen", "duplicate"}, "");
  if (decision.action.empty()) fields.refuse("action", "is missing");
  decision.reason = fields.word("reason", reasons, "");
  decision.of = fields.text_or("of", "", 100);
  decision.note = fields.text_or("note", "", 4'000);
  if (decision.action == "ignore" && decision.reason.empty()) fields.refuse("reason", "is missing");
  if (decision.action == "duplicate" && decision.of.empty()) fields.refuse("of", "is missing");
  return decision;
}

Result<HttpReply> change(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const Decision decision = read_decision(fields);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(Found found, find(parts, call));
  if (const auto tag = call.request.header("if-match"); tag && *tag != tag_of(api_issue(found.issue)))
    return problem_response(412, "precondition-failed", "the issue has changed since you read it");
  TRY_ASSIGN(const Issue changed,
             decide(found, call.caller.actor, decision.action, decision.reason, decision.of, decision.note));
  return tagged_response(call.request, api_issue(changed));
}

// Each on its own: what cannot be done for one does not hold up the others.
Result<HttpReply> change_many(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  const std::vector<std::string> codes = fields.texts("ids", true, 10'000);
  const Decision decision = read_decision(fields);
  if (auto problem = fields.problems()) return *problem;
  Json done = Json::array(), refused = Json::array();
  for (const std::string& code : codes) {
    auto found = find(parts, call, code);
    auto changed = found ? decide(*found, call.caller.actor, decision.action, decision.reason, decision.of,
                                  decision.note)
                         : Result<Issue>(fail(found.error()));
    if (changed)
      done.push_back(api_issue(*changed));
    else
      refused.push_back({{"id", code}, {"detail", changed.error().message}});
  }
  return json_response(200, {{"changed", std::move(done)}, {"refused", std::move(refused)}});
}

Result<HttpReply> create(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text_or("repository_id", "", 200);
  Finding finding;
  finding.file = fields.text("file", 4'096);
  finding.title = fields.text("title", 500);
  finding.line = static_cast<int>(fields.number("line", 1, 100'000'000).value_or(0));
  const std::string severity =
      fields.word("severity", {"critical", "high", "medium", "low", "info"}, "medium");
  finding.description = fields.text_or("description", "", 100'000);
  finding.suggestion = fields.text_or("suggestion", "", 100'000);
  finding.category = fields.text_or("category", "", 200);
  finding.agent = "person";
  if (auto problem = fields.problems()) return *problem;
  finding.severity = *parse_severity(severity);
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const auto added, bench->manager(call.caller.actor).add_findings({finding}, "HEAD"));
  TRY(note_deed(parts, call, "issue.added", id, added.front().code));
  HttpResponse response = json_response(201, api_issue(added.front()));
  response.headers.push_back({"Location", "/api/issues/" + added.front().code + "?repository_id=" + id});
  return response;
}

Result<HttpReply> history(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Found found, find(parts, call));
  TRY_ASSIGN(const auto events, issue_history(parts.store, parts.ledger, found.issue));
  Json data = Json::array();
  for (const Event& event : events) data.push_back(api_event(event));
  return page_response(call.request, std::move(data), "");
}

// What several judges say together; null: one judges, or not all of them have said something valid.
Json together_json(const std::vector<Verdict>& verdicts, int panel) {
  const std::optional<Verdict> joint = panel > 1 ? joint_verdict(verdicts, panel) : std::nullopt;
  if (!joint) return nullptr;
  return {{"score", *joint->score}, {"votes", votes_text(verdicts, panel)}};
}

// What would be nice stands in the judge's answer alone.
Json verdict_json(const Verdict& verdict, const Issue& issue, int threshold) {
  Json json = to_json(verdict);
  json["threshold"] = threshold;
  json["suggestions"] = suggestions(verdict.answer, issue);
  return json;
}

Result<HttpReply> attempts(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Found found, find(parts, call));
  TRY_ASSIGN(const auto explanation, found.bench->manager(call.caller.actor).explain(found.issue.code));
  Json data = Json::array();
  for (const FixCycle& cycle : explanation.cycles) {
    Json verdicts = Json::array(), verifications = Json::array();
    for (const Verdict& verdict : cycle.verdicts)
      verdicts.push_back(verdict_json(verdict, found.issue, explanation.threshold));
    for (const Verification& verification : cycle.verifications)
      verifications.push_back(to_json(verification));
    data.push_back({{"attempt", to_json(cycle.attempt, false)},
                    {"together", together_json(cycle.verdicts, explanation.panel)},
                    {"verdicts", std::move(verdicts)},
                    {"verifications", std::move(verifications)},
                    {"diff", cycle.diff_after_fix}});
  }
  Json story = Json::array();
  for (const StoryLine& line : explanation.story) story.push_back(to_json(line));
  Json experiments = Json::array();
  for (const TellingRun& one : explanation.experiments) experiments.push_back(to_json(one));
  return json_response(200,
                       {{"data", std::move(data)},
                        {"next_cursor", nullptr},
                        {"story", std::move(story)},
                        {"experiments", std::move(experiments)},
                        {"decision", explanation.decision ? to_json(*explanation.decision) : Json(nullptr)}});
}

} // namespace

std::vector<Operation> issue_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/issues", "listIssues", [&parts](const Call& call) { return list(parts, call); }},
      {"POST", "/api/issues", "createIssue", [&parts](const Call& call) { return create(parts, call); },
       Admission::member, BodyKind::json, true},
      {"GET", "/api/issues/facets", "getIssueFacets",
       [&parts](const Call& call) { return facets(parts, call); }},
      {"POST", "/api/issues/bulk", "changeIssues",
       [&parts](const Call& call) { return change_many(parts, call); }, Admission::member, BodyKind::json},
      {"GET", "/api/issues/{code}", "getIssue", [&parts](const Call& call) { return get(parts, call); }},
      {"PATCH", "/api/issues/{code}", "changeIssue",
       [&parts](const Call& call) { return change(parts, call); }, Admission::member, BodyKind::json},
      {"GET", "/api/issues/{code}/history", "getIssueHistory",
       [&parts](const Call& call) { return history(parts, call); }},
      {"GET", "/api/issues/{code}/attempts", "getIssueAttempts",
       [&parts](const Call& call) { return attempts(parts, call); }},
  };
}

} // namespace emend
