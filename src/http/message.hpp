// A request and an answer as values: all that routes see of HTTP.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct HttpHeader {
  std::string name; // of a request: lower case
  std::string value;
};

struct HttpRequest {
  std::string method;                                     // "GET"
  std::string target;                                     // as it was sent, for nothing but logs
  std::vector<std::string> path;                          // decoded segments; none is empty, "." or ".."
  std::vector<std::pair<std::string, std::string>> query; // decoded, in order
  std::vector<HttpHeader> headers;
  std::string body;
  std::uint64_t content_length = 0; // 0 while a chunked body is on its way
  bool chunked = false;             // the body comes in chunks
  bool expects_continue = false;    // the body only comes when it is asked for
  bool keep_alive = true;
  bool local_socket = false; // came through the unix socket, whose permissions are its credential
  std::string id;   // the caller's X-Request-Id if it is a sane one, else made up; goes back with the answer
                    // and into the log
  std::string peer; // "127.0.0.1", "::1"; "unix" = through the socket

  [[nodiscard]] std::optional<std::string_view> header(std::string_view lower_case_name) const;
  [[nodiscard]] std::optional<std::string_view> query_value(std::string_view name) const; // the first one
  [[nodiscard]] bool has_body() const { return content_length > 0 || chunked; } // as the head announces it
  [[nodiscard]] std::string path_text() const;                                  // "/api/issues"
};

struct HttpResponse {
  int status = 200;
  std::vector<HttpHeader> headers;
  std::string body;
};

// What a stream of its own has to say next.
struct StreamPart {
  std::string frames; // whole ones; none = nothing new yet
  bool ends = false;
};

// What a long answer is made of: the log of events from some place on.
struct EventStream {
  std::string preface;                                       // frames that are sent first
  std::int64_t after = 0;                                    // events with a higher number follow
  std::string session_id;                                    // empty = of all sessions
  std::vector<std::string> types;                            // empty = all
  std::optional<std::vector<std::string>> repositories = {}; // only events of these; nullopt = all
  bool closes_after_preface = false;                         // there is nothing to wait for
  std::optional<std::int64_t>
      ends_after; // the number of the last event there will be: it, or what is beyond it, ends the stream
  bool ends_with_session = false; // a last event of the session ends the stream
  // Instead of the log: asked on a worker, never twice at once, again and again until it ends. An error
  // closes the stream.
  std::function<Result<StreamPart>()> source;
  std::function<bool()> allowed; // asked from time to time; false closes the stream. Empty = always
};

using HttpReply = std::variant<HttpResponse, EventStream>;

[[nodiscard]] HttpResponse json_response(int status, const Json& body);
// RFC 9457. code: a stable word from the catalogue of docs/http-api.md.
struct ProblemItem {
  std::string pointer; // JSON pointer into the request's body
  std::string detail;
};
[[nodiscard]] HttpResponse problem_response(int status, std::string_view code, std::string_view detail,
                                            const std::vector<ProblemItem>& errors = {});
[[nodiscard]] std::string_view status_text(int status);

} // namespace emend
