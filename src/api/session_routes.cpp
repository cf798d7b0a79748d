#include <algorithm>
#include <iterator>
#include <limits>

#include "api/issue_json.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "api/spending.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/context/event_log.hpp"
#include "model/forecast.hpp"
#include "model/report.hpp"
#include "model/session_view.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxLogBytes = 4'000'000;

// One that waits in the queue, or was only just taken from it, has no row yet.
Json queued_session(const JobRecord& record) {
  return {{"id", record.job.id},
          {"repository_id", record.job.repository_id},
          {"status", record.state == JobState::failed ? "error" : "queued"},
          {"detail", record.problem.empty() ? Json(nullptr) : Json(record.problem)},
          {"issue_ids", record.job.order.value("issue_ids", Json::array())},
          {"task_id", record.job.order.value("task_id", Json(nullptr))},
          {"links",
           {{"self", "/api/fix/sessions/" + record.job.id},
            {"events", "/api/fix/sessions/" + record.job.id + "/events"}}}};
}

Json with_task(const ApiParts& parts, Json session) {
  session["task_id"] = task_of(parts, session.at("id").get<std::string>());
  return session;
}

// --- the list
// -----------------------------------------------------------------------------------------------------------------

// Where a page ended: at a session that waited in the queue, or at one that was stored.
constexpr std::string_view kQueuedCursor = "queued:";

bool is_stored(const ApiParts& parts, const std::string& id) {
  const auto session = parts.store.session(id); // also takes the beginning of an id
  return session && session->id == id;
}

struct ListedSessions {
  Json data = Json::array();
  std::string next; // the cursor of the next page; empty = this was the last one
};

// Those that wait for their first run stand before all others, the newest first; one that waits to go on is
// stored already.
void add_queued(const ApiParts& parts, const std::string& repository,
                const std::vector<JobRecord>& newest_first, std::size_t size, ListedSessions& page) {
  for (const JobRecord& record : newest_first) {
    const bool wanted = repository.empty() || record.job.repository_id == repository;
    const bool waits = record.state == JobState::queued || record.state == JobState::running;
    const bool listed = record.job.kind == "fix" && waits && wanted;
    if (!listed || is_stored(parts, record.job.id)) continue;
    if (page.data.size() == size) {
      page.next = std::string(kQueuedCursor) + page.data.back().at("id").get<std::string>();
      return;
    }
    page.data.push_back(queued_session(record));
  }
}

// Stored ones, from the newest or from the one behind `before` on. shown: jobs that a page before this one
// listed as queued; what has been stored since because of them is not listed again.
Status add_stored(const ApiParts& parts, const Call& call, const std::string& repository,
                  const std::string& before, const std::vector<JobRecord>& shown, std::size_t size,
                  ListedSessions& page) {
  TRY_ASSIGN(const SessionPage stored, parts.ledger.session_page(repository, before, size - page.data.size(),
                                                                 call.caller.rights.repositories()));
  for (const Session& session : stored.sessions) {
    const bool here = std::any_of(page.data.begin(), page.data.end(),
                                  [&](const Json& row) { return row.at("id") == session.id; });
    const bool again = here || std::any_of(shown.begin(), shown.end(), [&](const JobRecord& record) {
                         return record.job.id == session.id && session.started_ms >= record.queued_ms;
                       });
    if (!again) page.data.push_back(with_task(parts, api_session(session)));
  }
  if (!stored.more) return {};
  page.next = stored.sessions.empty()
                  ? std::string(kQueuedCursor) + page.data.back().at("id").get<std::string>()
                  : stored.sessions.back().id;
  return {};
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string repository, call.repository);
  TRY_ASSIGN(const std::size_t size, page_size(call.request));
  const std::string cursor(call.request.query_value("cursor").value_or(""));
  const HttpResponse unknown =
      problem_response(422, "validation-failed", "invalid cursor; start again without one");
  ListedSessions page;
  if (!cursor.empty() && !cursor.starts_with(kQueuedCursor)) {
    const Status added = add_stored(parts, call, repository, cursor, {}, size, page);
    if (!added && added.error().code == ErrorCode::not_found) return unknown;
    TRY(added);
    return page_response(call.request, std::move(page.data), page.next);
  }
  std::vector<JobRecord> shown, waiting = parts.queue.list();
  std::erase_if(waiting, [&](const JobRecord& record) { return !sees(call, record.job.repository_id); });
  if (!cursor.empty()) {
    const std::string id = cursor.substr(kQueuedCursor.size());
    const auto place = std::find_if(waiting.begin(), waiting.end(),
                                    [&](const JobRecord& record) { return record.job.id == id; });
    if (place == waiting.end()) return unknown;
    shown.assign(waiting.begin(), std::next(place));
    waiting.erase(waiting.begin(), std::next(place));
  }
  add_queued(parts, repository, waiting, size, page);
  if (page.next.empty()) TRY(add_stored(parts, call, repository, "", shown, size, page));
  return page_response(call.request, std::move(page.data), page.next);
}

