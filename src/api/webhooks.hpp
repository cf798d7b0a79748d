// Deliveries of forges: whether one was really sent by the forge we share a secret with. Pure. What it says
// is read in deliveries.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "http/message.hpp"

namespace emend {

// From the environment alone: a repository's files can be written by anybody. Empty = that forge is not
// listened to.
struct WebhookSecrets {
  std::string github;         // EMEND_WEBHOOK_GITHUB_SECRET
  std::string gitlab;         // EMEND_WEBHOOK_GITLAB_SECRET: the "secret token", sent as it is
  std::string gitlab_signing; // EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN: the key of signed deliveries
};

// One that is set and empty, or cannot be used, is ErrorCode::config: it would let everybody in or nobody.
[[nodiscard]] Result<WebhookSecrets> webhook_secrets(const std::vector<std::string>& environment);

// Over the bytes as they came, before anybody has read them.
[[nodiscard]] bool is_from_github(const HttpRequest& request, const WebhookSecrets& secrets);
// Every secret that is set must be answered: the token, the signature (which ends after five minutes), or
// both.
[[nodiscard]] bool is_from_gitlab(const HttpRequest& request, const WebhookSecrets& secrets,
                                  std::int64_t now_ms);

// Of a header that is there once: two of the same would let the reader in the middle choose.
[[nodiscard]] std::optional<std::string_view> only_header(const HttpRequest& request, std::string_view name);
// Signs that can be seen, at least one, no blanks.
[[nodiscard]] bool is_visible(std::string_view text, std::size_t longest);

// "git@example.org:team/app.git", "https://example.org/team/app/" -> "team/app"; empty = not the address of a
// forge's repository.
[[nodiscard]] std::string name_in_url(std::string_view url);

} // namespace emend
