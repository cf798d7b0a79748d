#include "api/webhooks.hpp"

#include <gtest/gtest.h>

#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

HttpRequest delivery(const std::string& body, std::vector<HttpHeader> headers) {
  HttpRequest request;
  request.method = "POST";
  request.body = body;
  request.headers = std::move(headers);
  return request;
}

const WebhookSecrets kSecrets{"It's a Secret to Everybody", "token", ""};

TEST(Webhooks, GithubsOwnExampleIsAccepted) {
  // The values GitHub publishes for testing an implementation.
  const std::string signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  EXPECT_TRUE(is_from_github(delivery("Hello, World!", {{"x-hub-signature-256", signature}}), kSecrets));
  EXPECT_FALSE(is_from_github(delivery("Hello, World", {{"x-hub-signature-256", signature}}), kSecrets));
  EXPECT_FALSE(is_from_github(
      delivery("Hello, World!", {{"x-hub-signature-256", signature}, {"x-hub-signature-256", signature}}),
      kSecrets));
  EXPECT_FALSE(is_from_github(delivery("Hello, World!", {{"x-hub-signature-256", signature}}), {}));
}

TEST(Webhooks, NoSecretMeansNobodyEvenWithTheDigestOfNone) {
  const std::string signature = "sha256=" + hmac_sha256_hex("", "{}");
  EXPECT_FALSE(is_from_github(delivery("{}", {{"x-hub-signature-256", signature}}), {}));
  EXPECT_FALSE(is_from_gitlab(delivery("{}", {{"x-gitlab-token", ""}}), {}, 0));
  EXPECT_FALSE(is_from_gitlab(delivery("{}", {}), {}, 0));
}

TEST(Webhooks, GitlabMustAnswerEverySecretThatIsSet) {
  const std::string key = "0123456789abcdef";
  const WebhookSecrets both{"", "token", "whsec_" + to_base64(key)};
  const auto from_hex = [](const std::string& hex) {
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    return bytes;
  };
  const std::string signature = "v1," + to_base64(from_hex(hmac_sha256_hex(key, "m.1000.{}")));
  const std::vector<HttpHeader> whole = {{"x-gitlab-token", "token"},
                                         {"webhook-id", "m"},
                                         {"webhook-timestamp", "1000"},
                                         {"webhook-signature", signature}};
  EXPECT_TRUE(is_from_gitlab(delivery("{}", whole), both, 1'000'000));
  EXPECT_TRUE(is_from_gitlab(delivery("{}", whole), both, 1'000'000 + 299'000));
  EXPECT_FALSE(is_from_gitlab(delivery("{}", whole), both, 1'000'000 + 301'000)) << "old";
  EXPECT_FALSE(is_from_gitlab(delivery("{}", whole), both, 1'000'000 - 301'000)) << "from the future";
  for (std::size_t missing = 0; missing < whole.size(); ++missing) {
    std::vector<HttpHeader> some = whole;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(missing));
    EXPECT_FALSE(is_from_gitlab(delivery("{}", some), both, 1'000'000)) << whole[missing].name;
  }
  EXPECT_TRUE(is_from_gitlab(delivery("{}", {{"x-gitlab-token", "token"}}), kSecrets, 0));
}

TEST(Webhooks, ASecretThatIsSetAndEmptyIsRefused) {
  EXPECT_TRUE(webhook_secrets({"PATH=/bin"}).value().github.empty());
  EXPECT_EQ(webhook_secrets({"EMEND_WEBHOOK_GITHUB_SECRET=a=b"}).value().github, "a=b");
  for (const std::string name :
       {"EMEND_WEBHOOK_GITHUB_SECRET", "EMEND_WEBHOOK_GITLAB_SECRET", "EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN"})
    for (const std::string value : {"", " ", "\t"})
      EXPECT_FALSE(webhook_secrets({name + "=" + value})) << name;
  EXPECT_FALSE(webhook_secrets({"EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN=whsec_"}));
  EXPECT_FALSE(webhook_secrets({"EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN=whsec_!"}));
}

TEST(Webhooks, ARemotesAddressNamesItsRepository) {
  for (const std::string url : {"git@example.org:team/app.git", "git@example.org:/team/app",
                                "https://example.org/team/app", "https://me:x@example.org/Team/App.git/",
                                "ssh://git@example.org:2222/team/app.git", "git://example.org/team/app"})
    EXPECT_EQ(name_in_url(url), "team/app") << url;
  EXPECT_EQ(name_in_url("https://lab.example.org/group/sub/app.git"), "group/sub/app");
  for (const std::string url :
       {"/srv/git/team/app.git", "../app", "app", "file:///srv/team/app", "", "./a:b/team/app"})
    EXPECT_EQ(name_in_url(url), "") << url;
}

} // namespace
} // namespace emend