Result<HttpReply> get(const ApiParts& parts, const Call& call) {
  const std::string& id = call.parameter("id");
  const auto session = parts.store.session(id);
  if (!session) {
    const auto job = parts.queue.find(id);
    if (job) return json_response(200, queued_session(*job));
    return fail(session.error());
  }
  TRY_ASSIGN(const Json snapshot, session_snapshot(parts, session->id));
  return tagged_response(call.request, snapshot);
}

Result<HttpReply> report(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const KnownSession known, known_session(parts, call.parameter("id")));
  TRY_ASSIGN(const FixReport report, known.bench->manager(call.caller.actor).report(known.session.id));
  return tagged_response(call.request, to_json(report));
}

Result<HttpReply> diff(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const KnownSession known, known_session(parts, call.parameter("id")));
  std::string from = known.session.base;
  TRY_ASSIGN(std::string to, own_tip(parts.store, known.session));
  if (const auto code = call.request.query_value("issue")) {
    TRY_ASSIGN(const Issue issue, parts.store.issue(known.session.repository_id, std::string(*code)));
    TRY_ASSIGN(const auto commits, parts.store.commits(known.session.id));
    const auto commit = std::find_if(commits.begin(), commits.end(), [&](const CommitRecord& record) {
      return std::find(record.issue_ids.begin(), record.issue_ids.end(), issue.id) != record.issue_ids.end();
    });
    if (commit == commits.end())
      return problem_response(404, "not-found", "no commit of this session is about that issue");
    from = commit->parent;
    to = commit->sha;
  }
  Patch patch;
  if (!to.empty()) {
    TRY_ASSIGN(patch, known.bench->repository().diff(from, to));
  }
  if (call.request.query_value("format") == "patch")
    return HttpResponse{200, {{"Content-Type", "text/x-diff; charset=utf-8"}}, unified_diff(patch)};
  Json files = Json::array();
  for (const FileChange& change : patch.changes)
    files.push_back({{"path", change.path},
                     {"binary", change.binary()},
                     {"deleted", change.deleted()},
                     {"added", change.added()}});
  return tagged_response(call.request, {{"session_id", known.session.id},
                                        {"from", from},
                                        {"to", to},
                                        {"files", std::move(files)},
                                        {"diff", shown_diff(patch)}});
}

Result<HttpReply> plan(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Session session, parts.store.session(call.parameter("id")));
  const auto text =
      read_file_nofollow(fs::path(parts.home) / "sessions" / session.id / "master_todo.json", kMaxLogBytes);
  if (!text) return problem_response(404, "not-found", "this session has no plan");
  TRY_ASSIGN(const Json plan, parse_json(*text));
  return tagged_response(call.request, plan);
}

// It is cancelled already, whether that can be stored now or not.
void note_cancel(const ApiParts& parts, const Call& call, const Job& job) {
  const Status noted = note_deed(parts, call, "session.cancelled", job.repository_id, job.id);
  if (!noted) log(LogLevel::warn, "who cancelled " + job.id + " is not stored: " + noted.error().message);
}

Result<HttpReply> cancel(const ApiParts& parts, const Call& call) {
  const std::string& id = call.parameter("id");
  const auto job = parts.queue.find(id);
  const auto stored = job ? parts.store.session(id) : Result<Session>(fail(ErrorCode::not_found, ""));
  bool noted = false; // in the audit log
  // First: who is stopped asks why. Where that cannot be stored, the queue knows it.
  if (job && job->state == JobState::running && stored) {
    TRY_ASSIGN(const KnownSession known, known_session(parts, id));
    noted = known.bench->manager(call.caller.actor).request_cancel(*stored).has_value();
  }
  if (parts.queue.cancel(id)) {
    const bool not_begun_here = job->state == JobState::queued && job->started_ms == 0;
    if (not_begun_here && stored && !is_final(stored->status)) { // an earlier server had begun it
      TRY_ASSIGN(const KnownSession known, known_session(parts, id));
      TRY(known.bench->manager(call.caller.actor).cancel(known.session.id));
      noted = true;
    }
    if (!noted) note_cancel(parts, call, job->job);
    return json_response(202, {{"session_id", id}, {"cancelling", true}});
  }
  TRY_ASSIGN(const KnownSession known, known_session(parts, call.parameter("id")));
  TRY(known.bench->manager(call.caller.actor).cancel(known.session.id));
  return json_response(202, {{"session_id", known.session.id}, {"cancelling", true}});
}

