#include <algorithm>

#include "api/byte_range.hpp"
#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/run_log.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kChunk = 64'000; // of a log, in one frame

std::string_view status_of(const ApiParts& parts, const SeenRun& run) {
  if (run.record) return "ended";
  return is_running(parts.home, run) ? "running" : "interrupted";
}

Json run_json(const ApiParts& parts, const SeenRun& run) {
  Json body = to_json(run.start);
  if (run.record) {
    body = to_json(*run.record);
  } else {
    for (const char* unknown : {"model", "family", "state", "usage", "duration_ms"}) body[unknown] = nullptr;
  }
  for (const char* inside :
       {"prompt_file", "log_file", "live_file", "conversation_dir", "conversation_id", "conversation_usage"})
    body.erase(inside);
  body["status"] = status_of(parts, run);
  const auto log = read_run_log(parts.home, run.start, 0, 0);
  body["log_bytes"] = log ? Json(log->size) : Json(nullptr);
  const std::string self = "/api/runs/" + run.start.id;
  body["links"] = {{"self", self}, {"log", self + "/log"}, {"prompt", self + "/prompt"}};
  return body;
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  const std::string session(call.request.query_value("session").value_or(""));
  if (session.empty()) return problem_response(422, "validation-failed", "the session is missing: ?session=");
  TRY_ASSIGN(const auto runs, seen_runs(parts.store, session));
  Json data = Json::array();
  for (const SeenRun& run : runs) data.push_back(run_json(parts, run));
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> get(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const SeenRun run, seen_run(parts.store, call.parameter("id")));
  return json_response(200, run_json(parts, run));
}

HttpResponse text_response(int status, std::string text, std::string tag) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}, {"ETag", std::move(tag)}}, std::move(text)};
}

Result<HttpReply> prompt(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const SeenRun run, seen_run(parts.store, call.parameter("id")));
  TRY_ASSIGN(std::string text, read_run_prompt(parts.home, run.start));
  const std::string tag = "\"" + sha256_hex(text).substr(0, 32) + "\"";
  if (call.request.header("if-none-match") == tag) return text_response(304, "", tag);
  return text_response(200, std::move(text), tag);
}

// --- the log
// ----------------------------------------------------------------------------------------------------------------

// A log only grows, so its length tells its versions apart.
std::string tag_of_log(const SeenRun& run, std::uint64_t size) {
  return "\"" + run.start.id + "-" + std::to_string(size) + "\"";
}

Result<HttpReply> log_bytes(const ApiParts& parts, const HttpRequest& request, const SeenRun& run) {
  TRY_ASSIGN(const LogPart known, read_run_log(parts.home, run.start, 0, 0));
  const std::string tag = tag_of_log(run, known.size);
  if (request.header("if-none-match") == tag) return text_response(304, "", tag);
  const auto condition = request.header("if-range");
  const ByteRange range =
      byte_range(condition && *condition != tag ? std::nullopt : request.header("range"), known.size);
  const std::string size = std::to_string(known.size);
  if (range.kind == ByteRange::Kind::unsatisfiable) {
    HttpResponse response = problem_response(416, "range-not-satisfiable", "the log has " + size + " bytes");
    response.headers.push_back({"Content-Range", "bytes */" + size});
    return response;
  }
  TRY_ASSIGN(LogPart part, read_run_log(parts.home, run.start, range.first, range.count));
  HttpResponse response =
      text_response(range.kind == ByteRange::Kind::part ? 206 : 200, std::move(part.bytes), tag);
  response.headers.push_back({"Accept-Ranges", "bytes"});
  if (range.kind == ByteRange::Kind::part)
    response.headers.push_back({"Content-Range", "bytes " + std::to_string(range.first) + "-" +
                                                     std::to_string(range.first + range.count - 1) + "/" +
                                                     size});
  return response;
}

// Whole lines while more may come; else whole characters.
std::size_t whole_part(std::string_view bytes) {
  if (const std::size_t line = bytes.rfind('\n'); line != std::string_view::npos) return line + 1;
  std::size_t end = bytes.size();
  while (end > 0 && end + 4 > bytes.size() && !is_valid_utf8(bytes.substr(0, end))) --end;
  return end == 0 || !is_valid_utf8(bytes.substr(0, end)) ? bytes.size() : end;
}

// The number of a frame is the place in the log where the next one begins: whoever comes back with it goes on
// there.
Result<StreamPart> log_frames(const ApiParts& parts, const std::string& id, std::uint64_t& offset) {
  TRY_ASSIGN(const SeenRun run,
             seen_run(parts.store, id)); // first: whoever has ended says nothing more afterwards
  const bool over = !is_running(parts.home, run);
  TRY_ASSIGN(LogPart part, read_run_log(parts.home, run.start, offset, kChunk));
  StreamPart next;
  if (!part.bytes.empty()) {
    part.bytes.resize(whole_part(part.bytes));
    const Json data = {{"run_id", id}, {"offset", offset}, {"text", clean_text(part.bytes)}};
    offset += part.bytes.size();
    next.frames = event_frame(static_cast<std::int64_t>(offset), "run_log", dump_json(data));
  }
  next.ends = over && offset >= part.size;
  return next;
}

Result<HttpReply> follow_log(const ApiParts& parts, const HttpRequest& request, const SeenRun& run) {
  const std::string from(
      request.header("last-event-id").value_or(request.query_value("offset").value_or("0")));
  const auto given = parse_unsigned(from);
  if (!given) return problem_response(422, "validation-failed", "offset is a number of bytes");
  const bool over = !is_running(parts.home, run);
  TRY_ASSIGN(const LogPart known, read_run_log(parts.home, run.start, 0, 0));
  if (*given > known.size)
    return problem_response(416, "range-not-satisfiable",
                            "the log has " + std::to_string(known.size) + " bytes");
  if (over && *given == known.size && request.header("last-event-id"))
    return HttpResponse{204, {}, ""}; // there is nothing to wait for
  EventStream stream;
  stream.source = [&parts, id = run.start.id, offset = static_cast<std::uint64_t>(*given)]() mutable {
    return log_frames(parts, id, offset);
  };
  return stream;
}

Result<HttpReply> log(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const SeenRun run, seen_run(parts.store, call.parameter("id")));
  const std::string follow(call.request.query_value("follow").value_or("0"));
  if (follow != "0" && follow != "1") return problem_response(422, "validation-failed", "follow is 0 or 1");
  return follow == "1" ? follow_log(parts, call.request, run) : log_bytes(parts, call.request, run);
}

} // namespace

std::vector<Operation> run_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/runs", "listRuns", [&parts](const Call& call) { return list(parts, call); }},
      {"GET", "/api/runs/{id}", "getRun", [&parts](const Call& call) { return get(parts, call); }},
      {"GET", "/api/runs/{id}/log", "getRunLog", [&parts](const Call& call) { return log(parts, call); }},
      {"GET", "/api/runs/{id}/prompt", "getRunPrompt",
       [&parts](const Call& call) { return prompt(parts, call); }},
  };
}

} // namespace emend
