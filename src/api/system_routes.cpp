#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/measures.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "engine/claims/work_claim.hpp"

namespace emend {

namespace {

HttpResponse plain_text(std::string text) {
  return {200, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

// What becomes of the others is asked where they are.
bool has_no_other_address(std::string_view kind) {
  return kind == "sync" || kind == "fetch" || kind == "clone";
}

Json job_json(const JobRecord& record) {
  return {{"id", record.job.id},
          {"kind", record.job.kind},
          {"repository_id", record.job.repository_id},
          {"team", record.job.team.empty() ? Json(nullptr) : Json(record.job.team)},
          {"priority", to_string(record.job.priority)},
          {"state", to_string(record.state)},
          {"problem", record.problem.empty() ? Json(nullptr) : Json(record.problem)},
          {"queued_at", rfc3339_utc(record.queued_ms)},
          {"started_at", record.started_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(record.started_ms))},
          {"ended_at", record.ended_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(record.ended_ms))},
          {"result", has_no_other_address(record.job.kind) ? record.result : Json(nullptr)}};
}

Result<HttpReply> status(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto repositories, listed_repositories(parts, call));
  TRY_ASSIGN(const std::int64_t newest, parts.ledger.newest_event());
  Json jobs = Json::array();
  for (const JobRecord& record : parts.queue.list())
    if (sees(call, record.job.repository_id) &&
        (record.state == JobState::queued || record.state == JobState::running))
      jobs.push_back(job_json(record));
  const HttpCounters http = parts.http_counters();
  return json_response(
      200, {{"version", parts.dependencies.version},
            {"started_at", rfc3339_utc(parts.started_ms)},
            {"repositories", repositories.size()},
            {"queue",
             {{"paused", parts.queue.paused()}, {"depth", parts.queue.depth()}, {"jobs", std::move(jobs)}}},
            {"newest_event", newest},
            {"streams", http.streams_open}});
}

Result<HttpReply> ready(const ApiParts& parts) {
  const auto newest = parts.ledger.newest_event();
  if (!newest)
    return problem_response(503, "not-ready", "the database cannot be read: " + newest.error().message);
  if (const Status stored = parts.queue.check(); !stored)
    return problem_response(503, "not-ready", "state cannot be stored: " + stored.error().message);
  if (const auto trouble = parts.queue.trouble()) return problem_response(503, "not-ready", *trouble);
  return json_response(200, {{"ready", true}, {"paused", parts.queue.paused()}});
}

double oldest_wait_seconds(const ApiParts& parts) {
  const std::int64_t now = parts.dependencies.clock->wall_ms();
  std::int64_t longest = 0;
  for (const JobRecord& record : parts.queue.list())
    if (record.state == JobState::queued) longest = std::max(longest, now - record.queued_ms);
  return static_cast<double>(longest) / 1'000;
}

std::string_view state_of(const WorkerRecord& worker) {
  if (!worker.alive) return "gone";
  if (worker.draining) return "draining";
  return worker.claims > 0 ? "working" : "idle";
}

// Where work is shared with other machines; one board serves all repositories.
std::string workers_text(const ApiParts& parts, const std::vector<ServedRepository>& repositories) {
  if (repositories.empty()) return "";
  const auto bench = parts.repositories.bench(repositories.front().id);
  Presence* const presence = bench ? (*bench)->ports(Actor{}).presence : nullptr;
  if (presence == nullptr) return "";
  const auto workers = presence->board().workers();
  if (!workers) return "";
  std::map<std::string_view, int> states = {{"working", 0}, {"idle", 0}, {"draining", 0}, {"gone", 0}};
  for (const WorkerRecord& worker : *workers)
    if (worker.slots > 0) ++states[state_of(worker)];
  std::string text =
      "# HELP emend_workers Workers that were active in the last hour, by state.\n# TYPE emend_workers "
      "gauge\n";
  for (const auto& [state, number] : states)
    text += fmt::format("emend_workers{{state=\"{}\"}} {}\n", state, number);
  return text;
}

// Prometheus text format. No ids in labels: their number must not grow with use.
Result<HttpReply> metrics(const ApiParts& parts) {
  std::string text;
  const auto help = [&](const char* name, const char* type, const char* what) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, what, type);
  };
  help("emend_build_info", "gauge", "The program's version.");
  text += fmt::format("emend_build_info{{version=\"{}\"}} 1\n", parts.dependencies.version);
  TRY_ASSIGN(const auto issues, parts.ledger.issue_counts());
  help("emend_issues", "gauge", "Issues by status and severity.");
  for (const IssueCount& issue : issues)
    text += fmt::format("emend_issues{{status=\"{}\",severity=\"{}\"}} {}\n", to_string(issue.status),
                        to_string(issue.severity), issue.count);
  TRY_ASSIGN(const auto sessions, parts.ledger.session_counts());
  help("emend_sessions_total", "counter", "Sessions by outcome.");
  for (const SessionCount& session : sessions)
    text +=
        fmt::format("emend_sessions_total{{outcome=\"{}\"}} {}\n", to_string(session.status), session.count);
  std::vector<AgentRunRecord> runs;
  TRY_ASSIGN(const auto repositories, parts.repositories.list());
  for (const ServedRepository& repository : repositories) {
    TRY_ASSIGN(const auto known, parts.store.latest_agent_runs(repository.id, 100'000));
    runs.insert(runs.end(), known.begin(), known.end());
  }
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts;
  double cost = 0, seconds = 0;
  std::int64_t tokens_in = 0, tokens_out = 0;
  for (const AgentRunRecord& run : runs) {
    ++counts[{run.agent, run.role, std::string(to_string(run.state.status))}];
    cost += run.usage.cost_usd.value_or(0);
    seconds += static_cast<double>(run.duration_ms) / 1000;
    tokens_in += run.usage.input_tokens;
    tokens_out += run.usage.output_tokens;
  }
  help("emend_agent_runs_total", "counter", "Runs of agents by agent, role and outcome.");
  for (const auto& [key, count] : counts)
    text += fmt::format("emend_agent_runs_total{{agent=\"{}\",role=\"{}\",outcome=\"{}\"}} {}\n",
                        std::get<0>(key), std::get<1>(key), std::get<2>(key), count);
  help("emend_agent_run_seconds_total", "counter", "Time agents have run.");
  text += fmt::format("emend_agent_run_seconds_total {:.3f}\n", seconds);
  help("emend_agent_cost_usd_total", "counter", "Cost as reported by the agents.");
  text += fmt::format("emend_agent_cost_usd_total {:.6f}\n", cost);
  help("emend_agent_tokens_total", "counter", "Tokens by direction.");
  text += fmt::format(
      "emend_agent_tokens_total{{type=\"input\"}} {}\nemend_agent_tokens_total{{type=\"output\"}} {}\n",
      tokens_in, tokens_out);
  const HttpCounters http = parts.http_counters();
  help("emend_http_requests_total", "counter", "Requests read.");
  text += fmt::format("emend_http_requests_total {}\n", http.requests);
  help("emend_http_refused_total", "counter", "Requests refused before routing.");
  text += fmt::format("emend_http_refused_total {}\n", http.refused);
  help("emend_http_connections", "gauge", "Open connections that are not event streams.");
  text += fmt::format("emend_http_connections {}\n", http.connections_open);
  help("emend_http_connections_closed_total", "counter",
       "Connections closed to make room for others, the longest idle first.");
  text += fmt::format("emend_http_connections_closed_total {}\n", http.connections_closed_for_others);
  help("emend_http_connections_turned_away_total", "counter",
       "Connections answered with 503 because there was no room.");
  text += fmt::format("emend_http_connections_turned_away_total {}\n", http.connections_turned_away);
  help("emend_sse_clients", "gauge", "Open event streams.");
  text += fmt::format("emend_sse_clients {}\n", http.streams_open);
  help("emend_sse_evicted_total", "counter", "Streams closed because the client did not read.");
  text += fmt::format("emend_sse_evicted_total {}\n", http.evicted);
  help("emend_queue_depth", "gauge", "Waiting jobs.");
  text += fmt::format("emend_queue_depth {}\n", parts.queue.depth());
  help("emend_queue_oldest_seconds", "gauge", "For how long the oldest waiting job has waited.");
  text += fmt::format("emend_queue_oldest_seconds {:.3f}\n", oldest_wait_seconds(parts));
  text += workers_text(parts, repositories) + measures_text() + process_text();
  return HttpResponse{200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, std::move(text)};
}

Result<HttpReply> follow_all(const ApiParts& parts, const Call& call) {
  EventStream stream;
  stream.repositories = call.caller.rights.repositories();
  TRY_ASSIGN(const std::int64_t newest, parts.ledger.newest_event());
  const std::string from(
      call.request.header("last-event-id").value_or(call.request.query_value("after").value_or("")));
  const auto given = parse_unsigned(from);
  if (!from.empty() && !given)
    return problem_response(422, "validation-failed", "after is the number of an event");
  TRY_ASSIGN(const auto gap, gap_before(parts, given, ""));
  const bool goes_on = given && !gap;
  stream.after = goes_on ? static_cast<std::int64_t>(*given) : newest;
  for (const std::string& type : split(call.request.query_value("types").value_or(""), ','))
    if (!type.empty()) stream.types.push_back(type);
  if (!goes_on)
    stream.preface = gap.value_or("") + event_frame(newest, "stream_start", dump_json({{"seq", newest}}));
  return stream;
}

// Newest first. A job that ended long ago is forgotten, and a cursor with it.
Result<HttpReply> list_jobs(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::size_t limit, page_size(call.request, 50, 200));
  std::vector<JobRecord> records = parts.queue.list();
  std::erase_if(records, [&](const JobRecord& record) { return !sees(call, record.job.repository_id); });
  const std::string after(call.request.query_value("cursor").value_or(""));
  auto from = records.begin();
  if (!after.empty()) {
    from = std::find_if(records.begin(), records.end(),
                        [&](const JobRecord& record) { return record.job.id == after; });
    if (from == records.end()) return fail(ErrorCode::usage, "this cursor is not known; begin without one");
    ++from;
  }
  Json list = Json::array();
  for (; from != records.end() && list.size() < limit; ++from) list.push_back(job_json(*from));
  return page_response(call.request, std::move(list), from == records.end() ? "" : std::prev(from)->job.id);
}

} // namespace

std::vector<Operation> system_operations(const ApiParts& parts) {
  const auto pause = [&parts](bool paused) {
    return [&parts, paused](const Call& call) -> Result<HttpReply> {
      parts.queue.pause(paused);
      TRY(note_deed(parts, call, paused ? "queue.paused" : "queue.resumed", "", ""));
      return json_response(200, {{"paused", paused}});
    };
  };
  return {
      {"GET", "/healthz", "getHealth", [](const Call&) -> Result<HttpReply> { return plain_text("ok\n"); },
       Admission::anybody},
      {"GET", "/readyz", "getReadiness", [&parts](const Call&) { return ready(parts); }},
      {"GET", "/metrics", "getMetrics", [&parts](const Call&) { return metrics(parts); }},
      {"GET", "/api/status", "getStatus", [&parts](const Call& call) { return status(parts, call); }},
      {"GET", "/api/events", "followEvents", [&parts](const Call& call) { return follow_all(parts, call); }},
      {"POST", "/api/queue/pause", "pauseQueue", pause(true)},
      {"POST", "/api/queue/resume", "resumeQueue", pause(false)},
      {"GET", "/api/jobs", "listJobs", [&parts](const Call& call) { return list_jobs(parts, call); }},
  };
}

} // namespace emend