HttpResponse resumed(const std::string& session_id) {
  HttpResponse response = json_response(
      202, {{"session_id", session_id}, {"events_url", "/api/fix/sessions/" + session_id + "/events"}});
  response.headers.push_back({"Location", "/api/fix/sessions/" + session_id});
  return response;
}

Result<HttpReply> resume(const ApiParts& parts, const Call& call) {
  if (parts.queue.hurry(call.parameter("id")))
    return resumed(call.parameter("id")); // it waits for that already
  TRY_ASSIGN(const KnownSession known, known_session(parts, call.parameter("id")));
  if (known.session.status == SessionStatus::planned)
    return problem_response(409, "conflict", "the session waits for the approval of its plan");
  const bool nothing_done = known.session.status == SessionStatus::stopped && known.session.tip.empty();
  if (is_final(known.session.status) && known.session.status != SessionStatus::cancelled && !nothing_done)
    return problem_response(409, "conflict",
                            "the session has ended: " + std::string(to_string(known.session.status)));
  if (present_status(known.session) == SessionStatus::running)
    return problem_response(409, "session-running", "the session is running");
  TRY_ASSIGN(auto refused, nothing_left(parts, *known.bench));
  if (refused) return *std::move(refused);
  bool joined = false;
  TRY(parts.queue.add(
      {known.session.id, "fix", known.session.repository_id, Json::object(), "resume " + known.session.id},
      call.caller.actor, joined));
  return resumed(known.session.id);
}

// Nothing more will come, unless somebody resumes it.
bool is_over(const ApiParts& parts, const Session& session) {
  const bool put_aside = session.status == SessionStatus::cancelled || session.status == SessionStatus::error;
  if (!put_aside) return is_final(session.status);
  return !parts.queue.goes_on_after(session.id, session.updated_ms);
}

} // namespace

Result<Json> session_snapshot(const ApiParts& parts, const std::string& session_id) {
  TRY_ASSIGN(const std::int64_t seq,
             parts.ledger.newest_event()); // first: what happens meanwhile is told again, not lost
  TRY_ASSIGN(const Session session, parts.store.session(session_id));
  TRY_ASSIGN(const auto units, parts.store.units(session.id));
  TRY_ASSIGN(const auto commits, parts.store.commits(session.id));
  TRY_ASSIGN(const auto runs, parts.store.agent_runs(session.id));
  Json issues = Json::array(), made = Json::array();
  std::vector<Issue> found;
  for (const std::string& id : session.issue_ids) {
    auto issue = parts.store.issue(session.repository_id, id);
    if (!issue) continue;
    issues.push_back(api_issue(*issue));
    found.push_back(*std::move(issue));
  }
  for (const CommitRecord& commit : commits)
    made.push_back({{"sha", commit.sha}, {"subject", commit.subject}, {"issue_ids", commit.issue_ids}});
  std::size_t ended = 0;
  for (const Unit& unit : units)
    ended += unit.status == UnitStatus::committed || unit.status == UnitStatus::finished ? 1 : 0;
  Json body = with_task(parts, api_session(session));
  body["seq"] = seq;
  body["issues"] = std::move(issues);
  body["commits"] = std::move(made);
  body["units"] = {{"total", units.size()}, {"ended", ended}};
  body["withdrawals"] = Json::array();
  TRY_ASSIGN(const auto withdrawals, parts.store.withdrawals("", session.id));
  for (const Withdrawal& one : withdrawals) {
    TRY_ASSIGN(const Issue issue, parts.store.issue(session.repository_id, one.issue_id));
    Json row = to_json(one);
    row["issue_code"] = issue.code;
    body["withdrawals"].push_back(std::move(row));
  }
  TRY_ASSIGN(const SessionView view, session_view(parts.store, session.id));
  body["accepted"] = view.accepted;
  body["grouped_branches"] = event_fields::json_of(view.grouped);
  const Consumed consumed = consumed_by(runs);
  body["consumed"] = to_json(consumed);
  body["per_resolved_issue"] = to_json(cost_of_resolved(session, found, consumed));
  body["forecast"] = view.forecast ? forecast_json(*view.forecast, consumed) : Json(nullptr);
  return body;
}

namespace {

// A session's own events are told although lower numbers of others may still come: beyond the newest event of
// all there may be some.
Result<bool> has_event(const ApiParts& parts, const std::string& session_id, std::uint64_t seq) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (session_id.empty() || seq == 0 || seq > kMost) return false;
  TRY_ASSIGN(const auto found, parts.ledger.events_after(static_cast<std::int64_t>(seq) - 1, session_id, 1));
  return !found.empty() && found.front().seq == static_cast<std::int64_t>(seq);
}

