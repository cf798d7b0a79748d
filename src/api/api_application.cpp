#include "api/api_application.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "api/event_jobs.hpp"
#include "api/manners.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/measures.hpp"
#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr int kFailuresPerSecond = 20;
constexpr std::int64_t kAnswerMs = 24 * 3'600'000LL; // an Idempotency-Key is good for a day
constexpr std::uint64_t kMaxUnknownBody = 64'000;    // before it is certain who sends it
constexpr std::int64_t kUnansweredMs = 10 * 60'000;

HttpResponse not_allowed(const std::vector<std::string>& methods) {
  HttpResponse response =
      problem_response(405, "method-not-allowed", "this path takes " + join(methods, ", "));
  response.headers.push_back({"Allow", join(methods, ", ")});
  return response;
}

HttpResponse needs_credential() {
  HttpResponse response =
      problem_response(401, "auth-required", "send the server's token as Authorization: Bearer, or log in");
  response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

HttpResponse no_account(const std::string& name) {
  return problem_response(403, "no-account",
                          "there is no account named " + name +
                              "; an administrator can add an account: emend people add " + shell_quote(name));
}

bool is_public(Admission admission) {
  return admission == Admission::anybody || admission == Admission::signed_body;
}

bool is_read(const std::string& method) { return method == "GET" || method == "HEAD"; }

// Somebody follows a link to one of our pages, or comes back from where they signed in. Such a page says
// nothing by itself and changes nothing.
bool is_followed_link(const HttpRequest& head, const Operation* operation) {
  return operation != nullptr && operation->admission == Admission::anybody && head.method == "GET" &&
         !head.header("origin") && head.header("sec-fetch-mode") == "navigate" &&
         head.header("sec-fetch-dest") == "document";
}

std::string method_of(const HttpRequest& request) {
  return request.method == "HEAD" ? "GET" : request.method;
}

bool is_key(std::string_view key) {
  return !key.empty() && key.size() <= 200 &&
         std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

Json remembered_answer(const HttpResponse& response) {
  Json headers = Json::array();
  for (const HttpHeader& header : response.headers) headers.push_back({header.name, header.value});
  return {{"status", response.status}, {"headers", std::move(headers)}, {"body", response.body}};
}

HttpResponse replayed(const Json& answer) {
  HttpResponse response;
  response.status = answer.at("status").get<int>();
  for (const Json& header : answer.at("headers"))
    response.headers.push_back({header.at(0).get<std::string>(), header.at(1).get<std::string>()});
  response.headers.push_back({"Idempotency-Replayed", "true"});
  response.body = answer.at("body").get<std::string>();
  return response;
}

// Where a reader of a stream was; nullopt = at its beginning.
std::int64_t last_seen(const HttpRequest& request) {
  const auto seen =
      parse_unsigned(request.header("last-event-id").value_or(request.query_value("after").value_or("0")));
  return seen ? static_cast<std::int64_t>(*seen) : 0;
}

// A session whose engine died is taken up again, so that is no end; nor is the word that a person stopped it,
// which the end follows.
bool ends_session(const Event& event) {
  if (is<FixSessionCompleted>(event) || ends_job(event.type)) return true;
  const bool set_aside = is<FixSessionError>(event) || is<FixSessionCancelled>(event);
  const std::string status = string_or(event.data, "status");
  return set_aside && (status == "error" || status == "cancelled");
}

// An end that a person or the queue can take back.
bool is_put_aside(const Event& event) {
  return is<FixSessionError>(event) || is<FixSessionInterrupted>(event) || is<FixSessionCancelled>(event) ||
         string_or(event.data, "status") == "cancelled";
}

// Nothing of ours in a path is as long as a credential: ids are short, codes shorter.
std::string without_long_words(const std::string& path) {
  constexpr std::size_t kCredential = 32;
  std::string clean;
  for (std::size_t at = 0; at < path.size();) {
    std::size_t end = at;
    while (end < path.size() &&
           (std::isalnum(static_cast<unsigned char>(path[end])) != 0 || path[end] == '_'))
      ++end;
    if (end == at) ++end; // one that is no letter
    clean += end - at >= kCredential ? std::string("[redacted:word]") : path.substr(at, end - at);
    at = end;
  }
  return clean;
}

} // namespace

ApiApplication::ApiApplication(Callers& callers, Ledger& ledger, const Clock& clock, int requests_per_minute)
    : callers_(callers), ledger_(ledger), clock_(clock), pace_(requests_per_minute) {}

void ApiApplication::add(std::vector<Operation> operations) {
  for (Operation& operation : operations) {
    operation.need = need_of(operation.id);
    if (operation.need == nullptr) throw std::logic_error("no role is declared for " + operation.id);
    table_.add(operation.method, operation.pattern);
    operations_.push_back(std::move(operation));
  }
}

// Guessing is slow, whoever does it.
bool ApiApplication::too_many_failures() {
  const std::lock_guard guard(failing_);
  const std::int64_t second = clock_.wall_ms() / 1000;
  if (second != failure_second_) failures_ = 0;
  failure_second_ = second;
  return ++failures_ > kFailuresPerSecond;
}

HttpResponse ApiApplication::refuse_credential() {
  if (!too_many_failures()) return needs_credential();
  HttpResponse slow = problem_response(429, "too-many-failures", "too many wrong credentials");
  slow.headers.push_back({"Retry-After", "1"});
  return slow;
}

std::optional<HttpResponse> ApiApplication::slow_down(const Caller& caller) {
  if (caller.account_id.empty()) return std::nullopt; // the owner
  const auto wait = pace_.seconds_to_wait(caller.account_id, std::chrono::steady_clock::now());
  if (!wait) return std::nullopt;
  HttpResponse slow = problem_response(429, "too-many-requests",
                                       "you are making more requests than this server allows in a minute");
  slow.headers.push_back({"Retry-After", std::to_string(*wait)});
  return slow;
}

std::optional<HttpResponse> ApiApplication::refuse_caller(const HttpRequest& head,
                                                          const Operation* operation) {
  const Admission admission = operation == nullptr ? Admission::member : operation->admission;
  if (is_followed_link(head, operation)) return std::nullopt;
  if (auto foreign = check_foreign_page(head, names_)) return foreign;
  if (is_public(admission)) return std::nullopt;
  if (!callers_.may_be_known(head)) return refuse_credential();
  if (!callers_.by_browser(head)) return std::nullopt;
  if (admission == Admission::owner)
    return problem_response(403, "forbidden",
                            "this can only be done at the terminal, with the server's token");
  return is_read(head.method) ? std::nullopt : check_page(head, names_);
}

// As Allow names them.
std::vector<std::string> ApiApplication::methods_of(const std::vector<std::string>& path) const {
  std::vector<std::string> methods = table_.methods(path);
  if (methods.empty()) return methods;
  if (std::find(methods.begin(), methods.end(), "GET") != methods.end()) methods.push_back("HEAD");
  methods.push_back("OPTIONS");
  return methods;
}

// The paths are no secret: the contract is public. Pages of others learn nothing here either.
HttpResponse ApiApplication::options_of(const HttpRequest& head) const {
  if (auto foreign = check_foreign_page(head, names_)) return *foreign;
  const auto methods = methods_of(head.path);
  if (methods.empty()) return problem_response(404, "not-found", "not found");
  return {204, {{"Allow", join(methods, ", ")}}, ""};
}

std::optional<HttpResponse> ApiApplication::refuse(const HttpRequest& head) {
  if (auto foreign = check_host(head, names_)) return foreign;
  if (head.method == "OPTIONS") return options_of(head);
  const auto match = table_.find(method_of(head), head.path);
  const Operation* operation = match ? &operations_[match->route] : nullptr;
  if (auto refusal = refuse_caller(head, operation)) return refusal;
  if (operation == nullptr) {
    const auto others = methods_of(head.path);
    return others.empty() ? problem_response(404, "not-found", "not found") : not_allowed(others);
  }
  if (operation->body == BodyKind::none && head.has_body())
    return problem_response(422, "validation-failed", "this operation takes no body");
  if (operation->body == BodyKind::json) {
    const std::string type = to_lower(head.header("content-type").value_or(""));
    if (type != "application/json" && !type.starts_with("application/json;"))
      return problem_response(415, "unsupported-media-type", "send the body as application/json");
  }
  return std::nullopt;
}

std::uint64_t ApiApplication::max_body(const HttpRequest& head) {
  const auto match = table_.find(method_of(head), head.path);
  if (!match) return 0;
  const Operation& operation = operations_[match->route];
  const bool known = is_public(operation.admission) || callers_.is_known(head);
  return known ? operation.max_body : std::min(operation.max_body, kMaxUnknownBody);
}

HttpReply ApiApplication::answer(const HttpRequest& request) {
  HttpReply reply = answer_admitted(request);
  if (auto* response = std::get_if<HttpResponse>(&reply)) polish(request, *response);
  return reply;
}

// Who may not see the repository any more, or is nobody any more, is told nothing more.
void ApiApplication::guard_stream(const HttpRequest& request, const Caller& caller, EventStream& stream) {
  if (caller.account_id.empty() && !callers_.by_browser(request)) return; // the token or the socket
  HttpRequest head = request;
  head.body.clear();
  stream.allowed = [this, head = std::move(head), seen = caller.rights.repositories()] {
    const auto now = callers_.known_now(head);
    return now && now->rights.repositories() == seen;
  };
}

HttpReply ApiApplication::answer_admitted(const HttpRequest& request) {
  const auto match = table_.find(method_of(request), request.path);
  const Operation& operation = operations_[match->route]; // refuse() let only known ones in
  Caller caller;
  if (!is_public(operation.admission)) {
    auto known = callers_.find(request);
    if (!known) return problem_of(known.error());
    if (!*known) {
      const std::string name = callers_.stranger(request);
      return name.empty() ? refuse_credential() : no_account(name);
    }
    caller = **std::move(known);
    if (auto refusal = slow_down(caller)) return *std::move(refusal);
  }
  const auto key = request.header("idempotency-key");
  if (key && operation.once && !is_key(*key))
    return problem_response(400, "bad-request", "an Idempotency-Key has 1 to 200 visible characters");
  // A key belongs to whoever made it.
  const std::string owner = caller.account_id.empty() ? "" : caller.account_id + " ";
  HttpReply reply = operation.once && key ? run_once(operation, *match, request, caller,
                                                     owner + operation.id + " " + std::string(*key))
                                          : run(operation, *match, request, caller);
  if (auto* stream = std::get_if<EventStream>(&reply)) guard_stream(request, caller, *stream);
  return reply;
}

HttpReply ApiApplication::run(const Operation& operation, const RouteMatch& match, const HttpRequest& request,
                              const Caller& caller) {
  Call call{request, caller, match.parameters, Json::object()};
  if (operation.body == BodyKind::json) {
    auto body = parse_json(request.body.empty() ? "{}" : request.body);
    if (!body) return problem_response(400, "bad-request", "the body is not JSON: " + body.error().message);
    if (!body->is_object()) return problem_response(422, "validation-failed", "the body must be an object");
    call.body = *std::move(body);
  }
  if (place_) call.repository = place_(operation.need->scope, call);
  if (auto refusal = refuse_rights(operation, call)) return *std::move(refusal);
  auto reply = operation.run(call);
  return reply ? *std::move(reply) : HttpReply(problem_of(reply.error()));
}

// A repository that is not there and one that may not be seen are refused in the same words.
std::optional<HttpResponse> ApiApplication::refuse_rights(const Operation& operation, const Call& call) {
  const auto [id, role, scope] = *operation.need;
  const Rights& rights = call.caller.rights;
  if (operation.admission == Admission::owner && !call.caller.account_id.empty())
    return problem_response(403, "forbidden", "only the owner of this server can do this");
  if (scope == Reach::open || scope == Reach::caller || rights.may(role, kEverywhere)) return std::nullopt;
  if (scope == Reach::server) return role_missing(operation, std::string(kEverywhere));
  // Where it is cannot be told now: that says nothing about who asks.
  if (!call.repository && call.repository.error().code == ErrorCode::database)
    return problem_of(call.repository.error());
  if (!call.repository || !rights.may(Role::read, *call.repository)) {
    if (call.repository && call.repository->empty() && scope == Reach::listed) return std::nullopt;
    return role_missing(operation, {});
  }
  return rights.may(role, *call.repository) ? std::nullopt
                                            : std::optional(role_missing(operation, *call.repository));
}

// repository_id "" = one that the caller may not see, if there is one.
HttpResponse ApiApplication::role_missing(const Operation& operation, const std::string& repository_id) {
  const std::string role(to_string(operation.need->role));
  std::string names = "the owner of this server";
  if (const auto directory = callers_.directory(); directory)
    for (const Account& account : (*directory)->accounts)
      if (!account.removed && (*directory)->rights_of(account.id).may(Role::administer, repository_id))
        names += ", " + account.actor().name;
  const std::string where = repository_id.empty()          ? "this repository, if it exists"
                            : repository_id == kEverywhere ? "all repositories"
                                                           : "this repository";
  return problem_response(403, "role-missing",
                          "you need the role " + role + " for " + where + "; who can give it: " + names);
}

// A stream is told again from where its reader was, not begun again.
HttpReply ApiApplication::replay(const Json& kept, const HttpRequest& request) const {
  if (const Json* answer = find_member(kept, "answer")) return replayed(*answer);
  EventStream stream;
  stream.session_id = string_or(kept, "stream");
  stream.after = last_seen(request);
  stream.ends_with_session = true;
  return stream;
}

Status ApiApplication::free_unanswered_keys(const std::set<std::string>& living) {
  TRY_ASSIGN(const auto kept, ledger_.all_remembered("idempotency", clock_.wall_ms()));
  for (const Remembered& entry : kept)
    if (!entry.value.contains("answer") && !entry.value.contains("stream") &&
        !living.contains(string_or(entry.value, "server")))
      TRY(ledger_.forget("idempotency", entry.key));
  return {};
}

// The key is taken before the work begins, so that a second request with it cannot begin it too.
HttpReply ApiApplication::run_once(const Operation& operation, const RouteMatch& match,
                                   const HttpRequest& request, const Caller& caller, const std::string& key) {
  const std::int64_t now = clock_.wall_ms();
  const std::string digest = sha256_hex(request.target + "\n" + request.body);
  Json begun = {{"request", digest}};
  if (!server_.empty()) begun["server"] = server_;
  const auto taken = ledger_.remember_once({"idempotency", key, std::move(begun), now + kUnansweredMs}, now);
  if (!taken) return problem_of(taken.error());
  if (!*taken) {
    const auto known = ledger_.remembered("idempotency", key, now);
    if (!known) return problem_of(known.error());
    if (*known && string_or((*known)->value, "request") != digest)
      return problem_response(422, "idempotency-key-reused", "this key was used for another request");
    if (*known && ((*known)->value.contains("answer") || (*known)->value.contains("stream")))
      return replay((*known)->value, request);
    return problem_response(409, "idempotency-in-progress",
                            "the first request with this key is still being answered");
  }
  HttpReply reply = run(operation, match, request, caller);
  Json keep = {{"request", digest}};
  const auto* response = std::get_if<HttpResponse>(&reply);
  if (response != nullptr)
    keep["answer"] = remembered_answer(*response);
  else
    keep["stream"] = std::get<EventStream>(reply).session_id;
  const bool failed = response != nullptr && response->status >= 500;
  const Status kept = failed ? ledger_.forget("idempotency", key)
                             : ledger_.remember({"idempotency", key, std::move(keep), now + kAnswerMs});
  if (!kept) log(LogLevel::warn, "an answer could not be stored for its key: " + kept.error().message);
  return reply;
}

Result<std::vector<StreamEvent>> ApiApplication::events(std::int64_t after, const std::string& session_id,
                                                        std::size_t limit) {
  TRY_ASSIGN(const auto found, ledger_.events_after(after, session_id, limit));
  std::vector<StreamEvent> events;
  for (const Event& event : found) {
    events.push_back(stream_event(event));
    if (repository_) events.back().repository_id = repository_(event.session_id);
    if (events.back().last && goes_on_ && is_put_aside(event) && goes_on_(event.session_id, event.time_ms))
      events.back().last = false;
  }
  return events;
}

Result<std::int64_t> ApiApplication::newest_event() { return ledger_.newest_event(); }

// A label takes few values, whatever strangers send.
static bool is_usual(std::string_view method) {
  static constexpr std::array<std::string_view, 7> known = {"GET",    "HEAD",  "POST",   "PUT",
                                                            "DELETE", "PATCH", "OPTIONS"};
  return std::find(known.begin(), known.end(), method) != known.end();
}

// Without the query, which may hold what logs must not; and a path can be mistyped with a secret in it.
void ApiApplication::served(const HttpRequest& request, int status, double milliseconds) {
  observe(Measure::http_request_seconds,
          {{"method", is_usual(request.method) ? request.method : "other"},
           {"status", std::to_string(status / 100) + "xx"}},
          milliseconds / 1'000);
  log(LogLevel::info, "request",
      {{"request_id", request.id},
       {"method", request.method.empty() ? "-" : request.method},
       {"path", trim_middle(without_long_words(request.path_text()), 300)},
       {"status", status},
       {"ms", static_cast<std::int64_t>(milliseconds)},
       {"peer", request.peer}});
}

StreamEvent stream_event(const Event& event) {
  Json flat = {
      {"v", 1}, {"seq", event.seq}, {"ts", rfc3339_utc(event.time_ms)}, {"session_id", event.session_id}};
  if (!event.issue_code.empty()) flat["issue_code"] = event.issue_code;
  for (const auto& member : event.data.items())
    if (!flat.contains(member.key())) flat[member.key()] = member.value();
  return {event.seq, event.session_id, event.type, dump_json(flat), ends_session(event)};
}

} // namespace emend
