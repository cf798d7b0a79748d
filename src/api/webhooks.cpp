#include "api/webhooks.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestName = 500, kLongestId = 200;
constexpr std::int64_t kSignatureMs = 5 * 60'000;
constexpr std::string_view kSigningPrefix = "whsec_";

// Two of the same would let the reader in the middle choose.
std::optional<std::string_view> only_header(const HttpRequest& request, std::string_view name) {
  const auto count = std::count_if(request.headers.begin(), request.headers.end(),
                                   [&](const HttpHeader& header) { return header.name == name; });
  return count == 1 ? request.header(name) : std::nullopt;
}

bool is_visible(std::string_view text, std::size_t longest) {
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

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

Result<std::string> header_word(const HttpRequest& request, std::string_view name, std::size_t longest) {
  const auto value = only_header(request, name);
  if (!value || value->empty() || value->size() > longest)
    return fail(ErrorCode::usage, "the header " + std::string(name) + " is missing or invalid");
  return std::string(*value);
}

Result<std::string> delivery_id(const HttpRequest& request, std::string_view name) {
  TRY_ASSIGN(std::string id, header_word(request, name, kLongestId));
  if (!is_visible(id, kLongestId))
    return fail(ErrorCode::usage, "the header " + std::string(name) + " is invalid");
  return id;
}

Result<std::string> member_text(const Json& body, const char* object, const char* member) {
  const Json* outer = find_member(body, object);
  const Json* inner = outer != nullptr && outer->is_object() ? find_member(*outer, member) : nullptr;
  if (inner == nullptr || !inner->is_string() ||
      !is_visible(inner->get_ref<const std::string&>(), kLongestName))
    return fail(ErrorCode::usage, std::string("/") + object + "/" + member + " is missing or invalid");
  return inner->get<std::string>();
}

// {"number": 42} or {"id": 1234}: members of a comment's event that name it.
Result<std::int64_t> member_number(const Json& body, const char* object, const char* member) {
  constexpr std::int64_t kMost = 1LL << 53;
  const Json* outer = find_member(body, object);
  const Json* inner = outer != nullptr && outer->is_object() ? find_member(*outer, member) : nullptr;
  const auto number = inner != nullptr ? exact_int(*inner, 1, kMost) : std::nullopt;
  if (!number)
    return fail(ErrorCode::usage, std::string("/") + object + "/" + member + " is missing or invalid");
  return *number;
}

Status read_comment_names(const Json& body, const char* pull, const char* number, const char* comment,
                          Delivery& delivery) {
  TRY_ASSIGN(const std::int64_t pull_number, member_number(body, pull, number));
  TRY_ASSIGN(const std::int64_t id, member_number(body, comment, "id"));
  if (pull_number > 2'000'000'000)
    return fail(ErrorCode::usage, "the number of the pull request is not valid");
  delivery.pull = static_cast<int>(pull_number);
  delivery.comment = std::to_string(id);
  return {};
}

// What is surely none of ours is not worth a question; what may be one is read from the forge.
bool may_be_a_command(const Json& body, const char* object, const char* member) {
  const Json* outer = find_member(body, object);
  return outer != nullptr && outer->is_object() && string_or(*outer, member).starts_with("/emend");
}

// Only new comments: one that was edited or removed is no command.
bool is_new_comment(const Json& body, const std::string& event) {
  if (string_or(body, "action") != "created") return false;
  const Json* issue = find_member(body, "issue");
  const bool on_pull = issue != nullptr && issue->is_object() && issue->contains("pull_request");
  return ((event == "issue_comment" && on_pull) || event == "pull_request_review_comment") &&
         may_be_a_command(body, "comment", "body");
}

bool is_branch(const Json& body) { return string_or(body, "ref").starts_with("refs/heads/"); }

} // namespace

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

Result<Delivery> read_github(const HttpRequest& request, const Json& body) {
  Delivery delivery;
  TRY_ASSIGN(delivery.event, header_word(request, "x-github-event", 100));
  TRY_ASSIGN(std::string id, delivery_id(request, "x-github-delivery"));
  delivery.ids = {
      std::move(id),
      sha256_hex(request.body)}; // the first is not signed: whoever sends bytes again could change it
  const bool push = delivery.event == "push" && is_branch(body);
  const bool closed = delivery.event == "pull_request" && string_or(body, "action") == "closed";
  const bool said = is_new_comment(body, delivery.event);
  delivery.reason_to_look = push || closed || said;
  if (delivery.reason_to_look) {
    TRY_ASSIGN(delivery.full_name, member_text(body, "repository", "full_name"));
  }
  delivery.inline_comment = said && delivery.event == "pull_request_review_comment";
  if (said)
    TRY(read_comment_names(body, delivery.inline_comment ? "pull_request" : "issue", "number", "comment",
                           delivery));
  return delivery;
}

Result<Delivery> read_gitlab(const HttpRequest& request, const Json& body) {
  Delivery delivery;
  TRY_ASSIGN(delivery.event, header_word(request, "x-gitlab-event", 100));
  // webhook-id is the one a signature covers; older versions have only the event's.
  std::string_view id_header = "x-gitlab-event-uuid";
  for (const std::string_view better : {"idempotency-key", "webhook-id"})
    if (request.header(better)) id_header = better;
  TRY_ASSIGN(std::string id, delivery_id(request, id_header));
  delivery.ids = {std::move(id)};
  const Json* attributes = find_member(body, "object_attributes");
  const bool push = string_or(body, "object_kind") == "push" && is_branch(body);
  const bool merged = string_or(body, "object_kind") == "merge_request" && attributes != nullptr &&
                      attributes->is_object() && string_or(*attributes, "action") == "merge";
  const bool said = string_or(body, "object_kind") == "note" && attributes != nullptr &&
                    attributes->is_object() && string_or(*attributes, "noteable_type") == "MergeRequest" &&
                    string_or(*attributes, "action", "create") == "create" &&
                    may_be_a_command(body, "object_attributes", "note");
  delivery.reason_to_look = push || merged || said;
  if (delivery.reason_to_look) {
    TRY_ASSIGN(delivery.full_name, member_text(body, "project", "path_with_namespace"));
  }
  if (said) TRY(read_comment_names(body, "merge_request", "iid", "object_attributes", delivery));
  return delivery;
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
