#include "http/request_head.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/strings.hpp"
#include "http/request_target.hpp"

namespace emend {

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_field_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); });
}

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<HeadRefusal> read_request_line(std::string_view line, HttpRequest& request, bool& old_version) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return HeadRefusal{400, "the request line is not METHOD TARGET VERSION"};
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                         version = line.substr(last + 1);
  if (!is_token(method)) return HeadRefusal{400, "the method is not a word"};
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return HeadRefusal{505, "only version 1.1 is spoken here"};
  old_version = version == "HTTP/1.0";
  const auto parsed = parse_target(target);
  if (!parsed) return HeadRefusal{400, "the target is not a plain path"};
  request.method = method;
  request.target = target;
  request.path = parsed->path;
  request.query = parsed->query;
  return std::nullopt;
}

std::optional<HeadRefusal> read_field(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return HeadRefusal{400, "a header line has no proper name"};
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (!is_field_text(value)) return HeadRefusal{400, "a header has bytes that do not belong there"};
  request.headers.push_back({to_lower(line.substr(0, colon)), std::string(value)});
  return std::nullopt;
}

// What would mean two things when it is said twice.
std::optional<HeadRefusal> check_repeated(const HttpRequest& request) {
  static const std::set<std::string, std::less<>> once = {
      "host",           "content-length", "content-type",    "authorization", "origin", "cookie",
      "accept",         "last-event-id",  "idempotency-key", "if-match",      "range",  "transfer-encoding",
      "sec-fetch-site", "x-emend-csrf",   "expect"};
  std::set<std::string_view> seen;
  for (const HttpHeader& header : request.headers)
    if (once.contains(header.name) && !seen.insert(header.name).second)
      return HeadRefusal{400, "the header " + header.name + " is given twice"};
  return std::nullopt;
}

std::optional<HeadRefusal> read_framing(HttpRequest& request, bool old_version) {
  if (!request.header("host")) return HeadRefusal{400, "the Host header is missing"};
  if (const auto coding = request.header("transfer-encoding")) {
    if (request.header("content-length") || old_version) return HeadRefusal{400, "a body has one length"};
    if (to_lower(*coding) != "chunked")
      return HeadRefusal{501, "the only Transfer-Encoding taken here is chunked"};
    request.chunked = true;
  }
  if (request.header("upgrade")) return HeadRefusal{400, "no other protocol is spoken here"};
  if (const auto expected = request.header("expect"); expected && !old_version) {
    if (to_lower(*expected) != "100-continue")
      return HeadRefusal{417, "the only expectation taken here is 100-continue"};
    request.expects_continue = true;
  }
  if (const auto length = request.header("content-length")) {
    const auto number = length->size() <= 18 ? parse_unsigned(*length) : std::nullopt;
    if (!number) return HeadRefusal{400, "Content-Length is not a number"};
    request.content_length = *number;
  }
  const std::string connection = to_lower(request.header("connection").value_or(""));
  request.keep_alive = !old_version && !contains(connection, "close");
  return std::nullopt;
}

} // namespace

std::size_t head_end(std::string_view bytes) {
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (at == 0 || bytes[at - 1] != '\r') return at + 1;
    if (at >= 3 && bytes[at - 2] == '\n') return at + 1;
    if (at == 1) return at + 1; // begins with an empty line
  }
  return 0;
}

std::variant<HttpRequest, HeadRefusal> parse_head(std::string_view head, const HeadLimits& limits) {
  if (head.size() > limits.head_bytes)
    return HeadRefusal{431, "the head is longer than " + std::to_string(limits.head_bytes) + " bytes"};
  if (!head.ends_with("\r\n\r\n")) return HeadRefusal{400, "lines end with CR LF"};
  head.remove_suffix(2);
  HttpRequest request;
  bool old_version = false, first = true;
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
      return HeadRefusal{400, "lines end with CR LF"};
    if (line.size() > limits.line_bytes)
      return HeadRefusal{first ? 414 : 431,
                         "a line is longer than " + std::to_string(limits.line_bytes) + " bytes"};
    auto refusal = first ? read_request_line(line, request, old_version) : read_field(line, request);
    if (refusal) return *refusal;
    first = false;
    if (request.headers.size() > limits.headers)
      return HeadRefusal{431, "there are more than " + std::to_string(limits.headers) + " headers"};
  }
  if (first) return HeadRefusal{400, "the request is empty"};
  if (auto refusal = check_repeated(request)) return *refusal;
  if (auto refusal = read_framing(request, old_version)) return *refusal;
  return request;
}

} // namespace emend
