#include "api/webhooks.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestId = 200;
constexpr std::int64_t kSignatureMs = 5 * 60'000;
constexpr std::string_view kSigningPrefix = "whsec_";

Result<std::string> secret_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& entry : environment) {
    if (!entry.starts_with(name + "=")) continue;
    const std::string value = entry.substr(name.size() + 1);
    if (trim(value).empty())
      return fail(ErrorCode::config, name + " is set but empty, so anyone could sign",
                  "give it a secret (openssl rand -hex 32), or unset it");
    return value;
  }
  return std::string();
}

// The part after "whsec_" is the key in base64; anything else is its own bytes.
std::optional<std::string> signing_key(const std::string& secret) {
  if (!secret.starts_with(kSigningPrefix)) return secret;
  auto key = from_base64(std::string_view(secret).substr(kSigningPrefix.size()));
  return key && !key->empty() ? std::move(key) : std::nullopt;
}

// Standard Webhooks: "v1,BASE64 v1,BASE64" over "ID.TIMESTAMP.BODY".
bool has_signature(const HttpRequest& request, const std::string& secret, std::int64_t now_ms) {
  const auto id = only_header(request, "webhook-id"), time = only_header(request, "webhook-timestamp"),
             given = only_header(request, "webhook-signature");
  const auto key = signing_key(secret);
  if (!id || !time || !given || !key || !is_visible(*id, kLongestId) || time->size() > 15) return false;
  const auto seconds = parse_unsigned(*time);
  if (!seconds) return false;
  const std::int64_t age = now_ms - static_cast<std::int64_t>(*seconds) * 1000;
  if (age > kSignatureMs || age < -kSignatureMs) return false;
  const std::string expected =
      hmac_sha256_hex(*key, std::string(*id) + "." + std::string(*time) + "." + request.body);
  bool signed_by_us = false;
  for (const std::string& part : split(*given, ' ')) {
    const auto digest =
        part.starts_with("v1,") ? from_base64(std::string_view(part).substr(3)) : std::nullopt;
    if (digest && digest->size() == 32 && same_secret(to_hex(*digest), expected)) signed_by_us = true;
  }
  return signed_by_us;
}

} // namespace

std::optional<std::string_view> only_header(const HttpRequest& request, std::string_view name) {
  const auto count = std::count_if(request.headers.begin(), request.headers.end(),
                                   [&](const HttpHeader& header) { return header.name == name; });
  return count == 1 ? request.header(name) : std::nullopt;
}

bool is_visible(std::string_view text, std::size_t longest) {
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

Result<WebhookSecrets> webhook_secrets(const std::vector<std::string>& environment) {
  WebhookSecrets secrets;
  TRY_ASSIGN(secrets.github, secret_of(environment, "EMEND_WEBHOOK_GITHUB_SECRET"));
  TRY_ASSIGN(secrets.gitlab, secret_of(environment, "EMEND_WEBHOOK_GITLAB_SECRET"));
  TRY_ASSIGN(secrets.gitlab_signing, secret_of(environment, "EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN"));
  if (!secrets.gitlab_signing.empty() && !signing_key(secrets.gitlab_signing))
    return fail(ErrorCode::config,
                "EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN is not a signing token: it must be whsec_ and base64",
                "copy it from the webhook's settings, or unset it");
  return secrets;
}

bool is_from_github(const HttpRequest& request, const WebhookSecrets& secrets) {
  constexpr std::string_view kPrefix = "sha256=";
  const auto given = only_header(request, "x-hub-signature-256");
  if (secrets.github.empty() || !given || given->size() != kPrefix.size() + 64 ||
      !given->starts_with(kPrefix))
    return false;
  return same_secret(given->substr(kPrefix.size()), hmac_sha256_hex(secrets.github, request.body));
}

bool is_from_gitlab(const HttpRequest& request, const WebhookSecrets& secrets, std::int64_t now_ms) {
  if (secrets.gitlab.empty() && secrets.gitlab_signing.empty()) return false;
  if (!secrets.gitlab.empty() &&
      !same_secret(only_header(request, "x-gitlab-token").value_or(""), secrets.gitlab))
    return false;
  return secrets.gitlab_signing.empty() || has_signature(request, secrets.gitlab_signing, now_ms);
}

std::string name_in_url(std::string_view url) {
  const auto scheme = url.find("://");
  std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  // host/path after a scheme, else git's short form host:path; a path of this machine is neither.
  const auto end_of_host = rest.find(scheme == std::string_view::npos ? ':' : '/');
  if (end_of_host == std::string_view::npos ||
      rest.substr(0, end_of_host).find('/') != std::string_view::npos || url.starts_with("file:"))
    return {};
  rest = rest.substr(end_of_host + 1);
  while (rest.starts_with('/')) rest.remove_prefix(1);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.ends_with(".git")) rest.remove_suffix(4);
  return to_lower(rest);
}

} // namespace emend
