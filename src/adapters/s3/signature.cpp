#include "adapters/s3/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kAlgorithm = "AWS4-HMAC-SHA256";

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

// Outer blanks go, inner ones become one each.
std::string folded(std::string_view value) {
  std::string out;
  for (const char c : trim(value))
    if (c != ' ' || !out.ends_with(' ')) out += c;
  return out;
}

NamedValues sorted_headers(const UnsignedRequest& request) {
  NamedValues headers = request.headers;
  std::sort(headers.begin(), headers.end());
  return headers;
}

std::string header_names(const UnsignedRequest& request) {
  std::vector<std::string> names;
  for (const auto& [name, value] : sorted_headers(request)) names.push_back(name);
  return join(names, ";");
}

std::string day_of(const SigningScope& scope) { return amz_date(scope.unix_seconds).substr(0, 8); }

std::string scope_text(const SigningScope& scope) {
  return day_of(scope) + "/" + scope.region + "/" + scope.service + "/aws4_request";
}

} // namespace

std::string uri_encoded(std::string_view text, bool keep_slash) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c) || (keep_slash && c == '/'))
      out += c;
    else
      out += "%" + to_upper(to_hex(std::string_view(&c, 1)));
  }
  return out;
}

std::string query_text(const NamedValues& query) {
  NamedValues encoded;
  for (const auto& [name, value] : query)
    encoded.emplace_back(uri_encoded(name, false), uri_encoded(value, false));
  std::sort(encoded.begin(), encoded.end());
  std::vector<std::string> pairs;
  for (const auto& [name, value] : encoded) pairs.push_back(name + "=" + value);
  return join(pairs, "&");
}

std::string amz_date(std::int64_t unix_seconds) {
  const std::time_t time = unix_seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string canonical_request(const UnsignedRequest& request) {
  std::string text = request.method + "\n" + request.path + "\n" + query_text(request.query) + "\n";
  for (const auto& [name, value] : sorted_headers(request)) text += name + ":" + folded(value) + "\n";
  return text + "\n" + header_names(request) + "\n" + request.payload_sha256;
}

std::string signature_of(const UnsignedRequest& request, const SigningScope& scope, std::string_view secret) {
  const std::string to_sign = std::string(kAlgorithm) + "\n" + amz_date(scope.unix_seconds) + "\n" +
                              scope_text(scope) + "\n" + sha256_hex(canonical_request(request));
  std::string key = hmac_sha256("AWS4" + std::string(secret), day_of(scope));
  for (const std::string& part : {scope.region, scope.service, std::string("aws4_request")})
    key = hmac_sha256(key, part);
  return hmac_sha256_hex(key, to_sign);
}

std::string authorization(const UnsignedRequest& request, const SigningScope& scope,
                          const S3Credentials& credentials) {
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm, credentials.key_id,
                     scope_text(scope), header_names(request),
                     signature_of(request, scope, credentials.secret));
}

} // namespace emend
