#include "adapters/openid/openid_provider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "adapters/http_client/http_client.hpp"
#include "adapters/openid/id_token.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDescriptionMs = 3'600'000; // how long what the provider says of itself is believed
constexpr std::size_t kMaxAnswer = 1'000'000;

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string percent(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       contains("-._~", {&c, 1});
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string form(const Pairs& pairs) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : pairs) parts.push_back(percent(name) + "=" + percent(value));
  return join(parts, "&");
}

// Without TLS only on this machine, for trying it out.
bool is_safe_address(std::string_view url) {
  if (url.find_first_of(" \t\r\n#\\@") != std::string_view::npos) return false;
  if (url.starts_with("https://")) return url.size() > 8;
  for (const std::string_view host : {"http://127.0.0.1", "http://localhost", "http://[::1]"})
    if (url.starts_with(host) &&
        (url.size() == host.size() || url[host.size()] == ':' || url[host.size()] == '/'))
      return true;
  return false;
}

std::string challenge_of(const std::string& verifier) {
  const std::string hex = sha256_hex(verifier);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return to_base64url(bytes);
}

bool holds_word(const Json& object, const char* member, const char* word) {
  const Json* list = find_member(object, member);
  return list != nullptr && list->is_array() && std::find(list->begin(), list->end(), word) != list->end();
}

class OpenIdProvider final : public SignInProvider {
public:
  OpenIdProvider(SignInPlace place, const Clock& clock)
      : place_(std::move(place)), clock_(clock), client_("the sign-in provider", place_.ca_file, limits()) {}

  Result<std::string> address(const SignInTrip& trip, std::stop_token stop) override {
    TRY_ASSIGN(const Json known, description(stop));
    TRY_ASSIGN(const std::string endpoint, endpoint_of(known, "authorization_endpoint"));
    std::vector<std::string> scopes = {"openid"};
    for (const std::string& scope : place_.scopes)
      if (scope != "openid") scopes.push_back(scope);
    const Pairs asked = {{"response_type", "code"},
                         {"client_id", place_.client_id},
                         {"redirect_uri", trip.return_url},
                         {"scope", join(scopes, " ")},
                         {"state", trip.state},
                         {"nonce", trip.nonce},
                         {"code_challenge", challenge_of(trip.verifier)},
                         {"code_challenge_method", "S256"}};
    return endpoint + (contains(endpoint, "?") ? "&" : "?") + form(asked);
  }

  Result<ConfirmedIdentity> identity(const SignInTrip& trip, const SignInAnswer& answer,
                                     std::stop_token stop) override {
    TRY_ASSIGN(const Json known, description(stop));
    // A code of one provider is never brought to another (RFC 9207).
    const Json* says = find_member(known, "authorization_response_iss_parameter_supported");
    const bool must = says != nullptr && *says == true;
    if ((must || !answer.issuer.empty()) && answer.issuer != place_.issuer)
      return fail(ErrorCode::auth, "the answer comes from another provider");
    TRY_ASSIGN(const Json tokens, redeem(known, trip, answer.code, stop));
    const std::string id_token = string_or(tokens, "id_token");
    if (id_token.empty()) return fail(ErrorCode::auth, "the provider sent no ID token");
    TRY_ASSIGN(Json claims, checked(known, id_token, trip.nonce, stop));
    ConfirmedIdentity identity{place_.issuer, string_or(claims, "sub"), std::move(claims)};
    TRY(add_user_info(known, string_or(tokens, "access_token"), identity, stop));
    return identity;
  }

private:
  static TransferLimits limits() {
    TransferLimits limits;
    limits.total_ms = 15'000; // somebody waits
    return limits;
  }

  Result<Json> ask(const HttpCall& call, const char* what, std::stop_token stop) {
    TRY_ASSIGN(const HttpAnswer answer, client_.perform(call, stop));
    auto body = parse_json(answer.body);
    if (answer.status == 200 && body && body->is_object()) return *std::move(body);
    const std::string why = body && body->is_object() ? string_or(*body, "error") : "";
    return fail(answer.status >= 500 ? ErrorCode::io : ErrorCode::auth,
                fmt::format("the sign-in provider answered {} when asked for {}{}", answer.status, what,
                            why.empty() ? "" : ": " + visible_text(first_line(why, 100))));
  }

  Result<Json> get(const std::string& url, const char* what, std::stop_token stop,
                   const std::string& token = {}) {
    HttpCall call;
    call.method = "GET";
    call.url = url;
    call.max_answer_bytes = kMaxAnswer;
    call.headers = {"Accept: application/json"};
    if (!token.empty()) call.headers.push_back("Authorization: Bearer " + token);
    return ask(call, what, stop);
  }

  Result<std::string> endpoint_of(const Json& known, const char* name) const {
    std::string url = string_or(known, name);
    const bool plain_needed = place_.issuer.starts_with("http://");
    if (!is_safe_address(url) || (!plain_needed && !url.starts_with("https://")))
      return fail(ErrorCode::config, "the sign-in provider describes no usable " + std::string(name),
                  "look at " + place_.issuer + "/.well-known/openid-configuration");
    return url;
  }

