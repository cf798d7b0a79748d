// Signs a request the way S3 and its relatives want it: AWS Signature Version 4. Pure text, no clock, no
// network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emend {

struct S3Credentials {
  std::string key_id;
  std::string secret;
  std::string session_token; // of temporary ones; may be empty
};

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct UnsignedRequest {
  std::string method;         // "GET"
  std::string path;           // as it is sent: encoded, begins with '/'
  NamedValues query;          // not encoded
  NamedValues headers;        // every one is signed; names in lower case, "host" among them
  std::string payload_sha256; // hex
};

struct SigningScope {
  std::int64_t unix_seconds = 0;
  std::string region;
  std::string service = "s3";
};

// RFC 3986: all but unreserved characters become %XX. keep_slash for paths.
[[nodiscard]] std::string uri_encoded(std::string_view text, bool keep_slash);
// In the order in which it is signed; sent as it is.
[[nodiscard]] std::string query_text(const NamedValues& query);

[[nodiscard]] std::string amz_date(std::int64_t unix_seconds); // "20130524T000000Z"
[[nodiscard]] std::string canonical_request(const UnsignedRequest& request);
[[nodiscard]] std::string signature_of(const UnsignedRequest& request, const SigningScope& scope,
                                       std::string_view secret);
// The value of the Authorization header.
[[nodiscard]] std::string authorization(const UnsignedRequest& request, const SigningScope& scope,
                                        const S3Credentials& credentials);

} // namespace emend
