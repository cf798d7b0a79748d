#include "api/manners.hpp"

#include <algorithm>

#include "api/packing.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kWorthPacking = 1'400; // less fits into one packet anyway

const std::string* header(const HttpResponse& response, std::string_view name) {
  const auto found = std::find_if(response.headers.begin(), response.headers.end(),
                                  [&](const HttpHeader& header) { return header.name == name; });
  return found == response.headers.end() ? nullptr : &found->value;
}

bool is_read(const HttpRequest& request) { return request.method == "GET" || request.method == "HEAD"; }

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type.starts_with("application/json") ||
         type.starts_with("application/problem+json");
}

// Any of the caller's tags, or '*'. Weak comparison: W/ does not count.
bool has_tag(std::string_view tags, std::string_view tag) {
  for (const std::string& part : split(tags, ',')) {
    std::string_view one = trim(part);
    if (one == "*") return true;
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == tag) return true;
  }
  return false;
}

void tag(const HttpRequest& request, HttpResponse& response) {
  const std::string own = "\"" + sha256_hex(response.body).substr(0, 32) + "\"";
  response.headers.push_back({"ETag", "W/" + own}); // weak: the same for the packed body
  if (!has_tag(request.header("if-none-match").value_or(""), own)) return;
  response.status = 304;
  response.body.clear();
  std::erase_if(response.headers, [](const HttpHeader& header) { return header.name == "Content-Type"; });
}

void pack(const HttpRequest& request, HttpResponse& response) {
  response.headers.push_back({"Vary", "Accept-Encoding"});
  Coding used = Coding::plain;
  std::string body = packed_for(request, response.body, used);
  if (body.empty()) return;
  response.body = std::move(body);
  response.headers.push_back({"Content-Encoding", std::string(name_of(used))});
}

} // namespace

void polish(const HttpRequest& request, HttpResponse& response) {
  constexpr std::size_t kMost = 64'000'000; // what one call of the packer takes, with room to spare
  const std::string* type = header(response, "Content-Type");
  const bool left_alone = !is_read(request) || type == nullptr || header(response, "ETag") != nullptr ||
                          header(response, "Content-Encoding") != nullptr || response.body.size() > kMost ||
                          header(response, "Content-Range") != nullptr;
  if (left_alone) return;
  const bool text = is_text(*type);
  if (response.status == 200 && type->starts_with("application/json")) tag(request, response);
  if (text && response.body.size() >= kWorthPacking) pack(request, response);
}

} // namespace emend