  Result<Json> description(std::stop_token stop) {
    const std::lock_guard guard(mutex_);
    const std::int64_t now = clock_.steady_ms();
    if (!description_.is_null() && now - described_ms_ < kDescriptionMs) return description_;
    const std::string base =
        place_.issuer.ends_with("/") ? place_.issuer.substr(0, place_.issuer.size() - 1) : place_.issuer;
    TRY_ASSIGN(Json known, get(base + "/.well-known/openid-configuration", "its description", stop));
    if (string_or(known, "issuer") != place_.issuer)
      return fail(ErrorCode::config,
                  "the sign-in provider calls itself " + visible_text(string_or(known, "issuer")) + ", not " +
                      place_.issuer,
                  "sign_in.issuer must be exactly its own spelling");
    description_ = std::move(known);
    described_ms_ = now;
    return description_;
  }

  // How the program shows who it is: in the header unless the provider takes it in the body alone.
  Result<Json> redeem(const Json& known, const SignInTrip& trip, const std::string& code,
                      std::stop_token stop) {
    HttpCall call;
    call.method = "POST";
    TRY_ASSIGN(call.url, endpoint_of(known, "token_endpoint"));
    call.max_answer_bytes = kMaxAnswer;
    call.headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: application/json"};
    Pairs pairs = {{"grant_type", "authorization_code"},
                   {"code", code},
                   {"redirect_uri", trip.return_url},
                   {"code_verifier", trip.verifier}};
    constexpr const char* kMethods = "token_endpoint_auth_methods_supported";
    const bool in_body = holds_word(known, kMethods, "client_secret_post") &&
                         !holds_word(known, kMethods, "client_secret_basic");
    if (place_.client_secret.empty() || in_body) pairs.emplace_back("client_id", place_.client_id);
    if (!place_.client_secret.empty() && in_body) pairs.emplace_back("client_secret", place_.client_secret);
    if (!place_.client_secret.empty() && !in_body)
      call.headers.push_back("Authorization: Basic " +
                             to_base64(percent(place_.client_id) + ":" + percent(place_.client_secret)));
    const std::string body = form(pairs);
    call.body = body;
    return ask(call, "the token", stop);
  }

  Result<Json> keys(const Json& known, bool again, std::stop_token stop) {
    const std::lock_guard guard(mutex_);
    const std::int64_t now = clock_.steady_ms();
    if (!again && !keys_.is_null() && now - keys_ms_ < kDescriptionMs) return keys_;
    TRY_ASSIGN(const std::string url, endpoint_of(known, "jwks_uri"));
    TRY_ASSIGN(keys_, get(url, "its keys", stop));
    keys_ms_ = now;
    return keys_;
  }

  // Providers change their keys, some under the same name: what does not hold is held against those of now.
  Result<Json> checked(const Json& known, const std::string& token, const std::string& nonce,
                       std::stop_token stop) {
    const IdTokenRules rules{place_.issuer, place_.client_id, nonce, clock_.wall_ms()};
    TRY_ASSIGN(const Json first, keys(known, false, stop));
    auto claims = check_id_token(token, first, rules);
    if (claims) return claims;
    TRY_ASSIGN(const Json fresh, keys(known, true, stop));
    claims = check_id_token(token, fresh, rules);
    if (!claims && claims.error().code == ErrorCode::not_found)
      return fail(ErrorCode::auth, "the provider's ID token is refused: " + claims.error().message);
    return claims;
  }

  // Many providers keep names and groups out of the token. What the token says comes first.
  Status add_user_info(const Json& known, const std::string& access_token, ConfirmedIdentity& identity,
                       std::stop_token stop) {
    const bool complete = std::all_of(place_.claims.begin(), place_.claims.end(), [&](const auto& name) {
      return find_member(identity.claims, name) != nullptr;
    });
    if (complete || access_token.empty() || find_member(known, "userinfo_endpoint") == nullptr) return {};
    if (access_token.find_first_of(" \r\n") != std::string::npos)
      return fail(ErrorCode::auth, "the provider's access token is not readable");
    TRY_ASSIGN(const std::string url, endpoint_of(known, "userinfo_endpoint"));
    TRY_ASSIGN(const Json more, get(url, "the person's claims", stop, access_token));
    if (string_or(more, "sub") != identity.subject)
      return fail(ErrorCode::auth, "the provider's claims are of somebody else");
    for (const auto& [name, value] : more.items())
      if (!identity.claims.contains(name)) identity.claims[name] = value;
    return {};
  }

  const SignInPlace place_;
  const Clock& clock_;
  HttpClient client_;
  std::mutex mutex_;
  Json description_, keys_;
  std::int64_t described_ms_ = 0, keys_ms_ = 0;
};

} // namespace

Result<std::unique_ptr<SignInProvider>> open_openid_provider(const SignInPlace& place, const Clock& clock) {
  if (!is_safe_address(place.issuer) || contains(place.issuer, "?"))
    return fail(ErrorCode::config, "sign_in.issuer is no https address: " + visible_text(place.issuer),
                "for example https://login.example.org/realms/main");
  if (place.client_id.empty())
    return fail(ErrorCode::config, "sign_in.client_id is missing",
                "register emend at the provider and write down the id it gives");
  return std::make_unique<OpenIdProvider>(place, clock);
}

} // namespace emend
