// Deliveries of forges: whether one was really sent by the forge we share a secret with, and which repository
// it is about. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
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

struct Delivery {
  std::vector<std::string> ids; // of the delivery: the same when it is sent again, and one of them signed
                                // where the forge signs any
  std::string event;            // "push", "Merge Request Hook"
  std::string full_name;        // "team/app"; empty = about nothing we look at
  bool reason_to_look = false;
  // A new comment on a pull request: which one. What it says, and who wrote it, is asked of the forge.
  int pull = 0;
  std::string comment;
  bool inline_comment = false;
};

// What is used must be as documented, what is not used may be anything. ErrorCode::usage says what is wrong.
[[nodiscard]] Result<Delivery> read_github(const HttpRequest& request, const Json& body);
[[nodiscard]] Result<Delivery> read_gitlab(const HttpRequest& request, const Json& body);

// "git@example.org:team/app.git", "https://example.org/team/app/" -> "team/app"; empty = not the address of a
// forge's repository.
[[nodiscard]] std::string name_in_url(std::string_view url);

} // namespace emend
