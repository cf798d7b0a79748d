#include "http/message.hpp"

#include <algorithm>

namespace emend {

std::optional<std::string_view> HttpRequest::header(std::string_view lower_case_name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const HttpHeader& header) { return header.name == lower_case_name; });
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

std::optional<std::string_view> HttpRequest::query_value(std::string_view name) const {
  const auto found =
      std::find_if(query.begin(), query.end(), [&](const auto& pair) { return pair.first == name; });
  return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::string HttpRequest::path_text() const {
  std::string text;
  for (const std::string& segment : path) text += "/" + segment;
  return text.empty() ? "/" : text;
}

HttpResponse json_response(int status, const Json& body) {
  return {status, {{"Content-Type", "application/json"}}, dump_json(body) + "\n"};
}

HttpResponse problem_response(int status, std::string_view code, std::string_view detail,
                              const std::vector<ProblemItem>& errors) {
  Json body = {{"type", "/problems/" + std::string(code)},
               {"title", std::string(status_text(status))},
               {"status", status},
               {"code", std::string(code)},
               {"detail", std::string(detail)}};
  if (!errors.empty()) {
    Json list = Json::array();
    for (const ProblemItem& item : errors)
      list.push_back({{"pointer", item.pointer}, {"detail", item.detail}});
    body["errors"] = std::move(list);
  }
  return {status, {{"Content-Type", "application/problem+json"}}, dump_json(body) + "\n"};
}

std::string_view status_text(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

} // namespace emend
