#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string query_escaped(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      escaped += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return escaped;
}

} // namespace

Result<std::size_t> page_size(const HttpRequest& request, std::size_t fallback, std::size_t most) {
  const auto given = request.query_value("limit");
  if (!given) return fallback;
  const auto number = parse_unsigned(*given);
  if (!number || *number < 1 || *number > most)
    return fail(ErrorCode::usage, "limit is a number from 1 to " + std::to_string(most));
  return static_cast<std::size_t>(*number);
}

HttpResponse page_response(const HttpRequest& request, Json data, const std::string& next_cursor) {
  HttpResponse response = json_response(
      200,
      {{"data", std::move(data)}, {"next_cursor", next_cursor.empty() ? Json(nullptr) : Json(next_cursor)}});
  if (next_cursor.empty()) return response;
  std::string next = request.path_text() + "?";
  for (const auto& [name, value] : request.query)
    if (name != "cursor") next += query_escaped(name) + "=" + query_escaped(value) + "&";
  response.headers.push_back(
      {"Link", "<" + next + "cursor=" + query_escaped(next_cursor) + ">; rel=\"next\""});
  return response;
}

std::string tag_of(const Json& body) { return "\"" + sha256_hex(dump_json(body)).substr(0, 32) + "\""; }

HttpResponse tagged_response(const HttpRequest& request, const Json& body) {
  const std::string tag = tag_of(body);
  const bool known = request.header("if-none-match") == tag;
  HttpResponse response = known ? HttpResponse{304, {}, ""} : json_response(200, body);
  response.headers.push_back({"ETag", tag});
  return response;
}

} // namespace emend