// Of a session that is over: what its stream ends with.
Result<std::int64_t> last_event_of(const ApiParts& parts, const std::string& session_id, std::int64_t after) {
  constexpr std::size_t kPage = 500;
  TRY_ASSIGN(std::int64_t last, parts.ledger.newest_event());
  for (bool more = true; more;) {
    TRY_ASSIGN(const auto events, parts.ledger.events_after(after, session_id, kPage));
    if (!events.empty()) after = events.back().seq;
    more = events.size() == kPage;
  }
  return std::max(last, after);
}

} // namespace

// Events are missing between what the reader has and what is kept; or it has numbers that were never given
// here, of another database.
Result<std::optional<std::string>> gap_before(const ApiParts& parts, std::optional<std::uint64_t> last_seen,
                                              const std::string& session_id) {
  if (!last_seen) return std::optional<std::string>();
  TRY_ASSIGN(const std::int64_t oldest, parts.ledger.oldest_event());
  TRY_ASSIGN(const std::int64_t newest, parts.ledger.newest_event());
  bool unknown = *last_seen > static_cast<std::uint64_t>(newest);
  if (unknown) {
    TRY_ASSIGN(const bool told, has_event(parts, session_id, *last_seen));
    unknown = !told;
  }
  const bool pruned = oldest > 1 && *last_seen + 1 < static_cast<std::uint64_t>(oldest);
  if (!unknown && !pruned) return std::optional<std::string>();
  return std::optional<std::string>(event_frame(0, "stream_gap", dump_json({{"oldest_id", oldest}})));
}

Result<HttpReply> follow_session(const ApiParts& parts, const HttpRequest& request,
                                 const std::string& session_id) {
  EventStream stream;
  stream.session_id = session_id;
  stream.ends_with_session = true;
  const std::string from(request.header("last-event-id").value_or(request.query_value("after").value_or("")));
  const auto given = parse_unsigned(from);
  if (!from.empty() && !given)
    return problem_response(422, "validation-failed", "Last-Event-ID is the number of an event");
  const auto session = parts.store.session(session_id);
  const bool waiting = !session && parts.queue.find(session_id).has_value();
  if (!session && !waiting) return fail(session.error());
  if (session) stream.session_id = session->id; // the beginning of an id will do to ask
  TRY_ASSIGN(const auto gap, gap_before(parts, given, stream.session_id));
  if (given && !gap) {
    stream.after = static_cast<std::int64_t>(*given);
    TRY_ASSIGN(const auto missed, parts.ledger.events_after(stream.after, stream.session_id, 1));
    const bool over = session ? is_over(parts, *session) : !parts.queue.goes_on_after(session_id, 0);
    if (missed.empty() && over) return HttpResponse{204, {}, ""}; // there is nothing to wait for
    if (over) {
      TRY_ASSIGN(stream.ends_after, last_event_of(parts, stream.session_id, stream.after));
    }
    return stream;
  }
  stream.preface = gap.value_or("");
  if (waiting) { // it has no state to show; all of its events are to come
    stream.after = 0;
    return stream;
  }
  TRY_ASSIGN(const Json snapshot, session_snapshot(parts, session_id));
  stream.after = snapshot.at("seq").get<std::int64_t>();
  stream.preface += event_frame(stream.after, "session_snapshot", dump_json(snapshot));
  stream.closes_after_preface = is_over(parts, *session);
  if (stream.closes_after_preface) stream.preface += event_frame(0, "stream_end", "{}");
  return stream;
}

std::vector<Operation> session_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/fix/sessions", "listSessions", [&parts](const Call& call) { return list(parts, call); }},
      {"GET", "/api/fix/sessions/{id}", "getSession",
       [&parts](const Call& call) { return get(parts, call); }},
      {"GET", "/api/fix/sessions/{id}/events", "followSession",
       [&parts](const Call& call) { return follow_session(parts, call.request, call.parameter("id")); }},
      {"GET", "/api/fix/sessions/{id}/plan", "getSessionPlan",
       [&parts](const Call& call) { return plan(parts, call); }},
      {"GET", "/api/fix/sessions/{id}/diff", "getSessionDiff",
       [&parts](const Call& call) { return diff(parts, call); }},
      {"GET", "/api/fix/sessions/{id}/report", "getSessionReport",
       [&parts](const Call& call) { return report(parts, call); }},
      {"POST", "/api/fix/sessions/{id}/cancel", "cancelSession",
       [&parts](const Call& call) { return cancel(parts, call); }},
      {"POST", "/api/fix/sessions/{id}/resume", "resumeSession",
       [&parts](const Call& call) { return resume(parts, call); }},
  };
}

} // namespace emend
