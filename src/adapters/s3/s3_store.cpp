#include "adapters/s3/s3_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/http_client/http_client.hpp"
#include "adapters/s3/answers.hpp"
#include "adapters/s3/signature.hpp"
#include "base/environment.hpp"
#include "base/hash.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxListBytes =
    16'000'000; // a thousand keys of 1,024 bytes, each byte as %XX, and what is around them

// A line break in a header would be another header.
bool fits_in_a_header(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

class S3Store final : public ObjectStore {
public:
  S3Store(const ArtifactSettings& settings, S3Credentials credentials, std::string ca_file,
          const Clock& clock)
      : settings_(settings),
        credentials_(std::move(credentials)),
        clock_(clock),
        client_("the S3 server", std::move(ca_file)) {
    const std::string origin =
        settings.endpoint.empty() ? "https://s3." + settings.region + ".amazonaws.com" : settings.endpoint;
    const std::size_t host_at = origin.find("://") + 3;
    scheme_ = origin.substr(0, host_at);
    host_ = (settings.bucket_in_path ? "" : settings.bucket + ".") + origin.substr(host_at);
    base_ = settings.bucket_in_path ? "/" + uri_encoded(settings.bucket, false) : "";
  }

  Status put(const std::string& key, std::string_view bytes, std::stop_token stop) override {
    TRY_ASSIGN(const HttpAnswer answer, send("PUT", key, {}, bytes, 64'000, stop));
    return check(answer);
  }

  Result<ObjectPage> list(const std::string& prefix, const std::string& from, std::stop_token stop) override {
    NamedValues query{{"list-type", "2"}, {"prefix", prefix}, {"encoding-type", "url"}};
    if (!from.empty()) query.emplace_back("continuation-token", from);
    TRY_ASSIGN(const HttpAnswer answer, send("GET", "", query, {}, kMaxListBytes, stop));
    TRY(check(answer));
    return read_object_list(answer.body);
  }

  Status remove(const std::string& key, std::stop_token stop) override {
    TRY_ASSIGN(const HttpAnswer answer, send("DELETE", key, {}, {}, 64'000, stop));
    if (answer.status == 404 && error_code_in(answer.body) == "NoSuchKey") return {};
    return check(answer);
  }

private:
  Result<HttpAnswer> send(const std::string& method, const std::string& key, const NamedValues& query,
                          std::string_view body, std::size_t max_answer, std::stop_token stop) {
    const SigningScope scope{clock_.wall_ms() / 1000, settings_.region};
    const std::string sha256 = sha256_hex(body);
    const std::string path =
        key.empty() && !base_.empty()
            ? base_
            : base_ + "/" + uri_encoded(key, true); // the bucket itself has no slash behind it
    UnsignedRequest request{
        method,
        path,
        query,
        {{"host", host_}, {"x-amz-content-sha256", sha256}, {"x-amz-date", amz_date(scope.unix_seconds)}},
        sha256};
    if (!credentials_.session_token.empty())
      request.headers.emplace_back("x-amz-security-token", credentials_.session_token);
    HttpCall call{method,
                  scheme_ + host_ + request.path + (query.empty() ? "" : "?" + query_text(query)),
                  {},
                  body,
                  max_answer};
    for (const auto& [name, value] : request.headers) call.headers.push_back(name + ": " + value);
    call.headers.push_back("authorization: " + authorization(request, scope, credentials_));
    if (method == "PUT") call.headers.push_back("content-type: application/octet-stream");
    return client_.perform(call, stop);
  }

  [[nodiscard]] Status check(const HttpAnswer& answer) const {
    if (answer.status >= 200 && answer.status < 300) return {};
    const std::string code = error_code_in(answer.body);
    const std::string said =
        fmt::format("{} answers {}{}", settings_.address(), answer.status, code.empty() ? "" : " " + code);
    if (answer.status == 401 || answer.status == 403)
      return fail(ErrorCode::auth, said,
                  "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, what they may do, artifacts.region, "
                  "and this machine's clock");
    if (answer.status >= 300 && answer.status < 400)
      return fail(ErrorCode::io, said + ": the bucket is in another region",
                  "set artifacts.region or artifacts.endpoint to its place");
    if (answer.status == 404)
      return fail(ErrorCode::io, said,
                  "check the bucket's name in artifacts.store; emend does not create buckets");
    if (answer.status == 400 && (code == "KeyTooLongError" || code == "EntityTooLarge"))
      return fail(ErrorCode::usage, said);
    if (answer.status == 413) return fail(ErrorCode::usage, said);
    return fail(ErrorCode::io, said);
  }

  const ArtifactSettings settings_;
  const S3Credentials credentials_;
  const Clock& clock_;
  HttpClient client_;
  std::string scheme_, host_, base_;
};

} // namespace

Result<std::unique_ptr<ObjectStore>> open_s3_store(const ArtifactSettings& settings,
                                                   const std::vector<std::string>& environment,
                                                   const Clock& clock) {
  S3Credentials credentials{variable(environment, "AWS_ACCESS_KEY_ID"),
                            variable(environment, "AWS_SECRET_ACCESS_KEY"),
                            variable(environment, "AWS_SESSION_TOKEN")};
  if (credentials.key_id.empty() || credentials.secret.empty())
    return fail(ErrorCode::auth, "there are no keys for " + settings.address(),
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment of emend");
  if (!fits_in_a_header(credentials.key_id) || !fits_in_a_header(credentials.session_token))
    return fail(ErrorCode::auth,
                "AWS_ACCESS_KEY_ID or AWS_SESSION_TOKEN contains characters that are not allowed in a key",
                "set them again, without blanks and line ends");
  return std::make_unique<S3Store>(settings, std::move(credentials), variable(environment, "AWS_CA_BUNDLE"),
                                   clock);
}

} // namespace emend
